#include "loop/loop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "loop/internals.h"
#include "support/backends.h"
#include "support/readiness.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A callback in every phase, each of which logs once.
class EveryPhase {
 public:
  explicit EveryPhase(TestLoop& loop)
      : timer_(loop.make<Timer>()),
        idle_(loop.make<Idle>()),
        prepare_(loop.make<Prepare>()),
        fd_(loop.make<Readiness>(3)),
        check_(loop.make<Check>()),
        closing_(loop.make<Timer>()),
        immediate_(loop) {
    const auto once = [&loop](const char* name) {
      return [&loop, name](Hook& self) {
        loop.log(name);
        self.stop();
      };
    };
    timer_->start(1ms, loop.mark("timers"));
    loop->internals().defer(pending_);
    pending_.loop = &loop;
    idle_->start(once("idle"));
    prepare_->start(once("prepare"));
    fd_->start(EPOLLIN,
               [&loop](Readiness& self, int32_t, uint32_t) {
                 loop.log("poll");
                 self.stop();
               })
        .value();
    loop.poller().at(0ms, 3, EPOLLIN);
    check_->start(once("check"));
    immediate_.set(loop.mark("immediate"));
    closing_->close(loop.mark("closing"));
  }

 private:
  struct Pending final : Deferred {
    Pending()
        : Deferred([](Deferred& self) { static_cast<Pending&>(self).loop->log("pending"); }) {}
    TestLoop* loop = nullptr;
  };
  Owned<Timer> timer_;
  Pending pending_;
  Owned<Idle> idle_;
  Owned<Prepare> prepare_;
  Owned<Readiness> fd_;
  Owned<Check> check_;
  Owned<Timer> closing_;
  Immediate immediate_;
};

TEST(Loop, TURN_01_ThePhasesComeInRingOrder) {
  TestLoop loop;
  EveryPhase every(loop);
  EXPECT_EQ(loop.run(), "pending idle prepare poll check immediate closing timers");
}

TEST(Loop, TURN_01_RunFiresDueTimersOnceThenTurns) {
  TestLoop loop;
  EveryPhase every(loop);
  loop.advance(1ms);
  EXPECT_EQ(loop.run(), "timers pending idle prepare poll check immediate closing");
}

TEST(Loop, TURN_01_TheRingGoesRoundInTheSameOrderTurnAfterTurn) {
  TestLoop loop;
  auto keeper = loop.make<Timer>();
  int left = 3;
  keeper->start(
      1ms,
      [&](Timer& self) {
        if (--left == 0) self.stop();
      },
      1ms);
  loop.run();
  std::string phases;
  for (const TraceEvent& event : loop.trace().events()) {
    if (event.kind == TraceKind::phase_begin) phases += std::string(phase_name(event.phase)) + " ";
    if (event.kind == TraceKind::turn) phases += "| ";
  }
  const std::string turn = "| pending idle prepare poll check closing timers ";
  EXPECT_EQ(phases, "timers " + turn + turn + turn);
}

TEST(Loop, TURN_02_CallbacksOfTheMainProgramWaitForRun) {
  // The JavaScript part, the drain of ticks and microtasks, is tested elsewhere.
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(0ms, loop.mark("timer"));
  loop.log("main ends");
  EXPECT_EQ(loop.run(), "main ends timer");
}

TEST(Loop, TURN_03_OneCallbackAtATimeOnTheThreadThatRunsTheLoop) {
  TestLoop loop;
  EveryPhase every(loop);
  auto timer = loop.make<Timer>();
  const std::thread::id here = std::this_thread::get_id();
  timer->start(0ms, [&](Timer&) { EXPECT_EQ(std::this_thread::get_id(), here); });
  loop.run();
  EXPECT_EQ(loop.trace().first_nesting_error(), "");
}

TEST(LoopDeathTest, TURN_03_RunningTheLoopFromInsideACallbackAborts) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(0ms, [&](Timer&) { loop.run_nowait(); });
  EXPECT_DEATH(loop.run(), "run\\(\\) was called from inside a callback");
}

TEST(LoopDeathTest, TURN_03_EnteringACallbackFromInsideAnotherAborts) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(0ms, [&](Timer& self) { CallbackScope inner(loop, self); });
  EXPECT_DEATH(loop.run(), "is_in_callback");
}

TEST(Loop, TURN_04_EndsWhenNothingIsAlive) {
  TestLoop loop;
  EXPECT_FALSE(loop->is_alive());
  auto timer = loop.make<Timer>();
  EXPECT_FALSE(loop->is_alive());  // Created, but not started.
  timer->start(1ms, nullptr);
  EXPECT_TRUE(loop->is_alive());
  loop.run();
  EXPECT_FALSE(loop->is_alive());
  EXPECT_FALSE(loop.was_alive());
  Immediate immediate(loop);
  immediate.set([] {});
  EXPECT_TRUE(loop->is_alive());
  immediate.unref();
  EXPECT_FALSE(loop->is_alive());
  timer->close();
  EXPECT_TRUE(loop->is_alive());
}

TEST(Loop, TURN_04_AnUnrefdTimerThatFellDueInTheLastCallbackStillFires) {
  TestLoop loop;
  auto work = loop.make<Timer>(), background = loop.make<Timer>();
  background->start(5ms, loop.mark("background"));
  background->unref();
  Immediate last(loop);
  last.set([&] {
    loop.log("last");
    loop.advance(10ms);
  });
  EXPECT_EQ(loop.run(), "last background");
}

TEST(Loop, TURN_04_AnUnrefdTimerThatIsNotDueDoesNotFire) {
  TestLoop loop;
  auto background = loop.make<Timer>();
  background->start(5ms, loop.mark("background"));
  background->unref();
  Immediate last(loop);
  last.set(loop.mark("last"));
  EXPECT_EQ(loop.run(), "last");
}

TEST(Loop, TURN_05_AfterTheEndTheLoopCanBeGivenMoreAndRunAgain) {
  // The base of `beforeExit`; the events themselves belong to JavaScript.
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(1ms, loop.mark("first"));
  EXPECT_EQ(loop.run(), "first");
  EXPECT_FALSE(loop.was_alive());
  timer->start(1ms, loop.mark("second"));
  EXPECT_EQ(loop.run(), "second");
}

TEST(Loop, TURN_06_UntilDoneRunsToTheEnd) {
  TestLoop loop;
  auto a = loop.make<Timer>(), b = loop.make<Timer>();
  a->start(1ms, loop.mark("a"));
  b->start(1h, loop.mark("b"));
  EXPECT_EQ(loop.run(), "a b");
  EXPECT_FALSE(loop.was_alive());
}

TEST(Loop, TURN_06_OnceBlocksForOnePollAndRunsTheTimersThatFellDueMeanwhile) {
  TestLoop loop;
  auto a = loop.make<Timer>(), b = loop.make<Timer>();
  a->start(5ms, loop.mark("a"));
  b->start(9ms, loop.mark("b"));
  EXPECT_EQ(loop.run_once(), "a");
  EXPECT_TRUE(loop.was_alive());
  EXPECT_EQ(loop.time(), 5ms);
  EXPECT_EQ(loop.run_once(), "b");
  EXPECT_FALSE(loop.was_alive());
}

TEST(Loop, TURN_06_OnceReturnsAfterTheEventThatEndedItsSleep) {
  TestLoop loop;
  auto fd = loop.make<Readiness>(3);
  ASSERT_TRUE(fd->start(EPOLLIN, loop.mark("fd")));
  loop.poller().at(7ms, 3, EPOLLIN);
  loop.poller().at(8ms, 3, EPOLLIN);
  EXPECT_EQ(loop.run_once(), "fd");
  EXPECT_EQ(loop.time(), 7ms);
  EXPECT_TRUE(loop.was_alive());
}

TEST(Loop, TURN_06_OnceDoesNotSleepAfterAnIdleHandle) {
  TestLoop loop;
  auto idle = loop.make<Idle>();
  auto timer = loop.make<Timer>();
  idle->start([](Hook& self) { self.stop(); });
  timer->start(5ms, loop.mark("timer"));
  EXPECT_EQ(loop.run_once(), "");
  EXPECT_EQ(loop.time(), 0ms);
}

TEST(Loop, TURN_06_NowaitPollsWithoutBlocking) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  auto fd = loop.make<Readiness>(3);
  timer->start(5ms, loop.mark("timer"));
  ASSERT_TRUE(fd->start(EPOLLIN, loop.mark("fd")));
  loop.poller().at(0ms, 3, EPOLLIN);
  EXPECT_EQ(loop.run_nowait(), "fd");
  EXPECT_TRUE(loop.was_alive());
  EXPECT_EQ(loop.run_nowait(), "");
  EXPECT_EQ(loop.time(), 0ms);
  for (const Nanos sleep : loop.poller().sleeps()) EXPECT_EQ(sleep, 0ns);
}

TEST(Loop, TURN_06_TimersThatAreDueAtTheStartOfOnceRunWithoutASleep) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(5ms, loop.mark("timer"));
  loop.advance(5ms);
  EXPECT_EQ(loop.run_once(), "timer");
  EXPECT_EQ(loop.time(), 5ms);
}

TEST(Loop, TURN_07_StopEndsTheRunAtTheEndOfTheTurn) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  auto fd = loop.make<Readiness>(3);
  Immediate immediate(loop);
  timer->start(1h, loop.mark("timer"));
  ASSERT_TRUE(fd->start(EPOLLIN, [&](Readiness&, int32_t, uint32_t) {
    loop.log("poll");
    loop->stop();
    immediate.set(loop.mark("immediate"));
  }));
  loop.poller().at(1ms, 3, EPOLLIN);
  EXPECT_EQ(loop.run(), "poll immediate");
  EXPECT_TRUE(loop.was_alive());
  EXPECT_EQ(loop.time(), 1ms);
}

TEST(Loop, TURN_07_StopMakesThePollOfItsTurnNonBlocking) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  auto prepare = loop.make<Prepare>();
  timer->start(1h, loop.mark("timer"));
  prepare->start([&](Hook& self) {
    self.stop();
    loop->stop();
  });
  EXPECT_EQ(loop.run(), "");
  EXPECT_EQ(loop.poller().sleeps().back(), 0ns);
  EXPECT_EQ(loop.time(), 0ns);
}

TEST(Loop, TURN_07_StopIsForgottenWhenRunReturns) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(1ms, loop.mark("timer"));
  loop->stop();  // Before run: that run ends before its first turn.
  EXPECT_EQ(loop.run(), "");
  EXPECT_TRUE(loop.was_alive());
  EXPECT_EQ(loop.run(), "timer");
}

TEST(Loop, TURN_08_CallbacksOfOnePhaseSeeOneTime) {
  TestLoop loop;
  std::vector<Owned<Timer>> timers;
  std::vector<Nanos> seen;
  for (int i = 0; i < 3; ++i) {
    timers.push_back(loop.make<Timer>());
    timers.back()->start(1ms, [&](Timer&) {
      seen.push_back(loop->now());
      loop.advance(10ms);
    });
  }
  loop.run();
  EXPECT_EQ(seen, (std::vector<Nanos>{1ms, 1ms, 1ms}));
}

TEST(Loop, TURN_08_TimeMovesOnBetweenPhases) {
  TestLoop loop;
  auto fd = loop.make<Readiness>(3);
  auto timer = loop.make<Timer>(), closing = loop.make<Timer>();
  Immediate immediate(loop);
  std::vector<Nanos> seen;
  const auto burn = [&] {
    seen.push_back(loop->now());
    loop.advance(10ms);
  };
  ASSERT_TRUE(fd->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
    burn();
    self.stop();
  }));
  loop.poller().at(1ms, 3, EPOLLIN);
  immediate.unref();
  immediate.set([&] { burn(); });
  timer->start(20ms, [&](Timer&) { burn(); });
  loop.run();
  // Poll woke at 1 ms; check sees the time spent in poll, and timers the time spent in check.
  EXPECT_EQ(seen, (std::vector<Nanos>{1ms, 11ms, 21ms}));
}

TEST(Loop, TURN_08_UpdateTimeRefreshesItOnDemand) {
  TestLoop loop;
  loop.advance(3ms);
  EXPECT_EQ(loop->now(), 0ms);
  loop->update_time();
  EXPECT_EQ(loop->now(), 3ms);
}

TEST(Loop, TURN_08_TimeMovesOnThoughACallbackHasReadTheClock) {
  TestLoop loop;
  auto fd = loop.make<Readiness>(3);
  std::vector<Nanos> seen;
  Immediate immediate(loop);
  ASSERT_TRUE(fd->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
    loop->update_time();
    loop.advance(10ms);
    immediate.set([&] { seen.push_back(loop->now()); });
    self.stop();
  }));
  loop.poller().at(1ms, 3, EPOLLIN);
  loop.run();
  EXPECT_EQ(seen, (std::vector<Nanos>{11ms}));
}

TEST(Loop, TURN_08_ATurnReadsTheClockAFewTimesHoweverManyCallbacksRun) {
  ManualClock clock;
  auto poller = std::make_unique<ScriptedPoller>(clock);
  LoopOptions options;
  options.clock = &clock;
  options.poller = std::move(poller);
  Loop loop(std::move(options));  // Without a trace, which reads the clock for every callback.
  std::vector<std::unique_ptr<Immediate>> immediates;
  for (int i = 0; i < 1000; ++i) {
    immediates.push_back(std::make_unique<Immediate>(loop));
    immediates.back()->set([] {});
  }
  const uint64_t before = clock.reads();
  loop.run_nowait();
  EXPECT_LE(clock.reads() - before, 4u);
}

TEST(Loop, TURN_09_ALoopThatIsNotAliveRefreshesItsTimeAndReturns) {
  TestLoop loop;
  auto due = loop.make<Timer>();
  due->start(1ms, loop.mark("due"));
  due->unref();
  loop.advance(5ms);
  for (const RunMode mode : {RunMode::until_done, RunMode::once, RunMode::nowait}) {
    loop.advance(1ms);
    EXPECT_EQ(loop.run(mode), "");
    EXPECT_FALSE(loop.was_alive());
    EXPECT_EQ(loop->now(), loop.time());
  }
  EXPECT_EQ(loop->metrics().turns, 0u);
  EXPECT_TRUE(loop.poller().sleeps().empty());
}

TEST(Loop, TURN_10_NoPhaseStarvesTheNextOne) {
  // Everything reschedules itself at once, forever; still every phase runs.
  TestLoop loop;
  auto timer = loop.make<Timer>();
  auto fd = loop.make<Readiness>(3);
  Immediate immediate(loop);
  struct Again {
    TestLoop& loop;
    Immediate& immediate;
    void operator()() const {
      loop.log("c");
      immediate.set(Again{loop, immediate});
    }
  };
  immediate.set(Again{loop, immediate});
  timer->start(0ms, [&](Timer& self) {
    loop.log("t");
    self.restart().value();
  });
  ASSERT_TRUE(fd->start(EPOLLIN, [&](Readiness&, int32_t, uint32_t) {
    loop.log("p");
    loop.poller().at(0ms, 3, EPOLLIN);
  }));
  loop.poller().at(0ms, 3, EPOLLIN);
  EXPECT_EQ(loop.run_once(), "p c t");
  EXPECT_EQ(loop.run_once(), "p c t");
  EXPECT_EQ(loop.run_once(), "p c t");
}

TEST(Loop, HasThePhaseOfTheRunningCallback) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  Immediate immediate(loop);
  EXPECT_EQ(loop->phase(), Phase::none);
  timer->start(0ms, [&](Timer&) { EXPECT_EQ(loop->phase(), Phase::timers); });
  immediate.set([&] { EXPECT_EQ(loop->phase(), Phase::check); });
  loop.run();
  EXPECT_EQ(loop->phase(), Phase::none);
}

}  // namespace
}  // namespace rondo
