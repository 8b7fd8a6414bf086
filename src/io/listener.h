// A Listener takes connections in. TcpServer and PipeServer say where they come from.
// Phase: poll. Thread: the loop's only.
#pragma once

#include "base/fd.h"
#include "io/address.h"
#include "loop/handle.h"
#include "loop/phases/timers.h"
#include "loop/target.h"

namespace rondo {

class Listener : public Handle {
 public:
  // A connection as a descriptor, for Socket::open(); or why none could be taken. Running out of
  // descriptors is told once, then the listener pauses and tries again by itself: the connections
  // wait in the backlog meanwhile.
  using OnConnection = Callback<void(Listener&, Result<Fd>)>;

  static constexpr int kDefaultBacklog = 511;

  // After bind(). Keeps the loop alive.
  Result<void> listen(OnConnection on_connection, int backlog = kDefaultBacklog);
  // No new connections until resume(); those that come wait in the backlog. Both idempotent.
  void pause();
  void resume();

  bool is_listening() const { return is_listening_; }
  int fd() const { return fd_.get(); }
  // With port 0 in bind() this tells the real one.
  Result<SocketAddress> address() const { return SocketAddress::of_socket(fd()); }

 protected:
  Listener(Loop& loop, const char* label);
  ~Listener() override;
  Result<void> bind_socket(Fd fd, const SocketAddress& address);
  bool uses_operations() const;
  void on_closing() override;

 private:
  struct Readiness final : Watch {
    Listener* owner;
  };
  struct Accept final : Op {
    Listener* owner;
  };
  void arm();
  void disarm();
  void readable();
  void accepted(int32_t result);
  // False if accepting should stop for now.
  bool take(int result, int code);
  void back_off();

  Fd fd_;
  bool is_listening_ = false;
  bool is_paused_ = false;
  bool is_armed_ = false;
  bool is_backing_off_ = false;
  OnConnection on_connection_;
  Readiness watch_;
  Accept accept_;
  Owned<Timer> retry_;  // Made when descriptors have run out for the first time.
  Nanos retry_delay_{0};
};

}  // namespace rondo
