#include "uv/run/clock.h"

#include <gtest/gtest.h>

namespace rondo::uv {
namespace {

using namespace std::chrono_literals;

struct User final : ClockUser {
  bool has_news() const override { return false; }
  void wake() override { ++woken; }
  int woken = 0;
};

TEST(UvClock, StartsAtTheGivenDateAndNotAtZero) {
  const ProgramClock clock(5h);
  EXPECT_EQ(clock.wall(), 5h);
  EXPECT_GT(clock.now(), 0s);
}

TEST(UvClock, AJumpIgnoresOtherLoopsOfTheThread) {
  ProgramClock clock(0s);
  User idle, running;
  clock.join(idle);
  clock.join(running);
  const Nanos next = clock.now() + 1h;
  EXPECT_EQ(clock.jump(running, next), Clock::Jump::done);
  EXPECT_EQ(clock.now(), next);
  EXPECT_EQ(clock.jump(idle, next + 1h), Clock::Jump::done);
  clock.leave(running);
  clock.leave(idle);
}

TEST(UvClock, AJumpWaitsForLoopsOfOtherThreads) {
  ProgramClock clock(0s);
  User here, there;
  clock.join_other_thread(there);
  clock.join(here);
  EXPECT_EQ(clock.jump(here, clock.now() + 1h), Clock::Jump::others);
  std::thread([&] { EXPECT_EQ(clock.jump(there, clock.now() + 2h), Clock::Jump::others); }).join();
  EXPECT_EQ(here.woken, 1);
  EXPECT_EQ(clock.jump(here, kForever), Clock::Jump::others);
  clock.leave(there);
  clock.leave(here);
}

}  // namespace
}  // namespace rondo::uv
