#include "loop/phases/prepare.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/readiness.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(PreparePhase, IDL_01_IsTheLastCallBeforePoll) {
  TestLoop loop;
  auto prepare = loop.make<Prepare>();
  auto fd = loop.make<Readiness>(3);
  prepare->start(loop.mark("prepare"));
  ASSERT_TRUE(fd->start(EPOLLIN, loop.mark("poll")));
  loop.poller().at(2ms, 3, EPOLLIN);
  EXPECT_EQ(loop.run_once(), "prepare poll");
}

TEST(PreparePhase, IDL_02_DoesNotKeepPollFromBlocking) {
  TestLoop loop;
  auto prepare = loop.make<Prepare>();
  auto timer = loop.make<Timer>();
  timer->start(1h, loop.mark("timer"));
  prepare->start(loop.mark("prepare"));
  EXPECT_EQ(loop.run_once(), "prepare timer");
  EXPECT_EQ(loop.poller().sleeps().back(), 1h);
}

TEST(PreparePhase, ATimerStartedHereBoundsTheSleepThatFollows) {
  TestLoop loop;
  auto prepare = loop.make<Prepare>();
  auto timer = loop.make<Timer>();
  prepare->start([&](Hook& self) {
    timer->start(3ms, loop.mark("timer"));
    self.stop();
  });
  EXPECT_EQ(loop.run_once(), "timer");
  EXPECT_EQ(loop.poller().sleeps().back(), 3ms);
}

}  // namespace
}  // namespace rondo
