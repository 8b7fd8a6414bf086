// Receiving of uv_udp_t.
#include <ctime>  // Before errqueue.h, which uses timespec.

#include <linux/errqueue.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/sys.h"
#include "uv/udp/udp.h"

namespace rondo::uv {
namespace {

// A fast sender must not block the loop: after this many datagrams, other handles run.
constexpr int kMostPerEvent = 32;
constexpr size_t kMostSize = 64 * 1024;
// Datagrams of one recvmmsg(2).
constexpr size_t kMostPerCall = 20;

const sockaddr* sender_of(const msghdr& message) {
  return message.msg_namelen == 0 ? nullptr : static_cast<const sockaddr*>(message.msg_name);
}

}  // namespace

int UdpHandle::receive_start(uv_alloc_cb alloc_cb, uv_udp_recv_cb recv_cb) {
  if (const int failed = ensure_bound(AF_INET); failed != 0) return failed;
  udp()->alloc_cb = alloc_cb;
  udp()->recv_cb = recv_cb;
  if (const int failed = watch(EPOLLIN); failed != 0) return failed;
  start();
  return 0;
}

void UdpHandle::receive_stop() {
  ignore(EPOLLIN);
  if (!watches(EPOLLOUT)) stop();
  udp()->alloc_cb = nullptr;
  udp()->recv_cb = nullptr;
}

void UdpHandle::receive_available() {
  uv_udp_t* const udp = this->udp();
  int left = kMostPerEvent;
  do {
    uv_buf_t buffer = uv_buf_init(nullptr, 0);
    {
      Call call(udp->loop, *this);
      udp->alloc_cb(handle(), kMostSize, &buffer);
    }
    if (buffer.base == nullptr || buffer.len == 0) {
      return deliver(UV_ENOBUFS, buffer, nullptr, 0);
    }
    if (fd() < 0) return;
    const bool is_batch = uv_udp_using_recvmmsg(udp) != 0 && buffer.len >= 2 * kMostSize;
    const int received = is_batch ? receive_many(buffer) : receive_one(buffer);
    if (received <= 0) return;
    left -= received;
  } while (left > 0 && fd() >= 0 && udp->recv_cb != nullptr);
}

void UdpHandle::deliver(ssize_t count, const uv_buf_t& buffer, const sockaddr* from,
                        unsigned flags) {
  Call call(uv_loop(), *this, udp()->recv_cb);
  udp()->recv_cb(udp(), count, &buffer, from, flags);
}

// Both return the number of datagrams, or -1 if there are no more.
int UdpHandle::receive_one(uv_buf_t& buffer) {
  sockaddr_storage from;  // Valid up to msg_namelen.
  iovec part{buffer.base, buffer.len};
  msghdr message{};
  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  const ssize_t count = sys::recvmsg(fd(), &message, 0);
  if (count < 0) {
    const bool is_empty = errno == EAGAIN || errno == EWOULDBLOCK;
    deliver(is_empty ? 0 : -errno, buffer, nullptr, 0);
    return -1;
  }
  const bool is_cut = (message.msg_flags & MSG_TRUNC) != 0;
  deliver(count, buffer, sender_of(message), is_cut ? unsigned{UV_UDP_PARTIAL} : 0u);
  return 1;
}

// Errors that the network has reported for earlier datagrams, whose bytes come with them. With
// UV_UDP_LINUX_RECVERR the socket stays ready until they are read.
void UdpHandle::receive_errors() {
  for (int left = kMostPerEvent; left > 0 && fd() >= 0 && udp()->recv_cb != nullptr; --left) {
    uv_buf_t buffer = uv_buf_init(nullptr, 0);
    {
      Call call(uv_loop(), *this);
      udp()->alloc_cb(handle(), kMostSize, &buffer);
    }
    if (buffer.base == nullptr || buffer.len == 0) {
      return deliver(UV_ENOBUFS, buffer, nullptr, 0);
    }
    if (fd() < 0 || !receive_error(buffer)) return;
  }
}

// False if there are no more.
bool UdpHandle::receive_error(const uv_buf_t& buffer) {
  sockaddr_storage from{};
  iovec part{buffer.base, buffer.len};
  alignas(cmsghdr) char control[256];
  msghdr message{};
  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (sys::recvmsg(fd(), &message, MSG_ERRQUEUE) < 0) {
    const bool is_empty = errno == EAGAIN || errno == EWOULDBLOCK;
    deliver(is_empty ? 0 : -errno, buffer, nullptr, 0);
    return false;
  }
  for (cmsghdr* item = CMSG_FIRSTHDR(&message); item != nullptr;
       item = CMSG_NXTHDR(&message, item)) {
    const bool is_error = (item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_RECVERR) ||
                          (item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_RECVERR);
    if (!is_error) continue;
    auto* const error = reinterpret_cast<sock_extended_err*>(CMSG_DATA(item));
    deliver(-static_cast<ssize_t>(error->ee_errno), buffer, SO_EE_OFFENDER(error),
            UV_UDP_LINUX_RECVERR);
    break;
  }
  return true;
}

// Divides the buffer into chunks for one datagram each. The callback must not free the chunks: the
// last call, with UV_UDP_MMSG_FREE, returns the whole buffer.
int UdpHandle::receive_many(uv_buf_t& buffer) {
  const size_t chunks = std::min(buffer.len / kMostSize, kMostPerCall);
  sockaddr_storage from[kMostPerCall];
  iovec parts[kMostPerCall];
  mmsghdr messages[kMostPerCall] = {};
  for (size_t i = 0; i < chunks; ++i) {
    parts[i] = {buffer.base + i * kMostSize, kMostSize};
    messages[i].msg_hdr.msg_name = &from[i];
    messages[i].msg_hdr.msg_namelen = sizeof from[i];
    messages[i].msg_hdr.msg_iov = &parts[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  const int count = sys::recvmmsg(fd(), messages, static_cast<unsigned>(chunks), 0);
  if (count < 1) {
    const bool is_empty = count == 0 || errno == EAGAIN || errno == EWOULDBLOCK;
    deliver(is_empty ? 0 : -errno, buffer, nullptr, 0);
    return -1;
  }
  for (int i = 0; i < count && udp()->recv_cb != nullptr; ++i) {
    const mmsghdr& message = messages[i];
    const bool is_cut = (message.msg_hdr.msg_flags & MSG_TRUNC) != 0;
    uv_buf_t chunk = uv_buf_init(static_cast<char*>(parts[i].iov_base), kMostSize);
    deliver(static_cast<ssize_t>(message.msg_len), chunk, sender_of(message.msg_hdr),
            UV_UDP_MMSG_CHUNK | (is_cut ? unsigned{UV_UDP_PARTIAL} : 0u));
  }
  if (udp()->recv_cb != nullptr) deliver(0, buffer, nullptr, UV_UDP_MMSG_FREE);
  return count;
}

}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_udp_recv_start(uv_udp_t* handle, uv_alloc_cb alloc_cb, uv_udp_recv_cb recv_cb) {
  if (handle->type != UV_UDP || alloc_cb == nullptr || recv_cb == nullptr) return UV_EINVAL;
  if (is_closing(handle)) return UV_EINVAL;
  if (udp_behind(handle).watches(EPOLLIN)) return UV_EALREADY;
  return udp_behind(handle).receive_start(alloc_cb, recv_cb);
}

int uv_udp_recv_stop(uv_udp_t* handle) {
  if (handle->type != UV_UDP) return UV_EINVAL;
  if (!is_closing(handle)) udp_behind(handle).receive_stop();
  return 0;
}

int uv_udp_using_recvmmsg(const uv_udp_t* handle) {
  return has_flags(handle, kReceivesMany) ? 1 : 0;
}

}  // extern "C"
