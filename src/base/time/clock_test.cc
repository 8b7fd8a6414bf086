#include "base/time/clock.h"

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

TEST(VirtualClock, MovesForCodeThatKeepsReadingIt) {
  const VirtualClock clock;
  for (uint32_t i = 0; i < VirtualClock::kManyLooks; ++i) ASSERT_EQ(clock.now(), 0ns);
  EXPECT_EQ(clock.now(), 1us);
  EXPECT_EQ(clock.now(), 2us);
}

struct User final : ClockUser {
  bool has_news() const override { return has_mail; }
  void wake() override { ++woken; }
  bool has_mail = false;
  int woken = 0;
};

TEST(VirtualClock, JumpsWhenAllUsersAreIdle) {
  VirtualClock clock;
  User a, b;
  clock.join(a);
  clock.join(b);
  EXPECT_EQ(clock.jump(a, 2h), Clock::Jump::others);
  EXPECT_EQ(clock.now(), 0ns);
  EXPECT_EQ(clock.jump(b, 1h), Clock::Jump::done);
  EXPECT_EQ(clock.now(), 1h);
  EXPECT_EQ(a.woken, 0);
  // Now b is idle until later than a, so a is woken.
  EXPECT_EQ(clock.jump(b, 3h), Clock::Jump::others);
  EXPECT_EQ(clock.now(), 2h);
  EXPECT_EQ(a.woken, 1);
  // a is busy.
  EXPECT_EQ(clock.jump(b, 3h), Clock::Jump::others);
  EXPECT_EQ(clock.now(), 2h);
  EXPECT_EQ(clock.jump(a, kForever), Clock::Jump::others);
  EXPECT_EQ(clock.now(), 3h);
  EXPECT_EQ(b.woken, 1);
  clock.leave(b);
  EXPECT_EQ(clock.jump(a, 4h), Clock::Jump::done);
  EXPECT_EQ(clock.jump(a, kForever), Clock::Jump::never);
  clock.leave(a);
}

TEST(VirtualClock, DoesNotJumpWhileAMessageIsInFlight) {
  VirtualClock clock;
  User a, b;
  clock.join(a);
  clock.join(b);
  EXPECT_EQ(clock.jump(a, 1h), Clock::Jump::others);
  a.has_mail = true;
  EXPECT_EQ(clock.jump(b, 1h), Clock::Jump::others);
  EXPECT_EQ(clock.now(), 0ns);
  a.has_mail = false;
  clock.resume(a);
  EXPECT_EQ(clock.jump(a, 1h), Clock::Jump::done);
  EXPECT_EQ(b.woken, 1);
  clock.leave(a);
  clock.leave(b);
}

TEST(VirtualClockDeathTest, AJumpPastItsEndEndsTheProgram) {
  VirtualClock clock;
  User a;
  clock.join(a);
  EXPECT_EQ(clock.jump(a, VirtualClock::kEnd), Clock::Jump::done);
  EXPECT_DEATH(clock.jump(a, VirtualClock::kEnd + 1h), "virtual time has reached its end");
  EXPECT_EQ(clock.jump(a, kForever), Clock::Jump::never);
  clock.leave(a);
}

}  // namespace
}  // namespace rondo
