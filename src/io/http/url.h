// The parts of an http: URL. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rondo {

struct HttpUrl {
  std::string host;       // A name or address; IPv6 without brackets.
  std::string authority;  // For the field Host: with brackets, and with the port unless it is 80.
  std::string target;     // Path and query; at least "/".
  uint16_t port = 80;

  // EINVAL for anything malformed, also user names and characters that must be escaped;
  // EPROTONOSUPPORT for other schemes. A fragment is left out.
  static Result<HttpUrl> parse(std::string_view text);
};

}  // namespace rondo
