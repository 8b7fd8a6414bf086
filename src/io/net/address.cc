#include "io/net/address.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>

namespace rondo {
namespace {

constexpr size_t kPathOffset = offsetof(sockaddr_un, sun_path);
// One byte stays zero: the kernel accepts a path without a terminator, but other programs read past
// it.
constexpr size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

// "fe80::1%eth0" or "%2": names first, since an interface may be called "2".
Result<uint32_t> parse_scope(std::string_view text) {
  if (text.empty()) return Error{EINVAL, "address"};
  char name[IF_NAMESIZE] = {};
  if (text.size() < sizeof name) {
    text.copy(name, text.size());
    if (const unsigned index = ::if_nametoindex(name); index != 0) return uint32_t{index};
  }
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc{} && parsed == end) return number;
  return Error{ENXIO, "address"};
}

template <class Call>
Result<SocketAddress> query(int fd, const char* name, Call call) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (call(fd, reinterpret_cast<sockaddr*>(&storage), &size) < 0) return Error::last(name);
  return SocketAddress::from(reinterpret_cast<const sockaddr*>(&storage), size);
}

}  // namespace

Result<SocketAddress> SocketAddress::ip(std::string_view host, uint16_t port) {
  const size_t percent = host.find('%');
  const std::string_view number = host.substr(0, percent);
  char text[INET6_ADDRSTRLEN] = {};
  if (number.empty() || number.size() >= sizeof text || number.find('\0') != number.npos) {
    return Error{EINVAL, "address"};
  }
  number.copy(text, number.size());

  SocketAddress address;
  if (percent == host.npos && ::inet_pton(AF_INET, text, &address.storage_.ip4.sin_addr) == 1) {
    address.storage_.ip4.sin_family = AF_INET;
    address.size_ = sizeof(sockaddr_in);
  } else if (::inet_pton(AF_INET6, text, &address.storage_.ip6.sin6_addr) == 1) {
    address.storage_.ip6.sin6_family = AF_INET6;
    address.size_ = sizeof(sockaddr_in6);
    if (percent != host.npos) {
      const Result<uint32_t> scope = parse_scope(host.substr(percent + 1));
      if (!scope) return scope.error();
      address.storage_.ip6.sin6_scope_id = *scope;
    }
  } else {
    return Error{EINVAL, "address"};
  }
  address.set_port(port);
  return address;
}

Result<SocketAddress> SocketAddress::unix_path(std::string_view path) {
  if (path.empty()) return Error{EINVAL, "address"};
  const bool is_abstract = path.front() == '\0';
  if (!is_abstract && path.find('\0') != path.npos) return Error{EINVAL, "address"};
  if (path.size() > kLongestPath) return Error{ENAMETOOLONG, "address"};
  SocketAddress address;
  address.storage_.un.sun_family = AF_UNIX;
  path.copy(address.storage_.un.sun_path, path.size());
  address.size_ = static_cast<socklen_t>(kPathOffset + path.size() + (is_abstract ? 0 : 1));
  return address;
}

SocketAddress SocketAddress::any(uint16_t port) {
  SocketAddress address;
  address.storage_.ip4.sin_family = AF_INET;
  address.size_ = sizeof(sockaddr_in);
  address.set_port(port);
  return address;
}

SocketAddress SocketAddress::any6(uint16_t port) {
  SocketAddress address;
  address.storage_.ip6.sin6_family = AF_INET6;
  address.size_ = sizeof(sockaddr_in6);
  address.set_port(port);
  return address;
}

SocketAddress SocketAddress::loopback(uint16_t port) {
  SocketAddress address = any(port);
  address.storage_.ip4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

SocketAddress SocketAddress::loopback6(uint16_t port) {
  SocketAddress address = any6(port);
  address.storage_.ip6.sin6_addr = in6addr_loopback;
  return address;
}

Result<SocketAddress> SocketAddress::of_socket(int fd) {
  return query(fd, "getsockname", ::getsockname);
}

Result<SocketAddress> SocketAddress::of_peer(int fd) {
  return query(fd, "getpeername", ::getpeername);
}

SocketAddress SocketAddress::from(const sockaddr* source, socklen_t size) {
  SocketAddress address;
  if (source == nullptr || size < sizeof(sa_family_t)) return address;
  const size_t needed = source->sa_family == AF_INET    ? sizeof(sockaddr_in)
                        : source->sa_family == AF_INET6 ? sizeof(sockaddr_in6)
                                                        : sizeof(sa_family_t);
  if (size < needed) return address;
  // Only as many bytes as the family has: padding would make equal addresses differ. The kernel may
  // also count a zero byte after a path that fills its field.
  const bool is_ip = needed > sizeof(sa_family_t);
  const size_t count = is_ip ? needed : std::min(size_t{size}, sizeof(Storage));
  std::memcpy(&address.storage_, source, count);
  address.size_ = static_cast<socklen_t>(count);
  if (address.is_ip4())
    std::memset(address.storage_.ip4.sin_zero, 0, sizeof(sockaddr_in::sin_zero));
  return address;
}

uint16_t SocketAddress::port() const {
  if (is_ip4()) return ntohs(storage_.ip4.sin_port);
  if (is_ip6()) return ntohs(storage_.ip6.sin6_port);
  return 0;
}

void SocketAddress::set_port(uint16_t port) {
  if (is_ip4()) storage_.ip4.sin_port = htons(port);
  if (is_ip6()) storage_.ip6.sin6_port = htons(port);
}

uint32_t SocketAddress::scope() const { return is_ip6() ? storage_.ip6.sin6_scope_id : 0; }

std::string SocketAddress::host() const {
  char text[INET6_ADDRSTRLEN] = {};
  if (is_ip4()) return ::inet_ntop(AF_INET, &storage_.ip4.sin_addr, text, sizeof text);
  if (!is_ip6()) return {};
  std::string out = ::inet_ntop(AF_INET6, &storage_.ip6.sin6_addr, text, sizeof text);
  if (const uint32_t index = scope(); index != 0) {
    char name[IF_NAMESIZE] = {};
    out += '%';
    out += ::if_indextoname(index, name) != nullptr ? name : std::to_string(index);
  }
  return out;
}

std::string_view SocketAddress::path() const {
  if (!is_unix() || size_ <= kPathOffset) return {};
  const std::string_view bytes(storage_.un.sun_path, size_ - kPathOffset);
  if (bytes.front() == '\0') return bytes;
  return bytes.substr(0, bytes.find('\0'));
}

std::string SocketAddress::to_string() const {
  if (is_ip4()) return host() + ':' + std::to_string(port());
  if (is_ip6()) return '[' + host() + "]:" + std::to_string(port());
  if (is_unix()) {
    std::string out(path());
    std::replace(out.begin(), out.end(), '\0', '@');  // As ss(8) and /proc/net/unix show it.
    return out.empty() ? "unnamed" : out;
  }
  if (size_ == 0) return "nowhere";
  return "family " + std::to_string(family());
}

bool operator==(const SocketAddress& left, const SocketAddress& right) {
  if (left.family() != right.family()) return false;
  if (left.is_unix()) return left.path() == right.path();
  return left.size_ == right.size_ && std::memcmp(&left.storage_, &right.storage_, left.size_) == 0;
}

}  // namespace rondo
