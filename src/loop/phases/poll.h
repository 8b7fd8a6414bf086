// Phase 4, poll: decides how long to sleep and dispatches ready events. Events run in the order in
// which the kernel reports them; pool results and Asyncs run at the position of the mailbox's
// eventfd in that order (POL-08), signals after everything else (POL-09).
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/list.h"
#include "base/time/clock.h"
#include "loop/async.h"
#include "loop/choice.h"
#include "loop/handle.h"
#include "loop/poller/poller.h"
#include "loop/pool/adaptive_spin.h"
#include "loop/pool/wake.h"

namespace rondo {

class Loop;
class PoolRequest;
struct Touch;

class PollPhase final : private ClockUser {
 public:
  // A poller that always has more events must not starve the other phases (POL-02).
  static constexpr int kMostFullBatches = 48;
  // Operations inside the process take microseconds, or as long as a worker computes. One that
  // takes longer may never complete, such as opening a named pipe without a writer; then the
  // program's own timeouts must be able to fire.
  static constexpr Nanos kInsideWaitLimit = std::chrono::seconds{10};

  explicit PollPhase(Loop& loop);
  ~PollPhase() override;
  PollPhase(const PollPhase&) = delete;
  PollPhase& operator=(const PollPhase&) = delete;

  // Waits for events as long as `may_sleep` and the loop's state allow, and dispatches them.
  void run(bool may_sleep);

  // No more events of this target are delivered, even those in the current batch (POL-06).
  void forget(const Target& target);
  bool has_leftovers() const { return next_ < ready_.size(); }

  // With a Choice: records the order of submission, which does not depend on the machine's speed.
  // `late` is a request whose work is done only when it is delivered.
  void note_submitted(const Target& target, uint64_t id, const char* label, PoolRequest* late);
  // The loop's Asyncs. note_async_pending() may be called by any thread and counts the pending
  // ones.
  void add_async(Async& async) { asyncs_.push_back(async); }
  void note_async_pending() { pending_asyncs_.fetch_add(1, std::memory_order_acq_rel); }
  void note_async_delivered() { pending_asyncs_.fetch_sub(1, std::memory_order_acq_rel); }
  // With a Choice: true if the caller is on the loop's thread.
  bool is_own_thread() const { return owner_ == std::this_thread::get_id(); }

  // The event of an operation has arrived, or never will.
  void note_over(const Target& target);
  // With a Choice: before `touch` happens, chooses whether operations in flight that touch the same
  // files have taken effect already. `self` is the request that it belongs to, if any.
  void settle_effects(const Touch& touch, const PoolRequest* self);

 private:
  using AsyncList = List<Async, &Async::order_>;

  // Waits for up to `timeout` and appends ready events.
  void collect(Nanos timeout);
  // True if mail can be delivered before the poller's events; see collect().
  bool is_mail_first() const;
  // Adds an event for mail that the poller has not reported.
  void collect_mail(size_t first_new);
  void sleep(Nanos timeout);
  // Spins for a moment before the loop sleeps, if events tend to come at once; see record 32.
  bool has_come_at_once(Nanos timeout);
  // True if signals were delivered: then poll ends.
  bool dispatch_all();
  void dispatch(const Event& event);
  void dispatch_readiness(const Event& event);
  // `is_reported`: the poller reported the eventfd; otherwise only the mailbox's own flag is set.
  void deliver_mail(bool is_reported);
  void deliver_asyncs(AsyncList& rest);
  void compact();

  void run_plain(bool may_sleep);
  // Virtual time (poll_virtual.cc): decides whether it stands still, passes or jumps. True if
  // timers are next.
  bool await_virtual(bool may_sleep);
  Awaits awaited() const;
  void wait_at_real_pace(Nanos budget);
  bool has_news() const override;
  void wake() override;
  void resume();
  // With a Choice: waits for everything in flight, then the choice orders the ready events. In
  // poll_chosen.cc and poll_batch.cc.
  void run_chosen(bool may_sleep);
  void collect_mail_chosen();
  void await_operations();
  bool has_local_data_in_flight() const;
  void put_in_order();
  void run_internal_asyncs();
  bool has_something() const;
  bool may_end();
  bool end_early(bool is_first);
  bool choose_next();  // True if the poll ends with this event.
  bool ask(ChoicePoint point);
  uint64_t state(ChoicePoint point) const;

  // With a Choice: one batch of events. The mailbox has one place in it: first the results
  // delivered in this poll, then the messages (POL-08, ASY-02).
  enum class Mail : uint8_t { waiting, results, messages, over };
  // A candidate is an element of ready_, or an Async.
  struct Pick {
    size_t index;
    Async* async;
  };
  void begin_batch();
  void end_batch();
  void begin_mail();
  void end_mail();
  bool is_mail_begun() const {
    return mail_stage_ == Mail::results || mail_stage_ == Mail::messages;
  }
  // True if an event is ready that Node always delivers in the same poll.
  bool is_certain_left() const;
  bool is_message_due() const;
  bool is_signal_due() const;
  bool is_instant_due() const;
  bool is_instant(const Target& target) const;
  static bool is_local_message(const Async& async);
  bool find_candidates();
  void find_running_jobs();
  void add_readiness();
  void add_messages();
  void add_results();
  void add_signals();
  void add_candidate(size_t index);
  void deliver_message(Async& async);

  struct Submitted {
    const Target* target;
    uint64_t id;
    const char* label;
    PoolRequest* job;  // Null if no worker is needed.
    bool is_running;   // It has a worker, so it can complete next.
  };
  const Submitted* find_submitted(const Target* target) const;
  // 0 if it is not a handle of the loop.
  uint64_t handle_id(const void* source) const;

  Loop& loop_;
  AdaptiveSpin spin_;
  std::vector<Event> ready_;
  size_t next_ = 0;  // ready_[next_...] has not been delivered.
  Event last_{};     // The event of the signals in this batch, if any: dispatched last.
  std::vector<Completion*> mail_;
  AsyncList asyncs_;
  std::atomic<size_t> pending_asyncs_{0};
  std::thread::id owner_;  // With a Choice: the loop's thread.
  // With a Choice: the operations in flight in order of submission; the candidates for delivery and
  // their positions; how often, and since when, all of them have been late.
  std::vector<Submitted> submitted_;
  std::vector<Candidate> candidates_;
  std::vector<Pick> picks_;
  // With a Choice: how much of the mailbox this poll has delivered, the Asyncs that it has not yet
  // visited, and whether this thread had sent a message when the batch began.
  Mail mail_stage_ = Mail::waiting;
  AsyncList unvisited_;
  bool began_with_message_ = false;
  uint32_t times_late_ = 0;
  Nanos late_since_{0};
  // With a virtual clock: real time that has passed but was too short to add to the clock; and how
  // much longer to wait for operations inside the process.
  Nanos unreported_time_{0};
  Nanos inside_wait_left_ = kInsideWaitLimit;
  bool is_idle_ = false;  // The clock may jump without this loop.
};

}  // namespace rondo
