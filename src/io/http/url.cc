#include "io/http/url.h"

#include <charconv>

#include "io/http/characters.h"

namespace rondo {
namespace {

constexpr Error kBad{EINVAL, "http url"};

bool is_host(std::string_view host, bool is_ip6) {
  if (host.empty()) return false;
  for (const char c : host) {
    if (!http::is_of(c, http::kHost) || c == '[' || c == ']') return false;
    if (c == ':' && !is_ip6) return false;
  }
  return true;
}

}  // namespace

Result<HttpUrl> HttpUrl::parse(std::string_view text) {
  const size_t mark = text.find("://");
  if (mark == std::string_view::npos) return kBad;
  if (!http::equal_ignoring_case(text.substr(0, mark), "http")) {
    return Error{EPROTONOSUPPORT, "http url"};
  }
  text.remove_prefix(mark + 3);
  text = text.substr(0, text.find('#'));
  const size_t slash = text.find_first_of("/?");
  const std::string_view authority = text.substr(0, slash);
  HttpUrl url;
  const std::string_view rest =
      slash == std::string_view::npos ? std::string_view() : text.substr(slash);
  if (rest.empty() || rest[0] == '?') url.target = '/';
  url.target += rest;
  if (!http::all_of(url.target, http::kTarget)) return kBad;
  const bool is_ip6 = !authority.empty() && authority[0] == '[';
  std::string_view port;
  if (is_ip6) {
    const size_t bracket = authority.find(']');
    if (bracket == std::string_view::npos) return kBad;
    url.host = authority.substr(1, bracket - 1);
    port = authority.substr(bracket + 1);
  } else {
    const size_t colon = authority.find(':');
    url.host = authority.substr(0, colon);
    if (colon != std::string_view::npos) port = authority.substr(colon);
  }
  if (!is_host(url.host, is_ip6)) return kBad;
  if (!port.empty()) {
    if (port[0] != ':') return kBad;
    port.remove_prefix(1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
    const bool is_number = error == std::errc() && end == port.data() + port.size();
    if (!port.empty() && (!is_number || url.port == 0)) return kBad;
  }
  if (is_ip6) url.authority += '[';
  url.authority += url.host;
  if (is_ip6) url.authority += ']';
  if (url.port != 80) {
    url.authority += ':';
    url.authority += std::to_string(url.port);
  }
  return url;
}

}  // namespace rondo
