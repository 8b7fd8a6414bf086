// Lifetime, addresses and sending of uv_udp_t.
#include "uv/udp/udp.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/sys.h"
#include "io/net/address.h"
#include "uv/core/memory.h"
#include "uv/run/orders.h"
#include "uv/stream/tcp.h"

namespace rondo::uv {
namespace {

constexpr unsigned kBindFlags =
    UV_UDP_IPV6ONLY | UV_UDP_REUSEADDR | UV_UDP_REUSEPORT | UV_UDP_LINUX_RECVERR;

int set_option(int fd, int level, int name, int value) {
  return ::setsockopt(fd, level, name, &value, sizeof value) < 0 ? -errno : 0;
}

size_t bytes_of(const uv_buf_t* bufs, unsigned count) {
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) bytes += bufs[i].len;
  return bytes;
}

ssize_t send_now(int fd, const uv_buf_t* bufs, unsigned count, const sockaddr* to, socklen_t size) {
  msghdr message{};
  message.msg_name = const_cast<sockaddr*>(to);
  message.msg_namelen = size;
  message.msg_iov = const_cast<iovec*>(reinterpret_cast<const iovec*>(bufs));
  message.msg_iovlen = count;
  const ssize_t sent = sys::sendmsg(fd, &message, 0);
  if (sent >= 0) return sent;
  const bool is_full = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS;
  return is_full ? UV_EAGAIN : -errno;
}

int new_socket(int family) {
  const int fd = ::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  return fd < 0 ? -errno : fd;
}

int check_destination(const uv_udp_t* handle, const sockaddr* to, socklen_t& size) {
  if (handle->type != UV_UDP) return UV_EINVAL;
  if (to != nullptr && has_flags(handle, kConnected)) return UV_EISCONN;
  if (to == nullptr && !has_flags(handle, kConnected)) return UV_EDESTADDRREQ;
  size = to == nullptr ? 0 : size_of(to);
  return to != nullptr && size == 0 ? UV_EINVAL : 0;
}

int prepare_options(int fd, unsigned flags, bool is_ip6) {
  if ((flags & UV_UDP_LINUX_RECVERR) != 0) {
    const int failed = is_ip6 ? set_option(fd, IPPROTO_IPV6, IPV6_RECVERR, 1)
                              : set_option(fd, IPPROTO_IP, IP_RECVERR, 1);
    if (failed != 0) return failed;
  }
  if ((flags & UV_UDP_REUSEADDR) != 0) {
    if (const int failed = set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1); failed != 0) return failed;
  }
  if ((flags & UV_UDP_REUSEPORT) != 0) {
    if (const int failed = set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1); failed != 0) return failed;
  }
  return (flags & UV_UDP_IPV6ONLY) != 0 ? set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1) : 0;
}

int bind(uv_udp_t* handle, const sockaddr* address, unsigned flags) {
  const bool is_ip6 = address->sa_family == AF_INET6;
  if ((flags & ~kBindFlags) != 0) return UV_EINVAL;
  if ((flags & UV_UDP_IPV6ONLY) != 0 && !is_ip6) return UV_EINVAL;
  UdpHandle& udp = udp_behind(handle);
  if (const int failed = udp.ensure_socket(address->sa_family); failed != 0) return failed;
  if (const int failed = prepare_options(udp.fd(), flags, is_ip6); failed != 0) return failed;
  if (::bind(udp.fd(), address, size_of(address)) < 0) {
    return errno == EAFNOSUPPORT ? UV_EINVAL : -errno;
  }
  if (is_ip6) handle->flags |= kIp6;
  handle->flags |= kBound;
  return 0;
}

}  // namespace

UdpHandle::UdpHandle(uv_loop_t* loop, uv_udp_t* handle)
    : IoHandle(loop, handle, HandleKind::udp),
      Deferred([](Deferred& self) { static_cast<UdpHandle&>(self).ready(EPOLLOUT, 0); }) {}

void UdpHandle::attach(int descriptor, bool is_socket) {
  set_fd(descriptor, is_socket);
  udp()->io_watcher.fd = descriptor;
}

int UdpHandle::ensure_socket(int family) {
  if (fd() >= 0) return 0;
  const int descriptor = new_socket(family);
  if (descriptor < 0) return descriptor;
  attach(descriptor, true);
  return 0;
}

int UdpHandle::ensure_bound(int family) {
  if (fd() >= 0) return 0;
  sockaddr_in6 any6{};
  any6.sin6_family = AF_INET6;
  sockaddr_in any{};
  any.sin_family = AF_INET;
  const auto* const address = family == AF_INET6 ? reinterpret_cast<const sockaddr*>(&any6)
                                                 : reinterpret_cast<const sockaddr*>(&any);
  return bind(udp(), address, 0);
}

void UdpHandle::on_closing() {
  Deferred::cancel();
  unwatch();
  stop();
  if (fd() >= 0) ::close(fd());
  attach(-1, false);
}

void UdpHandle::on_closed() {
  while (!queue_is_empty(udp()->write_queue)) {
    finish(queue_owner(udp()->write_queue.next, &uv_udp_send_t::queue), UV_ECANCELED);
  }
  call_finished();
  Deferred::cancel();
}

void UdpHandle::ready(uint32_t bits, int error) {
  if (error != 0) {
    // The kernel has no memory to watch the descriptor.
    while (!queue_is_empty(udp()->write_queue)) {
      finish(queue_owner(udp()->write_queue.next, &uv_udp_send_t::queue), -error);
    }
    if (udp()->recv_cb != nullptr) deliver(-error, uv_buf_init(nullptr, 0), nullptr, 0);
    return;
  }
  if ((bits & EPOLLIN) != 0 && udp()->recv_cb != nullptr) receive_available();
  if ((bits & EPOLLERR) != 0 && is_active() && udp()->recv_cb != nullptr) receive_errors();
  if ((bits & EPOLLOUT) != 0 && !uv::is_closing(handle())) {
    send_queue();
    call_finished();
  }
}

int UdpHandle::send(uv_udp_send_t* req, const uv_buf_t bufs[], unsigned count, const sockaddr* to,
                    socklen_t size, uv_udp_send_cb cb) {
  uv_udp_t* const udp = this->udp();
  if (to != nullptr) {
    if (const int failed = ensure_bound(to->sa_family); failed != 0) return failed;
  }
  uv_buf_t* copy = req->bufsml;
  if (count > std::size(req->bufsml)) {
    copy = static_cast<uv_buf_t*>(allocate(count * sizeof *copy));
    if (copy == nullptr) return UV_ENOMEM;
  }
  const bool was_idle = udp->send_queue_count == 0;
  req->type = UV_UDP_SEND;
  if (to == nullptr) {
    req->u.addr.sa_family = AF_UNSPEC;
  } else {
    std::copy_n(reinterpret_cast<const char*>(to), size, reinterpret_cast<char*>(&req->u.storage));
  }
  req->send_cb = cb;
  req->cb = cb;
  req->handle = udp;
  req->status = 0;
  req->bufs = copy;
  req->nbufs = count;
  std::copy_n(bufs, count, copy);
  request_begins(udp->loop);
  udp->send_queue_size += bytes_of(bufs, count);
  ++udp->send_queue_count;
  queue_push_back(udp->write_queue, req->queue);
  start();
  if (was_idle && !has_flags(udp, kProcessing)) {
    send_queue();
    return 0;
  }
  return watch(EPOLLOUT);
}

// Datagrams that fail do not stop those behind them.
void UdpHandle::send_queue() {
  uv_udp_t* const udp = this->udp();
  while (!queue_is_empty(udp->write_queue)) {
    uv_udp_send_t* const req = queue_owner(udp->write_queue.next, &uv_udp_send_t::queue);
    const bool has_address = req->u.addr.sa_family != AF_UNSPEC;
    const ssize_t sent = send_now(fd(), req->bufs, req->nbufs, has_address ? &req->u.addr : nullptr,
                                  has_address ? size_of(&req->u.addr) : 0);
    if (sent == UV_EAGAIN) {
      (void)watch(EPOLLOUT);  // Otherwise the next send tries again.
      return;
    }
    if (sent >= 0) note_sent(has_address ? &req->u.addr : nullptr);
    finish(req, sent);
  }
}

// Looks for a socket of this loop with the port of the destination.
void UdpHandle::note_sent(const sockaddr* to) {
  if (has_sent_outside_ || !internals().tracks_local_connections()) return;
  const auto where = to != nullptr ? SocketAddress::from(to, size_of(to)) : SocketAddress();
  const Result<SocketAddress> peer = to != nullptr ? where : SocketAddress::of_peer(fd());
  if (!peer) return;
  bool is_inside = false;
  loop().for_each_handle([&](const Handle& handle) {
    if (is_inside || handle.kind() != HandleKind::udp) return;
    const int other = static_cast<const UdpHandle&>(handle).fd();
    const Result<SocketAddress> bound = SocketAddress::of_socket(other);
    is_inside = bound && bound->port() == peer->port();
  });
  if (is_inside) return;
  has_sent_outside_ = true;
  note_outside(Outside::network);
}

Awaits UdpHandle::awaits() const {
  const bool is_receiving = watches(EPOLLIN) && has_ref() && has_sent_outside_;
  return is_receiving || udp()->send_queue_count > 0 ? Awaits::outside : Awaits::nothing;
}

void UdpHandle::finish(uv_udp_send_t* req, ssize_t status) {
  req->status = status;
  queue_remove(req->queue);
  queue_push_back(udp()->write_completed_queue, req->queue);
  if (!uv::is_closing(handle())) internals().defer(*this);
}

void UdpHandle::call_finished() {
  uv_udp_t* const udp = this->udp();
  // Sends of the callbacks are only queued: a callback that always sends must not starve others.
  udp->flags |= kProcessing;
  while (!queue_is_empty(udp->write_completed_queue)) {
    uv_udp_send_t* const req = queue_owner(udp->write_completed_queue.next, &uv_udp_send_t::queue);
    queue_remove(req->queue);
    request_ends(udp->loop);
    udp->send_queue_size -= bytes_of(req->bufs, req->nbufs);
    --udp->send_queue_count;
    if (req->bufs != req->bufsml) release(req->bufs);
    req->bufs = nullptr;
    if (req->send_cb == nullptr) continue;
    Call call(udp->loop, *this, req->send_cb);
    req->send_cb(req, req->status >= 0 ? 0 : static_cast<int>(req->status));
  }
  udp->flags &= ~unsigned{kProcessing};
  deactivate_if_idle();
}

void UdpHandle::deactivate_if_idle() {
  if (!queue_is_empty(udp()->write_queue)) return;
  ignore(EPOLLOUT);
  if (!watches(EPOLLIN)) stop();
}

}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_udp_init_ex(uv_loop_t* loop, uv_udp_t* handle, unsigned int flags) {
  const unsigned family = flags & 0xFF;
  if (family != AF_INET && family != AF_INET6 && family != AF_UNSPEC) return UV_EINVAL;
  if ((flags & ~(0xFFu | UV_UDP_RECVMMSG)) != 0) return UV_EINVAL;
  // First: if this fails, the program may free the handle at once.
  const int fd = family == AF_UNSPEC ? -1 : new_socket(static_cast<int>(family));
  if (fd < 0 && family != AF_UNSPEC) return fd;
  init_handle(loop, handle, UV_UDP, new UdpHandle(loop, handle));
  handle->send_queue_size = handle->send_queue_count = 0;
  handle->alloc_cb = nullptr;
  handle->recv_cb = nullptr;
  handle->io_watcher = {};
  handle->io_watcher.fd = -1;
  queue_init(handle->write_queue);
  queue_init(handle->write_completed_queue);
  if ((flags & UV_UDP_RECVMMSG) != 0) handle->flags |= kReceivesMany;
  if (fd >= 0) udp_behind(handle).attach(fd, true);
  return 0;
}

int uv_udp_init(uv_loop_t* loop, uv_udp_t* handle) {
  return uv_udp_init_ex(loop, handle, AF_UNSPEC);
}

int uv_udp_open_ex(uv_udp_t* handle, uv_os_sock_t sock, unsigned int flags) {
  UdpHandle& udp = udp_behind(handle);
  if (udp.fd() >= 0) return UV_EBUSY;
  if ((flags & ~unsigned{UV_UDP_REUSEADDR | UV_UDP_REUSEPORT}) != 0) return UV_EINVAL;
  if (is_watched(handle->loop, sock)) return UV_EEXIST;
  if (const int failed = set_nonblocking(sock, true); failed != 0) return failed;
  if (const int failed = prepare_options(sock, flags, false); failed != 0) return failed;
  udp.attach(sock, false);
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (::getpeername(sock, reinterpret_cast<sockaddr*>(&peer), &size) == 0) {
    handle->flags |= kConnected;
  }
  return 0;
}

int uv_udp_open(uv_udp_t* handle, uv_os_sock_t sock) {
  return uv_udp_open_ex(handle, sock, UV_UDP_REUSEADDR);
}

int uv_udp_bind(uv_udp_t* handle, const sockaddr* addr, unsigned int flags) {
  if (handle->type != UV_UDP || is_closing(handle)) return UV_EINVAL;
  if (addr->sa_family != AF_INET && addr->sa_family != AF_INET6) return UV_EINVAL;
  return bind(handle, addr, flags);
}

int uv_udp_connect(uv_udp_t* handle, const sockaddr* addr) {
  if (handle->type != UV_UDP) return UV_EINVAL;
  UdpHandle& udp = udp_behind(handle);
  if (addr == nullptr) {
    if (!has_flags(handle, kConnected)) return UV_ENOTCONN;
    sockaddr nowhere{};
    nowhere.sa_family = AF_UNSPEC;
    if (::connect(udp.fd(), &nowhere, sizeof nowhere) < 0 && errno != EAFNOSUPPORT) return -errno;
    handle->flags &= ~unsigned{kConnected};
    return 0;
  }
  if (addr->sa_family != AF_INET && addr->sa_family != AF_INET6) return UV_EINVAL;
  if (has_flags(handle, kConnected)) return UV_EISCONN;
  if (const int failed = udp.ensure_bound(addr->sa_family); failed != 0) return failed;
  int done;
  do {
    done = sys::connect(udp.fd(), addr, size_of(addr));
  } while (done < 0 && errno == EINTR);
  if (done < 0) return -errno;
  handle->flags |= kConnected;
  return 0;
}

int uv_udp_send(uv_udp_send_t* req, uv_udp_t* handle, const uv_buf_t bufs[], unsigned int nbufs,
                const sockaddr* addr, uv_udp_send_cb send_cb) {
  socklen_t size = 0;
  if (const int refused = check_destination(handle, addr, size); refused != 0) return refused;
  return udp_behind(handle).send(req, bufs, nbufs, addr, size, send_cb);
}

int uv_udp_try_send(uv_udp_t* handle, const uv_buf_t bufs[], unsigned int nbufs,
                    const sockaddr* addr) {
  socklen_t size = 0;
  if (const int refused = check_destination(handle, addr, size); refused != 0) return refused;
  if (nbufs < 1) return UV_EINVAL;
  if (handle->send_queue_count != 0) return UV_EAGAIN;
  UdpHandle& udp = udp_behind(handle);
  if (addr != nullptr) {
    if (const int failed = udp.ensure_bound(addr->sa_family); failed != 0) return failed;
  }
  const ssize_t sent = send_now(udp.fd(), bufs, nbufs, addr, size);
  if (sent >= 0) udp.note_sent(addr);
  return static_cast<int>(sent);
}

int uv_udp_try_send2(uv_udp_t* handle, unsigned int count, uv_buf_t* bufs[], unsigned int nbufs[],
                     sockaddr* addrs[], unsigned int flags) {
  if (count < 1 || flags != 0) return UV_EINVAL;
  int sent = 0;
  for (unsigned i = 0; i < count && i < static_cast<unsigned>(INT_MAX); ++i) {
    const int done = uv_udp_try_send(handle, bufs[i], nbufs[i], addrs[i]);
    if (done < 0) return sent > 0 ? sent : done;
    ++sent;
  }
  return sent;
}

int uv_udp_getpeername(const uv_udp_t* handle, sockaddr* name, int* namelen) {
  return socket_name(fd_of(handle), true, name, namelen);
}

int uv_udp_getsockname(const uv_udp_t* handle, sockaddr* name, int* namelen) {
  return socket_name(fd_of(handle), false, name, namelen);
}

size_t uv_udp_get_send_queue_size(const uv_udp_t* handle) { return handle->send_queue_size; }
size_t uv_udp_get_send_queue_count(const uv_udp_t* handle) { return handle->send_queue_count; }

}  // extern "C"
