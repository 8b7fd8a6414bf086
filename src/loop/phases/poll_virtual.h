// Poll under virtual time: time stands still while an operation of this process is in flight,
// follows real time while another process or machine is awaited, and otherwise jumps to the next
// timer. docs/VIRTUAL-TIME.md describes the rule for users.
#pragma once

#include "base/time/clock.h"
#include "loop/handle.h"
#include "loop/phases/poll.h"

namespace rondo {

class VirtualPoll : public PollPolicy, private ClockUser {
 public:
  // Operations inside the process take microseconds, or as long as a worker computes. One that
  // takes longer may never complete, such as opening a named pipe without a writer; then the
  // program's own timeouts must be able to fire.
  static constexpr Nanos kInsideWaitLimit = std::chrono::seconds{10};

  VirtualPoll(LoopState& loop, PollPhase& poll);
  ~VirtualPoll() override;

  void run(bool may_sleep) override;

 protected:
  // Waits for up to `timeout` and appends ready events.
  void collect(Nanos timeout);
  // Decides whether time stands still, passes or jumps while the loop waits for events. True if
  // timers are next.
  bool await_events(bool may_sleep);

  LoopState& loop_;
  PollPhase& poll_;

 private:
  // Mail has arrived during a wait that has appended events from `first_new` on.
  virtual void collect_mail(size_t first_new) { poll_.add_mail_event(first_new); }
  // True if there is something to deliver.
  virtual bool has_something() const { return poll_.batch().has_more(); }

  Awaits awaited() const;
  void wait_at_real_pace(Nanos budget);
  void resume();
  bool has_news() const override;
  void wake() override;

  Nanos unreported_time_{0};  // Real time that has passed but was too short to add to the clock.
  Nanos inside_wait_left_ = kInsideWaitLimit;  // For operations inside the process.
  bool is_idle_ = false;                       // The clock may jump without this loop.
};

}  // namespace rondo
