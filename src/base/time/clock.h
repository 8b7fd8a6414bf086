// Clock is the only source of time in the loop, in io and in JavaScript: normally a real clock, or
// a virtual one that moves only when it is advanced. Thread: a clock may be read by the loop's
// thread only, unless a class says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/time/time.h"

namespace rondo {

// A loop that uses a virtual clock. Several loops may share a clock, each on its own thread; the
// clock jumps when all of them are idle.
class ClockUser {
 public:
  virtual ~ClockUser() = default;
  // Any thread: true if the loop has been sent something that it has not handled yet.
  virtual bool has_news() const = 0;
  // Any thread: called when the clock has reached the instant that the loop waits for.
  virtual void wake() = 0;

 private:
  friend class VirtualClock;
  bool is_idle_ = false;  // Guarded by the clock's mutex.
  Nanos wanted_{0};
};

class Clock {
 public:
  virtual ~Clock() = default;

  virtual Nanos now() const = 0;   // Monotonic; since an arbitrary origin.
  virtual Nanos wall() const = 0;  // Since 1970-01-01T00:00:00Z.
  virtual bool is_virtual() const { return false; }
  // Moves a virtual clock to `instant` (never backwards); does nothing to a real clock.
  virtual void advance_to(Nanos instant);

  // Virtual clocks, any thread. A user is busy until it calls jump(): then it has nothing to do
  // before `instant` (kForever: nothing to do at all), and is idle until it calls resume() or is
  // woken. If the jump would pass VirtualClock::kEnd on the wall clock, the program ends with a
  // message.
  enum class Jump : uint8_t {
    done,    // The instant has been reached.
    others,  // Another user is busy, or has an earlier instant.
    never,   // No user waits for an instant.
  };
  virtual void join(ClockUser& user);
  virtual void leave(ClockUser& user);
  virtual Jump jump(ClockUser& user, Nanos instant);
  virtual void resume(ClockUser& user);
};

// CLOCK_MONOTONIC and CLOCK_REALTIME. Has no state: any thread.
class RealClock final : public Clock {
 public:
  Nanos now() const override;
  Nanos wall() const override;
  static RealClock& instance();
};

// A virtual clock. It does not move while anything is runnable or in flight; then the loop advances
// it to the next deadline, so that ten chained one-hour sleeps take no real time and measure
// exactly ten hours. Thread: any.
//
// Code that polls the clock without returning to the loop would never see it move: after kManyLooks
// reads, each further read advances the clock by a microsecond, the same in every run.
class VirtualClock final : public Clock {
 public:
  static constexpr uint32_t kManyLooks = 1'000'000;
  // In the year 2262, shortly before sums of instants and delays overflow. The margin is longer
  // than the longest delay of a JavaScript timer, so that no deadline lies beyond the representable
  // range.
  static constexpr Nanos kEnd = kForever - std::chrono::hours{24 * 60};

  explicit VirtualClock(Nanos wall_at_start = Nanos::zero()) : wall_at_start_(wall_at_start) {}

  Nanos now() const override {
    if (looks_.fetch_add(1, std::memory_order_relaxed) >= kManyLooks) [[unlikely]]
      creep();
    return Nanos{now_.load(std::memory_order_relaxed)};
  }
  Nanos wall() const override { return saturating_add(wall_at_start_, now()); }
  bool is_virtual() const override { return true; }
  void advance_to(Nanos instant) override;
  void join(ClockUser& user) override;
  void leave(ClockUser& user) override;
  Jump jump(ClockUser& user, Nanos instant) override;
  void resume(ClockUser& user) override;
  void advance(Nanos duration) { advance_to(saturating_add(now(), duration)); }

 private:
  void creep() const;

  mutable std::atomic<Nanos::rep> now_{0};
  mutable std::atomic<uint32_t> looks_{0};  // Since the clock was last moved by the loop.
  Nanos wall_at_start_;
  std::mutex mutex_;  // Guards the members below, and is_idle_ of users.
  std::vector<ClockUser*> users_;
};

}  // namespace rondo
