#include "loop/state.h"

#include <gtest/gtest.h>

#include "loop/internals.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(LoopState, POL_01_TheSleepEndsWithTheFirstTimer) {
  TestLoop loop;
  LoopState& state = LoopState::of(loop);
  EXPECT_EQ(state.sleep_budget(), 0ns);  // Nothing is alive.
  auto timer = loop.make<Timer>();
  timer->start(5ms, [](Timer&) {});
  EXPECT_EQ(state.sleep_budget(), 5ms);
  loop->stop();
  EXPECT_EQ(state.sleep_budget(), 0ns);
  state.is_stopping = false;
  auto idle = loop.make<Idle>();
  idle->start([](Hook&) {});
  EXPECT_EQ(state.sleep_budget(), 0ns);
}

TEST(LoopState, SleepsWithoutLimitIfNoTimerRuns) {
  TestLoop loop;
  auto prepare = loop.make<Prepare>();
  prepare->start([](Hook&) {});
  EXPECT_EQ(LoopState::of(loop).sleep_budget(), kForever);
}

TEST(LoopState, WorkBesidePollIsThatOfTheOtherPhases) {
  TestLoop loop;
  LoopState& state = LoopState::of(loop);
  auto timer = loop.make<Timer>();
  timer->start(0ms, [](Timer&) {});
  EXPECT_FALSE(state.has_work_beside_poll());  // A timer does not count.
  Immediate immediate(loop);
  immediate.set([] {});
  EXPECT_TRUE(state.has_work_beside_poll());
  immediate.clear();
  EXPECT_FALSE(state.has_work_beside_poll());
  auto prepare = loop.make<Prepare>();
  prepare->start([](Hook&) {});
  EXPECT_TRUE(state.has_work_beside_poll());
  prepare->unref();
  EXPECT_FALSE(state.has_work_beside_poll());  // It only observes the loop.
  timer.reset();
  EXPECT_TRUE(state.has_work_beside_poll());  // It closes.
}

TEST(LoopState, PhasesAreObservedOnlyForAReason) {
  Loop loop;
  LoopState& state = LoopState::of(loop);
  EXPECT_FALSE(state.is_observed);
  loop.measure_phases(true);
  EXPECT_TRUE(state.is_observed);
  loop.measure_phases(false);
  EXPECT_FALSE(state.is_observed);
  loop.internals().on_phase_end([] {});
  EXPECT_TRUE(state.is_observed);
  loop.internals().on_phase_end(nullptr);
  EXPECT_FALSE(state.is_observed);
}

}  // namespace
}  // namespace rondo
