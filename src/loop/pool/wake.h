// The one thread-safe door into a sleeping loop: any thread posts letters, the loop's thread takes
// them all in the poll phase. One eventfd write per sleep at most, none while the loop is awake.
#pragma once

#include <atomic>

#include "base/fd.h"
#include "base/mpsc_stack.h"
#include "base/result.h"
#include "loop/target.h"

namespace rondo {

// A letter is delivered as an event with result 0. It must stay alive until then, and may be
// posted again from its own delivery on.
struct Letter : MpscLink, Target {};

// On a line of its own: whoever posts writes to it, and what the loop keeps beside it is asked for
// by every callback.
class alignas(64) Mailbox {
 public:
  Result<void> open();
  int fd() const { return event_.get(); }

  // Any thread. The letter must not be in the box already.
  void post(Letter& letter);
  // Any thread: makes a sleeping loop come back from its poll, with nothing to deliver.
  void nudge();

  // The loop's thread. False if there is mail already: then it must not sleep. After true, woke().
  bool prepare_to_sleep();
  void woke() { is_sleeping_.store(false, std::memory_order_relaxed); }
  bool is_empty() const { return letters_.is_empty(); }
  Letter* take_newest_first() { return static_cast<Letter*>(letters_.take_newest_first()); }

 private:
  void ring();

  MpscStack letters_;
  std::atomic<bool> is_sleeping_{false};
  std::atomic<bool> is_nudged_{false};
  Fd event_;  // Never read: it is watched edge-triggered, so only its edges matter.
};

}  // namespace rondo
