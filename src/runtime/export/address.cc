#include "runtime/export/address.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>

namespace rondo::runtime {

namespace {

constexpr int kBacklog = 16;
// Programs expect to get the lowest free descriptors.
constexpr int kFirstDescriptor = 200;
constexpr uint16_t kHttpPort = 80;

bool parse_port(std::string_view text, uint16_t* port) {
  if (text.empty() || text.size() > 5) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *port);
  return error == std::errc() && end == text.data() + text.size();
}

// Splits HOST, HOST:PORT or [IPV6]:PORT. `port` is empty if there is none.
bool split(std::string_view text, std::string_view* host, std::string_view* port) {
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return false;
    *host = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (!text.empty() && text[0] != ':') return false;
    *port = text.empty() ? text : text.substr(1);
  } else {
    const size_t colon = text.rfind(':');
    *host = text.substr(0, colon);
    *port = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (host->find(':') != std::string_view::npos) return false;
  }
  return !host->empty();
}

}  // namespace

bool parse_address(std::string_view text, Address* address) {
  if (parse_port(text, &address->port)) {
    address->host = "127.0.0.1";
    return true;
  }
  std::string_view host;
  std::string_view port;
  if (!split(text, &host, &port) || !parse_port(port, &address->port)) return false;
  address->host = host;
  return true;
}

std::string parse_collector(std::string_view url, Collector* collector) {
  constexpr std::string_view kScheme = "http://";
  if (url.starts_with("https://")) {
    return "https is not supported: send to a collector on this machine, which can forward with "
           "TLS";
  }
  if (!url.starts_with(kScheme)) return "it must begin with http://";
  url.remove_prefix(kScheme.size());
  if (url.find_first_of("@?# \t\r\n") != std::string_view::npos) {
    return "it must have the form http://HOST[:PORT][/PATH]";
  }
  const size_t slash = url.find('/');
  const std::string_view authority = url.substr(0, slash);
  std::string_view host;
  std::string_view port;
  if (!split(authority, &host, &port)) return "it must have the form http://HOST[:PORT][/PATH]";
  collector->address.port = kHttpPort;
  if (!port.empty() &&
      (!parse_port(port, &collector->address.port) || collector->address.port == 0)) {
    return "its port must be a number from 1 to 65535";
  }
  collector->address.host = host;
  collector->authority = authority;
  collector->path = slash == std::string_view::npos ? "/" : std::string(url.substr(slash));
  if (collector->path == "/") collector->path = "/v1/traces";
  return {};
}

std::string to_text(const Address& address) {
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

Result<Fd> listen_on(const Address& address, uint16_t* port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int status =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  if (status != 0) return Error{status, "getaddrinfo"};
  Result<Fd> result = Error{EAI_NONAME, "getaddrinfo"};
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    Fd fd(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) {
      result = Error::last("socket");
      continue;
    }
    const int on = 1;
    ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(fd.get(), one->ai_addr, one->ai_addrlen) != 0) {
      result = Error::last("bind");
      continue;
    }
    if (::listen(fd.get(), kBacklog) != 0) {
      result = Error::last("listen");
      continue;
    }
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    if (::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
      result = Error::last("getsockname");
      continue;
    }
    *port = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                              : reinterpret_cast<sockaddr_in&>(bound).sin_port);
    Fd high(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstDescriptor));
    result = high ? std::move(high) : std::move(fd);
    break;
  }
  ::freeaddrinfo(list);
  return result;
}

}  // namespace rondo::runtime
