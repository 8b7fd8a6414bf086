// Poll in real time and in the kernel's order: the policy of every program that is neither explored
// nor run under virtual time.
#pragma once

#include "loop/phases/poll.h"
#include "loop/pool/adaptive_spin.h"

namespace rondo {

class PlainPoll final : public PollPolicy {
 public:
  PlainPoll(LoopState& loop, PollPhase& poll);

  void run(bool may_sleep) override;

 private:
  // Waits for up to `timeout` and appends ready events.
  void collect(Nanos timeout);
  // True if the poller has no other source of events, so that mail may come before its events.
  bool is_mail_first() const;
  void sleep(Nanos timeout);
  // Spins for a moment before the loop sleeps, if events tend to come at once; see record 32. True
  // if something came. Subtracts the time that it took from `timeout`.
  bool spin_before_sleep(Nanos began, Nanos& timeout);

  // Adds the events of a batch that was ready at once to LoopMetrics::events_waiting.
  void count_waiting();

  static constexpr uint64_t kNone = UINT64_MAX;
  uint64_t events_before_ = kNone;  // The count when such a batch was collected.
  LoopState& loop_;
  PollPhase& poll_;
  AdaptiveSpin spin_;
};

}  // namespace rondo
