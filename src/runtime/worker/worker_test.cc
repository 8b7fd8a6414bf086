#include "runtime/worker/worker.h"

#include <gtest/gtest.h>

#include <atomic>

#include "runtime/engine/testing.h"

namespace rondo::runtime {
namespace {

class WorkerTest : public ::testing::Test {
 protected:
  void prepare(const std::string& program) {
    made_ = make_snapshot({{"internal/bootstrap/realm", testing::mini_lib(program)}},
                          testing::kBindings);
    commons_.snapshot = made_.blob;
    commons_.bindings = testing::kBindings;
    commons_.clock = &RealClock::instance();
  }

  std::unique_ptr<Worker> make(double old_mb = 0) {
    WorkerOptions options;
    options.limits.old_mb = old_mb;
    options.realm.watchdog.warns = false;
    options.realm.worker = WorkerRealm{1, nullptr};
    return std::make_unique<Worker>(
        commons_, std::move(options),
        Port::Notifier{[](void* self) { ++*static_cast<std::atomic<int>*>(self); }, &ends_});
  }

  Commons commons_{testing::platform()};
  SnapshotResult made_;
  std::atomic<int> ends_{0};
};

TEST_F(WorkerTest, RunsToItsEndAndNotifiesOnce) {
  prepare("");
  const auto worker = make();
  ASSERT_TRUE(worker->start());
  worker->join();
  EXPECT_EQ(worker->exit_code(), 0);
  EXPECT_EQ(worker->failure(), Worker::Failure::none);
  EXPECT_EQ(ends_, 1);
}

TEST_F(WorkerTest, ItsExitIsItsOwn) {
  prepare("exit(7);");
  const auto worker = make();
  ASSERT_TRUE(worker->start());
  worker->join();
  EXPECT_EQ(worker->exit_code(), 7);
}

TEST_F(WorkerTest, AnEndlessLoopCanBeStopped) {
  prepare("for (;;);");
  const auto worker = make();
  ASSERT_TRUE(worker->start());
  Worker::LoopTimes times;
  while (!worker->read_times(&times)) std::this_thread::yield();
  worker->stop(3);
  worker->join();
  EXPECT_EQ(worker->exit_code(), 3);
  EXPECT_FALSE(worker->read_times(&times));
}

TEST_F(WorkerTest, OneWithoutRoomForTheRuntimeRunsNothing) {
  prepare("exit(7);");
  const auto worker = make(2);
  ASSERT_TRUE(worker->start());
  worker->join();
  EXPECT_EQ(worker->exit_code(), 1);
  EXPECT_EQ(worker->failure(), Worker::Failure::out_of_memory);
}

TEST_F(WorkerTest, StoppedBeforeItBeganItRunsNothing) {
  prepare("exit(7);");
  const auto worker = make();
  worker->stop(1);
  ASSERT_TRUE(worker->start());
  worker->join();
  EXPECT_EQ(worker->exit_code(), 0);
}

TEST_F(WorkerTest, ManyAreDroppedWhereverTheyAre) {
  prepare("let n = 0; for (let i = 0; i < 1e7; i++) n += i;");
  for (int i = 0; i < 20; ++i) {
    const auto worker = make();
    ASSERT_TRUE(worker->start());
    for (int k = 0; k < i * 100; ++k) std::this_thread::yield();
  }
  EXPECT_EQ(ends_, 20);
}

}  // namespace
}  // namespace rondo::runtime
