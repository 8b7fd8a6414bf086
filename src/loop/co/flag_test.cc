#include "loop/co/flag.h"

#include <gtest/gtest.h>

#include <string>

#include "loop/co/awaiters.h"
#include "support/virtual_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

Task<void> wait_for(Flag& flag, std::string& log, char name) {
  Result<void> waited = co_await flag.wait();
  log += waited ? name : '!';
}

TEST(Flag, WakesAllWaitersInOrderInTheCheckPhase) {
  VirtualLoop v;
  std::string log;
  Flag flag(v.loop);
  v.loop.spawn(wait_for(flag, log, 'a'));
  v.loop.spawn(wait_for(flag, log, 'b'));
  auto timer = v.loop.make<Timer>();
  timer->start(1ms, [&](Timer&) {
    flag.set();
    EXPECT_EQ(log, "");
  });
  v.loop.run();
  EXPECT_EQ(log, "ab");
}

TEST(Flag, ALateWaiterDoesNotWait) {
  VirtualLoop v;
  std::string log;
  Flag flag(v.loop);
  flag.set();
  v.loop.spawn(wait_for(flag, log, 'a'));
  EXPECT_EQ(log, "a");
  flag.clear();
  v.loop.spawn(wait_for(flag, log, 'b'));
  EXPECT_EQ(log, "a");
  flag.set();
  v.loop.run();
  EXPECT_EQ(log, "ab");
}

TEST(Flag, WaitingDoesNotKeepTheLoopAlive) {
  VirtualLoop v;
  std::string log;
  Flag flag(v.loop);
  v.loop.spawn(wait_for(flag, log, 'a'));
  EXPECT_FALSE(v.loop.run());
  EXPECT_EQ(log, "");
  flag.set();
  v.loop.run();
  EXPECT_EQ(log, "a");
}

TEST(Flag, CancelledWhileWaiting) {
  VirtualLoop v;
  std::string log;
  Flag flag(v.loop);
  TaskGroup group(v.loop);
  group.spawn(wait_for(flag, log, 'a'));
  v.loop.spawn(wait_for(flag, log, 'b'));
  group.cancel();
  EXPECT_EQ(log, "");
  v.loop.run();
  EXPECT_EQ(log, "!");
  flag.set();
  v.loop.run();
  EXPECT_EQ(log, "!b");
}

TEST(Flag, CancelledBeforehandItOnlyFailsIfTheFlagIsNotSet) {
  VirtualLoop v;
  std::string log;
  Flag flag(v.loop);
  TaskGroup group(v.loop);
  group.cancel();
  group.spawn(wait_for(flag, log, 'a'));
  flag.set();
  group.spawn(wait_for(flag, log, 'b'));
  EXPECT_EQ(log, "!b");
}

TEST(Flag, CancelledAfterItWasSetButBeforeTheTaskWokeItIsSet) {
  VirtualLoop v;
  std::string log;
  Flag flag(v.loop);
  TaskGroup group(v.loop);
  group.spawn(wait_for(flag, log, 'a'));
  flag.set();
  group.cancel();
  v.loop.run();
  EXPECT_EQ(log, "a");
}

TEST(FlagDeathTest, DestroyedWhileATaskWaitsItAborts) {
  VirtualLoop v;
  std::string log;
  EXPECT_DEATH(
      {
        Flag flag(v.loop);
        v.loop.spawn(wait_for(flag, log, 'a'));
      },
      "while a task waits");
}

}  // namespace
}  // namespace rondo
