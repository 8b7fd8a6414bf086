#include "io/udp/local_datagrams.h"

#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "io/net/endpoint.h"
#include "io/udp/udp.h"

namespace rondo {
namespace {

// The number of datagrams that the kernel has dropped, mostly because the buffer was full.
uint32_t drops_of(int fd) {
  uint32_t info[SK_MEMINFO_VARS] = {};
  socklen_t size = sizeof info;
  if (::getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &size) < 0) return 0;
  return info[SK_MEMINFO_DROPS];
}

bool is_ip6_only(int fd) {
  int value = 0;
  socklen_t size = sizeof value;
  return ::getsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &value, &size) == 0 && value != 0;
}

}  // namespace

void LocalDatagrams::add(const Udp& socket) {
  const Result<SocketAddress> address = socket.local_address();
  if (!address) return;
  const Result<SocketAddress> peer = socket.peer_address();
  Bound& bound = sockets_[&socket];
  bound.address = *address;
  bound.peer = peer ? *peer : SocketAddress();
  bound.takes_ip4 = address->is_ip4() || !is_ip6_only(socket.fd());
}

void LocalDatagrams::remove(const Udp& socket) { sockets_.erase(&socket); }

// An address of this machine, as far as known: a false answer only makes time pass.
bool LocalDatagrams::is_here(const SocketAddress& address) const {
  const Endpoint wanted(address);
  if (wanted.is_loopback() || wanted.is_any()) return true;
  for (const auto& [socket, bound] : sockets_) {
    if (Endpoint(bound.address).has_address_of(wanted)) return true;
  }
  return false;
}

bool LocalDatagrams::takes(const Bound& bound, const SocketAddress& from,
                           const SocketAddress& to) const {
  const Endpoint here(bound.address);
  const Endpoint wanted(to);
  if (here.port != wanted.port) return false;
  if (wanted.is_ip4() ? !bound.takes_ip4 : bound.address.is_ip4()) return false;
  if (bound.peer.size() > 0 && bound.peer.port() != from.port()) return false;
  if (wanted.is_multicast()) return true;
  if (here.is_any()) return is_here(to);
  return here.has_address_of(wanted) || (wanted.is_any() && here.is_loopback());
}

bool LocalDatagrams::sent(const Udp& from, const SocketAddress& to) {
  const auto sender = sockets_.find(&from);
  if (sender == sockets_.end()) return false;
  // An adopted socket gets its port with the first datagram.
  if (sender->second.address.port() == 0) add(from);
  const SocketAddress source = sender->second.address;
  const Udp* receiver = nullptr;
  size_t receivers = 0;
  for (const auto& [socket, bound] : sockets_) {
    if (!takes(bound, source, to)) continue;
    receiver = socket;
    ++receivers;
  }
  // If several share the address, the kernel decides which of them receives it; it may be several,
  // or none, if the destination is a group.
  if (receivers != 1 || Endpoint(to).is_multicast()) return receivers > 0;
  Bound& bound = sockets_[receiver];
  if (bound.coming == 0) bound.drops = drops_of(receiver->fd());
  ++bound.coming;
  ++bound.from_ports[source.port()];
  return true;
}

void LocalDatagrams::received(const Udp& socket, const SocketAddress& from) {
  const auto found = sockets_.find(&socket);
  if (found == sockets_.end()) return;
  Bound& bound = found->second;
  const auto port = bound.from_ports.find(from.port());
  if (port == bound.from_ports.end()) return;  // From another process.
  --bound.coming;
  if (--port->second == 0) bound.from_ports.erase(port);
}

bool LocalDatagrams::has_coming(const Udp& socket) const {
  const auto found = sockets_.find(&socket);
  if (found == sockets_.end() || found->second.coming == 0) return false;
  return found->second.coming > drops_of(socket.fd()) - found->second.drops;
}

}  // namespace rondo
