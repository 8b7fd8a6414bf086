#include "io/tty/tty.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

#include "io/process/reopen.h"
#include "loop/loop.h"

namespace rondo {

// A terminal whose mode was changed, and its original mode.
struct TerminalMode {
  static constexpr int kFree = -1;
  static constexpr int kBusy = -2;

  // Our own descriptor. Users exchange it for kBusy meanwhile, so that neither a signal handler nor
  // another thread finds it closed or reused.
  std::atomic<int> fd{kFree};
  termios original{};  // Fixed while fd is neither free nor busy.
  dev_t device = 0;    // This and the next are guarded by the mutex.
  size_t users = 0;    // Handles whose mode is not normal.
};

namespace {

// More terminals than a program sensibly has in raw mode at once; a fixed array, because a signal
// handler reads it.
constexpr size_t kMostTerminals = 32;

// One per process, because a terminal's mode outlives even the process.
class TerminalModes {
 public:
  Result<TerminalMode*> acquire(int fd);
  void release(TerminalMode& mode);
  Result<void> restore_all();  // Async-signal-safe.

 private:
  // Takes the descriptor for exclusive use until it is stored again; or returns kFree or kBusy.
  static int claim(TerminalMode& mode);
  static Result<void> restore(int fd, const termios& original);

  std::mutex mutex_;  // Never taken by restore_all().
  std::array<TerminalMode, kMostTerminals> modes_;
};

constinit TerminalModes terminals;

Result<void> set_attributes(int fd, const termios& attributes) {
  // Without draining: a terminal stopped with Ctrl-S would block the loop.
  while (::tcsetattr(fd, TCSANOW, &attributes) < 0) {
    if (errno != EINTR) return Error::last("tcsetattr");
  }
  return {};
}

Result<TerminalMode*> TerminalModes::acquire(int fd) {
  std::lock_guard lock(mutex_);
  struct stat info {};
  if (::fstat(fd, &info) < 0) return Error::last("fstat");
  TerminalMode* unused = nullptr;
  for (TerminalMode& mode : modes_) {
    if (mode.users == 0) {
      unused = &mode;
    } else if (mode.device == info.st_rdev) {
      ++mode.users;
      return &mode;
    }
  }
  if (unused == nullptr) return Error{ENOMEM, "tcgetattr"};
  if (::tcgetattr(fd, &unused->original) < 0) return Error::last("tcgetattr");
  const int own = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return Error::last("dup");
  unused->device = info.st_rdev;
  unused->users = 1;
  unused->fd.store(own, std::memory_order_release);
  return unused;
}

void TerminalModes::release(TerminalMode& mode) {
  std::lock_guard lock(mutex_);
  if (--mode.users > 0) return;
  int fd;
  while ((fd = claim(mode)) == TerminalMode::kBusy) {
    // Another thread is in reset_mode(), which does not block.
  }
  (void)restore(fd, mode.original);  // A closed terminal needs no mode.
  ::close(fd);
  mode.fd.store(TerminalMode::kFree, std::memory_order_release);
}

Result<void> TerminalModes::restore_all() {
  const int saved_errno = errno;
  Result<void> outcome;
  for (TerminalMode& mode : modes_) {
    const int fd = claim(mode);
    if (fd < 0) continue;  // Not in use, or being restored at the moment.
    Result<void> restored = restore(fd, mode.original);
    mode.fd.store(fd, std::memory_order_release);
    if (!restored) outcome = restored;
  }
  errno = saved_errno;
  return outcome;
}

int TerminalModes::claim(TerminalMode& mode) {
  int fd = mode.fd.load(std::memory_order_acquire);
  while (fd >= 0 && !mode.fd.compare_exchange_weak(fd, TerminalMode::kBusy)) {
  }
  return fd;
}

Result<void> TerminalModes::restore(int fd, const termios& original) {
  // The terminal belongs to the foreground process, and the shell restored its mode when it put us
  // in the background; changing it from there would also stop us, if the signal were not blocked.
  const pid_t front = ::tcgetpgrp(fd);  // Fails if it is not our controlling terminal.
  if (front > 0 && front != ::getpgrp()) return {};
  sigset_t stop, before;
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGTTOU);
  ::pthread_sigmask(SIG_BLOCK, &stop, &before);
  Result<void> outcome = set_attributes(fd, original);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return outcome;
}

termios attributes_of(Tty::Mode mode, termios attributes) {
  switch (mode) {
    case Tty::Mode::normal: break;
    case Tty::Mode::raw:
      attributes.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
      attributes.c_oflag |= OPOST | ONLCR;
      attributes.c_cflag |= CS8;
      attributes.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
      attributes.c_cc[VMIN] = 1;
      attributes.c_cc[VTIME] = 0;
      break;
    case Tty::Mode::io: ::cfmakeraw(&attributes); break;
  }
  return attributes;
}

FdKind guess_socket(int fd) {
  int type = 0, family = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0) return FdKind::unknown;
  size = sizeof family;
  if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) < 0) return FdKind::unknown;
  const bool is_internet = family == AF_INET || family == AF_INET6;
  if (type == SOCK_STREAM && is_internet) return FdKind::tcp;
  if (type == SOCK_STREAM && family == AF_UNIX) return FdKind::pipe;
  return type == SOCK_DGRAM && is_internet ? FdKind::udp : FdKind::unknown;
}

}  // namespace

FdKind guess_handle(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) < 0) return FdKind::unknown;
  if (S_ISCHR(info.st_mode)) return Tty::is_tty(fd) ? FdKind::tty : FdKind::file;
  if (S_ISREG(info.st_mode)) return FdKind::file;
  if (S_ISFIFO(info.st_mode)) return FdKind::pipe;
  return S_ISSOCK(info.st_mode) ? guess_socket(fd) : FdKind::unknown;
}

Tty::Tty(Loop& loop) : Stream(loop, HandleKind::tty) {}

Tty::~Tty() = default;

bool Tty::is_tty(int fd) { return ::isatty(fd) == 1; }

Result<void> Tty::open(int fd) {
  if (is_closing()) return Error{EINVAL, "open"};
  if (is_open()) return Error{EISCONN, "open"};
  if (!is_tty(fd)) return Error{errno == EBADF ? EBADF : ENOTTY, "open"};
  Result<Fd> own = reopen(fd, false);
  if (!own) {
    own = Fd(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!*own) return Error::last("dup");
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return Error::last("fcntl");
    is_shared_ = (flags & O_NONBLOCK) == 0;
  }
  attach(std::move(*own), Channel::file);
  return {};
}

Result<void> Tty::set_mode(Mode mode) {
  if (!is_open()) return Error{EBADF, "tcsetattr"};
  // Setting the same mode again is valid: reset_mode(), or a shell after SIGTSTP, may have changed
  // it.
  if (mode == Mode::normal && saved_ == nullptr) return {};
  TerminalMode* saved = saved_;
  if (saved == nullptr) {
    Result<TerminalMode*> acquired = terminals.acquire(fd());
    if (!acquired) return acquired.error();
    saved = *acquired;
  }
  Result<void> set = set_attributes(fd(), attributes_of(mode, saved->original));
  if (set) mode_ = mode;
  saved_ = mode_ == Mode::normal ? nullptr : saved;
  if (saved_ == nullptr) terminals.release(*saved);
  return set;
}

Result<void> Tty::reset_mode() { return terminals.restore_all(); }

Result<Tty::Size> Tty::window_size() const {
  winsize size{};
  if (::ioctl(fd(), TIOCGWINSZ, &size) < 0) return Error::last("ioctl");
  return Size{size.ws_col, size.ws_row};
}

Result<void> Tty::watch_size(OnResize on_resize) {
  RONDO_ASSERT(!is_closing());
  if (!on_resize) {
    winch_.reset();
    on_resize_.reset();
    return {};
  }
  Result<Size> size = window_size();
  if (!size) return size.error();
  if (winch_ == nullptr) {
    auto winch = loop().make<Signal>();
    const auto on_signal = [this](Signal&, int) { look_at_size(); };
    if (Result<void> started = winch->start(SIGWINCH, on_signal); !started) return started;
    winch->unref();
    winch_ = std::move(winch);
  }
  last_size_ = *size;
  on_resize_ = std::move(on_resize);
  return {};
}

// Runs inside the callback of the signal handle.
void Tty::look_at_size() {
  Result<Size> size = window_size();
  if (!size || *size == last_size_) return;  // May be another terminal's signal.
  last_size_ = *size;
  on_resize_.call_replaceable(*this, *size);
}

void Tty::on_closing() {
  if (saved_ != nullptr) terminals.release(*saved_);
  saved_ = nullptr;
  mode_ = Mode::normal;
  winch_.reset();
  if (is_shared_) {
    const int flags = ::fcntl(fd(), F_GETFL);
    if (flags >= 0) ::fcntl(fd(), F_SETFL, flags & ~O_NONBLOCK);
  }
  Stream::on_closing();
}

}  // namespace rondo
