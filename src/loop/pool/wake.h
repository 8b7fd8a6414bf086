// The mailbox wakes the loop from other threads. Workers post the results of finished jobs, and an
// Async rings it when it was sent to.
#pragma once

#include <atomic>

#include "base/fd.h"
#include "base/mpsc_stack.h"
#include "base/result.h"
#include "loop/target.h"

namespace rondo {

// The result of a job. Must stay alive until it is delivered, and may be posted again from its own
// delivery on.
struct Letter : MpscLink, Target {};

// One eventfd per loop, as in libuv: the first post or ring since the last delivery writes to it.
// So its place among the ready descriptors says when that happened (POL-08). On a cache line of its
// own: every poster writes to it, and every callback reads what the loop keeps beside it.
class alignas(64) Mailbox {
 public:
  Result<void> open();
  int fd() const { return event_.get(); }

  // Any thread. The letter must not be in the box already.
  void post(Letter& letter) {
    letters_.push(letter);
    ring();
  }
  // Any thread, also a signal handler: makes the loop deliver, and wakes it if it sleeps.
  void ring() {
    if (!is_rung_.exchange(true, std::memory_order_seq_cst)) notify();
  }

  // The rest belongs to the loop's thread.
  bool is_rung() const { return is_rung_.load(std::memory_order_seq_cst); }
  // While the loop checks is_rung() before it sleeps, and the place of the eventfd among other
  // descriptors does not matter, nobody needs to write to it. After looking ends is_rung() must be
  // checked once more.
  void begin_looking() { set_looking(true); }
  void end_looking() { set_looking(false); }
  // Ends looking, and writes for what was posted meanwhile: before the kernel hears of another
  // source of events, so that the eventfd stands before it. The kernel keeps that order as long as
  // both are ready.
  void take_place();
  // From here on a post or ring asks for another delivery. `is_reported`: the poller has reported
  // the eventfd, so it must be emptied.
  void begin_delivery(bool is_reported);
  Letter* take_newest_first() { return static_cast<Letter*>(letters_.take_newest_first()); }

 private:
  void notify();
  void set_looking(bool is_looking) {
    // Only the loop's thread writes it, and a store that all threads see in order is expensive.
    if (is_looking_.load(std::memory_order_relaxed) == is_looking) return;
    is_looking_.store(is_looking, std::memory_order_seq_cst);
  }

  MpscStack letters_;
  std::atomic<bool> is_rung_{false};
  std::atomic<bool> is_looking_{false};
  std::atomic<bool> is_written_{false};  // A write to the eventfd has begun since it was emptied.
  Fd event_;
};

}  // namespace rondo
