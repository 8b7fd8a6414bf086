// Clock is the only source of time in the loop, in io and, later, in JavaScript. It is a seam:
// a real clock in ordinary running, a virtual one that stands still until it is told to move.
// Thread: a clock may be read by the loop's thread only, unless a class says otherwise.
#pragma once

#include <atomic>

#include "base/time.h"

namespace rondo {

class Clock {
 public:
  virtual ~Clock() = default;

  virtual Nanos now() const = 0;   // Monotonic; since an arbitrary origin.
  virtual Nanos wall() const = 0;  // Since 1970-01-01T00:00:00Z.
  virtual bool is_virtual() const { return false; }
  // Virtual clocks move to `instant` (never backwards); a real clock moves by itself.
  virtual void advance_to(Nanos instant);
};

// CLOCK_MONOTONIC and CLOCK_REALTIME. Has no state: any thread.
class RealClock final : public Clock {
 public:
  Nanos now() const override;
  Nanos wall() const override;
  static RealClock& instance();
};

// Stands still while anything is runnable or in flight; the loop then jumps it to the next due
// time, so that ten chained one-hour sleeps take no time and measure exactly ten hours. Any thread:
// where several loops share one, each moves it when it has nothing else to do.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Nanos wall_at_start = Nanos::zero()) : wall_at_start_(wall_at_start) {}

  Nanos now() const override { return Nanos{now_.load(std::memory_order_relaxed)}; }
  Nanos wall() const override { return saturating_add(wall_at_start_, now()); }
  bool is_virtual() const override { return true; }
  void advance_to(Nanos instant) override;
  void advance(Nanos duration) { advance_to(saturating_add(now(), duration)); }

 private:
  std::atomic<Nanos::rep> now_{0};
  Nanos wall_at_start_;
};

}  // namespace rondo
