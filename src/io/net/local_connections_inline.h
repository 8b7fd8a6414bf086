// The member functions of BasicLocalConnections, for the sources that instantiate it.
#pragma once

#include <algorithm>

#include "io/net/endpoint.h"
#include "io/net/local_connections.h"

namespace rondo {

namespace detail {
// True if both ends of a Unix socket with a name are in this process.
bool is_unix_peer_here(int fd, const SocketAddress& local, const SocketAddress& peer);
}  // namespace detail

template <class Socket, class Listener>
void BasicLocalConnections<Socket, Listener>::add_socket(const Socket& socket) {
  const Result<SocketAddress> local = socket.local_address();
  const Result<SocketAddress> peer = socket.peer_address();
  if (!local || !peer) return;  // Already disconnected, which the socket reports itself.
  End end;
  end.peer = *peer;
  if (peer->is_unix() || local->is_unix()) {
    end.is_local = detail::is_unix_peer_here(socket.fd(), *local, *peer);
  } else {
    const std::string ours = Endpoint(*local).key();
    const std::string theirs = Endpoint(*peer).key();
    end.here = ours + theirs;
    end.there = theirs + ours;
    sockets_[end.here] = &socket;
    std::erase(closed_, end.here);
    if (const auto other = sockets_.find(end.there); other != sockets_.end()) {
      end.has_met = true;
      ends_[other->second].has_met = true;
    } else {
      end.has_met = std::erase(closed_, end.there) > 0;
    }
  }
  ends_[&socket] = std::move(end);
}

template <class Socket, class Listener>
void BasicLocalConnections<Socket, Listener>::add_listener(const Listener& listener) {
  remove_listener(listener);
  if (const Result<SocketAddress> address = listener.address(); address) {
    listening_.push_back({&listener, *address});
  }
}

template <class Socket, class Listener>
void BasicLocalConnections<Socket, Listener>::remove_socket(const Socket& socket) {
  const auto found = ends_.find(&socket);
  if (found == ends_.end()) return;
  if (!found->second.has_met && !found->second.here.empty()) {
    closed_.push_back(found->second.here);
    if (closed_.size() > kMostClosed) closed_.pop_front();
  }
  const auto named = sockets_.find(found->second.here);
  if (named != sockets_.end() && named->second == &socket) sockets_.erase(named);
  ends_.erase(found);
}

template <class Socket, class Listener>
void BasicLocalConnections<Socket, Listener>::remove_listener(const Listener& listener) {
  std::erase_if(listening_, [&](const Listening& entry) { return entry.listener == &listener; });
}

template <class Socket, class Listener>
const Listener* BasicLocalConnections<Socket, Listener>::listener_at(
    const SocketAddress& address) const {
  const Endpoint wanted(address);
  for (const Listening& entry : listening_) {
    if (address.is_unix() || entry.address.is_unix()) {
      if (entry.address == address) return entry.listener;
      continue;
    }
    const Endpoint here(entry.address);
    if (here.port != wanted.port) continue;
    if (here.is_any() || wanted.is_any() || here.key() == wanted.key()) return entry.listener;
  }
  return nullptr;
}

template <class Socket, class Listener>
Awaits BasicLocalConnections<Socket, Listener>::socket_awaits(const Socket& socket,
                                                              Awaits by_itself) const {
  const auto found = ends_.find(&socket);
  if (found == ends_.end()) return by_itself;
  const End& end = found->second;
  if (end.is_local) return Awaits::nothing;
  const auto other = sockets_.find(end.there);
  if (other == sockets_.end()) {
    // The other end was closed, which is reported soon; or has yet to be accepted, which the
    // listener reports.
    if (end.has_met) return by_itself == Awaits::nothing ? by_itself : Awaits::inside;
    return leads_inside(end.peer) ? Awaits::nothing : by_itself;
  }
  const Socket& peer = *other->second;
  const bool is_something_coming =
      socket.is_waiting_to_read() &&
      (peer.bytes_written() > socket.bytes_read() || peer.has_shut_down());
  const bool is_something_going = socket.queued_bytes() > 0 && peer.is_waiting_to_read();
  return is_something_coming || is_something_going ? Awaits::inside : Awaits::nothing;
}

template <class Socket, class Listener>
bool BasicLocalConnections<Socket, Listener>::is_instant(const Socket& socket) const {
  const auto found = ends_.find(&socket);
  return found != ends_.end() && found->second.is_local;
}

template <class Socket, class Listener>
Awaits BasicLocalConnections<Socket, Listener>::listener_awaits(const Listener& listener) const {
  for (const auto& [socket, end] : ends_) {
    if (end.is_local || end.has_met || sockets_.contains(end.there)) continue;
    if (listener_at(end.peer) == &listener) return Awaits::inside;
  }
  return Awaits::nothing;
}

}  // namespace rondo
