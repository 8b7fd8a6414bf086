// Knows which connections of a loop have both of their ends in it. What is sent over such a wire
// arrives by itself, while a peer outside answers when it likes: virtual time must know which is
// which, and a chosen order must not depend on how quick the kernel is.
// One per loop, used only where Loop::knows_its_wires(). Thread: the loop's only.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/address.h"
#include "loop/handle.h"
#include "loop/services.h"

namespace rondo {

class Listener;
class Socket;

class Wires final : public Service {
 public:
  explicit Wires(Loop&) {}

  // Connected; listening. remove() forgets, also who was never added.
  void add(const Socket& socket);
  void add(const Listener& listener);
  void remove(const Socket& socket);
  void remove(const Listener& listener);

  // Whether a connection to that address would end at a listener of this loop.
  bool leads_inside(const SocketAddress& address) const { return listener_at(address) != nullptr; }
  // `by_itself` is what the socket would say if its peer were outside.
  Awaits awaits(const Socket& socket, Awaits by_itself) const;
  // A Unix socket with both ends in this process.
  bool is_instant(const Socket& socket) const;
  // A connection that was made here, and has yet to be accepted.
  Awaits awaits(const Listener& listener) const;

 private:
  struct End {
    SocketAddress peer;
    std::string here;       // Both addresses, ours first.
    std::string there;      // Both addresses, the peer's first: what the peer calls `here`.
    bool is_local = false;  // A Unix socket of this process: what is sent has arrived.
    bool has_met = false;   // The other end has been here.
  };
  // More connections than this are not accepted and closed before their clients hear of them.
  static constexpr size_t kMostClosed = 64;
  const Listener* listener_at(const SocketAddress& address) const;

  std::unordered_map<const Socket*, End> ends_;
  std::unordered_map<std::string, const Socket*> sockets_;
  std::deque<std::string> closed_;  // `here` of ends that were closed before they met the other.
  struct Listening {
    const Listener* listener;
    SocketAddress address;
  };
  std::vector<Listening> listening_;
};

}  // namespace rondo
