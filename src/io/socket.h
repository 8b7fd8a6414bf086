// A Socket is a stream over a connected socket. TcpSocket and PipeSocket add what is peculiar to
// their families.
#pragma once

#include <memory>

#include "io/address.h"
#include "io/stream.h"

namespace rondo {

class ConnectAwaiter;

class Socket : public Stream {
 public:
  // Always from the loop, never from inside connect(): ECONNREFUSED, too (PEN-04).
  using OnConnect = Callback<void(Socket&, Result<void>)>;

  ~Socket() override;

  // What is written meanwhile goes out when the connection stands, and fails with it. EISCONN or
  // EALREADY reach the callback where there is a connection, or an attempt, already.
  void connect(const SocketAddress& address, OnConnect on_connect);
  // The same, from an address of this machine if `local` is not null, with libuv's division of
  // errors: ECONNREFUSED and all errors of Unix sockets reach the callback. Other errors of
  // connect(2), and those of bind(2), are returned, and the callback does not come then. `bound` is
  // used instead of a new socket if it is one; it is closed where the attempt fails.
  Result<void> try_connect(const SocketAddress& address, OnConnect on_connect,
                           const SocketAddress* local = nullptr, Fd bound = {});
  bool is_connecting() const { return connecting_ != nullptr; }
  // Gives the attempt up: the callback comes with ECANCELED, and the socket may try again. EBUSY
  // if the outcome is known already, EINVAL if there is no attempt.
  Result<void> cancel_connect();
  ConnectAwaiter connect(const SocketAddress& address);  // co_await, with io/co_stream.h.
  // Takes over a connected socket: an accepted one, or one made elsewhere.
  Result<void> open(Fd fd);

  Awaits awaits() const override;
  bool is_instant() const override;
  Result<SocketAddress> local_address() const { return SocketAddress::of_socket(fd()); }
  Result<SocketAddress> peer_address() const { return SocketAddress::of_peer(fd()); }

  // Closes with a reset: the peer gets ECONNRESET, and what is unsent is thrown away.
  Result<void> close_reset(OnClose on_close = nullptr);

 protected:
  Socket(Loop& loop, const char* label);
  void on_closing() override;
  void on_closed() override;
  // Before connect(2) on a new socket, and on one that was opened.
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
