#include "loop/phases/timers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/readiness.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(TimersPhase, TIM_01_RunInOrderOfDueTime) {
  TestLoop loop;
  auto late = loop.make<Timer>(), early = loop.make<Timer>(), middle = loop.make<Timer>();
  late->start(30ms, loop.mark("late"));
  early->start(10ms, loop.mark("early"));
  middle->start(20ms, loop.mark("middle"));
  EXPECT_EQ(loop.run(), "early middle late");
}

TEST(TimersPhase, TIM_01_KeepTheOrderOfDueTimesAfterAStall) {
  // Node would run both 10 ms timers first: they are in one list.
  TestLoop loop;
  auto a = loop.make<Timer>(), b = loop.make<Timer>(), c = loop.make<Timer>();
  a->start(10ms, loop.mark("a10"));
  b->start(12ms, loop.mark("b12"));
  loop.advance(5ms);
  loop->update_time();
  c->start(10ms, loop.mark("c15"));
  loop.advance(100ms);
  EXPECT_EQ(loop.run(), "a10 b12 c15");
}

TEST(TimersPhase, TIM_01_EqualDueTimesRunInStartOrder) {
  TestLoop loop;
  auto a = loop.make<Timer>(), b = loop.make<Timer>(), c = loop.make<Timer>();
  b->start(5ms, loop.mark("b"));
  a->start(5ms, loop.mark("a"));
  c->start(5ms, loop.mark("c"));
  b->start(5ms, loop.mark("b"));  // Started again: now the last.
  EXPECT_EQ(loop.run(), "a c b");
}

TEST(TimersPhase, TIM_02_NeverRunEarly) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(1ms, loop.mark("timer"));
  loop.advance(1ms - 1ns);
  EXPECT_EQ(loop.run_nowait(), "");
  loop.advance(1ns);
  EXPECT_EQ(loop.run_nowait(), "timer");
}

TEST(TimersPhase, TIM_02_DelaysAreGoodToTheNanosecond) {
  TestLoop loop;
  auto b = loop.make<Timer>(), a = loop.make<Timer>(), c = loop.make<Timer>();
  b->start(250us, loop.mark("b"));
  a->start(249'999ns, loop.mark("a"));
  c->start(250'001ns, loop.mark("c"));
  EXPECT_EQ(loop.run_once(), "a");
  EXPECT_EQ(loop.time(), 249'999ns);
  EXPECT_EQ(loop.run_once(), "b");
  EXPECT_EQ(loop.run_once(), "c");
  EXPECT_EQ(loop.time(), 250'001ns);
}

TEST(TimersPhase, TIM_02_RunAsSoonAsTheLoopGetsThere) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  Nanos ran_at{0};
  timer->start(10ms, [&](Timer&) { ran_at = loop->now(); });
  loop.run();
  EXPECT_EQ(ran_at, 10ms);
}

TEST(TimersPhase, AZeroDelayNeverCallsBackFromInsideStart) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(0ms, loop.mark("timer"));
  EXPECT_EQ(loop.take_log(), "");
  EXPECT_EQ(loop.run(), "timer");
}

TEST(TimersPhase, ANegativeDelayOrRepeatMeansZero) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(-5ms, loop.mark("timer"), -5ms);
  EXPECT_EQ(timer->due(), loop->now());
  EXPECT_EQ(loop.run(), "timer");
}

TEST(TimersPhase, ADelayCountsFromTheCachedTime) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  loop.advance(3ms);  // The loop has not read the clock since.
  timer->start(10ms, loop.mark("timer"));
  EXPECT_EQ(timer->due(), 10ms);
  loop->update_time();
  timer->start(10ms, loop.mark("timer"));
  EXPECT_EQ(timer->due(), 13ms);
}

TEST(TimersPhase, TIM_04_AnIntervalCountsFromTheStartOfItsCallback) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  std::vector<Nanos> ran_at;
  timer->start(
      10ms,
      [&](Timer& self) {
        ran_at.push_back(loop->now());
        EXPECT_TRUE(self.is_active());
        EXPECT_EQ(self.due(), loop->now() + 10ms);
        loop.advance(4ms);  // The interval includes the time that the callback takes.
        if (ran_at.size() == 3) self.stop();
      },
      10ms);
  loop.run();
  EXPECT_EQ(ran_at, (std::vector<Nanos>{10ms, 20ms, 30ms}));
}

TEST(TimersPhase, TIM_04_AnIntervalThatTakesLongerThanItselfRunsOncePerTurn) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(
      1ms,
      [&](Timer&) {
        loop.log("interval");
        loop.advance(50ms);
      },
      1ms);
  EXPECT_EQ(loop.run_once(), "interval");
  EXPECT_EQ(loop.run_once(), "interval");
}

TEST(TimersPhase, TIM_04_StoppingAnIntervalInItsOwnCallbackStopsIt) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(
      1ms,
      [&](Timer& self) {
        loop.log("once");
        self.stop();
        EXPECT_FALSE(self.is_active());
      },
      1ms);
  EXPECT_EQ(loop.run(), "once");
}

TEST(TimersPhase, TIM_04_ARepeatThatIsSetInTheCallbackCountsFromTheNextFiring) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  std::vector<Nanos> ran_at;
  timer->start(
      1ms,
      [&](Timer& self) {
        ran_at.push_back(loop->now());
        self.set_repeat(ran_at.size() == 3 ? 0ms : 5ms);
        EXPECT_EQ(self.repeat(), ran_at.size() == 3 ? 0ms : 5ms);
        if (ran_at.size() == 4) self.stop();
      },
      2ms);
  loop.run();
  EXPECT_EQ(ran_at, (std::vector<Nanos>{1ms, 3ms, 8ms, 13ms}));
}

TEST(TimersPhase, TIM_05_ATimerWaitsForTheCallbackThatBurnsItsTime) {
  // A timeout of 100 ms, and a file operation that ends after 95 ms with a callback that takes 10
  // ms.
  TestLoop loop;
  auto timer = loop.make<Timer>();
  auto file = loop.make<Readiness>(7);
  Nanos read_at{0}, ran_at{0};
  timer->start(100ms, [&](Timer&) { ran_at = loop->now(); });
  ASSERT_TRUE(file->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
    read_at = loop->now();
    loop.advance(10ms);
    self.stop();
  }));
  loop.poller().at(95ms, 7, EPOLLIN);
  loop.run();
  EXPECT_EQ(read_at, 95ms);
  EXPECT_EQ(ran_at, 105ms);
}

TEST(TimersPhase, TIM_06_ASlowCallbackDelaysTheRestButLosesNothing) {
  TestLoop loop;
  std::vector<Owned<Timer>> timers;
  std::vector<std::string> ran;
  for (int i = 0; i < 100; ++i) {
    timers.push_back(loop.make<Timer>());
    timers.back()->start(Millis{i + 1}, [&](Timer&) {
      loop.log("x");
      loop.advance(7ms);
    });
  }
  std::string expected = "x";
  for (int i = 1; i < 100; ++i) expected += " x";
  EXPECT_EQ(loop.run(), expected);
  EXPECT_EQ(loop.time(), 1ms + 100 * 7ms);
  EXPECT_EQ(loop.run(), "");  // Nothing runs twice.
}

TEST(TimersPhase, TIM_07_AnUnrefdTimerDoesNotKeepTheLoopAlive) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  EXPECT_TRUE(timer->has_ref());
  timer->start(10ms, loop.mark("timer"));
  timer->unref();
  timer->unref();  // The second call has no effect.
  EXPECT_FALSE(timer->has_ref());
  EXPECT_FALSE(loop->is_alive());
  EXPECT_EQ(loop.run(), "");
  timer->ref();
  timer->ref();
  EXPECT_TRUE(loop->is_alive());
  EXPECT_EQ(loop->active_handles(), 1u);
  EXPECT_EQ(loop.run(), "timer");
}

TEST(TimersPhase, TIM_07_AnUnrefdTimerRunsWhileSomethingElseIsAlive) {
  TestLoop loop;
  auto background = loop.make<Timer>(), work = loop.make<Timer>();
  background->start(3ms, loop.mark("background"), 3ms);
  background->unref();
  work->start(10ms, loop.mark("work"));
  EXPECT_EQ(loop.run(), "background background background work");
}

TEST(TimersPhase, TIM_07_RestartTakesTheLastDelayAndFunction) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  EXPECT_EQ(timer->restart().error().code, EINVAL);
  timer->start(10ms, loop.mark("timer"));
  loop.advance(6ms);
  loop->update_time();
  ASSERT_TRUE(timer->restart());
  EXPECT_EQ(timer->due(), 16ms);
  EXPECT_EQ(loop.run(), "timer");
  EXPECT_EQ(loop.time(), 16ms);
  ASSERT_TRUE(timer->restart());  // After it fired.
  EXPECT_EQ(loop.run(), "timer");
  EXPECT_EQ(loop.time(), 26ms);
  timer->stop();
  ASSERT_TRUE(timer->restart());  // After it was stopped.
  EXPECT_EQ(loop.run(), "timer");
  timer->close();
  EXPECT_EQ(timer->restart().error().code, EINVAL);
}

TEST(TimersPhase, TIM_07_RestartInItsOwnCallbackKeepsTheFunction) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  int runs = 0;
  timer->start(10ms, [&](Timer& self) {
    if (++runs < 3) self.restart().value();
  });
  loop.run();
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(loop.time(), 30ms);
}

TEST(TimersPhase, StartInItsOwnCallbackReplacesTheFunction) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(1ms, [&](Timer& self) {
    loop.log("first");
    self.start(1ms, loop.mark("second"));
  });
  EXPECT_EQ(loop.run(), "first second");
}

TEST(Timer, StartTakesFunctionsOfEachKindInAnyOrder) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  const auto shared = std::make_shared<int>(0);
  const auto owning = [shared](Timer&) { ++*shared; };
  int plain = 0;
  const auto counting = [&plain](Timer&) { ++plain; };
  timer->start(1ms, owning);
  timer->start(1ms, owning);
  EXPECT_EQ(shared.use_count(), 3);  // The test's, that of `owning` and the timer's.
  timer->start(1ms, counting);
  EXPECT_EQ(shared.use_count(), 2);
  loop.run();
  EXPECT_EQ(plain, 1);
  timer->start(1ms, owning);
  loop.run();
  EXPECT_EQ(*shared, 1);
  timer->start(1ms, nullptr);
  EXPECT_EQ(shared.use_count(), 2);
  loop.run();
  timer->start(1ms, counting);
  loop.run();
  EXPECT_EQ(plain, 2);
}

TEST(TimersPhase, TIM_08_ClearedByAnEarlierCallbackDoesNotRun) {
  TestLoop loop;
  auto a = loop.make<Timer>(), b = loop.make<Timer>(), c = loop.make<Timer>(),
       d = loop.make<Timer>();
  a->start(1ms, [&](Timer&) {
    b->stop();
    c->close();
  });
  b->start(2ms, loop.mark("b"));
  c->start(2ms, loop.mark("c"));
  d->start(2ms, loop.mark("d"));
  loop.advance(10ms);
  EXPECT_EQ(loop.run(), "d");
}

TEST(TimersPhase, TIM_08_StoppedAndStartedAgainByAnEarlierCallbackWaits) {
  TestLoop loop;
  auto a = loop.make<Timer>(), b = loop.make<Timer>();
  a->start(1ms, [&](Timer&) { b->start(0ms, loop.mark("b again")); });
  b->start(2ms, loop.mark("b"));
  loop.advance(10ms);
  EXPECT_EQ(loop.run_once(), "");
  EXPECT_EQ(loop.run_once(), "b again");
}

TEST(TimersPhase, TURN_10_TimerStartedInACallbackWaitsForTheNextTurn) {
  TestLoop loop;
  auto inner = loop.make<Timer>(), outer = loop.make<Timer>();
  outer->start(1ms, [&](Timer&) { inner->start(0ms, loop.mark("inner")); });
  loop.advance(1ms);
  EXPECT_EQ(loop.run_once(), "");
  EXPECT_EQ(loop.run_once(), "inner");
}

TEST(TimersPhase, TURN_10_AStreamOfZeroTimersDoesNotStarveOtherPhases) {
  TestLoop loop;
  auto zero = loop.make<Timer>();
  Immediate immediate(loop);
  int zeros = 0;
  zero->start(0ms, [&](Timer& self) {
    loop.log("zero");
    if (++zeros < 3) self.restart().value();
    immediate.set(loop.mark("immediate"));
  });
  EXPECT_EQ(loop.run(), "zero immediate zero immediate zero immediate");
}

TEST(TimersPhase, TIM_10_TheNextDueTimeBoundsTheSleep) {
  TestLoop loop;
  auto late = loop.make<Timer>(), early = loop.make<Timer>();
  late->start(1h, loop.mark("late"));
  early->start(40ms, loop.mark("early"));
  EXPECT_EQ(loop.run_once(), "early");
  EXPECT_EQ(loop.poller().sleeps().back(), 40ms);
  early->stop();
  EXPECT_EQ(loop.run_once(), "late");
  EXPECT_EQ(loop.poller().sleeps().back(), 1h - 40ms);
}

TEST(TimersPhase, TIM_10_ADelayBeyondTheEndOfTimeIsNoBoundAtAll) {
  TestLoop loop;
  auto never = loop.make<Timer>();
  auto fd = loop.make<Readiness>(3);
  never->start(Nanos::max(), loop.mark("never"));
  EXPECT_EQ(never->due(), kForever);
  loop.advance(1s);
  loop->update_time();
  never->start(Nanos::max() - 1ns, loop.mark("never"));
  EXPECT_EQ(never->due(), kForever);  // Saturated, not wrapped.
  ASSERT_TRUE(fd->start(EPOLLIN, loop.mark("fd")));
  loop.poller().at(2s, 3, EPOLLIN);
  EXPECT_EQ(loop.run_once(), "fd");
  EXPECT_EQ(loop.poller().sleeps().back(), kForever);
}

TEST(TimersPhase, TIM_10_ManyTimersInOneSlotOfTheQueueStillWakeTheLoopOnTime) {
  // The queue only has a bound for the first of many far timers; reaching the bound is not progress
  // for `once` (TURN-06), and the loop must not turn more than a few times without need.
  TestLoop loop;
  std::vector<Owned<Timer>> timers;
  for (int i = 0; i < 500; ++i) {
    timers.push_back(loop.make<Timer>());
    timers.back()->start(1h + Millis{i}, loop.mark("x"));
  }
  EXPECT_EQ(loop.run_once(), "x");
  EXPECT_EQ(loop.time(), 1h);
  EXPECT_LE(loop->metrics().turns, 8u);
  EXPECT_EQ(loop.run_once(), "x");
  EXPECT_EQ(loop.time(), 1h + 1ms);
}

TEST(Timer, SlackLetsNeighboursShareAWakeUpAndNeverRunsEarly) {
  TestLoop loop;
  std::vector<Owned<Timer>> timers;
  for (int i = 0; i < 50; ++i) {
    timers.push_back(loop.make<Timer>());
    timers.back()->set_slack(20ms);
    timers.back()->start(Millis{100} + i * 100us, [&loop, i](Timer&) {
      EXPECT_GE(loop->now(), Millis{100} + i * 100us);
      EXPECT_LE(loop->now(), Millis{120} + i * 100us);
      loop.log("x");
    });
  }
  loop.run();
  EXPECT_LE(loop->metrics().turns, 2u);
}

TEST(Timer, SlackHoldsForIntervalsToo) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  int runs = 0;
  timer->set_slack(4ms);
  timer->start(
      10ms,
      [&](Timer& self) {
        const Nanos earliest = loop->now() + 10ms;
        if (++runs == 5) return self.stop();
        EXPECT_GE(self.due(), earliest);
        EXPECT_LE(self.due(), earliest + 4ms);
      },
      10ms);
  loop.run();
  EXPECT_EQ(runs, 5);
}

TEST(Timer, ASlackBeyondTheEndOfTimeDoesNoHarm) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->set_slack(Nanos::max());
  timer->start(5ms, loop.mark("timer"));
  EXPECT_GE(timer->due(), 5ms);
  timer->set_slack(1h);
  timer->start(Nanos::max() - 1ns, loop.mark("timer"));
  EXPECT_GE(timer->due(), Nanos::max() - 1ns);
}

TEST(Timer, StopIsIdempotentAndSafeInAnyCallback) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->stop();
  timer->start(1ms, [](Timer& self) { self.stop(); });
  loop.run();
  EXPECT_FALSE(timer->is_active());
  timer->stop();
}

TEST(Timer, WithoutAFunctionItOnlyPassesTheTime) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(5ms, nullptr);
  EXPECT_EQ(loop.run(), "");
  EXPECT_EQ(loop.time(), 5ms);
}

TEST(Timer, DroppedInItsOwnCallbackItIsFreedInClosing) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->start(
      1ms,
      [&](Timer& self) {
        loop.log("timer");
        timer.reset();
        EXPECT_TRUE(self.is_closing());
      },
      1ms);
  EXPECT_EQ(loop.run(), "timer");
}

}  // namespace
}  // namespace rondo
