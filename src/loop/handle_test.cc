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

// A handle that tells what becomes of it.
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

TEST(Handle, GoesFromIdleToActiveToClosingToClosed) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  auto probe = loop.make<Probe>(log);
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
  loop.run();
  EXPECT_EQ(probe->state(), Handle::State::closed);
  EXPECT_TRUE(probe->is_closing());
  EXPECT_EQ(log, "closing-active ");
}

TEST(Handle, StartingOrStoppingAClosingHandleDoesNothing) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  auto probe = loop.make<Probe>(log);
  probe->close();
  probe->start();
  EXPECT_EQ(probe->state(), Handle::State::closing);
  EXPECT_EQ(loop->active_handles(), 0u);
  probe->stop();
  EXPECT_EQ(probe->state(), Handle::State::closing);
  loop.run();
  EXPECT_EQ(loop->active_handles(), 0u);
}

TEST(Handle, OnlyActiveRefdHandlesAreCounted) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  auto probe = loop.make<Probe>(log);
  EXPECT_EQ(loop->active_handles(), 0u);
  probe->unref();
  probe->start();
  EXPECT_EQ(loop->active_handles(), 0u);
  probe->ref();
  EXPECT_EQ(loop->active_handles(), 1u);
  probe->start();  // Twice is once.
  EXPECT_EQ(loop->active_handles(), 1u);
  probe->stop();
  probe->stop();
  EXPECT_EQ(loop->active_handles(), 0u);
  probe->start();
  probe->unref();
  probe->unref();
  EXPECT_EQ(loop->active_handles(), 0u);
  probe->ref();
  probe->close();
  EXPECT_EQ(loop->active_handles(), 0u);
  probe->unref();  // Refs of a closing handle change nothing any more.
  probe->ref();
  EXPECT_EQ(loop->active_handles(), 0u);
  EXPECT_TRUE(loop->is_alive());
}

TEST(Handle, DroppingItsOwnerClosesItAndTheClosingPhaseFrees) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  auto probe = loop.make<Probe>(log);
  probe->start();
  probe.reset();
  EXPECT_EQ(log, "closing-active ");
  loop.run();
  EXPECT_EQ(log, "closing-active freed ");
}

TEST(Handle, DroppingTheOwnerOfAClosedHandleFreesItAtOnce) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  auto probe = loop.make<Probe>(log);
  probe->close();
  loop.run();
  EXPECT_EQ(log, "closing-idle ");
  probe.reset();
  EXPECT_EQ(log, "closing-idle freed ");
}

TEST(Handle, DroppingTheOwnerOfAClosingHandleFreesItOnce) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  auto probe = loop.make<Probe>(log);
  probe->close();
  probe.reset();
  EXPECT_EQ(log, "closing-idle ");
  loop.run();
  EXPECT_EQ(log, "closing-idle freed ");
}

TEST(Handle, TheLoopsEndFreesWhatWasDroppedBefore) {
  std::string log;
  {
    TestLoop loop;
    auto probe = loop.make<Probe>(log);
    probe->start();
  }
  EXPECT_EQ(log, "closing-active freed ");
}

TEST(Handle, ANeverStartedHandleMayBeAMember) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  { Probe probe(loop, log); }
  EXPECT_EQ(log, "freed ");
}

TEST(Handle, AMemberIsClosedBeforeItsOwnerGoes) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  {
    Probe probe(loop, log);
    probe.start();
    probe.close();
    loop.run();
  }
  EXPECT_EQ(log, "closing-active freed ");
}

TEST(Handle, HasALabelAndAnIdOfItsOwn) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  std::set<uint64_t> ids;
  for (int i = 0; i < 10; ++i) {
    auto probe = loop.make<Probe>(log);
    EXPECT_STREQ(probe->label(), "probe");
    EXPECT_EQ(&probe->loop(), &loop.get());
    ids.insert(probe->id());
  }
  EXPECT_EQ(ids.size(), 10u);
}

TEST(Handle, TheLoopKnowsTheHandlesThatAreNeitherClosingNorClosed) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  auto idle = loop.make<Probe>(log), active = loop.make<Probe>(log),
       closing = loop.make<Probe>(log), closed = loop.make<Probe>(log);
  active->start();
  closed->close();
  loop.run_nowait();
  closing->close();
  std::set<const Handle*> seen;
  loop->for_each_handle([&seen](const Handle& handle) { seen.insert(&handle); });
  EXPECT_EQ(seen, (std::set<const Handle*>{idle.get(), active.get()}));
}

TEST(HandleDeathTest, ClosingTwiceAborts) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  auto probe = loop.make<Probe>(log);
  probe->close();
  EXPECT_DEATH(probe->close(), "is_closing");
  loop.run();
  EXPECT_DEATH(probe->close(), "is_closing");
}

TEST(HandleDeathTest, DestroyingAnActiveHandleAborts) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  EXPECT_DEATH(
      {
        Probe probe(loop, log);
        probe.start();
      },
      "destroyed before it was closed");
}

TEST(HandleDeathTest, DestroyingAClosingHandleAborts) {
  std::string log;  // Outlives the loop, whose end frees what is left.
  TestLoop loop;
  EXPECT_DEATH(
      {
        Probe probe(loop, log);
        probe.close();
      },
      "destroyed before it was closed");
}

TEST(HandleDeathTest, StartingAClosingTimerAborts) {
  TestLoop loop;
  auto timer = loop.make<Timer>();
  timer->close();
  EXPECT_DEATH(timer->start(1ms, nullptr), "is_closing");
}

}  // namespace
}  // namespace rondo
