// uv_tty_t. Its modes are saved for uv_tty_reset_mode() as libuv documents it: for one terminal,
// the first that was changed.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "uv/stream/stream.h"

namespace rondo::uv {
namespace {

// Once per process: the terminal to restore. A signal handler may interrupt the writer, so it gives
// up instead of waiting for the lock.
std::atomic_flag saved_is_locked;
termios saved;
int saved_fd = -1;

// Opens the terminal again, because other processes share the description and must not find it
// non-blocking. Only possible at the side of the programs, not at the master.
int open_again(int fd, int mode) {
  unsigned number = 0;
  if (::ioctl(fd, TIOCGPTN, &number) == 0) return -1;
  char path[256];
  if (::ttyname_r(fd, path, sizeof path) != 0) return -1;
  return ::open(path, mode | O_NOCTTY | O_CLOEXEC);
}

termios raw_mode(const termios& original, uv_tty_mode_t mode) {
  termios changed = original;
  if (mode == UV_TTY_MODE_IO) {
    ::cfmakeraw(&changed);
  } else if (mode != UV_TTY_MODE_NORMAL) {
    changed.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    changed.c_oflag |= ONLCR;
    changed.c_cflag |= CS8;
    changed.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
    changed.c_cc[VMIN] = 1;
    changed.c_cc[VTIME] = 0;
  }
  return changed;
}

int set_attributes(int fd, const termios& wanted) {
  int done;
  do {
    done = ::tcsetattr(fd, TCSADRAIN, &wanted);
  } while (done < 0 && errno == EINTR);
  return done < 0 ? -errno : 0;
}

uv_handle_type type_of_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0) return UV_UNKNOWN_HANDLE;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) < 0) {
    return UV_UNKNOWN_HANDLE;
  }
  const bool is_ip = address.ss_family == AF_INET || address.ss_family == AF_INET6;
  if (type == SOCK_DGRAM && is_ip) return UV_UDP;
  if (type != SOCK_STREAM) return UV_UNKNOWN_HANDLE;
  if (is_ip) return UV_TCP;
  return address.ss_family == AF_UNIX ? UV_NAMED_PIPE : UV_UNKNOWN_HANDLE;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

uv_handle_type uv_guess_handle(uv_file file) {
  if (file < 0) return UV_UNKNOWN_HANDLE;
  if (::isatty(file) != 0) return UV_TTY;
  struct stat info {};
  if (::fstat(file, &info) < 0) return UV_UNKNOWN_HANDLE;
  if (S_ISREG(info.st_mode) || S_ISCHR(info.st_mode)) return UV_FILE;
  if (S_ISFIFO(info.st_mode)) return UV_NAMED_PIPE;
  return S_ISSOCK(info.st_mode) ? type_of_socket(file) : UV_UNKNOWN_HANDLE;
}

int uv_tty_init(uv_loop_t* loop, uv_tty_t* tty, uv_file fd, int /*readable*/) {
  const uv_handle_type type = uv_guess_handle(fd);
  if (type == UV_FILE || type == UV_UNKNOWN_HANDLE) return UV_EINVAL;
  const int status = ::fcntl(fd, F_GETFL);
  if (status < 0) return -errno;
  const int mode = status & O_ACCMODE;
  unsigned flags = 0;
  if (type == UV_TTY) {
    const int own = open_again(fd, mode);
    // Without an own description the writes block.
    if (own < 0) flags |= kBlockingWrites;
    if (own >= 0) {
      const bool is_moved = ::dup3(own, fd, O_CLOEXEC) >= 0;
      const int code = errno;
      ::close(own);
      if (!is_moved) return -code;
    }
  }
  if ((flags & kBlockingWrites) == 0) {
    if (const int failed = set_nonblocking(fd, true); failed != 0) return failed;
  }
  init_stream(loop, tty, UV_TTY, HandleKind::tty);
  if (mode != O_WRONLY) flags |= kReadable;
  if (mode != O_RDONLY) flags |= kWritable;
  tty->mode = UV_TTY_MODE_NORMAL;
  return stream_behind(tty).open(fd, flags);
}

int uv_tty_set_mode(uv_tty_t* tty, uv_tty_mode_t mode) {
  if (tty->mode == static_cast<int>(mode)) return 0;
  const int fd = stream_behind(tty).fd();
  if (tty->mode == UV_TTY_MODE_NORMAL && mode != UV_TTY_MODE_NORMAL) {
    if (::tcgetattr(fd, &tty->orig_termios) < 0) return -errno;
    while (saved_is_locked.test_and_set(std::memory_order_acquire)) {
    }
    if (saved_fd < 0) {
      saved = tty->orig_termios;
      saved_fd = fd;
    }
    saved_is_locked.clear(std::memory_order_release);
  }
  const int failed = set_attributes(fd, raw_mode(tty->orig_termios, mode));
  if (failed == 0) tty->mode = static_cast<int>(mode);
  return failed;
}

int uv_tty_reset_mode(void) {
  const int code = errno;
  if (saved_is_locked.test_and_set(std::memory_order_acquire)) return UV_EBUSY;
  const int failed = saved_fd < 0 ? 0 : set_attributes(saved_fd, saved);
  saved_is_locked.clear(std::memory_order_release);
  errno = code;
  return failed;
}

int uv_tty_get_winsize(uv_tty_t* tty, int* width, int* height) {
  winsize size{};
  int done;
  do {
    done = ::ioctl(stream_behind(tty).fd(), TIOCGWINSZ, &size);
  } while (done < 0 && errno == EINTR);
  if (done < 0) return -errno;
  *width = size.ws_col;
  *height = size.ws_row;
  return 0;
}

void uv_tty_set_vterm_state(uv_tty_vtermstate_t /*state*/) {}
int uv_tty_get_vterm_state(uv_tty_vtermstate_t* /*state*/) { return UV_ENOTSUP; }

}  // extern "C"
