// SocketAddress is the address of a socket or its peer: IPv4 or IPv6 with a port, or a Unix path. A
// value: copied, compared, never allocated. Any thread.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rondo {

class SocketAddress {
 public:
  SocketAddress() = default;  // Family AF_UNSPEC, size 0.

  // A numeric host: "127.0.0.1", "::1", "fe80::1%eth0", "fe80::1%2". EINVAL for anything else, also
  // names: those need a look-up. ENXIO if no interface has the name after the '%'.
  static Result<SocketAddress> ip(std::string_view host, uint16_t port);
  // A path of the file system, or, with a NUL byte in front, a name of Linux's abstract namespace,
  // of which every byte counts. ENAMETOOLONG if it is longer than the kernel allows (107 bytes).
  static Result<SocketAddress> unix_path(std::string_view path);
  static SocketAddress loopback(uint16_t port = 0);   // 127.0.0.1
  static SocketAddress loopback6(uint16_t port = 0);  // ::1
  static SocketAddress any(uint16_t port = 0);        // 0.0.0.0
  static SocketAddress any6(uint16_t port = 0);       // ::
  static Result<SocketAddress> of_socket(int fd);     // getsockname(2)
  static Result<SocketAddress> of_peer(int fd);       // getpeername(2)
  // A copy of an address from the kernel or a library. Empty if it is too short for its family.
  static SocketAddress from(const sockaddr* address, socklen_t size);

  const sockaddr* data() const { return &storage_.any; }
  socklen_t size() const { return size_; }
  sa_family_t family() const { return storage_.any.sa_family; }
  bool is_ip4() const { return family() == AF_INET; }
  bool is_ip6() const { return family() == AF_INET6; }
  bool is_ip() const { return is_ip4() || is_ip6(); }
  bool is_unix() const { return family() == AF_UNIX; }

  uint16_t port() const;  // 0 if the family has none.
  void set_port(uint16_t port);
  uint32_t scope() const;         // The interface an IPv6 address belongs to, or 0.
  std::string host() const;       // "127.0.0.1", "fe80::1%eth0"; empty for other families.
  std::string_view path() const;  // Into this object; empty unless Unix. Abstract: with the NUL.

  // "127.0.0.1:80", "[::1]:80", "/run/app.sock", "@abstract", "unnamed" for a Unix socket that was
  // never bound, "nowhere". For people: "@x" may be either kind of path.
  std::string to_string() const;

  friend bool operator==(const SocketAddress& left, const SocketAddress& right);

 private:
  union Storage {
    sockaddr_un un;  // First, because it is the largest: so that all bytes are zero-initialised.
    sockaddr any;
    sockaddr_in ip4;
    sockaddr_in6 ip6;
  };

  Storage storage_{};
  socklen_t size_ = 0;
};

}  // namespace rondo
