#include "loop/phases/pending.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "loop/internals.h"
#include "support/readiness.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A callback that an io handle defers, as connect() does when it is refused at once.
struct PutOff final : Deferred {
  PutOff(Loop& in_loop, std::function<void()> to_run)
      : Deferred([](Deferred& self) {
          PutOff& put_off = static_cast<PutOff&>(self);
          CallbackScope scope(put_off.loop, 1, "put off");
          put_off.run();
        }),
        loop(in_loop),
        run(std::move(to_run)) {}
  void defer() { loop.internals().defer(*this); }
  Loop& loop;
  std::function<void()> run;
};

class PendingPhaseTest : public ::testing::Test {
 protected:
  PendingPhaseTest() : keeper_(loop_.make<Timer>()) { keeper_->start(1h, nullptr); }
  TestLoop loop_;
  Owned<Timer> keeper_;  // Pending callbacks alone do not keep the loop alive.
};

TEST_F(PendingPhaseTest, PEN_01_RunsFirstThingInATurn) {
  auto idle = loop_.make<Idle>();
  auto check = loop_.make<Check>();
  PutOff refused(loop_, loop_.mark("refused"));
  idle->start(loop_.mark("idle"));
  check->start([&](Hook& self) {
    loop_.log("check");
    refused.defer();
    EXPECT_TRUE(refused.is_queued());
    self.stop();
  });
  EXPECT_EQ(loop_.run_once(), "idle check");
  EXPECT_EQ(loop_.run_once(), "refused idle");
  EXPECT_EQ(loop_.trace().order(), "idle:idle check:check pending:put off idle:idle");
}

TEST_F(PendingPhaseTest, PEN_05_DeferredCallbacksOfPollRunBeforeCheck) {
  auto fd = loop_.make<Readiness>(3);
  auto check = loop_.make<Check>();
  PutOff written(loop_, loop_.mark("written"));
  ASSERT_TRUE(fd->start(EPOLLIN, [&](Readiness&, int32_t, uint32_t) {
    loop_.log("poll");
    written.defer();
  }));
  check->start(loop_.mark("check"));
  loop_.poller().at(0ms, 3, EPOLLIN);
  EXPECT_EQ(loop_.run_once(), "poll written check");
  EXPECT_EQ(loop_.trace().order(), "poll:readiness pending:put off check:check");
}

TEST_F(PendingPhaseTest, PEN_05_RunsAtMostEightRoundsBetweenPollAndCheck) {
  auto check = loop_.make<Check>();
  auto prepare = loop_.make<Prepare>();
  PutOff again(loop_, [&] {
    loop_.log("again");
    again.defer();
  });
  prepare->start([&](Hook& self) {
    again.defer();
    self.stop();
  });
  check->start([&](Hook& self) {
    loop_.log("check");
    self.stop();
  });
  EXPECT_EQ(loop_.run_nowait(), "again again again again again again again again check");
  again.cancel();
}

TEST_F(PendingPhaseTest, RunsInTheOrderOfDeferring) {
  PutOff a(loop_, loop_.mark("a")), b(loop_, loop_.mark("b")), c(loop_, loop_.mark("c"));
  c.defer();
  a.defer();
  b.defer();
  a.defer();  // Queued already: keeps its position.
  EXPECT_EQ(loop_.run_nowait(), "c a b");
  EXPECT_EQ(loop_.run_nowait(), "");
}

TEST_F(PendingPhaseTest, PEN_02_CallbacksQueuedWhileThePhaseRunsWaitForTheNextRound) {
  auto idle = loop_.make<Idle>();
  PutOff inner(loop_, loop_.mark("inner"));
  PutOff outer(loop_, [&] {
    loop_.log("outer");
    inner.defer();
  });
  idle->start(loop_.mark("idle"));
  outer.defer();
  EXPECT_EQ(loop_.run_nowait(), "outer idle inner");
}

TEST_F(PendingPhaseTest, PEN_03_KeepsPollFromBlocking) {
  auto prepare = loop_.make<Prepare>();
  PutOff put_off(loop_, loop_.mark("put off"));
  prepare->start([&](Hook& self) {
    put_off.defer();
    self.stop();
  });
  EXPECT_EQ(loop_.run_once(), "put off");
  EXPECT_EQ(loop_.poller().sleeps().back(), 0ns);
}

TEST_F(PendingPhaseTest, TURN_06_OnceDoesNotSleepWhereSomethingPendingRan) {
  PutOff put_off(loop_, loop_.mark("put off"));
  put_off.defer();
  EXPECT_EQ(loop_.run_once(), "put off");
  EXPECT_EQ(loop_.poller().sleeps().back(), 0ns);
  EXPECT_EQ(loop_.time(), 0ns);
}

TEST_F(PendingPhaseTest, CancelledOrDestroyedInACallbackItDoesNotRun) {
  PutOff cancelled(loop_, loop_.mark("cancelled"));
  std::optional<PutOff> destroyed;
  destroyed.emplace(loop_.get(), loop_.mark("destroyed"));
  PutOff first(loop_, [&] {
    loop_.log("first");
    cancelled.cancel();
    cancelled.cancel();
    destroyed.reset();
  });
  first.defer();
  cancelled.defer();
  destroyed->defer();
  EXPECT_EQ(loop_.run_nowait(), "first");
  EXPECT_EQ(loop_.run_nowait(), "");
}

TEST_F(PendingPhaseTest, DoesNotKeepTheLoopAliveByItself) {
  keeper_->stop();
  PutOff put_off(loop_, loop_.mark("put off"));
  put_off.defer();
  EXPECT_FALSE(loop_->is_alive());
  EXPECT_EQ(loop_.run(), "");
}

}  // namespace
}  // namespace rondo
