#include "base/clock.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(RealClock, NeverGoesBackwards) {
  const RealClock& clock = RealClock::instance();
  Nanos last = clock.now();
  for (int i = 0; i < 1000; ++i) {
    const Nanos now = clock.now();
    EXPECT_GE(now, last);
    last = now;
  }
  EXPECT_FALSE(clock.is_virtual());
}

TEST(RealClock, WallTimeIsAfterThisWasWritten) {
  EXPECT_GT(RealClock::instance().wall(), std::chrono::seconds{1'700'000'000});
}

TEST(VirtualClock, StandsStillUntilAdvanced) {
  VirtualClock clock(5s);
  EXPECT_EQ(clock.now(), 0ns);
  EXPECT_EQ(clock.wall(), 5s);
  clock.advance(10h);
  EXPECT_EQ(clock.now(), 10h);
  EXPECT_EQ(clock.wall(), 10h + 5s);
}

TEST(VirtualClock, NeverGoesBackwards) {
  VirtualClock clock;
  clock.advance_to(3s);
  clock.advance_to(1s);
  EXPECT_EQ(clock.now(), 3s);
}

TEST(VirtualClock, SaturatesInsteadOfWrapping) {
  VirtualClock clock;
  clock.advance_to(kForever - 1ns);
  clock.advance(1h);
  EXPECT_EQ(clock.now(), kForever);
}

}  // namespace
}  // namespace rondo
