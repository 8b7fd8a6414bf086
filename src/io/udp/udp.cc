// Lifetime and addresses of Udp. Sending, receiving and options are in files of their own.
#include "io/udp/udp.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/sys.h"
#include "io/udp/kept.h"
#include "io/udp/local_datagrams.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// The watch is a member of the socket, and its source is the socket: no need to store it twice.
Udp& owner_of(Target& target) { return *static_cast<Udp*>(const_cast<void*>(target.source)); }

Result<void> set_flag(int fd, int level, int option) {
  const int on = 1;
  if (::setsockopt(fd, level, option, &on, sizeof on) < 0) return Error::last("setsockopt");
  return {};
}

}  // namespace

Udp::Udp(Loop& loop)
    : Handle(loop, HandleKind::udp),
      Deferred([](Deferred& self) { static_cast<Udp&>(self).run_pending(); }) {
  watch_.source = this;
  watch_.fn = [](Target& target, int32_t result, uint32_t bits) {
    owner_of(target).ready(result, bits);
  };
}

Udp::~Udp() {
  if (is_open() && !is_closing()) fatal("a UDP socket was destroyed before it was closed");
}

void Udp::attach(Fd fd, bool is_ip6) {
  fd_ = std::move(fd);
  is_ip6_ = is_ip6;
  watch_.fd = fd_.get();
}

void Udp::track() {
  if (internals().tracks_local_connections()) internals().service<LocalDatagrams>().add(*this);
}

Result<void> Udp::open(int fd) {
  if (is_open()) return Error{EBUSY, "open"};
  if (is_closing()) return Error{EINVAL, "open"};
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0) {
    return Error{errno == ENOTSOCK ? EINVAL : errno, "open"};
  }
  if (type != SOCK_DGRAM) return Error{EINVAL, "open"};
  // Two watches of one descriptor would replace each other.
  if (internals().poller().watch_of(fd) != nullptr) return Error{EEXIST, "open"};
  const Result<SocketAddress> local = SocketAddress::of_socket(fd);
  if (!local) return local.error();
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return Error::last("fcntl");
  if (Result<void> set = set_flag(fd, SOL_SOCKET, SO_REUSEADDR); !set) return set;
  attach(Fd(fd), local->is_ip6());
  is_connected_ = SocketAddress::of_peer(fd).has_value();
  track();
  return {};
}

Result<void> Udp::bind(const SocketAddress& address, BindOptions options) {
  if (is_closing()) return Error{EINVAL, "bind"};
  if (!address.is_ip()) return Error{EINVAL, "bind"};
  if (options.ipv6_only && !address.is_ip6()) return Error{EINVAL, "bind"};
  if (!is_open()) {
    Fd fd(::socket(address.family(), SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) return Error::last("bind");
    attach(std::move(fd), address.is_ip6());
  }
  const int fd = fd_.get();
  if (options.reuse_address) {
    if (Result<void> set = set_flag(fd, SOL_SOCKET, SO_REUSEADDR); !set) return set;
  }
  if (options.reuse_port) {
    if (Result<void> set = set_flag(fd, SOL_SOCKET, SO_REUSEPORT); !set) return set;
  }
  if (options.ipv6_only) {
    if (Result<void> set = set_flag(fd, IPPROTO_IPV6, IPV6_V6ONLY); !set) return set;
  }
  if (::bind(fd, address.data(), address.size()) < 0) {
    return Error{errno == EAFNOSUPPORT ? EINVAL : errno, "bind"};
  }
  track();
  return {};
}

// Without this the kernel would choose a port with the first datagram.
Result<void> Udp::ensure_bound(int family, BindOptions options) {
  if (is_closing()) return Error{EBADF, "bind"};
  if (is_open()) return {};
  return bind(family == AF_INET6 ? SocketAddress::any6() : SocketAddress::any(), options);
}

Result<void> Udp::connect(const SocketAddress& peer) {
  if (!peer.is_ip()) return Error{EINVAL, "connect"};
  if (Result<void> bound = ensure_bound(peer.family(), {}); !bound) return bound;
  // Never blocks, so it is not interrupted either.
  if (sys::connect(fd_.get(), peer.data(), peer.size()) < 0) return Error::last("connect");
  is_connected_ = true;
  track();
  return {};
}

Result<void> Udp::disconnect() {
  if (!is_connected_) return Error{ENOTCONN, "connect"};
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  if (sys::connect(fd_.get(), &nobody, sizeof nobody) < 0) return Error::last("connect");
  is_connected_ = false;
  track();
  return {};
}

Result<void> Udp::update_watch() {
  uint32_t interest = 0;
  if (is_waiting_to_receive() || lingers_) interest |= EPOLLIN;
  if (waits_to_send_) interest |= EPOLLOUT;
  return internals().poller().watch(watch_, interest);
}

// As in libuv: receive, then the error queue, then send and report.
void Udp::ready(int32_t result, uint32_t bits) {
  if (result < 0) return fail_watch(Error{-result, "poll"});
  bits &= watch_.interest | EPOLLERR | EPOLLHUP;
  if (bits == EPOLLERR || bits == EPOLLHUP) bits |= watch_.interest;
  if ((bits & EPOLLIN) != 0) receive_ready();
  if ((bits & EPOLLERR) != 0 && is_open()) receive_errors();
  if ((bits & EPOLLOUT) != 0 && is_open()) send_ready();
}

// The kernel has refused to watch the descriptor: no event would be reported again.
void Udp::fail_watch(Error error) {
  waits_to_send_ = false;
  lingers_ = false;
  while (UdpSend* request = queue_.front()) finish(*request, error.code);
  if (is_receiving_) {
    is_receiving_ = false;
    deactivate();
    deliver(error);
  } else if (pull_ != nullptr && !pull_->is_decided_) {
    finish_pull(error);
  }
}

// Sends that finished outside of poll, and receives whose outcome was known at once.
void Udp::run_pending() {
  deliver_kept();
  if (is_closing()) return;
  send_ready();
  call_pull();
}

// An answer to a datagram that left this process may come at any time. A socket that has sent none
// is a server: a datagram may never come.
Awaits Udp::awaits() const {
  if (!queue_.is_empty()) return Awaits::inside;
  if (!is_waiting_to_receive()) return Awaits::nothing;
  if (internals().service<LocalDatagrams>().has_coming(*this)) return Awaits::inside;
  const bool is_awaited = has_ref() || pull_ != nullptr;
  return has_sent_outside_ && is_awaited ? Awaits::outside : Awaits::nothing;
}

void Udp::on_closing() {
  is_receiving_ = false;
  Deferred::cancel();  // The closing phase reports what has finished by now.
  if (!is_open()) return;
  if (internals().tracks_local_connections()) internals().service<LocalDatagrams>().remove(*this);
  internals().unwatch(watch_);
  fd_.reset();
}

void Udp::on_closed() {
  while (UdpSend* request = queue_.front()) finish(*request, ECANCELED);
  run_callbacks();
  if (pull_ != nullptr && !pull_->is_decided_) decide_pull(Error{ECANCELED, "recvmsg"});
  call_pull();
  Deferred::cancel();
}

}  // namespace rondo
