// The mailbox wakes the loop from other threads: workers post the results of finished jobs, and
// Async::send() notifies it.
#pragma once

#include <atomic>

#include "base/fd.h"
#include "base/result.h"
#include "base/threads/mpsc_stack.h"
#include "loop/target.h"

namespace rondo {

// The result of a job. Must stay alive until it is delivered, and may be posted again from its own
// delivery on.
struct Completion : MpscLink, Target {};

// One eventfd per loop, as in libuv: the first post or notification since the last delivery writes
// to it, so its position among the ready descriptors says when that happened (POL-08). It has its
// own cache line: every poster writes to it, and every callback reads the loop's members beside it.
class alignas(64) Mailbox {
 public:
  Result<void> open();
  int fd() const { return event_.get(); }

  // Any thread. The completion must not be in the mailbox already.
  void post(Completion& completion) {
    completions_.push(completion);
    notify();
  }
  // Any thread, also a signal handler: requests a delivery, and wakes the loop if it sleeps.
  void notify() {
    if (!is_notified_.exchange(true, std::memory_order_seq_cst)) write_event();
  }

  // The rest is for the loop's thread only.
  bool is_notified() const { return is_notified_.load(std::memory_order_seq_cst); }
  // While writes are paused, posters do not write to the eventfd. Allowed while the loop checks
  // is_notified() before it sleeps and the eventfd's position among other descriptors does not
  // matter. After resume_writes(), check is_notified() once more.
  void pause_writes() { set_paused(true); }
  void resume_writes() { set_paused(false); }
  // Resumes writes, and writes for anything posted meanwhile. Call it before another source of
  // events is registered with the kernel, so that the eventfd comes first: the kernel keeps that
  // order as long as both are ready.
  void flush_writes();
  // From here on a post or notification requests another delivery. `is_reported`: the poller has
  // reported the eventfd, so it must be drained.
  void begin_delivery(bool is_reported);
  Completion* take_newest_first() {
    return static_cast<Completion*>(completions_.take_newest_first());
  }

 private:
  void write_event();
  void set_paused(bool is_paused) {
    // Only the loop's thread writes it, and a store that all threads see in order is expensive.
    if (is_paused_.load(std::memory_order_relaxed) == is_paused) return;
    is_paused_.store(is_paused, std::memory_order_seq_cst);
  }

  MpscStack completions_;
  std::atomic<bool> is_notified_{false};
  std::atomic<bool> is_paused_{false};
  std::atomic<bool> is_written_{false};  // The eventfd has been written to since it was drained.
  Fd event_;
};

}  // namespace rondo
