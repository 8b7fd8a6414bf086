// Common behaviour of idle, prepare and check handles, tested for each.
#include "loop/phases/hook.h"

#include <gtest/gtest.h>

#include <memory>

#include "loop/phases/check.h"
#include "loop/phases/idle.h"
#include "loop/phases/prepare.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

template <class T>
class HookPhaseTest : public ::testing::Test {};
using Hooks = ::testing::Types<Idle, Prepare, Check>;
struct HookNames {
  template <class T>
  static std::string GetName(int index) {  // NOLINT(readability-*): the name gtest looks for
    return index == 0 ? "idle" : index == 1 ? "prepare" : "check";
  }
};
TYPED_TEST_SUITE(HookPhaseTest, Hooks, HookNames);

TYPED_TEST(HookPhaseTest, RunsEveryTurnInStartOrder) {
  TestLoop loop;
  auto a = loop.make<TypeParam>(), b = loop.make<TypeParam>(), c = loop.make<TypeParam>();
  c->start(loop.mark("c"));
  a->start(loop.mark("a"));
  b->start(loop.mark("b"));
  EXPECT_EQ(loop.run_nowait(), "c a b");
  EXPECT_EQ(loop.run_nowait(), "c a b");
}

TYPED_TEST(HookPhaseTest, WithNothingActiveNothingRuns) {
  TestLoop loop;
  auto never = loop.make<TypeParam>(), keeper = loop.make<TypeParam>();
  EXPECT_FALSE(never->is_active());
  never->stop();  // Idempotent.
  EXPECT_EQ(loop.run_nowait(), "");
  EXPECT_FALSE(loop.was_alive());
}

TYPED_TEST(HookPhaseTest, StartingARunningHookOnlyReplacesItsFunction) {
  TestLoop loop;
  auto a = loop.make<TypeParam>(), b = loop.make<TypeParam>();
  a->start(loop.mark("a"));
  b->start(loop.mark("b"));
  a->start(loop.mark("A"));
  EXPECT_EQ(loop->active_handles(), 2u);
  EXPECT_EQ(loop.run_nowait(), "A b");
}

TYPED_TEST(HookPhaseTest, TURN_10_AHookStartedInACallbackWaitsForTheNextTurn) {
  TestLoop loop;
  auto a = loop.make<TypeParam>(), b = loop.make<TypeParam>(), c = loop.make<TypeParam>();
  a->start([&](Hook&) {
    loop.log("a");
    if (!c->is_active()) c->start(loop.mark("c"));
  });
  b->start(loop.mark("b"));
  EXPECT_EQ(loop.run_nowait(), "a b");
  EXPECT_EQ(loop.run_nowait(), "a b c");  // Start order, although c was started before b ran.
  EXPECT_EQ(loop.run_nowait(), "a b c");
}

TYPED_TEST(HookPhaseTest, AHookStoppedInACallbackDoesNotRun) {
  TestLoop loop;
  auto a = loop.make<TypeParam>(), b = loop.make<TypeParam>(), c = loop.make<TypeParam>();
  a->start([&](Hook& self) {
    loop.log("a");
    b->stop();
    self.stop();
    EXPECT_FALSE(self.is_active());
  });
  b->start(loop.mark("b"));
  c->start(loop.mark("c"));
  EXPECT_EQ(loop.run_nowait(), "a c");
  EXPECT_EQ(loop.run_nowait(), "c");
}

TYPED_TEST(HookPhaseTest, AHookStoppedAndStartedInItsCallbackRunsOncePerTurnAndLast) {
  TestLoop loop;
  auto a = loop.make<TypeParam>(), b = loop.make<TypeParam>();
  a->start([&](Hook& self) {
    loop.log("a");
    self.stop();
    self.start(loop.mark("again"));
  });
  b->start(loop.mark("b"));
  EXPECT_EQ(loop.run_nowait(), "a b");
  EXPECT_EQ(loop.run_nowait(), "b again");
}

TYPED_TEST(HookPhaseTest, HooksClosedAndDroppedInACallbackDoNotRun) {
  TestLoop loop;
  auto a = loop.make<TypeParam>(), b = loop.make<TypeParam>(), c = loop.make<TypeParam>();
  a->start(boxed([&](Hook&) {
    loop.log("a");
    b->close(loop.mark("b closed"));
    c.reset();
    a.reset();
  }));
  b->start(loop.mark("b"));
  c->start(loop.mark("c"));
  EXPECT_EQ(loop.run_nowait(), "a b closed");
  EXPECT_EQ(b->state(), Handle::State::closed);
}

TYPED_TEST(HookPhaseTest, AnUnrefdHookRunsButDoesNotKeepTheLoopAlive) {
  TestLoop loop;
  auto hook = loop.make<TypeParam>();
  hook->start(loop.mark("hook"));
  hook->unref();
  EXPECT_EQ(loop.run(), "");
  EXPECT_FALSE(loop.was_alive());
  auto keeper = loop.make<TypeParam>();
  keeper->start([](Hook& self) { self.stop(); });
  EXPECT_EQ(loop.run_nowait(), "hook");
}

TYPED_TEST(HookPhaseTest, ALoopWithOnlyAHookIsAlive) {
  TestLoop loop;
  auto hook = loop.make<TypeParam>();
  hook->start(loop.mark("hook"));
  EXPECT_EQ(loop.run_nowait(), "hook");
  EXPECT_TRUE(loop.was_alive());
}

TYPED_TEST(HookPhaseTest, AHookThatStartsFirstRunsBeforeTheOthersFromTheNextTurnOn) {
  TestLoop loop;
  auto old = loop.make<TypeParam>();
  auto newest = loop.make<TypeParam>();
  old->start([&](Hook&) {
    loop.log("old");
    newest->start_first(loop.mark("newest"));
  });
  EXPECT_EQ(loop.run_nowait(), "old");
  EXPECT_EQ(loop.run_nowait(), "newest old");
}

TYPED_TEST(HookPhaseTest, TheFunctionOfAHookIsReplacedFromInsideIt) {
  TestLoop loop;
  auto hook = loop.make<TypeParam>();
  hook->start([&](Hook& self) {
    loop.log("first");
    self.start(loop.mark("second"));
  });
  EXPECT_EQ(loop.run_nowait(), "first");
  EXPECT_EQ(loop.run_nowait(), "second");
}

}  // namespace
}  // namespace rondo
