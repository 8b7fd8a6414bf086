// A Socket is a stream over a connected socket: the base of TcpSocket and PipeSocket.
#pragma once

#include <memory>

#include "io/net/address.h"
#include "io/stream/stream.h"

namespace rondo {

class ConnectAwaiter;

class Socket : public Stream {
 public:
  // Always called from the loop, never inside connect(), also for ECONNREFUSED (PEN-04).
  using OnConnect = Callback<void(Socket&, Result<void>)>;

  ~Socket() override;

  // Data written meanwhile is sent when the connection is established, and fails if it is not. The
  // callback gets EISCONN or EALREADY if there is a connection, or an attempt, already.
  void connect(const SocketAddress& address, OnConnect on_connect);
  // The same, from the address `local` of this machine if it is not null. Errors are divided as in
  // libuv: ECONNREFUSED and all errors of Unix sockets go to the callback. Other errors of
  // connect(2), and those of bind(2), are returned, and the callback is not called then. `bound`,
  // if valid, is used instead of a new socket; it is closed if the attempt fails.
  Result<void> try_connect(const SocketAddress& address, OnConnect on_connect,
                           const SocketAddress* local = nullptr, Fd bound = {});
  bool is_connecting() const { return connecting_ != nullptr; }
  // Cancels the attempt: the callback gets ECANCELED, and the socket may try again. EBUSY if the
  // outcome is already decided, EINVAL if there is no attempt.
  Result<void> cancel_connect();
  ConnectAwaiter connect(const SocketAddress& address);  // co_await, with io/net/awaiters.h.
  // Takes over a connected socket: an accepted one, or one made elsewhere.
  Result<void> open(Fd fd);

  Awaits awaits() const override;
  bool is_instant() const override;
  Result<SocketAddress> local_address() const { return SocketAddress::of_socket(fd()); }
  Result<SocketAddress> peer_address() const { return SocketAddress::of_peer(fd()); }

  // Closes with a reset: the peer gets ECONNRESET, and unsent data is discarded.
  Result<void> close_reset(OnClose on_close = nullptr);

 protected:
  Socket(Loop& loop, HandleKind kind);
  void on_closing() override;
  void on_closed() override;
  // Called before connect(2) on a new socket, and for one given to open().
  virtual Result<void> configure(int) { return {}; }

 private:
  class Connecting;
  Result<void> begin_connect(const SocketAddress* local, Fd bound, const SocketAddress& address,
                             OnConnect& on_connect);
  void connect_ready(int code) override;
  void connected(Result<void> outcome);

  std::unique_ptr<Connecting> connecting_;
};

}  // namespace rondo
