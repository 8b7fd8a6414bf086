#include "cli/process_setup.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "base/threads/thread.h"
#include "io/tty/tty.h"

namespace rondo::cli {

namespace {

constexpr int kFirstRealTimeSignal = 32;

// The state of a standard descriptor at the start of the process.
struct StandardDescriptor {
  int flags = -1;  // Of the open file description; -1 if unknown.
  dev_t device = 0;
  ino_t inode = 0;
};

// Written before the signal handlers are installed, and only read afterwards.
constinit std::array<StandardDescriptor, 3> standard_descriptors;

// Opens closed standard descriptors: the next file that the process opens would get such a number.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDWR) != fd) {
      std::abort();  // Without /dev/null the error cannot be reported.
    }
    struct stat info {};
    if (::fstat(fd, &info) < 0) continue;
    standard_descriptors[static_cast<size_t>(fd)] = {::fcntl(fd, F_GETFL), info.st_dev,
                                                     info.st_ino};
  }
}

// Restores the flags, because other processes may share the open file descriptions and expect them
// to block. Async-signal-safe.
void restore_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    const StandardDescriptor& saved = standard_descriptors[static_cast<size_t>(fd)];
    struct stat info {};
    if (saved.flags < 0 || ::fstat(fd, &info) < 0) continue;
    if (info.st_dev != saved.device || info.st_ino != saved.inode) continue;
    if (::fcntl(fd, F_GETFL) != saved.flags) ::fcntl(fd, F_SETFL, saved.flags);
  }
}

// Handler of SIGINT and SIGTERM. SA_RESETHAND has restored the default action, and the mask blocks
// the signal until this function returns: raise() then ends the process with the same signal.
void end_by_signal(int signum) {
  restore_standard_descriptors();
  static_cast<void>(Tty::reset_mode());  // The process ends: a failure cannot be reported.
  ::raise(signum);
}

void reset_signals() {
  struct sigaction action {};
  for (int signum = 1; signum < kFirstRealTimeSignal; ++signum) {
    if (signum == SIGKILL || signum == SIGSTOP) continue;
    const bool is_error_of_write = signum == SIGPIPE || signum == SIGXFSZ;
    action.sa_handler = is_error_of_write ? SIG_IGN : SIG_DFL;
    ::sigaction(signum, &action, nullptr);
  }
  action.sa_handler = end_by_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigfillset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

// Raises the soft limit of open files, which is low for programs that use select(2). If the kernel
// rejects the hard limit, the soft limit stays.
void raise_limit_of_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

bool has_room_for_threads(size_t count) {
  constexpr rlim_t kHigh = 4096;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NPROC, &limit) < 0 || limit.rlim_cur > kHigh) return true;
  std::mutex all_started;
  const std::unique_ptr<Thread[]> threads(new Thread[count]);
  bool has_room = true;
  {
    const std::lock_guard lock(all_started);
    for (size_t i = 0; has_room && i < count; ++i) {
      has_room = threads[i].start([&all_started] { const std::lock_guard wait(all_started); });
    }
  }
  for (size_t i = 0; i < count; ++i) threads[i].join();
  return has_room;
}

void set_up_process() {
  open_standard_descriptors();
  reset_signals();
  raise_limit_of_files();
}

}  // namespace rondo::cli
