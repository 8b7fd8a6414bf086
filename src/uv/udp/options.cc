// Groups and options of uv_udp_t.
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "uv/udp/udp.h"

namespace rondo::uv {
namespace {

union IpAddress {
  sockaddr any;
  sockaddr_in ip4;
  sockaddr_in6 ip6;
};

int parse(const char* text, IpAddress& out) {
  std::memset(&out, 0, sizeof out);
  if (uv_ip4_addr(text, 0, &out.ip4) == 0) return 0;
  return uv_ip6_addr(text, 0, &out.ip6);
}

template <class T>
int set_option(const uv_udp_t* handle, int level, int name, const T& value) {
  const int fd = fd_of(handle);
  if (::setsockopt(fd, level, name, &value, sizeof value) == 0) return 0;
  return -errno;
}

int set_number(const uv_udp_t* handle, int option4, int option6, int value) {
  return has_flags(handle, kIp6) ? set_option(handle, IPPROTO_IPV6, option6, value)
                                 : set_option(handle, IPPROTO_IP, option4, value);
}

int change_group4(uv_udp_t* handle, const sockaddr_in& group, const char* on,
                  uv_membership membership) {
  ip_mreq request{};
  request.imr_multiaddr = group.sin_addr;
  request.imr_interface.s_addr = INADDR_ANY;
  if (on != nullptr && uv_inet_pton(AF_INET, on, &request.imr_interface) != 0) return UV_EINVAL;
  const int option = membership == UV_JOIN_GROUP ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP;
  return set_option(handle, IPPROTO_IP, option, request);
}

int change_group6(uv_udp_t* handle, const sockaddr_in6& group, const char* on,
                  uv_membership membership) {
  ipv6_mreq request{};
  request.ipv6mr_multiaddr = group.sin6_addr;
  if (on != nullptr) {
    sockaddr_in6 where{};
    if (uv_ip6_addr(on, 0, &where) != 0) return UV_EINVAL;
    request.ipv6mr_interface = where.sin6_scope_id;
  }
  const int option = membership == UV_JOIN_GROUP ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP;
  return set_option(handle, IPPROTO_IPV6, option, request);
}

int change_source4(uv_udp_t* handle, const sockaddr_in& group, const char* on,
                   const sockaddr_in& source, uv_membership membership) {
  ip_mreq_source request{};
  request.imr_interface.s_addr = INADDR_ANY;
  if (on != nullptr && uv_inet_pton(AF_INET, on, &request.imr_interface) != 0) return UV_EINVAL;
  request.imr_multiaddr = group.sin_addr;
  request.imr_sourceaddr = source.sin_addr;
  const bool joins = membership == UV_JOIN_GROUP;
  return set_option(handle, IPPROTO_IP,
                    joins ? IP_ADD_SOURCE_MEMBERSHIP : IP_DROP_SOURCE_MEMBERSHIP, request);
}

int change_source6(uv_udp_t* handle, const sockaddr_in6& group, const char* on,
                   const sockaddr_in6& source, uv_membership membership) {
  group_source_req request{};
  if (on != nullptr) {
    sockaddr_in6 where{};
    if (uv_ip6_addr(on, 0, &where) != 0) return UV_EINVAL;
    request.gsr_interface = where.sin6_scope_id;
  }
  std::memcpy(&request.gsr_group, &group, sizeof group);
  std::memcpy(&request.gsr_source, &source, sizeof source);
  const bool joins = membership == UV_JOIN_GROUP;
  return set_option(handle, IPPROTO_IPV6,
                    joins ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP, request);
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_udp_set_membership(uv_udp_t* handle, const char* multicast_addr, const char* interface_addr,
                          uv_membership membership) {
  if (membership != UV_JOIN_GROUP && membership != UV_LEAVE_GROUP) return UV_EINVAL;
  IpAddress group;
  if (const int refused = parse(multicast_addr, group); refused != 0) return refused;
  if (const int failed = udp_behind(handle).ensure_bound(group.any.sa_family); failed != 0) {
    return failed;
  }
  return group.any.sa_family == AF_INET
             ? change_group4(handle, group.ip4, interface_addr, membership)
             : change_group6(handle, group.ip6, interface_addr, membership);
}

int uv_udp_set_source_membership(uv_udp_t* handle, const char* multicast_addr,
                                 const char* interface_addr, const char* source_addr,
                                 uv_membership membership) {
  if (membership != UV_JOIN_GROUP && membership != UV_LEAVE_GROUP) return UV_EINVAL;
  IpAddress group;
  IpAddress source;
  if (const int refused = parse(multicast_addr, group); refused != 0) return refused;
  if (const int refused = parse(source_addr, source); refused != 0) return refused;
  if (group.any.sa_family != source.any.sa_family) return UV_EINVAL;
  if (const int failed = udp_behind(handle).ensure_bound(group.any.sa_family); failed != 0) {
    return failed;
  }
  return group.any.sa_family == AF_INET
             ? change_source4(handle, group.ip4, interface_addr, source.ip4, membership)
             : change_source6(handle, group.ip6, interface_addr, source.ip6, membership);
}

int uv_udp_set_multicast_loop(uv_udp_t* handle, int on) {
  return set_number(handle, IP_MULTICAST_LOOP, IPV6_MULTICAST_LOOP, on);
}

int uv_udp_set_multicast_ttl(uv_udp_t* handle, int ttl) {
  if (ttl < 0 || ttl > 255) return UV_EINVAL;
  return set_number(handle, IP_MULTICAST_TTL, IPV6_MULTICAST_HOPS, ttl);
}

int uv_udp_set_multicast_interface(uv_udp_t* handle, const char* interface_addr) {
  IpAddress on;
  if (interface_addr == nullptr) {
    std::memset(&on, 0, sizeof on);
    on.any.sa_family = has_flags(handle, kIp6) ? AF_INET6 : AF_INET;
  } else if (const int refused = parse(interface_addr, on); refused != 0) {
    return refused;
  }
  if (on.any.sa_family == AF_INET) {
    return set_option(handle, IPPROTO_IP, IP_MULTICAST_IF, on.ip4.sin_addr);
  }
  return set_option(handle, IPPROTO_IPV6, IPV6_MULTICAST_IF, on.ip6.sin6_scope_id);
}

int uv_udp_set_broadcast(uv_udp_t* handle, int on) {
  return set_option(handle, SOL_SOCKET, SO_BROADCAST, on);
}

int uv_udp_set_ttl(uv_udp_t* handle, int ttl) {
  if (ttl < 1 || ttl > 255) return UV_EINVAL;
  return set_number(handle, IP_TTL, IPV6_UNICAST_HOPS, ttl);
}

}  // extern "C"
