// AdaptiveSpin: a short wait before sleeping, tried only as often as it pays.
//
// Waking a thread costs the waker a system call and the sleeper some 5 to 25 µs, so it is better to
// wait actively for work that arrives within that time. But if waiter and producer share a
// processor, the wait only keeps the producer from running, and other threads may preempt the
// waiter. These cases look the same in advance, so this learns: every unsuccessful wait
// doubles the number of opportunities that are skipped before the next try.
// Thread: wait() one at a time, from changing threads; has_stalled() any.
#pragma once

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace rondo {

// Processors this thread may run on: fewer than the machine has if its affinity is limited.
inline unsigned usable_processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return std::thread::hardware_concurrency();
  return static_cast<unsigned>(CPU_COUNT(&set));
}

// Clock is a parameter for the tests.
template <class Clock>
class BasicAdaptiveSpin {
  using Instant = typename Clock::time_point;

 public:
  // About the cost of sleeping and waking up: waiting longer cannot pay.
  static constexpr std::chrono::microseconds kLongest{30};
  // A waiter checks several times in a microsecond. One that has not for this long is not running.
  static constexpr std::chrono::microseconds kStalled{20};
  // The waiter may have been preempted by the very producer it waits for, which then need not wake
  // it: the best case. Away for longer than this, it has lost its processor to another thread.
  static constexpr std::chrono::microseconds kPreempted{200};
  // At worst one opportunity in this many is wasted: half a microsecond per opportunity.
  static constexpr uint32_t kMostSkipped = 64;

  explicit BasicAdaptiveSpin(unsigned processors = usable_processors(),
                             std::chrono::microseconds longest = kLongest)
      : longest_(longest), never_waits_(processors == 1 || longest.count() == 0) {}

  std::chrono::microseconds longest() const { return longest_; }

  // True as soon as is_ready() is. False if it was not within longest(), or if waiting has not paid
  // lately: then is_ready() is not even called.
  template <class IsReady>
  bool wait(IsReady&& is_ready) {
    if (never_waits_) return false;
    uint32_t skips = skips_left_.load(std::memory_order_relaxed);
    if (skips != 0) {
      skips_left_.store(skips - 1, std::memory_order_relaxed);
      return false;
    }
    bool was_ready = false, was_preempted = false;
    Instant now = Clock::now();
    const Instant end = now + longest_;
    while (!was_ready && !was_preempted && now < end) {
      last_look_.store(now.time_since_epoch().count(), std::memory_order_relaxed);
      for (int i = 0; i < kLooksPerClock && !was_ready; ++i) {
        relax();
        was_ready = is_ready();
      }
      const Instant before = now;
      now = Clock::now();
      was_preempted = now - before > kPreempted;
    }
    last_look_.store(kNoWaiter, std::memory_order_relaxed);
    learn(was_ready, was_preempted);
    return was_ready;
  }

  // A thread waits but was preempted: do not count on it. Cheap while no thread waits.
  bool has_stalled() const {
    int64_t last = last_look_.load(std::memory_order_relaxed);
    return last != kNoWaiter && Clock::now() - Instant(typename Clock::duration(last)) > kStalled;
  }

  // In the only thread of a forked child: the waiting thread does not exist there.
  void reset() { last_look_.store(kNoWaiter, std::memory_order_relaxed); }

 private:
  static constexpr int kLooksPerClock = 16;
  static constexpr int64_t kNoWaiter = INT64_MIN;

  void learn(bool was_ready, bool was_preempted) {
    uint32_t next = next_skips_.load(std::memory_order_relaxed);
    if (was_preempted) {
      next = kMostSkipped;
    } else if (was_ready) {
      next_skips_.store(1, std::memory_order_relaxed);
      return;
    }
    skips_left_.store(next, std::memory_order_relaxed);
    next_skips_.store(next < kMostSkipped ? 2 * next : kMostSkipped, std::memory_order_relaxed);
  }

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
  }

  const std::chrono::microseconds longest_;
  const bool never_waits_;
  std::atomic<int64_t> last_look_{kNoWaiter};
  std::atomic<uint32_t> skips_left_{0};
  std::atomic<uint32_t> next_skips_{1};
};

using AdaptiveSpin = BasicAdaptiveSpin<std::chrono::steady_clock>;

}  // namespace rondo
