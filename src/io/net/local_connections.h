// Tracks connections of a loop that have both ends in it. Data sent over such a connection is sure
// to arrive, while an outside peer answers at any time: virtual time must tell the two apart, and a
// chosen order must not depend on the kernel's speed.
// The sockets and listeners are those of io, or streams of uv, which are both.
// One per loop, used only if LoopInternals::tracks_local_connections(). Thread: the loop's only.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/net/address.h"
#include "loop/handle.h"
#include "loop/services.h"

namespace rondo {

class Listener;
class Socket;

template <class Socket, class Listener>
class BasicLocalConnections final : public Service {
 public:
  explicit BasicLocalConnections(Loop&) {}

  // A connected socket; a listener. One that was never added may be removed, too.
  void add_socket(const Socket& socket);
  void add_listener(const Listener& listener);
  void remove_socket(const Socket& socket);
  void remove_listener(const Listener& listener);

  // True if a connection to that address would end at a listener of this loop.
  bool leads_inside(const SocketAddress& address) const { return listener_at(address) != nullptr; }
  // `by_itself` is the answer for a socket with an outside peer.
  Awaits socket_awaits(const Socket& socket, Awaits by_itself) const;
  // A Unix socket with both ends in this process.
  bool is_instant(const Socket& socket) const;
  // inside if a connection from this process has yet to be accepted.
  Awaits listener_awaits(const Listener& listener) const;

 private:
  struct End {
    SocketAddress peer;
    std::string here;       // Both addresses, ours first.
    std::string there;      // Both addresses, the peer's first: equal to the peer's `here`.
    bool is_local = false;  // A Unix socket of this process: sent data has already arrived.
    bool has_met = false;   // The other end has been added.
  };
  // At most this many connections are remembered that closed before they were accepted.
  static constexpr size_t kMostClosed = 64;
  const Listener* listener_at(const SocketAddress& address) const;

  std::unordered_map<const Socket*, End> ends_;
  std::unordered_map<std::string, const Socket*> sockets_;
  std::deque<std::string> closed_;  // `here` of ends that closed before the other end was added.
  struct Listening {
    const Listener* listener;
    SocketAddress address;
  };
  std::vector<Listening> listening_;
};

using LocalConnections = BasicLocalConnections<Socket, Listener>;
extern template class BasicLocalConnections<Socket, Listener>;

}  // namespace rondo
