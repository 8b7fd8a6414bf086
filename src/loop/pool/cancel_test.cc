// Cancelling queued jobs of a ThreadPool.
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "loop/pool/test_job.h"
#include "loop/pool/thread_pool.h"

namespace rondo {
namespace {

TEST(ThreadPool, POOL_03_AQueuedJobIsCancelledThoughAllWorkersAreBusy) {
  ThreadPool pool(2);
  Blockers blockers(pool, 2);
  blockers.wait_until_running(2);
  Collector collector;
  {
    TestJob job(collector);
    pool.submit(job);
    EXPECT_EQ(pool.queued(), 1u);
    EXPECT_TRUE(pool.cancel(job));
    EXPECT_FALSE(pool.cancel(job));
    EXPECT_EQ(pool.queued(), 0u);
    // We own it again: it may be submitted again, or destroyed.
    pool.submit(job);
    EXPECT_TRUE(pool.cancel(job));
    EXPECT_EQ(job.runs, 0);
  }
  blockers.release();
  TestJob after(collector);
  pool.submit(after);
  EXPECT_EQ(collector.wait_for(1).front(), &after);
}

TEST(ThreadPool, POOL_03_ARunningJobIsNotCancelled) {
  ThreadPool pool(1);
  Collector collector;
  Gate gate;
  TestJob job(collector, [&] { gate.wait(); });
  pool.submit(job);
  gate.wait_until_blocked(1);
  EXPECT_FALSE(pool.cancel(job));
  gate.open();
  EXPECT_EQ(collector.wait_for(1).front(), &job);
  EXPECT_EQ(job.runs, 1);
}

TEST(ThreadPool, POOL_03_AFinishedJobIsNotCancelled) {
  ThreadPool pool(1);
  Collector collector;
  TestJob job(collector), other(collector);
  pool.submit(job);
  collector.wait_for(1);
  EXPECT_FALSE(pool.cancel(job));
  // Not even after other jobs have used its slot.
  for (int i = 0; i < 10'000; ++i) {
    pool.submit(other);
    collector.wait_for(1);
  }
  EXPECT_FALSE(pool.cancel(job));
}

TEST(ThreadPool, POOL_03_AJobNeverSubmittedIsNotCancelled) {
  ThreadPool pool(1);
  Collector collector;
  TestJob job(collector);
  EXPECT_FALSE(pool.cancel(job));
}

TEST(ThreadPool, POOL_03_CancelledJobsInTheMiddleLeaveTheOthersInOrder) {
  ThreadPool pool(1);
  Collector collector;
  std::vector<int> order;
  std::vector<std::unique_ptr<TestJob>> jobs;
  {
    Blockers blockers(pool, 1);
    blockers.wait_until_running(1);
    for (int i = 0; i < 100; ++i) {
      jobs.push_back(std::make_unique<TestJob>(collector, [&order, i] { order.push_back(i); }));
      pool.submit(*jobs.back());
    }
    for (size_t i = 0; i < 100; i += 2) EXPECT_TRUE(pool.cancel(*jobs[i]));
  }
  collector.wait_for(50);
  ASSERT_EQ(order.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], 2 * i + 1);
}

TEST(ThreadPool, POOL_03_CancelAgainstStartHasExactlyOneWinner) {
  ThreadPool pool(2);
  Collector collector;
  int cancelled = 0, ran = 0;
  for (int round = 0; round < 20'000; ++round) {
    TestJob job(collector);
    pool.submit(job, round % 4 == 3 ? JobKind::slow : JobKind::fast);
    std::atomic<int> spin{0};
    while (spin.fetch_add(1, std::memory_order_relaxed) < round % 200) {
    }
    if (pool.cancel(job)) {
      ASSERT_EQ(job.runs, 0);
      ++cancelled;
    } else {
      ASSERT_EQ(collector.wait_for(1).front(), &job);
      ASSERT_EQ(job.runs, 1);
      ++ran;
    }
  }
  EXPECT_EQ(cancelled + ran, 20'000);
  EXPECT_TRUE(collector.is_empty());
}

TEST(ThreadPool, POOL_03_JobsBeyondTheRingAreCancelledWhileTheyMoveIntoIt) {
  constexpr size_t kJobs = 30'000;
  ThreadPool pool(2);
  Collector collector;
  std::vector<std::unique_ptr<TestJob>> jobs;
  size_t cancelled = 0;
  {
    Blockers blockers(pool, 2);
    blockers.wait_until_running(2);
    for (size_t i = 0; i < kJobs; ++i) {
      jobs.push_back(std::make_unique<TestJob>(collector));
      pool.submit(*jobs.back());
    }
    // Every third while the pool is blocked, the others in a race with the workers.
    for (size_t i = 0; i < kJobs; i += 3) {
      ASSERT_TRUE(pool.cancel(*jobs[i]));
      jobs[i].reset();
      ++cancelled;
    }
  }
  for (size_t i = 0; i < kJobs; ++i) {
    TestJob* job = jobs[kJobs - 1 - i].get();
    if (job == nullptr || !pool.cancel(*job)) continue;
    jobs[kJobs - 1 - i].reset();
    ++cancelled;
  }
  if (cancelled < kJobs) {
    for (PoolJob* job : collector.wait_for(kJobs - cancelled)) {
      EXPECT_EQ(static_cast<TestJob*>(job)->runs, 1);
    }
  }
}

TEST(ThreadPool, POOL_03_AnyNumberOfCancelledJobsLeavesRoomForMore) {
  ThreadPool pool(1);
  Collector collector;
  TestJob kept(collector), job(collector);
  {
    Blockers blockers(pool, 1);
    blockers.wait_until_running(1);
    // More than the ring has cells, none of which is freed before the worker is.
    for (int i = 0; i < 10'000; ++i) {
      pool.submit(job);
      ASSERT_TRUE(pool.cancel(job));
    }
    pool.submit(kept);
    EXPECT_EQ(pool.queued(), 1u);
  }
  EXPECT_EQ(collector.wait_for(1).front(), &kept);
}

}  // namespace
}  // namespace rondo
