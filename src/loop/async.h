// An Async is the way for other threads to wake the loop.
#pragma once

#include <atomic>

#include "loop/handle.h"
#include "loop/pool/wake.h"

namespace rondo {

// Calls back in the loop's thread after send() in any thread. Many sends before the loop gets there
// become one callback; none is lost (ASY-01). Active from its construction, so it keeps the loop
// alive until it is closed or unref'd.
// Phase: poll. Thread: the loop's only, send() excepted.
class Async final : public Handle {
 public:
  using OnWake = Callback<void(Async&)>;

  Async(Loop& loop, OnWake on_wake);
  ~Async() override = default;

  // Any thread, also a signal handler: lock-free, allocates nothing. The handle must not be closed
  // or freed meanwhile; what the sender wrote before is visible to the callback.
  void send();
  // What it does is nothing that a Choice should order.
  void set_housework() { bell_.is_housework = true; }

 private:
  struct Bell final : Letter {
    Async* owner;
  };
  void on_closing() override;
  void deliver();

  OnWake on_wake_;
  Bell bell_;
  std::atomic<bool> is_rung_{false};
};

}  // namespace rondo
