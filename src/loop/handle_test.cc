#include "loop/handle.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>

#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A handle that logs its state changes.
class Probe final : public Handle {
 public:
  Probe(Loop& loop, std::string& log) : Handle(loop, "probe"), log_(log) {}
  ~Probe() override { log_ += "freed "; }
  void start() { activate(); }
  void stop() { deactivate(); }

 private:
  void on_closing() override {
    log_ += is_active() ? "closing-active " : "closing-idle ";
    stop();
  }
  std::string& log_;
};

class HandleTest : public ::testing::Test {
 protected:
  Owned<Probe> make() { return loop_.make<Probe>(log_); }

  std::string log_;  // Outlives the loop, whose end frees the remaining handles.
  TestLoop loop_;
};
using HandleDeathTest = HandleTest;

TEST_F(HandleTest, GoesFromIdleToActiveToClosingToClosed) {
  auto probe = make();
  EXPECT_EQ(probe->state(), Handle::State::idle);
  EXPECT_FALSE(probe->is_active());
  probe->start();
  EXPECT_EQ(probe->state(), Handle::State::active);
  EXPECT_TRUE(probe->is_active());
  probe->stop();
  EXPECT_EQ(probe->state(), Handle::State::idle);
  probe->start();
  EXPECT_FALSE(probe->is_closing());
  probe->close();
  EXPECT_EQ(probe->state(), Handle::State::closing);
  EXPECT_TRUE(probe->is_closing());
  loop_.run();
  EXPECT_EQ(probe->state(), Handle::State::closed);
  EXPECT_TRUE(probe->is_closing());
  EXPECT_EQ(log_, "closing-active ");
}

TEST_F(HandleTest, StartingOrStoppingAClosingHandleDoesNothing) {
  auto probe = make();
  probe->close();
  probe->start();
  EXPECT_EQ(probe->state(), Handle::State::closing);
  EXPECT_EQ(loop_->active_handles(), 0u);
  probe->stop();
  EXPECT_EQ(probe->state(), Handle::State::closing);
  loop_.run();
  EXPECT_EQ(loop_->active_handles(), 0u);
}

TEST_F(HandleTest, OnlyActiveRefdHandlesAreCounted) {
  auto probe = make();
  EXPECT_EQ(loop_->active_handles(), 0u);
  probe->unref();
  probe->start();
  EXPECT_EQ(loop_->active_handles(), 0u);
  probe->ref();
  EXPECT_EQ(loop_->active_handles(), 1u);
  probe->start();  // The second call does nothing.
  EXPECT_EQ(loop_->active_handles(), 1u);
  probe->stop();
  probe->stop();
  EXPECT_EQ(loop_->active_handles(), 0u);
  probe->start();
  probe->unref();
  probe->unref();
  EXPECT_EQ(loop_->active_handles(), 0u);
  probe->ref();
  probe->close();
  EXPECT_EQ(loop_->active_handles(), 0u);
  probe->unref();  // Refs of a closing handle have no effect.
  probe->ref();
  EXPECT_EQ(loop_->active_handles(), 0u);
  EXPECT_TRUE(loop_->is_alive());
}

TEST_F(HandleTest, DroppingItsOwnerClosesItAndTheClosingPhaseFrees) {
  auto probe = make();
  probe->start();
  probe.reset();
  EXPECT_EQ(log_, "closing-active ");
  loop_.run();
  EXPECT_EQ(log_, "closing-active freed ");
}

TEST_F(HandleTest, DroppingTheOwnerOfAClosedHandleFreesItAtOnce) {
  auto probe = make();
  probe->close();
  loop_.run();
  EXPECT_EQ(log_, "closing-idle ");
  probe.reset();
  EXPECT_EQ(log_, "closing-idle freed ");
}

TEST_F(HandleTest, DroppingTheOwnerOfAClosingHandleFreesItOnce) {
  auto probe = make();
  probe->close();
  probe.reset();
  EXPECT_EQ(log_, "closing-idle ");
  loop_.run();
  EXPECT_EQ(log_, "closing-idle freed ");
}

TEST(HandleEnd, TheLoopsEndFreesWhatWasDroppedBefore) {
  std::string log;
  {
    TestLoop loop;
    auto probe = loop.make<Probe>(log);
    probe->start();
  }
  EXPECT_EQ(log, "closing-active freed ");
}

TEST_F(HandleTest, ANeverStartedHandleMayBeAMember) {
  { Probe probe(loop_, log_); }
  EXPECT_EQ(log_, "freed ");
}

TEST_F(HandleTest, AMemberIsClosedBeforeItsOwnerGoes) {
  {
    Probe probe(loop_, log_);
    probe.start();
    probe.close();
    loop_.run();
  }
  EXPECT_EQ(log_, "closing-active freed ");
}

TEST_F(HandleTest, HasALabelAndAnIdOfItsOwn) {
  std::set<uint64_t> ids;
  for (int i = 0; i < 10; ++i) {
    auto probe = make();
    EXPECT_STREQ(probe->label(), "probe");
    EXPECT_EQ(&probe->loop(), &loop_.get());
    ids.insert(probe->id());
  }
  EXPECT_EQ(ids.size(), 10u);
}

TEST_F(HandleTest, TheKindGivesTheLabel) {
  auto probe = make();
  EXPECT_EQ(probe->kind(), HandleKind::other);
  probe->set_kind(HandleKind::message_port);
  EXPECT_EQ(probe->kind(), HandleKind::message_port);
  EXPECT_STREQ(probe->label(), "message port");
  auto timer = loop_.make<Timer>();
  EXPECT_EQ(timer->kind(), HandleKind::timer);
  EXPECT_STREQ(timer->label(), "timer");
}

TEST_F(HandleTest, TheLoopListsHandlesThatAreNeitherClosingNorClosed) {
  auto idle = make(), active = make(), closing = make(), closed = make();
  active->start();
  closed->close();
  loop_.run_nowait();
  closing->close();
  std::set<const Handle*> seen;
  loop_->for_each_handle([&seen](const Handle& handle) { seen.insert(&handle); });
  EXPECT_EQ(seen, (std::set<const Handle*>{idle.get(), active.get()}));
}

TEST_F(HandleDeathTest, ClosingTwiceAborts) {
  auto probe = make();
  probe->close();
  EXPECT_DEATH(probe->close(), "is_closing");
  loop_.run();
  EXPECT_DEATH(probe->close(), "is_closing");
}

TEST_F(HandleDeathTest, DestroyingAnActiveHandleAborts) {
  EXPECT_DEATH(
      {
        Probe probe(loop_, log_);
        probe.start();
      },
      "destroyed before it was closed");
}

TEST_F(HandleDeathTest, DestroyingAClosingHandleAborts) {
  EXPECT_DEATH(
      {
        Probe probe(loop_, log_);
        probe.close();
      },
      "destroyed before it was closed");
}

TEST_F(HandleDeathTest, StartingAClosingTimerAborts) {
  auto timer = loop_.make<Timer>();
  timer->close();
  EXPECT_DEATH(timer->start(1ms, nullptr), "is_closing");
}

}  // namespace
}  // namespace rondo
