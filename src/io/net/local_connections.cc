#include "io/net/local_connections.h"

#include <sys/socket.h>
#include <unistd.h>

#include "io/net/listener.h"
#include "io/net/local_connections_inline.h"
#include "io/net/socket.h"

namespace rondo {

// Both ends of a socketpair(2) have no name, and one of them usually belongs to a child.
bool detail::is_unix_peer_here(int fd, const SocketAddress& local, const SocketAddress& peer) {
  if (local.path().empty() && peer.path().empty()) return false;
  ucred who{};
  socklen_t size = sizeof who;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.pid == ::getpid();
}

template class BasicLocalConnections<Socket, Listener>;

}  // namespace rondo
