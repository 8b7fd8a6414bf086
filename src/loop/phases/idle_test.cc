#include "loop/phases/idle.h"

#include <gtest/gtest.h>

#include <chrono>

#include "loop/phases/prepare.h"
#include "support/readiness.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(IdlePhase, IDL_01_RunsEachTurnBeforePrepare) {
  TestLoop loop;
  auto prepare = loop.make<Prepare>();
  auto idle = loop.make<Idle>();
  prepare->start(loop.mark("prepare"));
  idle->start(loop.mark("idle"));
  EXPECT_EQ(loop.run_once(), "idle prepare");
  EXPECT_EQ(loop.run_once(), "idle prepare");
  EXPECT_EQ(loop.trace().order(), "idle:idle prepare:prepare idle:idle prepare:prepare");
}

TEST(IdlePhase, IDL_02_KeepsPollFromBlocking) {
  TestLoop loop;
  auto idle = loop.make<Idle>();
  auto timer = loop.make<Timer>();
  timer->start(1h, loop.mark("timer"));
  idle->start(loop.mark("idle"));
  EXPECT_EQ(loop.run_once(), "idle");
  EXPECT_EQ(loop.poller().sleeps().back(), 0ns);
  EXPECT_EQ(loop.time(), 0ns);
  idle->stop();
  EXPECT_EQ(loop.run_once(), "timer");
  EXPECT_EQ(loop.poller().sleeps().back(), 1h);
}

TEST(IdlePhase, IDL_02_KeepsPollFromBlockingEvenUnrefd) {
  TestLoop loop;
  auto idle = loop.make<Idle>();
  auto timer = loop.make<Timer>();
  timer->start(1h, loop.mark("timer"));
  idle->start(loop.mark("idle"));
  idle->unref();
  EXPECT_EQ(loop.run_once(), "idle");
  EXPECT_EQ(loop.poller().sleeps().back(), 0ns);
}

TEST(IdlePhase, IDL_02_StoppedInItsLastCallbackItNoLongerCounts) {
  TestLoop loop;
  auto idle = loop.make<Idle>();
  auto timer = loop.make<Timer>();
  timer->start(5ms, loop.mark("timer"));
  idle->start([](Hook& self) { self.stop(); });
  EXPECT_EQ(loop.run(), "timer");
  EXPECT_EQ(loop.poller().sleeps().back(), 5ms);
}

}  // namespace
}  // namespace rondo
