// Groups and options of Udp.
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

#include "io/udp/udp.h"
#include "loop/loop.h"

namespace rondo {
namespace {

template <class T>
Result<void> set_option(int fd, int level, int option, const T& value) {
  if (fd < 0) return Error{EBADF, "setsockopt"};
  if (::setsockopt(fd, level, option, &value, sizeof value) < 0) return Error::last("setsockopt");
  return {};
}

Result<int> option_of(int fd, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  if (fd < 0) return Error{EBADF, "getsockopt"};
  if (::getsockopt(fd, SOL_SOCKET, option, &value, &size) < 0) return Error::last("getsockopt");
  return value;
}

in_addr ip4_of(const SocketAddress* address) {
  if (address == nullptr) return {htonl(INADDR_ANY)};
  return reinterpret_cast<const sockaddr_in*>(address->data())->sin_addr;
}

sockaddr_storage storage_of(const SocketAddress& address) {
  sockaddr_storage storage{};
  std::memcpy(&storage, address.data(), address.size());
  return storage;
}

// A group is joined on a family; the interface must be given in the same family.
bool is_same_family(const SocketAddress& group, const SocketAddress* other) {
  return group.is_ip() && (other == nullptr || other->family() == group.family());
}

}  // namespace

Result<void> Udp::join(const SocketAddress& group, const SocketAddress* on) {
  return change_group(group, on, true);
}
Result<void> Udp::leave(const SocketAddress& group, const SocketAddress* on) {
  return change_group(group, on, false);
}
Result<void> Udp::join(const SocketAddress& group, const SocketAddress& source,
                       const SocketAddress* on) {
  return change_source(group, source, on, true);
}
Result<void> Udp::leave(const SocketAddress& group, const SocketAddress& source,
                        const SocketAddress* on) {
  return change_source(group, source, on, false);
}

Result<void> Udp::change_group(const SocketAddress& group, const SocketAddress* on, bool joins) {
  if (!group.is_ip()) return Error{EINVAL, "setsockopt"};
  if (Result<void> bound = ensure_bound(group.family(), {.reuse_address = true}); !bound) {
    return bound;
  }
  if (!is_same_family(group, on)) return Error{EINVAL, "setsockopt"};
  if (group.is_ip4()) {
    const ip_mreq membership{ip4_of(&group), ip4_of(on)};
    const int option = joins ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP;
    return set_option(fd(), IPPROTO_IP, option, membership);
  }
  ipv6_mreq membership{};
  membership.ipv6mr_multiaddr = reinterpret_cast<const sockaddr_in6*>(group.data())->sin6_addr;
  membership.ipv6mr_interface = on == nullptr ? 0 : on->scope();
  const int option = joins ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP;
  return set_option(fd(), IPPROTO_IPV6, option, membership);
}

Result<void> Udp::change_source(const SocketAddress& group, const SocketAddress& source,
                                const SocketAddress* on, bool joins) {
  if (!is_same_family(group, &source)) return Error{EINVAL, "setsockopt"};
  if (Result<void> bound = ensure_bound(group.family(), {.reuse_address = true}); !bound) {
    return bound;
  }
  if (!is_same_family(group, on)) return Error{EINVAL, "setsockopt"};
  if (group.is_ip4()) {
    ip_mreq_source membership{};
    membership.imr_multiaddr = ip4_of(&group);
    membership.imr_interface = ip4_of(on);
    membership.imr_sourceaddr = ip4_of(&source);
    const int option = joins ? IP_ADD_SOURCE_MEMBERSHIP : IP_DROP_SOURCE_MEMBERSHIP;
    return set_option(fd(), IPPROTO_IP, option, membership);
  }
  group_source_req membership{};
  membership.gsr_interface = on == nullptr ? 0 : on->scope();
  membership.gsr_group = storage_of(group);
  membership.gsr_source = storage_of(source);
  const int option = joins ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP;
  return set_option(fd(), IPPROTO_IPV6, option, membership);
}

Result<void> Udp::set_ip_option(int option4, int option6, int value) {
  return is_ip6_ ? set_option(fd(), IPPROTO_IPV6, option6, value)
                 : set_option(fd(), IPPROTO_IP, option4, value);
}

Result<void> Udp::set_ttl(int ttl) {
  if (ttl < 1 || ttl > 255) return Error{EINVAL, "setsockopt"};
  return set_ip_option(IP_TTL, IPV6_UNICAST_HOPS, ttl);
}

Result<void> Udp::set_multicast_ttl(int ttl) {
  if (ttl < 0 || ttl > 255) return Error{EINVAL, "setsockopt"};
  return set_ip_option(IP_MULTICAST_TTL, IPV6_MULTICAST_HOPS, ttl);
}

Result<void> Udp::set_multicast_loop(bool on) {
  return set_ip_option(IP_MULTICAST_LOOP, IPV6_MULTICAST_LOOP, on ? 1 : 0);
}

Result<void> Udp::set_multicast_interface(const SocketAddress& on) {
  if (on.is_ip4()) return set_option(fd(), IPPROTO_IP, IP_MULTICAST_IF, ip4_of(&on));
  if (on.is_ip6()) return set_option(fd(), IPPROTO_IPV6, IPV6_MULTICAST_IF, on.scope());
  return Error{EINVAL, "setsockopt"};
}

Result<void> Udp::set_broadcast(bool on) {
  return set_option(fd(), SOL_SOCKET, SO_BROADCAST, on ? 1 : 0);
}

Result<void> Udp::set_receive_buffer(int bytes) {
  return set_option(fd(), SOL_SOCKET, SO_RCVBUF, bytes);
}
Result<void> Udp::set_send_buffer(int bytes) {
  return set_option(fd(), SOL_SOCKET, SO_SNDBUF, bytes);
}
Result<int> Udp::receive_buffer() const { return option_of(fd(), SO_RCVBUF); }
Result<int> Udp::send_buffer() const { return option_of(fd(), SO_SNDBUF); }

}  // namespace rondo
