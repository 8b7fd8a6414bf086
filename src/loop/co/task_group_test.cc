#include "loop/co/task_group.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "loop/co/awaiters.h"
#include "support/virtual_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

Task<void> nap(Loop& loop, Nanos delay, std::string& log, char name) {
  log += name;
  Result<void> slept = co_await loop.sleep(delay);
  log += slept ? static_cast<char>(name - 'a' + 'A') : '!';
}

Task<Result<void>> fail_after(Loop& loop, Nanos delay, Error error) {
  Result<void> slept = co_await loop.sleep(delay);
  if (!slept) co_return slept.error();
  co_return error;
}

// A task with a group: `fill` adds tasks, then it joins them and logs ".".
template <class Fill>
Task<void> join_filled(Loop& loop, std::string& log, Fill fill) {
  TaskGroup group(loop);
  fill(group);
  EXPECT_TRUE(co_await group.join());
  log += '.';
}

TEST(TaskGroup, JoinWaitsForAll) {
  VirtualLoop v;
  std::string log;
  v.loop.run_task(join_filled(v.loop, log, [&](TaskGroup& group) {
    group.spawn(nap(v.loop, 2ms, log, 'a'));
    group.spawn(nap(v.loop, 1ms, log, 'b'));
    EXPECT_EQ(group.running(), 2u);
  }));
  EXPECT_EQ(log, "abBA.");
}

TEST(TaskGroup, JoiningAnEmptyGroupDoesNotWait) {
  VirtualLoop v;
  auto all = [](Loop& loop) -> Task<bool> {
    TaskGroup group(loop);
    co_return (co_await group.join()).has_value();
  };
  EXPECT_TRUE(v.loop.run_task(all(v.loop)));
  EXPECT_EQ(v.loop.metrics().turns, 0u);
}

TEST(TaskGroup, MayBeUsedAgainAfterJoining) {
  VirtualLoop v;
  auto all = [](Loop& loop) -> Task<std::string> {
    TaskGroup group(loop);
    std::string log;
    group.spawn(fail_after(loop, 0ms, Error{EIO, "x"}));
    log += (co_await group.join()).error().name();
    log += (co_await group.join()) ? " ok" : " error";
    co_return log;
  };
  EXPECT_EQ(v.loop.run_task(all(v.loop)), "EIO ok");
}

TEST(TaskGroup, CancelReachesEverySleeper) {
  VirtualLoop v;
  std::string log;
  auto all = [](Loop& loop, std::string& to) -> Task<void> {
    TaskGroup group(loop);
    group.spawn(nap(loop, 1h, to, 'a'));
    group.spawn(nap(loop, 2h, to, 'b'));
    co_await loop.sleep(1ms);
    group.cancel();
    EXPECT_EQ(group.running(), 2u);  // No task runs inside cancel().
    EXPECT_TRUE(co_await group.join());
  };
  v.loop.run_task(all(v.loop, log));
  EXPECT_EQ(log, "ab!!");
  EXPECT_EQ(v.loop.now(), 1ms);
}

TEST(TaskGroup, CancellingTheOneThatJoinsCancelsTheGroup) {
  VirtualLoop v;
  CancelSource source;
  std::string log;
  auto timer = v.loop.make<Timer>();
  timer->start(3ms, [&](Timer&) { source.cancel(); });
  const auto fill = [&](TaskGroup& group) { group.spawn(nap(v.loop, 1h, log, 'a')); };
  v.loop.run_task(join_filled(v.loop, log, fill), source.token());
  EXPECT_EQ(log, "a!.");
  EXPECT_EQ(v.loop.now(), 3ms);
}

TEST(TaskGroup, JoiningWhenCancelledAlreadyCancelsTheGroup) {
  VirtualLoop v;
  CancelSource source;
  source.cancel();
  std::string log;
  const auto fill = [&](TaskGroup& group) { group.spawn(nap(v.loop, 1h, log, 'a')); };
  v.loop.run_task(join_filled(v.loop, log, fill), source.token());
  EXPECT_EQ(log, "a!.");
}

TEST(TaskGroup, TheFirstErrorCancelsTheOthersAndIsReturnedByJoin) {
  VirtualLoop v;
  std::string log;
  auto all = [](Loop& loop, std::string& to) -> Task<std::string> {
    TaskGroup group(loop);
    group.spawn(nap(loop, 1h, to, 'a'));
    group.spawn(fail_after(loop, 5ms, Error{EIO, "first"}));
    group.spawn(fail_after(loop, 6ms, Error{EPERM, "second"}));
    co_return (co_await group.join()).error().syscall;
  };
  EXPECT_EQ(v.loop.run_task(all(v.loop, log)), "first");
  EXPECT_EQ(log, "a!");
  EXPECT_EQ(v.loop.now(), 5ms);
}

TEST(TaskGroup, ATaskSpawnedAfterCancelStartsCancelled) {
  VirtualLoop v;
  std::string log;
  v.loop.run_task(join_filled(v.loop, log, [&](TaskGroup& group) {
    group.cancel();
    group.spawn(nap(v.loop, 1h, log, 'a'));
  }));
  EXPECT_EQ(log, "a!.");
}

TEST(TaskGroup, ATaskMaySpawnIntoItsOwnGroup) {
  VirtualLoop v;
  std::string log;
  v.loop.run_task(join_filled(v.loop, log, [&](TaskGroup& group) {
    group.spawn([&]() -> Task<void> {
      co_await v.loop.sleep(1ms);
      group.spawn(nap(v.loop, 1ms, log, 'b'));
    });
  }));
  EXPECT_EQ(log, "bB.");
}

TEST(TaskGroup, TheCapturesOfASpawnedFunctionLiveAsLongAsItsTask) {
  VirtualLoop v;
  auto shared = std::make_shared<int>(5);
  int seen = 0;
  v.loop.tasks().spawn([&loop = v.loop, &seen, shared]() -> Task<void> {
    co_await loop.sleep(1ms);
    seen = *shared;
  });
  EXPECT_EQ(shared.use_count(), 2);
  v.loop.run();
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(TaskGroup, TasksThatNeedNotWaitAreGoneWhenSpawnReturns) {
  VirtualLoop v;
  TaskGroup group(v.loop);
  auto shared = std::make_shared<int>(0);
  auto quick = [](std::shared_ptr<int> counter) -> Task<void> {
    ++*counter;
    co_return;
  };
  for (int i = 0; i < 100; ++i) group.spawn(quick(shared));
  EXPECT_EQ(*shared, 100);
  EXPECT_EQ(group.running(), 0u);
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(TaskGroup, FollowsAParent) {
  VirtualLoop v;
  CancelSource parent;
  std::string log;
  TaskGroup group(v.loop, parent.token());
  group.spawn(nap(v.loop, 1h, log, 'a'));
  parent.cancel();
  v.loop.run();
  EXPECT_EQ(log, "a!");
}

TEST(LoopTasks, RunUntilTheyAreDone) {
  VirtualLoop v;
  std::string log;
  v.loop.spawn(nap(v.loop, 2ms, log, 'a'));
  v.loop.spawn(nap(v.loop, 1ms, log, 'b'));
  v.loop.run();
  EXPECT_EQ(log, "abBA");
  EXPECT_EQ(v.loop.tasks().running(), 0u);
}

TEST(TaskGroupDeathTest, DestroyedWhileTasksRunItAborts) {
  VirtualLoop v;
  std::string log;
  EXPECT_DEATH(
      {
        TaskGroup group(v.loop);
        group.spawn(nap(v.loop, 1ms, log, 'a'));
      },
      "join\\(\\) first");
}

TEST(TaskGroupDeathTest, ALoopThatEndsWithItsTasksRunningAborts) {
  std::string log;
  EXPECT_DEATH(
      {
        VirtualLoop v;
        v.loop.spawn(nap(v.loop, 1ms, log, 'a'));
      },
      "tasks run");
}

}  // namespace
}  // namespace rondo
