// Phase 4, poll: waits for events and dispatches them. Events run in the order in which the kernel
// reports them; pool results and Asyncs run at the position of the mailbox's eventfd in that order
// (POL-08), signals after everything else (POL-09). A PollPolicy decides how long to wait, and may
// replace the order.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "base/list.h"
#include "base/time/time.h"
#include "loop/async.h"
#include "loop/phases/poll_policy.h"
#include "loop/poller/poller.h"
#include "loop/pool/wake.h"

namespace rondo {

struct LoopState;

class PollPhase final {
 public:
  using AsyncList = List<Async, &Async::order_>;
  // A poller that always has more events must not starve the other phases (POL-02).
  static constexpr int kMostFullBatches = 48;

  explicit PollPhase(LoopState& loop);
  ~PollPhase();
  PollPhase(const PollPhase&) = delete;
  PollPhase& operator=(const PollPhase&) = delete;

  void run(bool may_sleep) { policy_->run(may_sleep); }

  // No more events of this target are delivered, even those in the current batch (POL-06).
  void forget(const Target& target);
  bool has_leftovers() const { return batch_.has_more(); }

  // An operation that is sure to complete with exactly one event was submitted; for the other
  // parameters, see PollPolicy.
  void operation_submitted(const Target& target, uint64_t id, const char* label,
                           PoolRequest* late) {
    if (target.is_outside) [[unlikely]]
      return;
    ++operations_in_flight_;
    if (tracker_ != nullptr) [[unlikely]]
      tracker_->operation_submitted(target, id, label, late);
  }
  void settle_effects(const Touch& touch, const PoolRequest* self) {
    policy_->settle_effects(touch, self);
  }

  void add_async(Async& async) { asyncs_.push_back(async); }
  // Any thread: counts the pending Asyncs.
  void note_async_pending() { pending_asyncs_.fetch_add(1, std::memory_order_acq_rel); }
  void note_async_delivered() { pending_asyncs_.fetch_sub(1, std::memory_order_acq_rel); }
  // Any thread: true if the caller is on the thread that created the loop or last took it over.
  bool is_loop_thread() const { return thread_ == std::this_thread::get_id(); }

  // The rest is for policies.
  struct Batch {
    std::vector<Event> ready;
    size_t next = 0;  // ready[next...] has not been delivered.

    bool has_more() const { return next < ready.size(); }
    auto begin() { return ready.begin() + static_cast<std::ptrdiff_t>(next); }
    auto begin() const { return ready.begin() + static_cast<std::ptrdiff_t>(next); }
    auto end() { return ready.end(); }
    auto end() const { return ready.end(); }
    // Frees the delivered events, if all are.
    void compact();
  };
  Batch& batch() { return batch_; }
  // In order of creation, and not taken by deliver_asyncs() at the moment.
  AsyncList& asyncs() { return asyncs_; }
  bool has_pending_asyncs() const { return pending_asyncs_.load(std::memory_order_acquire) > 0; }
  // Without those that another process or machine completes.
  size_t operations_in_flight() const { return operations_in_flight_; }
  void take_over_thread() { thread_ = std::this_thread::get_id(); }

  // Calls `wait(may_sleep)` for the next events and delivers them, until there is a reason to end
  // the phase. The phase also ends if `wait` returns true.
  template <class Wait>
  void run_batches(bool may_sleep, Wait wait) {
    for (int rounds = 0; rounds < kMostFullBatches; ++rounds) {
      const uint64_t events_before = events();
      if (wait(may_sleep)) return;
      const bool was_full = batch_.ready.size() - batch_.next >= Poller::kBatch;
      if (dispatch_all()) return;
      if (was_full) {
        may_sleep = false;
        continue;
      }
      // A spurious wake-up, an interrupted or early timeout: sleep for the rest of the time while
      // there is a reason to (POL-07). An event ends the phase, even if it caused no callback.
      if (!may_sleep || events() != events_before || !has_reason_to_sleep()) return;
      rounds = -1;
    }
  }
  // Waits for up to `timeout` and appends ready events.
  void wait(Nanos timeout);
  // Record a sleep. begin_sleep() returns the time that end_sleep() needs.
  Nanos begin_sleep(Nanos timeout);
  void end_sleep(Nanos began);
  // Adds an event for mail that the poller has not reported, before ready[first_new].
  void add_mail_event(size_t first_new);
  void dispatch(const Event& event);

 private:
  // True if signals were delivered: then poll ends.
  bool dispatch_all();
  void dispatch_readiness(const Event& event);
  // `is_reported`: the poller reported the eventfd; otherwise only the mailbox's own flag is set.
  void deliver_mail(bool is_reported);
  void deliver_asyncs(AsyncList& rest);
  void operation_over(const Target& target) {
    if (target.is_outside) [[unlikely]]
      return;
    RONDO_ASSERT(operations_in_flight_ > 0);
    --operations_in_flight_;
    if (tracker_ != nullptr) [[unlikely]]
      tracker_->operation_over(target);
  }
  uint64_t events() const;
  bool has_reason_to_sleep();

  LoopState& loop_;
  Batch batch_;
  Event last_{};  // The event of the signals in this batch, if any: dispatched last.
  std::vector<Completion*> mail_;
  AsyncList asyncs_;
  std::atomic<size_t> pending_asyncs_{0};
  size_t operations_in_flight_ = 0;
  std::thread::id thread_;
  std::unique_ptr<PollPolicy> policy_;
  PollPolicy* tracker_;  // The policy if it tracks operations, otherwise null.
};

}  // namespace rondo
