// Phase 4, poll: how long to sleep, and the dispatch of what the poller and the mailbox brought.
#pragma once

#include <unordered_map>
#include <vector>

#include "loop/poller/poller.h"

namespace rondo {

class Loop;

class PollPhase {
 public:
  // A poller that always has more must not starve the other phases (POL-02).
  static constexpr int kMostFullBatches = 48;

  explicit PollPhase(Loop& loop);

  // Waits for up to what `may_sleep` and the loop's state allow, and runs what is ready.
  void run(bool may_sleep);

  // No event of this target is delivered any more, even if it is in the batch already (POL-06).
  void forget(const Target& target);
  void discard(const Event& event);
  bool has_leftovers() const { return next_ < ready_.size(); }

  // With a Choice: remembers the order of submission, which does not depend on the machine's mood.
  void note_submitted(const Target& target);
  // The event of an operation has come, or never will.
  void note_over(const Target& target);

 private:
  // Brings events in; true if it slept.
  void collect(Nanos timeout);
  void collect_mail();
  void sleep(Nanos timeout);
  void dispatch_all();
  void dispatch(const Event& event);
  void compact();

  void run_plain(bool may_sleep);
  // Virtual time: nothing real passes while something is in flight; then the clock jumps.
  bool await_virtual(bool may_sleep);
  // With a Choice: everything in flight is awaited, then the choice orders what is ready.
  void run_chosen(bool may_sleep);
  void await_operations();
  void put_in_order();
  size_t choose_next();

  Loop& loop_;
  std::vector<Event> ready_;
  size_t next_ = 0;  // ready_[next_...] is still to be delivered.
  // With a Choice: the operations in flight, and when they were submitted.
  std::unordered_map<const Target*, uint64_t> submitted_;
  uint64_t submissions_ = 0;
};

}  // namespace rondo
