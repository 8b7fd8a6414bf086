#include "loop/phases/closing.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "support/readiness.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A handle with an operation that the test ends.
class Slow final : public Handle {
 public:
  explicit Slow(Loop& loop) : Handle(loop, "slow") { activate(); }
  void begin() { begin_operation(); }
  void end() { end_operation(); }

 private:
  void on_closing() override {}
};

TEST(ClosingPhase, CLO_01_TheCallbackNeverRunsFromInsideClose) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->close(loop.mark("closed"));
  EXPECT_EQ(loop.take_log(), "");
  EXPECT_EQ(timer->state(), Handle::State::closing);
  EXPECT_EQ(loop.run(), "closed");
  EXPECT_EQ(timer->state(), Handle::State::closed);
}

TEST(ClosingPhase, CLO_01_RunsInTheTurnInWhichTheHandleWasClosed) {
  TestLoop loop;
  auto fd = loop.make<Readiness>(3);
  Immediate immediate(loop);
  ASSERT_TRUE(fd->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
    loop.log("poll");
    self.close(loop.mark("closed"));
    immediate.set(loop.mark("immediate"));
  }));
  loop.poller().at(0ms, 3, EPOLLIN);
  EXPECT_EQ(loop.run_once(), "poll immediate closed");
}

TEST(ClosingPhase, CLO_01_ClosedInTimersItRunsNextTurn) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  Immediate immediate(loop);
  timer->start(1ms, [&](Timer& self) {
    self.close(loop.mark("closed"));
    immediate.set(loop.mark("immediate"));
  });
  EXPECT_EQ(loop.run_once(), "");
  EXPECT_TRUE(loop.was_alive());
  EXPECT_EQ(loop.run_once(), "immediate closed");
  EXPECT_FALSE(loop.was_alive());
}

TEST(ClosingPhase, CLO_04_TheLastOneClosedComesFirst) {
  TestLoop loop;
  auto a = loop.make<Timer>(), b = loop.make<Timer>(), c = loop.make<Timer>();
  b->close(loop.mark("b"));
  c->close();  // Without a callback.
  a->close(loop.mark("a"));
  EXPECT_EQ(loop.run(), "a b");
  EXPECT_EQ(c->state(), Handle::State::closed);
}

TEST(ClosingPhase, TURN_10_AHandleClosedInACloseCallbackWaitsForTheNextTurn) {
  TestLoop loop;
  auto a = loop.make<Timer>(), b = loop.make<Timer>();
  a->close([&](Handle&) {
    loop.log("a");
    b->close(loop.mark("b"));
  });
  EXPECT_EQ(loop.run_once(), "a");
  EXPECT_TRUE(loop.was_alive());
  EXPECT_EQ(loop.run_once(), "b");
}

TEST(ClosingPhase, CLO_03_AClosingHandleKeepsTheLoopAlive) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->unref();
  timer->close(loop.mark("closed"));
  EXPECT_TRUE(loop->is_alive());
  EXPECT_EQ(loop->active_handles(), 0u);
  EXPECT_EQ(loop.run(), "closed");
  EXPECT_FALSE(loop->is_alive());
}

TEST(ClosingPhase, CLO_03_AClosingHandleKeepsPollFromBlocking) {
  TestLoop loop;
  auto sleeper = loop.make<Timer>(), timer = loop.make<Timer>();
  sleeper->start(1h, loop.mark("sleeper"));
  timer->close(loop.mark("closed"));
  EXPECT_EQ(loop.run_once(), "closed");
  EXPECT_EQ(loop.poller().sleeps().back(), 0ns);
  EXPECT_EQ(loop.time(), 0ns);
}

TEST(ClosingPhase, AnOperationUnderWayPutsTheCallbackOff) {
  TestLoop loop;
  auto slow = loop.make<Slow>();
  slow->begin();
  slow->begin();
  slow->close(loop.mark("closed"));
  EXPECT_EQ(loop.run_nowait(), "");
  EXPECT_TRUE(loop.was_alive());
  slow->end();
  EXPECT_EQ(loop.run_nowait(), "");
  slow->end();
  EXPECT_EQ(loop.run_nowait(), "closed");
  EXPECT_FALSE(loop.was_alive());
}

TEST(ClosingPhase, WhileAnOperationIsUnderWayTheLoopSleepsRatherThanSpins) {
  // Only the end of the operation can complete the closing, and it wakes the loop.
  TestLoop loop;
  auto slow = loop.make<Slow>();
  auto fd = loop.make<Readiness>(3);
  ASSERT_TRUE(fd->start(EPOLLIN, [&](Readiness&, int32_t, uint32_t) { slow->end(); }));
  fd->unref();
  slow->begin();
  slow->close(loop.mark("closed"));
  loop.poller().at(1h, 3, EPOLLIN);
  EXPECT_EQ(loop.run(), "closed");
  EXPECT_EQ(loop.time(), 1h);
  EXPECT_EQ(loop->metrics().turns, 1u);
}

TEST(ClosingPhase, ACloseCallbackMayDropTheOwner) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->close([&](Handle& handle) {
    EXPECT_EQ(&handle, timer.get());
    timer.reset();
    loop.log("closed");
  });
  EXPECT_EQ(loop.run(), "closed");
}

TEST(ClosingPhase, DroppingTheOwnerOfAClosingHandleKeepsItsCallback) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->close(loop.mark("closed"));
  timer.reset();
  EXPECT_EQ(loop.run(), "closed");
}

TEST(ClosingPhase, HandlesClosedBeforeTheLoopEndsAreClosedByIt) {
  std::string log;
  {
    TestLoop loop;
    auto timer = loop.make<Timer>(), other = loop.make<Timer>();
    timer->close([&log](Handle&) { log += "closed "; });
    timer.reset();
    other->close([&log](Handle& handle) {
      log += "chained ";
      static_cast<Timer&>(handle).loop().update_time();
    });
    other.reset();
  }
  EXPECT_EQ(log, "chained closed ");
}

TEST(ClosingPhase, ANewHandleMayBeMadeInACloseCallback) {
  TestLoop loop;
  auto first = loop.make<Timer>();
  Owned<Timer> second;
  first->close([&](Handle&) {
    second = loop.make<Timer>();
    second->start(1ms, loop.mark("second"));
  });
  EXPECT_EQ(loop.run(), "second");
}

}  // namespace
}  // namespace rondo
