// Addresses as text, and those of the machine's interfaces.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <uv.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "uv/core/memory.h"

namespace rondo::uv {
namespace {

bool is_usable(const ifaddrs& entry, bool is_packet) {
  constexpr unsigned kUp = IFF_UP | IFF_RUNNING;
  if ((entry.ifa_flags & kUp) != kUp || entry.ifa_addr == nullptr) return false;
  const int family = entry.ifa_addr->sa_family;
  return is_packet ? family == AF_PACKET : family == AF_INET || family == AF_INET6;
}

void fill(const ifaddrs& entry, const char* name, uv_interface_address_t& out) {
  out.name = const_cast<char*>(name);
  const bool is_ip6 = entry.ifa_addr->sa_family == AF_INET6;
  const size_t size = is_ip6 ? sizeof out.address.address6 : sizeof out.address.address4;
  std::memcpy(&out.address, entry.ifa_addr, size);
  if (entry.ifa_netmask != nullptr) std::memcpy(&out.netmask, entry.ifa_netmask, size);
  out.is_internal = (entry.ifa_flags & IFF_LOOPBACK) != 0 ? 1 : 0;
}

// An alias such as eth0:1 has the hardware address of eth0.
bool is_same_interface(const char* name, const char* interface) {
  const size_t length = std::strlen(interface);
  return std::strncmp(name, interface, length) == 0 &&
         (name[length] == '\0' || name[length] == ':');
}

int collect(const ifaddrs* first, uv_interface_address_t** addresses, int* count) {
  size_t total = 0;
  size_t names = 0;
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    if (!is_usable(*entry, false)) continue;
    ++total;
    names += std::strlen(entry->ifa_name) + 1;
  }
  if (total == 0) return 0;
  // One block: the addresses, then their names.
  auto* const list =
      static_cast<uv_interface_address_t*>(allocate_zeroed(1, total * sizeof **addresses + names));
  if (list == nullptr) return UV_ENOMEM;
  auto* text = reinterpret_cast<char*>(list + total);
  size_t done = 0;
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    if (!is_usable(*entry, false)) continue;
    const size_t length = std::strlen(entry->ifa_name) + 1;
    std::memcpy(text, entry->ifa_name, length);
    fill(*entry, text, list[done++]);
    text += length;
  }
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    if (!is_usable(*entry, true)) continue;
    const auto* const hardware = reinterpret_cast<const sockaddr_ll*>(entry->ifa_addr);
    for (size_t i = 0; i < total; ++i) {
      if (is_same_interface(list[i].name, entry->ifa_name)) {
        std::memcpy(list[i].phys_addr, hardware->sll_addr, sizeof list[i].phys_addr);
      }
    }
  }
  *addresses = list;
  *count = static_cast<int>(total);
  return 0;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_interface_addresses(uv_interface_address_t** addresses, int* count) {
  *addresses = nullptr;
  *count = 0;
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return -errno;
  const int failed = collect(first, addresses, count);
  ::freeifaddrs(first);
  return failed;
}

void uv_free_interface_addresses(uv_interface_address_t* addresses, int /*count*/) {
  release(addresses);
}

int uv_inet_ntop(int af, const void* src, char* dst, size_t size) {
  if (af != AF_INET && af != AF_INET6) return UV_EAFNOSUPPORT;
  char text[INET6_ADDRSTRLEN];
  if (::inet_ntop(af, src, text, sizeof text) == nullptr) return -errno;
  const size_t length = std::strlen(text) + 1;
  if (size < length) return UV_ENOSPC;
  std::memcpy(dst, text, length);
  return 0;
}

int uv_inet_pton(int af, const char* src, void* dst) {
  if (af != AF_INET && af != AF_INET6) return UV_EAFNOSUPPORT;
  if (src == nullptr || dst == nullptr) return UV_EINVAL;
  char text[INET6_ADDRSTRLEN];
  // The scope of an IPv6 address is not part of its bytes.
  const char* const scope = af == AF_INET6 ? std::strchr(src, '%') : nullptr;
  const size_t length = scope != nullptr ? static_cast<size_t>(scope - src) : std::strlen(src);
  if (length >= sizeof text) return UV_EINVAL;
  std::memcpy(text, src, length);
  text[length] = '\0';
  return ::inet_pton(af, text, dst) == 1 ? 0 : UV_EINVAL;
}

int uv_ip4_addr(const char* ip, int port, sockaddr_in* addr) {
  std::memset(addr, 0, sizeof *addr);
  addr->sin_family = AF_INET;
  addr->sin_port = htons(static_cast<uint16_t>(port));
  return uv_inet_pton(AF_INET, ip, &addr->sin_addr);
}

int uv_ip6_addr(const char* ip, int port, sockaddr_in6* addr) {
  std::memset(addr, 0, sizeof *addr);
  addr->sin6_family = AF_INET6;
  addr->sin6_port = htons(static_cast<uint16_t>(port));
  if (const char* const scope = std::strchr(ip, '%'); scope != nullptr) {
    addr->sin6_scope_id = ::if_nametoindex(scope + 1);
    if (addr->sin6_scope_id == 0) {
      addr->sin6_scope_id = static_cast<uint32_t>(std::strtoul(scope + 1, nullptr, 10));
    }
  }
  return uv_inet_pton(AF_INET6, ip, &addr->sin6_addr);
}

int uv_ip4_name(const sockaddr_in* src, char* dst, size_t size) {
  return uv_inet_ntop(AF_INET, &src->sin_addr, dst, size);
}

int uv_ip6_name(const sockaddr_in6* src, char* dst, size_t size) {
  return uv_inet_ntop(AF_INET6, &src->sin6_addr, dst, size);
}

int uv_ip_name(const sockaddr* src, char* dst, size_t size) {
  switch (src->sa_family) {
    case AF_INET: return uv_ip4_name(reinterpret_cast<const sockaddr_in*>(src), dst, size);
    case AF_INET6: return uv_ip6_name(reinterpret_cast<const sockaddr_in6*>(src), dst, size);
    default: return UV_EAFNOSUPPORT;
  }
}

}  // extern "C"
