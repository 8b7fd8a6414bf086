// TCP: servers and sockets.
#pragma once

#include "io/net/listener.h"
#include "io/net/socket.h"

namespace rondo {

template <class S>
class AcceptAwaiter;

class TcpSocket final : public Socket {
 public:
  explicit TcpSocket(Loop& loop) : Socket(loop, HandleKind::tcp_socket) {}

  // May be set before there is a connection, too. Both off by default, as in the kernel.
  Result<void> set_no_delay(bool on);
  Result<void> set_keep_alive(bool on, std::chrono::seconds idle = std::chrono::seconds{60});

 private:
  Result<void> configure(int fd) override;

  // In Stream::options_: the idle time of keep-alive in seconds, 0 for off, and this bit.
  static constexpr uint16_t kNoDelay = 0x8000;
  static constexpr uint16_t kIdleMask = 0x7FFF;
};

class TcpServer final : public Listener {
 public:
  explicit TcpServer(Loop& loop) : Listener(loop, HandleKind::tcp_server) {}

  struct BindOptions {
    bool ipv6_only = false;   // Otherwise an IPv6 wildcard takes IPv4 connections as well.
    bool reuse_port = false;  // Several servers share the port; the kernel spreads connections.
  };
  // EADDRINUSE, EACCES, EADDRNOTAVAIL: returned at once, from bind(2).
  Result<void> bind(const SocketAddress& address, BindOptions options);
  Result<void> bind(const SocketAddress& address) { return bind(address, BindOptions{}); }

  using Listener::accept;
  // co_await, with io/net/awaiters.h: a Result<Owned<TcpSocket>>. After listen() without a
  // callback.
  AcceptAwaiter<TcpSocket> accept();
};

}  // namespace rondo
