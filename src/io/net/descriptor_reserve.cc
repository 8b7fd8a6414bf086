#include "io/net/descriptor_reserve.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/sys.h"

namespace rondo {

void DescriptorReserve::open() { fd_ = Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

bool DescriptorReserve::shed_connections(int listening_fd) {
  refill();
  if (!fd_) return false;
  fd_.reset();
  for (;;) {
    const Fd connection(sys::accept(listening_fd, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection) break;
  }
  const bool is_empty = errno == EAGAIN || errno == EWOULDBLOCK;
  refill();
  return is_empty;
}

}  // namespace rondo
