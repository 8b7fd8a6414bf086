// The addresses in --metrics and --trace-otlp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace rondo::runtime {

struct Address {
  std::string host;
  uint16_t port = 0;
};

// `PORT`, `HOST:PORT` or `[IPV6]:PORT`; without a host 127.0.0.1. Returns false if it is none of
// these.
bool parse_address(std::string_view text, Address* address);

// A collector of OpenTelemetry, from a URL: http://HOST[:PORT][/PATH].
struct Collector {
  Address address;
  std::string authority;  // The value of the Host header.
  std::string path;       // Without a path in the URL: /v1/traces.
};

// Returns an error message, or an empty string.
std::string parse_collector(std::string_view url, Collector* collector);

// Opens a listening socket. On success `port` is the one that the kernel chose for port 0.
Result<Fd> listen_on(const Address& address, uint16_t* port);

// HOST:PORT, with brackets around an IPv6 address.
std::string to_text(const Address& address);

}  // namespace rondo::runtime
