// Pipes: Unix sockets, and the ends of pipe(2).
#pragma once

#include <string>

#include "io/listener.h"
#include "io/socket.h"

namespace rondo {

template <class S>
class AcceptAwaiter;

class PipeSocket final : public Socket {
 public:
  explicit PipeSocket(Loop& loop) : Socket(loop, "pipe") {}

  // Takes over a Unix socket or an end of a pipe(2), which is made non-blocking. A pipe goes one
  // way: reading from its writing end, or writing to the other, fails with EBADF.
  Result<void> open(Fd fd);
};

class PipeServer final : public Listener {
 public:
  explicit PipeServer(Loop& loop) : Listener(loop, "pipe server") {}

  // EADDRINUSE where the path exists, whoever made it; the file is removed again by close().
  Result<void> bind(const SocketAddress& address);

  using Listener::accept;
  // co_await, with io/co_stream.h: a Result<Owned<PipeSocket>>. After listen() without a function.
  AcceptAwaiter<PipeSocket> accept();

 private:
  void on_closing() override;
  std::string path_;
};

}  // namespace rondo
