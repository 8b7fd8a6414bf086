// A Listener accepts connections: the base of TcpServer and PipeServer.
// Phase: poll. Thread: the loop's only.
#pragma once

#include "base/fd.h"
#include "io/net/accept.h"
#include "io/net/address.h"
#include "loop/handle.h"
#include "loop/phases/pending.h"
#include "loop/phases/timers.h"
#include "loop/target.h"

namespace rondo {

class DescriptorReserve;

class Listener : public Handle {
 public:
  // A connection as a descriptor for Socket::open(), or an error. One per readiness event. EMFILE
  // or ENFILE: the waiting connections were closed, as there is no descriptor for them. After other
  // errors the listener pauses, and retries by itself.
  using OnConnection = Callback<void(Listener&, Result<Fd>)>;

  static constexpr int kDefaultBacklog = 511;

  // Instead of bind(): takes over a socket that is already bound or listening. EINVAL if it is not
  // a stream socket; the caller keeps it then.
  Result<void> open(int fd);
  // Gives up ownership of the socket; only close() may follow, which removes the file of a Unix
  // socket.
  Fd release();
  // After bind() or open(). Keeps the loop alive.
  Result<void> listen(OnConnection on_connection, int backlog = kDefaultBacklog);
  // No new connections until resume(); they wait in the backlog. Both idempotent.
  void pause();
  void resume();

  // Without a callback connections are accepted on demand. Only accept() keeps the loop alive then.
  Result<void> listen(int backlog = kDefaultBacklog);
  // The next connection. The request must live until the callback, which never runs inside this
  // call; EINVAL, without listen(), goes to the callback, too. One at a time.
  void accept(Accept& request, Accept::OnDone on_done);

  bool is_listening() const { return is_listening_; }
  Awaits awaits() const override;
  bool is_instant() const override;
  int fd() const { return fd_.get(); }
  // After bind() with port 0, the port that the kernel chose.
  Result<SocketAddress> address() const { return SocketAddress::of_socket(fd()); }

 protected:
  Listener(Loop& loop, HandleKind kind);
  ~Listener() override;
  Result<void> bind_socket(Fd fd, const SocketAddress& address);
  void on_closing() override;
  void on_closed() override;

 private:
  friend class Accept;
  struct Readiness final : Watch {
    Listener* owner;
  };
  struct AtOnce final : Deferred {
    using Deferred::Deferred;
    Listener* owner;
  };
  Result<void> start(int backlog);
  void stop();
  void arm();
  void disarm();
  void readable();
  void accept_failed(int code);
  void deliver(Result<Fd> connection);
  void back_off();
  bool is_waited_for() const { return pull_ != nullptr && !pull_->is_decided_; }
  void decide(Result<Fd> outcome);
  void call_accept();

  Fd fd_;
  bool is_listening_ = false;
  bool is_paused_ = false;
  bool is_armed_ = false;
  bool is_backing_off_ = false;
  bool is_on_demand_ = false;
  OnConnection on_connection_;
  Readiness watch_;
  Accept* pull_ = nullptr;  // The accept() whose callback is pending.
  AtOnce at_once_;
  Owned<Timer> retry_;  // Made when descriptors first run out.
  Nanos retry_delay_{0};
  DescriptorReserve* reserve_ = nullptr;  // The loop's; from the first listen() on.
};

}  // namespace rondo
