#include "io/process/reopen.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>

namespace rondo {
namespace {

bool can_be_opened_twice(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) < 0) return false;
  if (S_ISFIFO(info.st_mode)) return true;
  if (!S_ISCHR(info.st_mode) || ::isatty(fd) == 0) return false;
  // True unless the terminal is a master, which has a number: opening /dev/ptmx again would create
  // a new pair.
  unsigned number = 0;
  return ::ioctl(fd, TIOCGPTN, &number) < 0;
}

}  // namespace

Result<Fd> reopen(int fd, bool is_blocking) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) return Error::last("fcntl");
  if (!can_be_opened_twice(fd)) return Error{ENOTSUP, "open"};
  char path[32];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  // Opened non-blocking even if that is changed below, because opening a pipe would wait for the
  // other end otherwise.
  const int kept = flags & (O_ACCMODE | O_APPEND);
  Fd twin(::open(path, kept | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!twin) return Error::last("open");
  if (is_blocking && ::fcntl(twin.get(), F_SETFL, kept) < 0) return Error::last("fcntl");
  return twin;
}

}  // namespace rondo
