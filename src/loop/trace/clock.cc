#include "loop/trace/clock.h"

#include <algorithm>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

namespace rondo {

namespace {

// Interval between comparisons, in nanoseconds.
constexpr int64_t kInterval = 50'000'000;

int64_t read(clockid_t id) {
  timespec time = {};
  ::clock_gettime(id, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0;
#endif
}

// The kernel checks that the counter is constant and the same on all processors.
bool kernel_trusts_counter() {
#if defined(__x86_64__)
  const int fd = ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                        O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char name[16] = {};
  const ssize_t size = ::read(fd, name, sizeof name - 1);
  ::close(fd);
  return size > 0 && std::strncmp(name, "tsc\n", 4) == 0;
#else
  return false;
#endif
}

}  // namespace

TraceClock::TraceClock()
    : wall_ms_(static_cast<double>(read(CLOCK_REALTIME)) / 1e6),
      is_counter_usable_(kernel_trusts_counter()) {
  const Reading now = read_both();
  origin_ns_ = now.time;
  origin_ticks_ = now.ticks;
}

int64_t TraceClock::read_kernel_clock() {
  last_ = std::max(last_, read(CLOCK_MONOTONIC) - origin_ns_);
  return last_;
}

TraceClock::Reading TraceClock::read_both() {
  // A thread preempted between the two readings would see a counter that is milliseconds ahead. Of
  // a few pairs, take the one that took the least time.
  Reading best;
  uint64_t least = ~uint64_t{0};
  for (int i = 0; i < 3; ++i) {
    const uint64_t before = ticks();
    const int64_t time = read(CLOCK_MONOTONIC);
    const uint64_t took = ticks() - before;
    if (took >= least) continue;
    least = took;
    best = {time, before + took / 2};
  }
  return best;
}

void TraceClock::compare() {
  const auto [time, now_ticks] = read_both();
  const int64_t passed = time - origin_ns_;
  if (passed < kLeastBaseline || now_ticks <= origin_ticks_) return;
  // The clock must not go back. Computed for the time of the reading: a thread preempted after that
  // would count the pause twice.
  base_ns_ = std::max(speed_ > 0 ? at(now_ticks) : last_, passed);
  base_ticks_ = now_ticks;
  speed_ =
      static_cast<int64_t>(static_cast<double>(passed) * static_cast<double>(1LL << kSpeedBits) /
                           static_cast<double>(now_ticks - origin_ticks_));
  next_adjustment_ = base_ns_ + kInterval;
}

}  // namespace rondo
