#include "base/control/blocked_call.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/encoding/json.h"
#include "base/fd.h"
#include "base/file_name.h"

namespace rondo {

namespace {

// Reads a short file of /proc, such as the number and arguments of the system call that a thread is
// in.
std::string read_small(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return {};
  char text[512];
  const ssize_t size = ::read(file.get(), text, sizeof text);
  return size > 0 ? std::string(text, static_cast<size_t>(size)) : std::string();
}

const char* name_of_syscall(long number) {
  switch (number) {
    case SYS_read: return "read";
    case SYS_pread64: return "pread";
    case SYS_readv: return "readv";
    case SYS_write: return "write";
    case SYS_pwrite64: return "pwrite";
    case SYS_writev: return "writev";
    case SYS_open: return "open";
    case SYS_openat: return "openat";
    case SYS_poll: return "poll";
    case SYS_ppoll: return "ppoll";
    case SYS_fsync: return "fsync";
    case SYS_flock: return "flock";
    case SYS_wait4: return "wait4";
    case SYS_waitid: return "waitid";
    case SYS_futex: return "futex";
    case SYS_nanosleep: return "nanosleep";
    case SYS_clock_nanosleep: return "clock_nanosleep";
    case SYS_connect: return "connect";
    case SYS_recvfrom: return "recvfrom";
    case SYS_epoll_wait: return "epoll_wait";
    case SYS_epoll_pwait: return "epoll_pwait";
    default: return nullptr;
  }
}

bool has_descriptor(std::string_view call) {
  return call == "read" || call == "pread" || call == "readv" || call == "write" ||
         call == "pwrite" || call == "writev" || call == "fsync" || call == "flock" ||
         call == "connect" || call == "recvfrom";
}

}  // namespace

std::string blocked_call_json(int32_t tid) {
  const std::string about = read_small("/proc/self/task/" + std::to_string(tid) + "/syscall");
  char* rest = nullptr;
  const long number = std::strtol(about.c_str(), &rest, 10);
  if (rest == about.c_str() || number < 0) return "";
  const char* const name = name_of_syscall(number);
  std::string result =
      "\"call\":" +
      encoding::json_of_utf8(name != nullptr ? name : "number " + std::to_string(number));
  if (name == nullptr || !has_descriptor(name)) return result;
  const long fd = std::strtol(rest, nullptr, 16);
  const std::string target = name_of_descriptor(static_cast<int>(fd));
  result += ",\"fd\":" + std::to_string(fd);
  if (!target.empty()) result += ",\"path\":" + encoding::json_of_utf8(target);
  return result;
}

std::string ms_json(std::chrono::nanoseconds duration) {
  return std::to_string(static_cast<double>(duration.count()) / 1e6);
}

}  // namespace rondo
