#include "runtime/engine/platform.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <thread>

#include "loop/internals.h"
#include "loop/phases/check.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class FunctionTask final : public v8::Task {
 public:
  explicit FunctionTask(std::function<void()> run) : run_(std::move(run)) {}
  void Run() override { run_(); }

 private:
  std::function<void()> run_;
};

class PlatformTest : public testing::EngineTest {
 protected:
  using EngineTest::EngineTest;
  ForegroundTasks& tasks() { return *testing::platform().tasks_of(isolate()); }
  void post(std::function<void()> run) {
    tasks().PostTask(std::make_unique<FunctionTask>(std::move(run)));
  }
  void post_delayed(double seconds, std::function<void()> run) {
    tasks().PostDelayedTask(std::make_unique<FunctionTask>(std::move(run)), seconds);
  }
};

class PlatformInRealTimeTest : public PlatformTest {
 protected:
  PlatformInRealTimeTest() : PlatformTest(&RealClock::instance()) {}

  Owned<Async> keeper_ = loop_->make<Async>([](Async&) {});
};

TEST_F(PlatformTest, CompilerJobsHaveFourThreadsAtLeast) {
  EXPECT_GE(testing::platform().NumberOfWorkerThreads(), 4);
}

TEST_F(PlatformTest, TasksWaitUntilTheyAreTaken) {
  int runs = 0;
  const auto make = [&runs] { return std::make_unique<FunctionTask>([&runs] { ++runs; }); };
  ForegroundTasks queue;
  queue.PostTask(make());
  queue.PostDelayedTask(make(), 0.5);
  std::vector<std::unique_ptr<v8::Task>> taken = queue.take();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(runs, 0);
  taken[0]->Run();
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(queue.take().empty());
  std::vector<ForegroundTasks::Delayed> delayed = queue.take_delayed();
  ASSERT_EQ(delayed.size(), 1u);
  EXPECT_EQ(delayed[0].delay, 0.5);
}

TEST_F(PlatformTest, AClosedQueueFreesItsTasksAndRefusesMore) {
  auto owned = std::make_shared<int>(0);
  ForegroundTasks queue;
  const auto make = [&owned] { return std::make_unique<FunctionTask>([owned] { ++*owned; }); };
  queue.PostTask(make());
  queue.PostDelayedTask(make(), 1);
  queue.close();
  EXPECT_EQ(owned.use_count(), 1);
  queue.PostTask(make());
  EXPECT_TRUE(queue.take().empty());
}

TEST_F(PlatformTest, ATaskOfATaskRunsInTheNextTurn) {
  std::string order;
  Owned<Check> check = loop_->make<Check>();
  post([this, &order, &check] {
    order += "a";
    post([&order, &check] {
      order += "b";
      check.reset();
    });
  });
  check->start([&order](rondo::Hook&) { order += "-"; });
  loop_->run();
  EXPECT_EQ(order, "a-b");
}

TEST_F(PlatformTest, ADelayedTaskWakesTheLoopWhenItIsDue) {
  std::string order;
  Owned<Async> keeper = loop_->make<Async>([](Async&) {});
  post_delayed(0.02, [&order, &keeper] {
    order += "20";
    keeper.reset();
  });
  post_delayed(0.01, [&order] { order += "10 "; });
  loop_->run();
  EXPECT_EQ(order, "10 20");
}

TEST_F(PlatformTest, ADelayedTaskDoesNotKeepTheLoopAlive) {
  bool ran = false;
  post_delayed(3600, [&ran] { ran = true; });
  loop_->run_nowait();  // Starts the timer of the delayed task.
  EXPECT_FALSE(loop_->is_alive());
  loop_->run();
  EXPECT_FALSE(ran);
}

TEST_F(PlatformTest, TheNotifierIsCalledOnceForEachTaskFromAnyThread) {
  std::atomic<int> count = 0;
  const ForegroundTasks::Notifier notifier{
      [](void* self, ForegroundTasks::Cause) { ++*static_cast<std::atomic<int>*>(self); }, &count};
  tasks().set_notifier(&notifier);
  post([] {});
  std::thread([this] { post([] {}); }).join();
  EXPECT_EQ(count, 2);
  tasks().set_notifier(nullptr);
  post([] {});
  EXPECT_EQ(count, 2);
}

TEST_F(PlatformTest, ATaskWakesTheLoopThatSleeps) {
  // The engine's own notifier: nothing else would wake the loop.
  bool ran = false;
  Owned<Async> keeper = loop_->make<Async>([](Async&) {});
  std::thread other([this, &ran, &keeper] {
    post([&ran, &keeper] {
      ran = true;
      keeper.reset();
    });
  });
  loop_->run();
  other.join();
  EXPECT_TRUE(ran);
}

// POL-08: the descriptor of pool results keeps its place.
TEST_F(PlatformInRealTimeTest, ATaskThatTheEnginePostsInTheLoopsThreadDoesNotNotifyTheMailbox) {
  std::vector<int> order;
  post([&] {
    order.push_back(1);
    post([&order] { order.push_back(2); });
  });
  EXPECT_FALSE(loop_->internals().mailbox().is_notified());
  loop_->run_nowait();
  EXPECT_EQ(order, (std::vector{1}));
  EXPECT_FALSE(loop_->internals().mailbox().is_notified());
  loop_->run_nowait();
  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST_F(PlatformInRealTimeTest, TasksOfTheEngineDoNotBringThoseOfTheProgramForward) {
  ForegroundTasks queue;
  queue.PostNonNestableTask(std::make_unique<FunctionTask>([] {}));
  queue.PostNonNestableDelayedTask(std::make_unique<FunctionTask>([] {}), 1);
  queue.PostTask(std::make_unique<FunctionTask>([] {}));
  queue.PostDelayedTask(std::make_unique<FunctionTask>([] {}), 2);
  EXPECT_EQ(queue.take(true).size(), 1u);
  const std::vector<ForegroundTasks::Delayed> of_engine = queue.take_delayed(true);
  ASSERT_EQ(of_engine.size(), 1u);
  EXPECT_EQ(of_engine[0].delay, 2);
  EXPECT_EQ(queue.take().size(), 1u);
  EXPECT_EQ(queue.take_delayed().size(), 1u);
}

TEST_F(PlatformInRealTimeTest, ATaskThatTheProgramCausesNotifiesTheMailbox) {
  tasks().PostNonNestableTask(std::make_unique<FunctionTask>([] {}));
  EXPECT_TRUE(loop_->internals().mailbox().is_notified());
  loop_->run_nowait();
  const auto lower =
      testing::platform().GetForegroundTaskRunner(isolate(), v8::TaskPriority::kUserVisible);
  lower->PostNonNestableTask(std::make_unique<FunctionTask>([] {}));
  EXPECT_FALSE(loop_->internals().mailbox().is_notified());
}

TEST_F(PlatformTest, UrgentTasksAreReportedUntilTheyEnd) {
  std::atomic<int> count = 0;
  const ForegroundTasks::Notifier notifier{
      [](void* self, ForegroundTasks::Cause) { ++*static_cast<std::atomic<int>*>(self); }, &count};
  tasks().set_notifier(&notifier);
  Platform& platform = testing::platform();
  EXPECT_FALSE(platform.notify_when_work_ends(isolate()));
  std::promise<void> may_end;
  platform.PostTaskOnWorkerThread(
      v8::TaskPriority::kUserBlocking,
      std::make_unique<FunctionTask>([&may_end] { may_end.get_future().wait(); }));
  EXPECT_TRUE(platform.notify_when_work_ends(isolate()));
  EXPECT_TRUE(platform.notify_when_work_ends(isolate()));
  EXPECT_EQ(count, 0);
  may_end.set_value();
  while (platform.notify_when_work_ends(isolate())) std::this_thread::yield();
  while (count == 0) std::this_thread::yield();
  EXPECT_EQ(count, 1);
  tasks().set_notifier(nullptr);
}

TEST_F(PlatformTest, OtherTasksOfV8sThreadsAreNotWaitedFor) {
  Platform& platform = testing::platform();
  std::promise<void> may_end;
  std::promise<void> has_ended;
  platform.PostTaskOnWorkerThread(v8::TaskPriority::kUserVisible,
                                  std::make_unique<FunctionTask>([&may_end, &has_ended] {
                                    may_end.get_future().wait();
                                    has_ended.set_value();
                                  }));
  EXPECT_FALSE(platform.notify_when_work_ends(isolate()));
  may_end.set_value();
  has_ended.get_future().wait();
}

}  // namespace

}  // namespace rondo::runtime
