#include "loop/phases/check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "loop/phases/prepare.h"
#include "support/readiness.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(CheckPhase, CHK_01_ImmediatesRunRightAfterPollInTheOrderInWhichTheyWereSet) {
  TestLoop loop;
  auto prepare = loop.make<Prepare>();
  auto fd = loop.make<Readiness>(3);
  auto timer = loop.make<Timer>();
  Immediate a(loop), b(loop), c(loop);
  prepare->start([&](Hook& self) {
    loop.log("prepare");
    self.stop();
  });
  ASSERT_TRUE(fd->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
    loop.log("poll");
    self.stop();
  }));
  loop.poller().at(0ms, 3, EPOLLIN);
  timer->start(1ns, loop.mark("timer"));
  b.set(loop.mark("b"));
  a.set(loop.mark("a"));
  c.set(loop.mark("c"));
  EXPECT_EQ(loop.run(), "prepare poll b a c timer");
}

TEST(CheckPhase, CHK_01_ImmediatesRunEveryTurn) {
  TestLoop loop;
  Immediate immediate(loop);
  for (int turn = 0; turn < 3; ++turn) {
    immediate.set(loop.mark("immediate"));
    EXPECT_EQ(loop.run_once(), "immediate");
    EXPECT_FALSE(immediate.is_set());
  }
  EXPECT_EQ(loop.run_once(), "");
}

TEST(CheckPhase, CheckHandlesRunBeforeImmediates) {
  TestLoop loop;
  auto check = loop.make<Check>();
  Immediate immediate(loop);
  immediate.set(loop.mark("immediate"));
  check->start(loop.mark("check"));
  EXPECT_EQ(loop.run_once(), "check immediate");
}

TEST(CheckPhase, AnImmediateSetByACheckHandleRunsInTheSameTurn) {
  TestLoop loop;
  auto check = loop.make<Check>();
  Immediate immediate(loop);
  check->start([&](Hook& self) {
    immediate.set(loop.mark("immediate"));
    self.stop();
  });
  EXPECT_EQ(loop.run_nowait(), "immediate");
}

TEST(CheckPhase, CHK_02_AnImmediateSetByAnImmediateRunsNextTurnAfterItsPoll) {
  TestLoop loop;
  auto fd = loop.make<Readiness>(3);
  Immediate outer(loop), inner(loop);
  ASSERT_TRUE(fd->start(EPOLLIN, loop.mark("poll")));
  fd->unref();
  outer.set([&] {
    loop.log("outer");
    inner.set(loop.mark("inner"));
    loop.poller().at(0ms, 3, EPOLLIN);
  });
  EXPECT_EQ(loop.run_once(), "outer");
  EXPECT_TRUE(loop.was_alive());
  EXPECT_EQ(loop.run_once(), "poll inner");
  EXPECT_FALSE(loop.was_alive());
}

TEST(CheckPhase, CHK_02_AnImmediateThatSetsItselfRunsOncePerTurn) {
  TestLoop loop;
  Immediate immediate(loop);
  int runs = 0;
  struct State {
    TestLoop& loop;
    Immediate& immediate;
    int& runs;
    void operator()() const {
      loop.log("x");
      if (++runs < 3) immediate.set(State{loop, immediate, runs});
    }
  };
  immediate.set(State{loop, immediate, runs});
  EXPECT_EQ(loop.run_once(), "x");
  EXPECT_EQ(loop.run(), "x x");
  EXPECT_EQ(loop->metrics().turns, 3u);
}

TEST(CheckPhase, CHK_03_ClearingInsideThePhaseStopsOneThatHasNotRunYet) {
  TestLoop loop;
  Immediate a(loop), b(loop), c(loop);
  std::optional<Immediate> d;
  d.emplace(loop.get());
  a.set(boxed([&] {
    loop.log("a");
    b.clear();
    d.reset();  // Destroying clears it.
    a.clear();  // It is running already: no effect.
  }));
  b.set(loop.mark("b"));
  c.set(loop.mark("c"));
  d->set(loop.mark("d"));
  EXPECT_EQ(loop.run(), "a c");
}

TEST(CheckPhase, CHK_03_SettingOneThatWaitsInsideThePhaseMovesItToTheNextTurn) {
  TestLoop loop;
  Immediate a(loop), b(loop);
  a.set([&] { b.set(loop.mark("b again")); });
  b.set(loop.mark("b"));
  EXPECT_EQ(loop.run_once(), "");
  EXPECT_EQ(loop.run_once(), "b again");
}

TEST(CheckPhase, SettingOneThatWaitsMovesItToTheEnd) {
  TestLoop loop;
  Immediate a(loop), b(loop);
  a.set(loop.mark("a"));
  b.set(loop.mark("b"));
  a.set(loop.mark("A"));
  EXPECT_EQ(loop.run(), "b A");
}

TEST(CheckPhase, AnImmediateMayBeDestroyedByItsOwnCallback) {
  TestLoop loop;
  std::optional<Immediate> immediate;
  immediate.emplace(loop.get());
  immediate->set([&] {
    immediate.reset();
    loop.log("gone");
  });
  EXPECT_EQ(loop.run(), "gone");
  EXPECT_FALSE(loop.was_alive());
}

TEST(CheckPhase, ClearIsIdempotentAndGivesTheRefBack) {
  TestLoop loop;
  Immediate immediate(loop);
  immediate.clear();
  immediate.set(loop.mark("immediate"));
  EXPECT_TRUE(loop->is_alive());
  immediate.clear();
  immediate.clear();
  EXPECT_FALSE(loop->is_alive());
  EXPECT_EQ(loop.run(), "");
}

TEST(CheckPhase, AnUnrefdImmediateNeitherKeepsTheLoopAliveNorPollFromSleeping) {
  TestLoop loop;
  Immediate immediate(loop);
  auto timer = loop.make<Timer>();
  EXPECT_TRUE(immediate.has_ref());
  immediate.set(loop.mark("immediate"));
  immediate.unref();
  immediate.unref();
  EXPECT_FALSE(loop->is_alive());
  EXPECT_EQ(loop.run(), "");
  timer->start(5ms, loop.mark("timer"));
  EXPECT_EQ(loop.run_once(), "immediate timer");
  EXPECT_EQ(loop.poller().sleeps().back(), 5ms);
}

TEST(CheckPhase, RefsOfImmediatesAreCountedInsideThePhaseToo) {
  TestLoop loop;
  Immediate a(loop), b(loop), c(loop);
  a.set([&] {
    b.unref();
    c.ref();
  });
  b.set(loop.mark("b"));
  c.unref();
  c.set(loop.mark("c"));
  EXPECT_EQ(loop.run_once(), "b c");
  EXPECT_FALSE(loop.was_alive());
  EXPECT_FALSE(loop->is_alive());
}

}  // namespace
}  // namespace rondo
