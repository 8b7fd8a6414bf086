#include "runtime/platform.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "runtime/testing.h"

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
  void post(std::function<void()> run) {
    testing::platform().GetForegroundTaskRunner(isolate())->PostTask(
        std::make_unique<FunctionTask>(std::move(run)));
  }
};

TEST_F(PlatformTest, TasksWaitUntilTheyAreAskedFor) {
  int runs = 0;
  post([&runs] { ++runs; });
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(testing::platform().run_tasks(isolate()));
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(testing::platform().run_tasks(isolate()));
}

TEST_F(PlatformTest, ATaskOfATaskRunsAsWell) {
  int runs = 0;
  post([this, &runs] { post([&runs] { ++runs; }); });
  testing::platform().run_tasks(isolate());
  EXPECT_EQ(runs, 1);
}

TEST_F(PlatformTest, TheBellRingsOnceForEachTaskFromAnyThread) {
  std::atomic<int> rings = 0;
  const ForegroundTasks::Bell bell{[](void* count) { ++*static_cast<std::atomic<int>*>(count); },
                                   &rings};
  testing::platform().set_bell(isolate(), &bell);
  post([] {});
  std::thread([this] { post([] {}); }).join();
  EXPECT_EQ(rings, 2);
  testing::platform().set_bell(isolate(), nullptr);
  post([] {});
  EXPECT_EQ(rings, 2);
  testing::platform().run_tasks(isolate());
}

TEST_F(PlatformTest, ATaskWakesTheLoopThatSleeps) {
  // The engine's own bell: the loop has nothing else to wake up for, and would sleep for good.
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

}  // namespace

}  // namespace rondo::runtime
