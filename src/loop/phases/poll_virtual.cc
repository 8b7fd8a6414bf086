// The poll phase under virtual time; docs/VIRTUAL-TIME.md describes the rule for users.
#include <algorithm>

#include "loop/loop.h"
#include "loop/phases/poll.h"

namespace rondo {

Awaits PollPhase::awaited() const {
  if (loop_.operations_in_flight_ > 0) return Awaits::inside;
  Awaits most = Awaits::nothing;
  // Inside events go first: they arrive in a moment, and no time must pass until then.
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
    inside_wait_left_ = kInsideWaitLimit;
    return false;
  }
  const Nanos budget = loop_.sleep_budget();
  if (budget == Nanos::zero()) return true;
  Awaits awaits = awaited();
  if (awaits == Awaits::inside) {
    if (inside_wait_left_ > Nanos::zero()) {
      // Measured with the real clock: a signal, or a process that was stopped and continued, ends a
      // sleep early.
      const Nanos began = RealClock::instance().now();
      collect(inside_wait_left_);
      // It does not move, but other loops must know that this one has waited.
      loop_.clock_.advance_to(Nanos::zero());
      const bool has_timed_out = !has_something();
      inside_wait_left_ = has_timed_out ? inside_wait_left_ - (RealClock::instance().now() - began)
                                        : kInsideWaitLimit;
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
      // Only unexpected outside events are left, and no timer runs.
      collect(kForever);
      loop_.clock_.advance_to(Nanos::zero());
      return false;
    }
  }
  wait_at_real_pace(budget);
  return false;
}

bool PollPhase::has_news() const { return loop_.mailbox_.is_notified(); }
void PollPhase::wake() { loop_.mailbox_.notify(); }

// Before the mail is taken: other threads check for mail to see that this loop is not idle.
void PollPhase::resume() {
  is_idle_ = false;
  loop_.clock_.resume(*this);
}

// While there is something to wait for, the clock follows the real one in whole milliseconds, so
// that answers which take microseconds take no time at all.
void PollPhase::wait_at_real_pace(Nanos budget) {
  const Nanos from = loop_.clock_.now();
  const Nanos began = RealClock::instance().now() - unreported_time_;
  collect(budget == kForever ? kForever : std::max(budget - unreported_time_, Nanos{1}));
  const Nanos passed = RealClock::instance().now() - began;
  if (passed >= budget) {
    unreported_time_ = Nanos::zero();
    loop_.clock_.advance_to(saturating_add(from, budget));
  } else {
    const Nanos whole_ms = std::chrono::floor<Millis>(passed);
    unreported_time_ = passed - whole_ms;
    loop_.clock_.advance_to(saturating_add(from, whole_ms));
  }
  loop_.update_time();
}

}  // namespace rondo
