#include "runtime/engine/worker_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <latch>
#include <thread>

namespace rondo::runtime {

namespace {

using enum v8::TaskPriority;

class FunctionTask final : public v8::Task {
 public:
  explicit FunctionTask(std::function<void()> run) : run_(std::move(run)) {}
  void Run() override { run_(); }

 private:
  std::function<void()> run_;
};

std::unique_ptr<v8::Task> task(std::function<void()> run) {
  return std::make_unique<FunctionTask>(std::move(run));
}

// Each call of Run() does one unit of work.
class CountingJob final : public v8::JobTask {
 public:
  CountingJob(std::atomic<int>& done, int units) : done_(done), left_(units) {}
  void Run(v8::JobDelegate*) override {
    while (left_.fetch_sub(1) > 0) ++done_;
  }
  size_t GetMaxConcurrency(size_t) const override {
    return static_cast<size_t>(std::max(left_.load(), 0));
  }

 private:
  std::atomic<int>& done_;
  std::atomic<int> left_;
};

TEST(WorkerThreadsTest, OneThreadStartsAtOnceTheOthersWhenTasksWait) {
  std::latch all_run(3);
  WorkerThreads threads(3);
  EXPECT_EQ(threads.NumberOfWorkerThreads(), 3);
  EXPECT_EQ(threads.started(), 1);
  for (int i = 0; i < 3; ++i) {
    threads.PostTaskOnWorkerThread(kUserVisible, task([&] { all_run.arrive_and_wait(); }));
  }
  all_run.wait();
  EXPECT_EQ(threads.started(), 3);
}

TEST(WorkerThreadsTest, NeverMoreThreadsThanTheLimit) {
  std::atomic<int> runs = 0;
  {
    std::latch done(100);
    WorkerThreads threads(2);
    for (int i = 0; i < 100; ++i) {
      threads.PostTaskOnWorkerThread(kUserVisible, task([&] {
                                       ++runs;
                                       done.count_down();
                                     }));
    }
    done.wait();
    EXPECT_LE(threads.started(), 2);
  }
  EXPECT_EQ(runs, 100);
}

TEST(WorkerThreadsTest, UrgentTasksRunFirst) {
  std::promise<void> may_begin;
  std::string order;
  std::latch done(3);
  WorkerThreads threads(1);
  const auto add = [&](char name) {
    return task([&order, &done, name] {
      order += name;
      done.count_down();
    });
  };
  threads.PostTaskOnWorkerThread(kUserVisible, task([&] { may_begin.get_future().wait(); }));
  threads.PostTaskOnWorkerThread(kBestEffort, add('c'));
  threads.PostTaskOnWorkerThread(kUserVisible, add('b'));
  threads.PostTaskOnWorkerThread(kUserBlocking, add('a'));
  may_begin.set_value();
  done.wait();
  EXPECT_EQ(order, "abc");
}

TEST(WorkerThreadsTest, DelayedTasksRunWhenTheyAreDue) {
  std::string order;
  std::promise<void> done;
  WorkerThreads threads(1);
  threads.PostDelayedTaskOnWorkerThread(kUserVisible, task([&] {
                                          order += "20";
                                          done.set_value();
                                        }),
                                        0.02);
  threads.PostDelayedTaskOnWorkerThread(kUserVisible, task([&] { order += "10 "; }), 0.01);
  done.get_future().wait();
  EXPECT_EQ(order, "10 20");
}

// AddressSanitizer detects a thread that uses the time of a task which another thread has released.
TEST(WorkerThreadsTest, SeveralThreadsWaitForTheSameDelayedTasks) {
  constexpr int kThreads = 3;
  std::latch all_started(kThreads);
  WorkerThreads threads(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.PostTaskOnWorkerThread(kUserVisible, task([&] { all_started.arrive_and_wait(); }));
  }
  all_started.wait();
  for (int round = 0; round < 20; ++round) {
    std::latch all_run(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.PostDelayedTaskOnWorkerThread(kUserVisible, task([&] { all_run.count_down(); }),
                                            0.001);
    }
    all_run.wait();
  }
}

TEST(WorkerThreadsTest, TheEndFreesTasksThatHaveNotBegun) {
  auto owned = std::make_shared<int>(0);
  {
    WorkerThreads threads(1);
    threads.PostDelayedTaskOnWorkerThread(kUserVisible, task([owned] { ++*owned; }), 3600);
    threads.PostDelayedTaskOnWorkerThread(kUserVisible, task([owned] { ++*owned; }), 1e300);
  }
  EXPECT_EQ(*owned, 0);
  EXPECT_EQ(owned.use_count(), 1);
}

TEST(WorkerThreadsTest, JobsUseTheThreadsAndTheOneThatJoins) {
  std::atomic<int> done = 0;
  WorkerThreads threads(4);
  threads.PostJob(kUserVisible, std::make_unique<CountingJob>(done, 1000))->Join();
  EXPECT_EQ(done, 1000);
}

}  // namespace

}  // namespace rondo::runtime
