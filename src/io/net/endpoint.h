// The address and port of an IP socket in IPv6 form: a server on "::" sees clients on 127.0.0.1 as
// ::ffff:127.0.0.1. For comparing addresses of different families. A value. Any thread.
#pragma once

#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "io/net/address.h"

namespace rondo {

struct Endpoint {
  in6_addr address{};
  uint16_t port = 0;

  explicit Endpoint(const SocketAddress& from) : port(from.port()) {
    if (from.is_ip4()) {
      address.s6_addr[10] = address.s6_addr[11] = 0xFF;
      const in_addr ip4 = reinterpret_cast<const sockaddr_in*>(from.data())->sin_addr;
      std::copy_n(reinterpret_cast<const uint8_t*>(&ip4), sizeof ip4, address.s6_addr + 12);
    } else if (from.is_ip6()) {
      address = reinterpret_cast<const sockaddr_in6*>(from.data())->sin6_addr;
    }
  }

  std::string key() const {
    std::string bytes(reinterpret_cast<const char*>(&address), sizeof address);
    return bytes.append(reinterpret_cast<const char*>(&port), sizeof port);
  }
  bool is_ip4() const { return IN6_IS_ADDR_V4MAPPED(&address); }
  bool is_any() const {
    const auto* const end = address.s6_addr + sizeof address;
    const auto* const first = address.s6_addr + (is_ip4() ? 12 : 0);
    return std::all_of(first, end, [](uint8_t byte) { return byte == 0; });
  }
  bool is_loopback() const {
    return is_ip4() ? address.s6_addr[12] == 127 : IN6_IS_ADDR_LOOPBACK(&address);
  }
  bool is_multicast() const {
    return is_ip4() ? (address.s6_addr[12] & 0xF0) == 0xE0 : IN6_IS_ADDR_MULTICAST(&address);
  }
  bool has_address_of(const Endpoint& other) const {
    return std::memcmp(&address, &other.address, sizeof address) == 0;
  }
};

}  // namespace rondo
