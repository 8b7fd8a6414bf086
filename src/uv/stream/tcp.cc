// uv_tcp_t.
#include "uv/stream/tcp.h"

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/sys.h"
#include "uv/run/orders.h"
#include "uv/stream/stream.h"

namespace rondo::uv {
namespace {

constexpr unsigned kDefaultIdleSeconds = 60;
constexpr unsigned kDefaultProbeSeconds = 1;
constexpr unsigned kDefaultProbes = 10;

int set_option(int fd, int level, int name, int value) {
  return ::setsockopt(fd, level, name, &value, sizeof value) < 0 ? -errno : 0;
}

int keep_alive(int fd, bool is_on, unsigned idle, unsigned interval, unsigned count) {
  if (is_on && (idle == 0 || interval == 0 || count == 0)) return UV_EINVAL;
  int failed = set_option(fd, SOL_SOCKET, SO_KEEPALIVE, is_on ? 1 : 0);
  if (failed != 0 || !is_on) return failed;
  failed = set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(idle));
  if (failed == 0) {
    failed = set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, static_cast<int>(interval));
  }
  return failed != 0 ? failed : set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, static_cast<int>(count));
}

int new_socket(int family) {
  const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  return fd < 0 ? -errno : fd;
}

int open_socket(uv_tcp_t* handle, int family, unsigned flags) {
  StreamHandle& stream = stream_behind(handle);
  if (stream.fd() >= 0) {
    handle->flags |= flags;
    return 0;
  }
  const int fd = new_socket(family);
  if (fd < 0) return fd;
  const int failed = stream.open(fd, flags, true);
  if (failed != 0) ::close(fd);
  return failed;
}

int bind(uv_tcp_t* handle, const sockaddr* address, unsigned flags) {
  const bool is_ip6 = address->sa_family == AF_INET6;
  if ((flags & UV_TCP_IPV6ONLY) != 0 && !is_ip6) return UV_EINVAL;
  if (const int failed = open_socket(handle, address->sa_family, 0); failed != 0) return failed;
  const int fd = stream_behind(handle).fd();
  if (const int failed = set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1); failed != 0) return failed;
  if ((flags & UV_TCP_REUSEPORT) != 0) {
    if (const int failed = set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1); failed != 0) return failed;
  }
  if (is_ip6) {
    const int only = (flags & UV_TCP_IPV6ONLY) != 0 ? 1 : 0;
    if (const int failed = set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, only); failed != 0) {
      return failed;
    }
  }
  const bool is_bound = ::bind(fd, address, size_of(address)) == 0;
  if (!is_bound && errno != EADDRINUSE) return errno == EAFNOSUPPORT ? UV_EINVAL : -errno;
  // An address in use is reported by uv_listen(), uv_tcp_connect() or uv_tcp_getsockname().
  handle->delayed_error = is_bound ? 0 : -errno;
  handle->flags |= kBound;
  if (is_ip6) handle->flags |= kIp6;
  return 0;
}

int connect(uv_connect_t* req, uv_tcp_t* handle, const sockaddr* address, uv_connect_cb cb) {
  if (handle->connect_req != nullptr) return UV_EALREADY;
  StreamHandle& stream = stream_behind(handle);
  if (handle->delayed_error == 0) {
    const int failed = open_socket(handle, address->sa_family, kReadable | kWritable);
    if (failed != 0) return failed;
    stream.connects_to(address, size_of(address));
    int done;
    do {
      done = sys::connect(stream.fd(), address, size_of(address));
    } while (done < 0 && errno == EINTR);
    if (done < 0 && errno != EINPROGRESS) {
      // Known at once, but reported like a refusal that takes longer.
      if (errno != ECONNREFUSED) return -errno;
      handle->delayed_error = UV_ECONNREFUSED;
    }
  }
  req->type = UV_CONNECT;
  req->cb = cb;
  req->handle = reinterpret_cast<uv_stream_t*>(handle);
  queue_init(req->queue);
  handle->connect_req = req;
  request_begins(handle->loop);
  if (stream.fd() >= 0) {
    if (const int failed = stream.watch(EPOLLOUT); failed != 0) handle->delayed_error = failed;
  }
  if (handle->delayed_error != 0) stream.report_later();
  return 0;
}

}  // namespace

socklen_t size_of(const sockaddr* address) {
  switch (address->sa_family) {
    case AF_INET: return sizeof(sockaddr_in);
    case AF_INET6: return sizeof(sockaddr_in6);
    case AF_UNIX: return sizeof(sockaddr_un);
    default: return 0;
  }
}

int socket_name(int fd, bool is_peer, sockaddr* name, int* size) {
  if (fd < 0) return UV_EBADF;
  sockaddr_storage found{};
  socklen_t length = sizeof found;
  auto* const any = reinterpret_cast<sockaddr*>(&found);
  const int done = is_peer ? ::getpeername(fd, any, &length) : ::getsockname(fd, any, &length);
  if (done < 0) return -errno;
  std::memcpy(name, &found, std::min(static_cast<size_t>(*size), sizeof found));
  *size = static_cast<int>(length);
  note_port(SocketAddress::from(any, length).port());
  return 0;
}

int apply_options(const uv_tcp_t* handle) {
  const int fd = stream_behind(handle).fd();
  int failed = 0;
  if (has_flags(handle, kNoDelay)) failed = set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (failed == 0 && has_flags(handle, kKeepAlive)) {
    failed = keep_alive(fd, true, kDefaultIdleSeconds, kDefaultProbeSeconds, kDefaultProbes);
  }
  return failed;
}

int prepare_to_listen(uv_tcp_t* handle) {
  if (handle->delayed_error != 0) return handle->delayed_error;
  if (const int failed = open_socket(handle, AF_INET, 0); failed != 0) return failed;
  handle->flags |= kBound;
  return 0;
}

}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_tcp_init_ex(uv_loop_t* loop, uv_tcp_t* handle, unsigned int flags) {
  const unsigned family = flags & 0xFF;
  if (family != AF_INET && family != AF_INET6 && family != AF_UNSPEC) return UV_EINVAL;
  if ((flags & ~0xFFu) != 0) return UV_EINVAL;
  // First: if this fails, the program may free the handle at once.
  const int fd = family == AF_UNSPEC ? -1 : new_socket(static_cast<int>(family));
  if (fd < 0 && family != AF_UNSPEC) return fd;
  init_stream(loop, handle, UV_TCP, HandleKind::tcp_socket);
  return fd < 0 ? 0 : stream_behind(handle).open(fd, 0, true);
}

int uv_tcp_init(uv_loop_t* loop, uv_tcp_t* handle) {
  return uv_tcp_init_ex(loop, handle, AF_UNSPEC);
}

int uv_tcp_open(uv_tcp_t* handle, uv_os_sock_t sock) {
  if (is_watched(handle->loop, sock)) return UV_EEXIST;
  if (const int failed = set_nonblocking(sock, true); failed != 0) return failed;
  return stream_behind(handle).open(sock, kReadable | kWritable);
}

int uv_tcp_bind(uv_tcp_t* handle, const sockaddr* addr, unsigned int flags) {
  if (is_closing(handle)) return UV_EINVAL;
  if (addr->sa_family != AF_INET && addr->sa_family != AF_INET6) return UV_EINVAL;
  return bind(handle, addr, flags);
}

int uv_tcp_connect(uv_connect_t* req, uv_tcp_t* handle, const sockaddr* addr, uv_connect_cb cb) {
  if (handle->type != UV_TCP || is_closing(handle)) return UV_EINVAL;
  if (addr->sa_family != AF_INET && addr->sa_family != AF_INET6) return UV_EINVAL;
  return connect(req, handle, addr, cb);
}

int uv_tcp_getsockname(const uv_tcp_t* handle, sockaddr* name, int* namelen) {
  if (handle->delayed_error != 0) return handle->delayed_error;
  return socket_name(fd_of(handle), false, name, namelen);
}

int uv_tcp_getpeername(const uv_tcp_t* handle, sockaddr* name, int* namelen) {
  if (handle->delayed_error != 0) return handle->delayed_error;
  return socket_name(fd_of(handle), true, name, namelen);
}

int uv_tcp_close_reset(uv_tcp_t* handle, uv_close_cb close_cb) {
  // The end of the stream may not be followed by a reset.
  if (handle->shutdown_req != nullptr) return UV_EINVAL;
  const linger reset{1, 0};
  const int fd = fd_of(handle);
  if (fd >= 0 && ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset) < 0) return -errno;
  uv_close(reinterpret_cast<uv_handle_t*>(handle), close_cb);
  return 0;
}

int uv_tcp_nodelay(uv_tcp_t* handle, int enable) {
  const int fd = fd_of(handle);
  if (fd >= 0) {
    const int failed = set_option(fd, IPPROTO_TCP, TCP_NODELAY, enable != 0 ? 1 : 0);
    if (failed != 0) return failed;
  }
  handle->flags = enable != 0 ? handle->flags | kNoDelay : handle->flags & ~unsigned{kNoDelay};
  return 0;
}

int uv_tcp_keepalive_ex(uv_tcp_t* handle, int on, unsigned int idle, unsigned int intvl,
                        unsigned int cnt) {
  const int fd = fd_of(handle);
  if (fd >= 0) {
    const int failed = keep_alive(fd, on != 0, idle, intvl, cnt);
    if (failed != 0) return failed;
  }
  handle->flags = on != 0 ? handle->flags | kKeepAlive : handle->flags & ~unsigned{kKeepAlive};
  return 0;
}

int uv_tcp_keepalive(uv_tcp_t* handle, int enable, unsigned int delay) {
  return uv_tcp_keepalive_ex(handle, enable, delay, kDefaultProbeSeconds, kDefaultProbes);
}

int uv_tcp_simultaneous_accepts(uv_tcp_t* /*handle*/, int /*enable*/) { return 0; }

}  // extern "C"
