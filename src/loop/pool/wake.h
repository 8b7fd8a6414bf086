// The mailbox wakes the loop from other threads: workers post the results of finished jobs, and
// Async::send() rings it.
#pragma once

#include <atomic>

#include "base/fd.h"
#include "base/result.h"
#include "base/threads/mpsc_stack.h"
#include "loop/target.h"

namespace rondo {

// The result of a job. Must stay alive until it is delivered, and may be posted again from its own
// delivery on.
struct Letter : MpscLink, Target {};

// One eventfd per loop, as in libuv: the first post or ring since the last delivery writes to it,
// so its position among the ready descriptors says when that happened (POL-08). It has its own
// cache line: every poster writes to it, and every callback reads the loop's members beside it.
class alignas(64) Mailbox {
 public:
  Result<void> open();
  int fd() const { return event_.get(); }

  // Any thread. The letter must not be in the mailbox already.
  void post(Letter& letter) {
    letters_.push(letter);
    ring();
  }
  // Any thread, also a signal handler: requests a delivery, and wakes the loop if it sleeps.
  void ring() {
    if (!is_rung_.exchange(true, std::memory_order_seq_cst)) notify();
  }

  // The rest is for the loop's thread only.
  bool is_rung() const { return is_rung_.load(std::memory_order_seq_cst); }
  // While looking, posters do not write to the eventfd: the loop checks is_rung() before it sleeps,
  // and the eventfd's position among other descriptors does not matter. After end_looking(), check
  // is_rung() once more.
  void begin_looking() { set_looking(true); }
  void end_looking() { set_looking(false); }
  // Ends looking, and writes for anything posted meanwhile. Call it before another source of events
  // is registered with the kernel, so that the eventfd comes first: the kernel keeps that order as
  // long as both are ready.
  void take_place();
  // From here on a post or ring requests another delivery. `is_reported`: the poller has reported
  // the eventfd, so it must be drained.
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
  std::atomic<bool> is_written_{false};  // The eventfd has been written to since it was drained.
  Fd event_;
};

}  // namespace rondo
