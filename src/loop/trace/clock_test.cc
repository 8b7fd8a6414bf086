#include "loop/trace/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace rondo {
namespace {

using namespace std::chrono_literals;

int64_t monotonic() {
  timespec time = {};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

// Waits until the counter's speed is known; then adjusts, as the recorder does.
void settle(TraceClock& clock) {
  std::this_thread::sleep_for(11ms);
  clock.adjust(clock.now());
}

TEST(TraceClock, BeginsWhenItIsMade) {
  const int64_t before = monotonic();
  TraceClock clock;
  const int64_t after = monotonic();
  EXPECT_GE(clock.origin(), before);
  EXPECT_LE(clock.origin(), after);
  EXPECT_GE(clock.now(), 0);
  EXPECT_GT(clock.since_1970_ms(), 1.7e12);
}

TEST(TraceClock, NeverGoesBackWhicheverWayItIsRead) {
  TraceClock clock;
  int64_t last = 0;
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 50; ++i) {
      const int64_t now = clock.now();
      ASSERT_GE(now, last);
      last = now;
    }
    clock.adjust(last);
    if (round % 4 == 0) std::this_thread::sleep_for(1ms);
  }
  EXPECT_GE(last, 50'000'000);
}

TEST(TraceClock, ReadsTheKernelClockUntilTheCounterSpeedIsKnown) {
  TraceClock clock;
  EXPECT_FALSE(clock.reads_counter());
  // Between two reads of the kernel's clock it must show a time between them.
  const int64_t before = monotonic() - clock.origin();
  const int64_t now = clock.now();
  EXPECT_GE(now, before);
  EXPECT_LE(now, monotonic() - clock.origin());
}

TEST(TraceClock, PassesAtLeastAsFastAsSleepsDo) {
  TraceClock clock;
  settle(clock);
  for (int i = 0; i < 5; ++i) {
    const int64_t from = clock.now();
    std::this_thread::sleep_for(20ms);
    // With the counter, if there is one, whose speed may be off by a few millionths.
    const int64_t to = clock.now();
    EXPECT_GE(to - from, 19'900'000);
    clock.adjust(to);
  }
}

}  // namespace
}  // namespace rondo
