#include "loop/trace_clock.h"

#include <algorithm>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

namespace rondo {

namespace {

// How often the two are compared, in nanoseconds.
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

// The kernel has checked whether the counter runs evenly and alike on all processors.
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
    : origin_ns_(read(CLOCK_MONOTONIC)),
      wall_ms_(static_cast<double>(read(CLOCK_REALTIME)) / 1e6),
      origin_ticks_(ticks()),
      is_counter_usable_(kernel_trusts_counter()) {}

int64_t TraceClock::ask_kernel() {
  last_ = std::max(last_, read(CLOCK_MONOTONIC) - origin_ns_);
  return last_;
}

void TraceClock::compare() {
  const int64_t passed = read(CLOCK_MONOTONIC) - origin_ns_;
  const uint64_t now_ticks = ticks();
  if (passed < kLeastBaseline || now_ticks <= origin_ticks_) return;
  const int64_t before = now();  // What was shown must not be taken back.
  base_ns_ = std::max(before, passed);
  base_ticks_ = now_ticks;
  speed_ =
      static_cast<int64_t>(static_cast<double>(passed) * static_cast<double>(1LL << kSpeedBits) /
                           static_cast<double>(now_ticks - origin_ticks_));
  next_adjustment_ = base_ns_ + kInterval;
}

}  // namespace rondo
