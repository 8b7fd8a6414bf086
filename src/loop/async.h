// Async: wakes the loop from another thread.
#pragma once

#include <atomic>

#include "base/list.h"
#include "loop/handle.h"

namespace rondo {

// Calls back in the loop's thread after send() in any thread. Many sends before the loop gets there
// become one callback; none is lost (ASY-01). When the loop wakes up it delivers pool results
// first, then all pending Asyncs in order of creation; a send made by one of these callbacks to an
// Async further down the list is delivered in the same pass (ASY-02). Active from its construction,
// so it keeps the loop alive until it is closed or unref'd. Phase: poll. Thread: the loop's only,
// send() excepted.
class Async final : public Handle {
 public:
  using OnWake = Callback<void(Async&)>;

  Async(Loop& loop, OnWake on_wake);
  ~Async() override = default;

  // Any thread, also a signal handler: lock-free, allocates nothing. The handle must not be closed
  // or freed meanwhile. Memory the sender wrote before the call is visible to the callback.
  void send();
  // The callback runs no user code, so a Choice does not order it.
  void set_internal(bool is_internal = true) {
    is_internal_.store(is_internal, std::memory_order_relaxed);
  }
  // Any thread.
  bool is_internal() const { return is_internal_.load(std::memory_order_relaxed); }

 private:
  friend class ExploredPoll;
  friend class PollPhase;
  void on_closing() override;
  bool is_pending() const { return is_pending_.load(std::memory_order_acquire); }
  void deliver();

  OnWake on_wake_;
  ListLink order_;  // In the loop's list of Asyncs, in order of creation.
  std::atomic<bool> is_internal_{false};
  std::atomic<bool> is_pending_{false};
  // With a Choice: the sender was another thread, so the message could have arrived later.
  std::atomic<bool> is_from_outside_{false};
};

}  // namespace rondo
