#include "io/net/tcp.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "loop/loop.h"

namespace rondo {
namespace {

Result<void> set_option(int fd, int level, int option, int value) {
  if (::setsockopt(fd, level, option, &value, sizeof value) < 0) return Error::last("setsockopt");
  return {};
}

}  // namespace

Result<void> TcpSocket::set_no_delay(bool on) {
  options_ = static_cast<uint16_t>((options_ & kIdleMask) | (on ? kNoDelay : 0));
  return is_open() ? set_option(fd(), IPPROTO_TCP, TCP_NODELAY, on) : Result<void>();
}

Result<void> TcpSocket::set_keep_alive(bool on, std::chrono::seconds idle) {
  if (on && (idle.count() < 1 || idle.count() > kIdleMask)) return Error{EINVAL, "setsockopt"};
  options_ = static_cast<uint16_t>((options_ & kNoDelay) | (on ? idle.count() : 0));
  if (!is_open()) return {};
  if (Result<void> set = set_option(fd(), SOL_SOCKET, SO_KEEPALIVE, on); !set || !on) return set;
  return set_option(fd(), IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(idle.count()));
}

Result<void> TcpSocket::configure(int fd) {
  if ((options_ & kNoDelay) != 0) {
    if (Result<void> set = set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1); !set) return set;
  }
  const int idle = options_ & kIdleMask;
  if (idle == 0) return {};
  if (Result<void> set = set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1); !set) return set;
  return set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
}

Result<void> TcpServer::bind(const SocketAddress& address, BindOptions options) {
  Fd fd(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return Error::last("socket");
  // A server that was just restarted must be able to reuse its port.
  if (Result<void> set = set_option(fd.get(), SOL_SOCKET, SO_REUSEADDR, 1); !set) return set;
  if (options.reuse_port) {
    if (Result<void> set = set_option(fd.get(), SOL_SOCKET, SO_REUSEPORT, 1); !set) return set;
  }
  if (address.family() == AF_INET6) {
    Result<void> set = set_option(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, options.ipv6_only);
    if (!set) return set;
  }
  return bind_socket(std::move(fd), address);
}

}  // namespace rondo
