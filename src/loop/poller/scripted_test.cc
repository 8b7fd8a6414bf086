#include "loop/poller/scripted.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>

#include <chrono>
#include <vector>

namespace rondo {
namespace {

using namespace std::chrono_literals;

class ScriptedPollerTest : public ::testing::Test {
 protected:
  ScriptedPollerTest() : poller_(clock_) { watch_.fd = 3; }
  std::vector<Event> wait(Nanos timeout) {
    std::vector<Event> ready;
    poller_.wait(timeout, ready);
    return ready;
  }
  ManualClock clock_;
  ScriptedPoller poller_;
  Watch watch_;
};

TEST_F(ScriptedPollerTest, MovesTheClockToTheNextEvent) {
  ASSERT_TRUE(poller_.watch(watch_, EPOLLIN));
  poller_.at(5ms, 3, EPOLLIN);
  EXPECT_TRUE(wait(2ms).empty());
  EXPECT_EQ(clock_.now(), 2ms);
  const std::vector<Event> ready = wait(kForever);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].target, &watch_);
  EXPECT_EQ(ready[0].flags, uint32_t{EPOLLIN});
  EXPECT_EQ(clock_.now(), 5ms);
  EXPECT_TRUE(wait(0ms).empty());  // Once only.
  EXPECT_EQ(poller_.sleeps(), (std::vector<Nanos>{2ms, kForever, 0ms}));
}

TEST_F(ScriptedPollerTest, UnwatchedEventsAreLost) {
  poller_.at(0ms, 3, EPOLLIN);
  EXPECT_TRUE(wait(0ms).empty());
  ASSERT_TRUE(poller_.watch(watch_, EPOLLIN));
  EXPECT_TRUE(wait(0ms).empty());
  poller_.at(0ms, 3, EPOLLIN);
  poller_.unwatch(watch_);
  poller_.unwatch(watch_);
  EXPECT_TRUE(wait(0ms).empty());
}

TEST_F(ScriptedPollerTest, AnInterruptedSleepEndsEarlyOnce) {
  poller_.interrupt_after(1ms);
  EXPECT_TRUE(wait(10ms).empty());
  EXPECT_EQ(clock_.now(), 1ms);
  EXPECT_TRUE(wait(9ms).empty());
  EXPECT_EQ(clock_.now(), 10ms);
}

TEST_F(ScriptedPollerTest, BringsABatchAtATime) {
  ASSERT_TRUE(poller_.watch(watch_, EPOLLIN));
  for (size_t i = 0; i < Poller::kBatch + 1; ++i) poller_.at(0ms, 3, EPOLLIN);
  EXPECT_EQ(wait(0ms).size(), Poller::kBatch);
  EXPECT_EQ(wait(0ms).size(), 1u);
}

TEST_F(ScriptedPollerTest, ATestThatWouldSleepForEverAborts) {
  EXPECT_DEATH(wait(kForever), "until != kForever");
}

}  // namespace
}  // namespace rondo
