#include "loop/pool/adaptive_spin.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

using std::chrono::microseconds;

// Moves only when a test advances it.
struct FakeClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<FakeClock>;
  static time_point now() { return time_point(elapsed); }
  static void advance(duration time) { elapsed += time; }
  static inline duration elapsed{};
};
using Spin = BasicAdaptiveSpin<FakeClock>;

// Number of calls that return at once before the next one that waits without success.
uint32_t skipped(Spin& spin) {
  for (uint32_t count = 0;; ++count) {
    bool has_polled = false;
    spin.wait([&] {
      has_polled = true;
      FakeClock::advance(microseconds(1));
      return false;
    });
    if (has_polled) return count;
  }
}

TEST(AdaptiveSpin, ReturnsAsSoonAsThereIsWork) {
  Spin spin(2);
  int looks = 0;
  EXPECT_TRUE(spin.wait([&] { return ++looks == 3; }));
  EXPECT_EQ(looks, 3);
}

TEST(AdaptiveSpin, WaitsForAsLongAsASleepWouldCost) {
  Spin spin(2);
  const auto begin = FakeClock::now();
  EXPECT_FALSE(spin.wait([] {
    FakeClock::advance(microseconds(1));
    return false;
  }));
  EXPECT_GE(FakeClock::now() - begin, Spin::kLongest);
  EXPECT_LT(FakeClock::now() - begin, 2 * Spin::kLongest);
}

TEST(AdaptiveSpin, WaitsLessAndLessOftenWithoutSuccess) {
  Spin spin(2);
  EXPECT_EQ(skipped(spin), 0u);
  for (uint32_t expected = 1; expected < Spin::kMostSkipped; expected *= 2) {
    EXPECT_EQ(skipped(spin), expected);
  }
  EXPECT_EQ(skipped(spin), Spin::kMostSkipped);
  EXPECT_EQ(skipped(spin), Spin::kMostSkipped);
}

TEST(AdaptiveSpin, WaitsEveryTimeAgainOnceItWasWorthIt) {
  Spin spin(2);
  for (int i = 0; i < 4; ++i) skipped(spin);
  while (!spin.wait([] { return true; })) {
  }
  EXPECT_EQ(skipped(spin), 0u);
  EXPECT_EQ(skipped(spin), 1u);
}

TEST(AdaptiveSpin, AWaiterThatDoesNotRunIsFoundOut) {
  Spin spin(2);
  EXPECT_FALSE(spin.has_stalled());
  EXPECT_TRUE(spin.wait([&] {
    EXPECT_FALSE(spin.has_stalled());
    FakeClock::advance(Spin::kStalled + microseconds(1));
    EXPECT_TRUE(spin.has_stalled());
    return true;
  }));
  EXPECT_FALSE(spin.has_stalled()) << "no thread waits";
  EXPECT_EQ(skipped(spin), 0u) << "it may have made way for the producer";
}

TEST(AdaptiveSpin, AWaiterThatLosesItsProcessorWaitsSeldomFromThenOn) {
  Spin spin(2);
  EXPECT_TRUE(spin.wait([] {
    FakeClock::advance(Spin::kPreempted + microseconds(1));
    return true;
  }));
  EXPECT_EQ(skipped(spin), Spin::kMostSkipped);
}

TEST(AdaptiveSpin, AfterAResetNoThreadCountsAsWaiting) {
  Spin spin(2);
  spin.wait([&] {
    FakeClock::advance(Spin::kStalled + microseconds(1));
    spin.reset();
    EXPECT_FALSE(spin.has_stalled());
    return true;
  });
}

TEST(AdaptiveSpin, NeverWaitsOnASingleProcessor) {
  Spin spin(1);
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(spin.wait([] {
      ADD_FAILURE() << "waited";
      return true;
    }));
  }
}

TEST(AdaptiveSpin, WaitsForTheGivenTime) {
  Spin spin(2, microseconds(100));
  EXPECT_EQ(spin.longest(), microseconds(100));
  const auto begin = FakeClock::now();
  EXPECT_FALSE(spin.wait([] {
    FakeClock::advance(microseconds(1));
    return false;
  }));
  EXPECT_GE(FakeClock::now() - begin, microseconds(100));
  EXPECT_LT(FakeClock::now() - begin, microseconds(200));
}

TEST(AdaptiveSpin, NeverWaitsForNoTimeAtAll) {
  Spin spin(2, microseconds(0));
  EXPECT_FALSE(spin.wait([] { return true; }));
}

TEST(AdaptiveSpin, CountsTheProcessorsOfThisThreadOnly) {
  EXPECT_GE(usable_processors(), 1u);
  unsigned alone = 0;
  std::thread([&alone] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    if (::sched_setaffinity(0, sizeof one, &one) == 0) alone = usable_processors();
  }).join();
  EXPECT_EQ(alone, 1u);
}

TEST(AdaptiveSpin, TakesTheRealClockAsWell) {
  AdaptiveSpin spin(2);
  EXPECT_FALSE(spin.wait([] { return false; }));
  EXPECT_FALSE(spin.has_stalled());
}

}  // namespace
}  // namespace rondo
