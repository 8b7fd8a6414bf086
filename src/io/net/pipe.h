// Pipes: Unix sockets, and the ends of pipe(2).
#pragma once

#include <string>

#include "io/net/listener.h"
#include "io/net/socket.h"

namespace rondo {

template <class S>
class AcceptAwaiter;

class PipeSocket final : public Socket {
 public:
  explicit PipeSocket(Loop& loop) : Socket(loop, HandleKind::pipe) {}

  // Takes over a Unix socket or an end of a pipe(2), which is made non-blocking. A pipe has one
  // direction: reading from its writing end, or writing to the other, fails with EBADF.
  Result<void> open(Fd fd);
};

class PipeServer final : public Listener {
 public:
  explicit PipeServer(Loop& loop) : Listener(loop, HandleKind::pipe_server) {}

  // EADDRINUSE if the path exists; close() removes the file.
  Result<void> bind(const SocketAddress& address);

  using Listener::accept;
  // co_await, with io/net/awaiters.h: a Result<Owned<PipeSocket>>. After listen() without a
  // callback.
  AcceptAwaiter<PipeSocket> accept();

 private:
  void on_closing() override;
  std::string path_;
};

}  // namespace rondo
