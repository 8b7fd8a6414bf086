// The poll phase where time is virtual: docs/VIRTUAL-TIME.md has the rule, in words for users.
#include <algorithm>

#include "loop/loop.h"
#include "loop/phases/poll.h"

namespace rondo {

Awaits PollPhase::awaited() const {
  if (loop_.operations_in_flight_ > 0) return Awaits::inside;
  Awaits most = Awaits::nothing;
  // What is inside goes first: it will be here in a moment, and no time must pass until then.
  loop_.for_each_handle([&most](const Handle& handle) {
    if (most == Awaits::inside) return;
    const Awaits awaits = handle.awaits();
    if (awaits != Awaits::nothing) most = awaits;
  });
  return most;
}

bool PollPhase::await_virtual(bool may_sleep) {
  collect(Nanos::zero());
  if (has_something() || !may_sleep) {
    patience_ = kPatience;
    return false;
  }
  const Nanos budget = loop_.sleep_budget();
  if (budget == Nanos::zero()) return true;
  Awaits awaits = awaited();
  if (awaits == Awaits::inside) {
    if (patience_ > Nanos::zero()) {
      // By the clock on the wall: a signal, or a process that was stopped and goes on, ends a sleep
      // long before its time.
      const Nanos began = RealClock::instance().now();
      collect(patience_);
      loop_.clock_.advance_to(Nanos::zero());  // It does not move, but has been waited for.
      const bool is_in_vain = !has_something();
      patience_ = is_in_vain ? patience_ - (RealClock::instance().now() - began) : kPatience;
      return false;
    }
    awaits = Awaits::outside;
  }
  if (awaits == Awaits::nothing) {
    const Nanos next = budget == kForever ? kForever : loop_.timers_.next_exact();
    const Clock::Jump jump = loop_.clock_.jump(*this, next);
    if (jump == Clock::Jump::done) {
      loop_.update_time();
      return true;
    }
    is_idle_ = true;
    if (jump == Clock::Jump::never) {
      // Only what nobody has promised can bring anything, and nobody counts the time.
      collect(kForever);
      loop_.clock_.advance_to(Nanos::zero());
      return false;
    }
  }
  wait_at_real_pace(budget);
  return false;
}

bool PollPhase::has_news() const { return loop_.mailbox_.is_rung(); }
void PollPhase::wake() { loop_.mailbox_.ring(); }

// Before the mail is taken: others look whether there is any to know that we are not idle.
void PollPhase::resume() {
  is_idle_ = false;
  loop_.clock_.resume(*this);
}

// The clock keeps step with the real one while there is something to wait for, in whole
// milliseconds: so that answers which take microseconds take no time at all.
void PollPhase::wait_at_real_pace(Nanos budget) {
  const Nanos from = loop_.clock_.now();
  const Nanos began = RealClock::instance().now() - untold_;
  collect(budget == kForever ? kForever : std::max(budget - untold_, Nanos{1}));
  const Nanos passed = RealClock::instance().now() - began;
  if (passed >= budget) {
    untold_ = Nanos::zero();
    loop_.clock_.advance_to(saturating_add(from, budget));
  } else {
    const Nanos told = std::chrono::floor<Millis>(passed);
    untold_ = passed - told;
    loop_.clock_.advance_to(saturating_add(from, told));
  }
  loop_.update_time();
}

}  // namespace rondo
