// Tracks datagrams between two Udp sockets of one loop, from sending until they are received:
// virtual time must stand still meanwhile, and a chosen order must not depend on the kernel's
// speed. One per loop, used only if LoopInternals::tracks_local_connections(). Thread: the loop's
// only.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "io/net/address.h"
#include "loop/services.h"

namespace rondo {

class Udp;

class LocalDatagrams final : public Service {
 public:
  explicit LocalDatagrams(Loop&) {}

  // A bound socket; again after its address or peer has changed.
  void add(const Udp& socket);
  void remove(const Udp& socket);  // Also accepts one that was never added.

  // `from` has sent one datagram to `to`. False if no socket of this loop receives it.
  bool sent(const Udp& from, const SocketAddress& to);
  void received(const Udp& socket, const SocketAddress& from);
  // True if a datagram from this loop has yet to be received. Datagrams that the kernel has dropped
  // because the socket's buffer was full do not count.
  bool has_coming(const Udp& socket) const;

 private:
  struct Bound {
    SocketAddress address;
    SocketAddress peer;  // Empty unless connected.
    bool takes_ip4 = true;
    std::unordered_map<uint16_t, uint32_t> from_ports;  // In flight, by the sender's port.
    uint32_t coming = 0;                                // The sum of from_ports.
    uint32_t drops = 0;                                 // The kernel's count when coming was 0.
  };
  bool takes(const Bound& bound, const SocketAddress& from, const SocketAddress& to) const;
  bool is_here(const SocketAddress& address) const;

  std::unordered_map<const Udp*, Bound> sockets_;
};

}  // namespace rondo
