#include "loop/phases/timers.h"

#include <algorithm>
#include <bit>

#include "loop/internals.h"

namespace rondo {
namespace {

// The latest instant in [due, due + slack] that is a multiple of the largest power of two not above
// the slack: timers with overlapping windows and like slack land on the same instant.
Nanos coalesce(Nanos due, Nanos slack) {
  if (slack <= Nanos::zero() || due == kForever) return due;
  const auto grain = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(slack.count())));
  const Nanos up = saturating_add(due, Nanos{grain - 1});
  return up == kForever ? due : up - up % Nanos{grain};
}

}  // namespace

// start() and stop() leave every rare case to a tail call, as the queue does, so that the common
// case saves no registers and makes no other call.
void Timer::start(Nanos delay, OnTimeout on_timeout, Nanos repeat) {
  RONDO_ASSERT(!is_closing());
  if (!on_timeout_.copy_if_plain(on_timeout)) [[unlikely]]
    return start_moving(delay, on_timeout, repeat);
  delay_ = std::max(delay, Nanos::zero());
  repeat_ = std::max(repeat, Nanos::zero());
  arm(delay_);
}

[[gnu::noinline]] void Timer::start_moving(Nanos delay, OnTimeout& on_timeout, Nanos repeat) {
  on_timeout_ = std::move(on_timeout);
  delay_ = std::max(delay, Nanos::zero());
  repeat_ = std::max(repeat, Nanos::zero());
  arm(delay_);
}

Result<void> Timer::restart() {
  if (delay_ < Nanos::zero() || is_closing()) return Error{EINVAL, "timer"};
  arm(delay_);
  return {};
}

void Timer::stop() {
  if (!TimerNode::is_linked()) return;
  deactivate();
  LoopState::of(loop()).timers.queue_.remove(*this);
}

inline void Timer::arm(Nanos delay) {
  LoopState& state = LoopState::of(loop());
  const Nanos due = coalesce(saturating_add(state.now, delay), slack_);
  if (state.trace.is_on()) [[unlikely]]
    return arm_traced(due);
  TimerQueue& queue = state.timers.queue_;
  if (TimerNode::is_linked()) return queue.rearm(*this, due);
  activate();
  queue.insert(*this, due);
}

[[gnu::noinline]] void Timer::arm_traced(Nanos due) {
  LoopState& state = LoopState::of(loop());
  TimerQueue& queue = state.timers.queue_;
  if (TimerNode::is_linked()) {
    queue.rearm(*this, due);
    state.trace.scheduled(*this);
  } else {
    activate();
    queue.insert(*this, due);
  }
}

void Timer::fire() {
  LoopState& state = LoopState::of(loop());
  if (repeat_ > Nanos::zero()) {
    // Still active: only the queue has removed it.
    state.timers.queue_.insert(*this, coalesce(saturating_add(state.now, repeat_), slack_));
  } else {
    deactivate();
  }
  CallbackScope scope(state, *this);
  if (on_timeout_) on_timeout_.call_replaceable(*this);
}

void TimersPhase::run() {
  const Nanos now = loop_.now;
  const uint64_t before = queue_.next_sequence();
  while (TimerNode* node = queue_.pop_due(now, before)) {
    Timer& timer = static_cast<Timer&>(*node);
    loop_.metrics.lag.record(now - node->deadline());
    timer.fire();
  }
}

}  // namespace rondo
