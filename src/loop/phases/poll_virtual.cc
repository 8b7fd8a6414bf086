#include "loop/phases/poll_virtual.h"

#include <algorithm>

#include "loop/state.h"

namespace rondo {

VirtualPoll::VirtualPoll(LoopState& loop, PollPhase& poll) : loop_(loop), poll_(poll) {
  loop_.clock.join(*this);
}

VirtualPoll::~VirtualPoll() { loop_.clock.leave(*this); }

void VirtualPoll::run(bool may_sleep) {
  poll_.run_batches(may_sleep, [this](bool may_sleep_now) { return await_events(may_sleep_now); });
}

void VirtualPoll::collect(Nanos timeout) {
  const size_t first_new = poll_.batch().ready.size();
  poll_.wait(timeout);
  if (is_idle_) [[unlikely]]
    resume();
  if (loop_.mailbox.is_notified()) collect_mail(first_new);
}

Awaits VirtualPoll::awaited() const {
  if (poll_.operations_in_flight() > 0) return Awaits::inside;
  Awaits most = Awaits::nothing;
  // Inside events go first: they arrive in a moment, and no time must pass until then.
  loop_.handles.for_each([&most](const Handle& handle) {
    if (most == Awaits::inside) return;
    const Awaits awaits = handle.awaits();
    if (awaits != Awaits::nothing) most = awaits;
  });
  return most;
}

bool VirtualPoll::await_events(bool may_sleep) {
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
      // The clock does not move, but other loops must know that this one has waited.
      loop_.clock.advance_to(Nanos::zero());
      const bool has_timed_out = !has_something();
      inside_wait_left_ = has_timed_out ? inside_wait_left_ - (RealClock::instance().now() - began)
                                        : kInsideWaitLimit;
      return false;
    }
    awaits = Awaits::outside;
  }
  if (awaits == Awaits::nothing) {
    const Nanos next = budget == kForever ? kForever : loop_.timers.next_exact();
    const Clock::Jump jump = loop_.clock.jump(*this, next);
    if (jump == Clock::Jump::done) {
      loop_.update_time();
      return true;
    }
    is_idle_ = true;
    if (jump == Clock::Jump::never) {
      // Only unexpected outside events are left, and no timer runs.
      collect(kForever);
      loop_.clock.advance_to(Nanos::zero());
      return false;
    }
  }
  wait_at_real_pace(budget);
  return false;
}

bool VirtualPoll::has_news() const { return loop_.mailbox.is_notified(); }
void VirtualPoll::wake() { loop_.mailbox.notify(); }

// Before the mail is taken: other threads check for mail to see that this loop is not idle.
void VirtualPoll::resume() {
  is_idle_ = false;
  loop_.clock.resume(*this);
}

// While there is something to wait for, the clock follows the real one in whole milliseconds, so
// that answers which take microseconds take no time at all.
void VirtualPoll::wait_at_real_pace(Nanos budget) {
  const Nanos from = loop_.clock.now();
  const Nanos began = RealClock::instance().now() - unreported_time_;
  collect(budget == kForever ? kForever : std::max(budget - unreported_time_, Nanos{1}));
  const Nanos passed = RealClock::instance().now() - began;
  if (passed >= budget) {
    unreported_time_ = Nanos::zero();
    loop_.clock.advance_to(saturating_add(from, budget));
  } else {
    const Nanos whole_ms = std::chrono::floor<Millis>(passed);
    unreported_time_ = passed - whole_ms;
    loop_.clock.advance_to(saturating_add(from, whole_ms));
  }
  loop_.update_time();
}

}  // namespace rondo
