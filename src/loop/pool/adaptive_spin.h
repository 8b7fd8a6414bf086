// AdaptiveSpin: a short wait before sleeping, tried only as often as it pays.
//
// To be woken costs the waker a system call and the sleeper some 5 to 25 µs; work that follows
// within that time is better waited for. But where waiter and producer share a processor, waiting
// only keeps the producer from running, and where others want the processor, they take it from the
// waiter in the middle of its wait. Nothing tells these cases apart beforehand, so this learns:
// every wait in vain doubles the number of chances that are let pass before the next try.
// Thread: wait() one at a time, though which one may change; has_stalled() any.
#pragma once

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace rondo {

// As many as this thread may run on: fewer than the machine has where it was told so.
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
  // About what it costs to sleep and be woken: waiting longer could only lose.
  static constexpr std::chrono::microseconds kLongest{30};
  // A waiter looks several times in a microsecond. One that has not for so long is not running.
  static constexpr std::chrono::microseconds kStalled{20};
  // It may have made way for the very producer it waits for, which then needs not wake it: that is
  // as good as it gets. Away for longer than this, it has lost its processor to somebody else.
  static constexpr std::chrono::microseconds kPreempted{200};
  // At worst one chance in so many is wasted, which is half a microsecond per chance.
  static constexpr uint32_t kMostSkipped = 64;

  explicit BasicAdaptiveSpin(unsigned processors = usable_processors(),
                             std::chrono::microseconds longest = kLongest)
      : longest_(longest), never_waits_(processors == 1 || longest.count() == 0) {}

  std::chrono::microseconds longest() const { return longest_; }

  // True as soon as is_ready() is. False if it was not within longest(), or if waiting has not been
  // worth it lately: then is_ready() is not even asked.
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
    last_look_.store(kNobody, std::memory_order_relaxed);
    learn(was_ready, was_preempted);
    return was_ready;
  }

  // Somebody waits, but was preempted: do not count on it. Cheap while nobody waits.
  bool has_stalled() const {
    int64_t last = last_look_.load(std::memory_order_relaxed);
    return last != kNobody && Clock::now() - Instant(typename Clock::duration(last)) > kStalled;
  }

  // In the only thread of a forked child: whoever waited is not there.
  void reset() { last_look_.store(kNobody, std::memory_order_relaxed); }

 private:
  static constexpr int kLooksPerClock = 16;
  static constexpr int64_t kNobody = INT64_MIN;

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
  std::atomic<int64_t> last_look_{kNobody};
  std::atomic<uint32_t> skips_left_{0};
  std::atomic<uint32_t> next_skips_{1};
};

using AdaptiveSpin = BasicAdaptiveSpin<std::chrono::steady_clock>;

}  // namespace rondo
