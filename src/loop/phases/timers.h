// Phase 1, timers: runs due timers in order of due time, then of start.
#pragma once

#include "base/result.h"
#include "base/time/timer_queue.h"
#include "loop/handle.h"

namespace rondo {

struct LoopState;

// A Timer calls back no earlier than its delay, once or repeatedly.
// Phase: timers; equal due times fire in start order. Thread: the loop's only.
class Timer final : public Handle, private TimerNode {
 public:
  using OnTimeout = Callback<void(Timer&)>;

  explicit Timer(Loop& loop) : Handle(loop, HandleKind::timer) {}
  ~Timer() override { stop(); }

  // Restarts a running timer. Never calls back from inside this call, even for a zero delay. The
  // delay counts from loop.now(); a negative one is taken as zero. With a repeat the timer starts
  // again before each callback, from the time at which that callback's phase began (TIM-04).
  void start(Nanos delay, OnTimeout on_timeout, Nanos repeat = Nanos::zero());
  // Starts again with the delay and function of the last start; EINVAL before the first.
  Result<void> restart();
  void stop();  // Idempotent, and safe inside the callback.

  // From the next start on the timer may run up to this much late, so that timers whose windows
  // overlap share one wake-up. Never earlier than its delay.
  void set_slack(Nanos slack) { slack_ = slack; }

  Nanos due() const { return TimerNode::deadline(); }  // Of a running timer, slack included.
  Nanos repeat() const { return repeat_; }
  void set_repeat(Nanos repeat) { repeat_ = repeat; }  // From the next start or firing on.

 private:
  friend class TimersPhase;
  void on_closing() override { stop(); }
  void start_moving(Nanos delay, OnTimeout& on_timeout, Nanos repeat);
  void arm(Nanos delay);
  void arm_traced(Nanos due);
  void fire();

  OnTimeout on_timeout_;
  Nanos delay_{-1};  // Negative: never started.
  Nanos repeat_{0};
  Nanos slack_{0};
};

class TimersPhase {
 public:
  TimersPhase(LoopState& loop, Nanos origin) : loop_(loop), queue_(origin) {}

  // Runs timers that were started before this call and are due by loop.now(); timers that callbacks
  // start wait (TURN-10).
  void run();
  Nanos next_bound() { return queue_.next_bound(); }
  Nanos next_exact() { return queue_.next_exact(); }
  bool is_empty() const { return queue_.is_empty(); }
  size_t size() const { return queue_.size(); }

 private:
  friend class Timer;
  LoopState& loop_;
  TimerQueue queue_;
};

}  // namespace rondo
