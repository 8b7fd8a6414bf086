#include "loop/pool/thread_pool.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "loop/pool/test_job.h"

namespace rondo {
namespace {

TEST(ThreadPool, POOL_01_SizeComesFromTheEnvironment) {
  EXPECT_EQ(ThreadPool::size_from(nullptr, nullptr), 4u);
  EXPECT_EQ(ThreadPool::size_from(nullptr, "7"), 7u);
  EXPECT_EQ(ThreadPool::size_from("2", "7"), 2u);
  EXPECT_EQ(ThreadPool::size_from("", "7"), 7u);
  EXPECT_EQ(ThreadPool::size_from("", ""), 4u);
  EXPECT_EQ(ThreadPool::size_from("0", nullptr), 1u);
  EXPECT_EQ(ThreadPool::size_from("1024", nullptr), 1024u);
  EXPECT_EQ(ThreadPool::size_from("1025", nullptr), 1024u);
  EXPECT_EQ(ThreadPool::size_from("99999999999999999999", nullptr), 1024u);
}

TEST(ThreadPool, POOL_01_AnInvalidSizeMeansFour) {
  for (const char* value : {"-1", "many", "4x", " 8", "8 ", "1e3", "0x10", "+3"}) {
    EXPECT_EQ(ThreadPool::size_from(value, "7"), 4u) << value;
    EXPECT_EQ(ThreadPool::size_from(nullptr, value), 4u) << value;
  }
}

TEST(ThreadPool, POOL_01_TheSharedPoolIsOnePerProcess) {
  ThreadPool& pool = ThreadPool::shared();
  EXPECT_EQ(&pool, &ThreadPool::shared());
  Collector collector;
  TestJob job(collector);
  pool.submit(job);
  EXPECT_EQ(collector.wait_for(1).front(), &job);
}

TEST(ThreadPool, WorkersDoNotPreemptTheThreadThatWakesThem) {
  if (::sched_getscheduler(0) != SCHED_OTHER) GTEST_SKIP() << "this process has its own policy";
  static int policy;
  ThreadPool pool(1);
  Collector collector;
  TestJob job(collector, [] { policy = ::sched_getscheduler(0); });
  pool.submit(job);
  collector.wait_for(1);
  EXPECT_EQ(policy, SCHED_BATCH);
  EXPECT_EQ(::sched_getscheduler(0), SCHED_OTHER) << "the thread that submitted it";
}

TEST(ThreadPool, POOL_02_WorkAndFinishRunOnTheSameNamedWorkerWithSignalsBlocked) {
  static std::thread::id worked, finished;
  static char name[16];
  static sigset_t mask;
  struct Job : PoolJob {
    Collector* collector = nullptr;
  } job;
  ThreadPool pool(3);
  Collector collector;
  job.collector = &collector;
  job.work = [](PoolJob&) {
    worked = std::this_thread::get_id();
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  };
  job.finish = [](PoolJob& self) {
    finished = std::this_thread::get_id();
    static_cast<Job&>(self).collector->post(self);
  };
  pool.submit(job);
  EXPECT_EQ(collector.wait_for(1).front(), &job);
  EXPECT_NE(worked, std::this_thread::get_id());
  EXPECT_EQ(worked, finished);
  EXPECT_EQ(name, "rondo-pool-" + std::to_string(job.worker()));
  EXPECT_LT(job.worker(), pool.size());
  EXPECT_TRUE(sigismember(&mask, SIGINT));
  EXPECT_TRUE(sigismember(&mask, SIGCHLD));
}

TEST(ThreadPool, POOL_02_AllWorkersWorkAtOnce) {
  ThreadPool pool(4);
  Blockers blockers(pool, 6);
  blockers.wait_until_running(4);
  EXPECT_EQ(pool.running(), 4u);
  EXPECT_EQ(pool.queued(), 2u);
}

TEST(ThreadPool, POOL_04_SlowJobsNeverOccupyEveryWorker) {
  for (unsigned size : {2u, 3u, 4u, 5u}) {
    ThreadPool pool(size);
    EXPECT_EQ(pool.slow_limit(), (size + 1) / 2);
    int limit = static_cast<int>(pool.slow_limit());
    Blockers slow(pool, 20, JobKind::slow);
    slow.wait_until_running(limit);
    // Fast jobs run in between, many times, and no further slow one starts meanwhile.
    Collector collector;
    TestJob fast(collector);
    for (int i = 0; i < 100; ++i) {
      pool.submit(fast);
      collector.wait_for(1);
    }
    EXPECT_EQ(slow.running(), limit);
    EXPECT_EQ(pool.queued(), static_cast<size_t>(20 - limit));
  }
}

TEST(ThreadPool, AwaitFinishingWaitsForWorkersThatStillPost) {
  ThreadPool pool(2);
  struct LingeringJob : TestJob {
    using TestJob::TestJob;
    Gate gate;
  };
  Collector collector;
  LingeringJob job(collector);
  job.finish = [](PoolJob& posted) {
    LingeringJob& self = static_cast<LingeringJob&>(posted);
    self.collector.post(self);
    self.gate.wait();  // The job is back with its owner, but the worker is still in its `finish`.
  };
  pool.submit(job);
  collector.wait_for(1);
  job.gate.wait_until_blocked(1);
  std::atomic<bool> is_over{false};
  std::thread waiter([&] {
    pool.await_finishing();
    is_over = true;
  });
  EXPECT_FALSE(is_over);
  job.gate.open();
  waiter.join();
  EXPECT_EQ(job.gate.waiting(), 0);
  pool.await_finishing();  // Nothing to wait for.
}

TEST(ThreadPool, POOL_04_AQueuedSlowJobIsCancelled) {
  ThreadPool pool(2);
  Blockers slow(pool, 1, JobKind::slow);
  slow.wait_until_running(1);
  Collector collector;
  TestJob job(collector);
  pool.submit(job, JobKind::slow);
  EXPECT_TRUE(pool.cancel(job));
  EXPECT_FALSE(pool.cancel(job));
}

TEST(ThreadPool, POOL_05_ASlowJobKeepsItsPlaceAmongFastOnes) {
  ThreadPool pool(1);
  Collector collector;
  std::string order;
  std::vector<std::unique_ptr<TestJob>> jobs;
  {
    Blockers blockers(pool, 1);
    blockers.wait_until_running(1);
    // A second slow job waits for the first one, and then goes to the end of the queue.
    for (const char letter : std::string("abScTd")) {
      jobs.push_back(std::make_unique<TestJob>(collector, [&order, letter] { order += letter; }));
      pool.submit(*jobs.back(), letter < 'a' ? JobKind::slow : JobKind::fast);
    }
  }
  collector.wait_for(6);
  EXPECT_EQ(order, "abScdT");
}

TEST(ThreadPool, POOL_04_FastJobsAreNotStarvedBySlowOnesInAPoolOfOne) {
  ThreadPool pool(1);
  EXPECT_EQ(pool.slow_limit(), 1u);
  Collector collector, fast_collector;
  bool fast_ran = false;
  int slow_ran_before = 0;
  std::vector<std::unique_ptr<TestJob>> jobs;
  TestJob fast(fast_collector, [&] { fast_ran = true; });
  {
    Blockers blockers(pool, 1);
    blockers.wait_until_running(1);
    for (int i = 0; i < 100; ++i) {
      jobs.push_back(std::make_unique<TestJob>(collector, [&] { slow_ran_before += !fast_ran; }));
      pool.submit(*jobs.back(), JobKind::slow);
    }
    pool.submit(fast);
  }
  collector.wait_for(100);
  fast_collector.wait_for(1);
  EXPECT_LE(slow_ran_before, 1);
}

TEST(ThreadPool, POOL_04_ARoomMadeByASlowJobIsUsedThoughItsWorkerTurnsToFastWork) {
  ThreadPool pool(2);
  Collector collector;
  Gate first, fast_gate;
  TestJob slow_1(collector, [&] { first.wait(); });
  TestJob slow_2(collector);
  TestJob fast_1(collector, [&] { fast_gate.wait(); });
  pool.submit(slow_1, JobKind::slow);
  first.wait_until_blocked(1);
  pool.submit(slow_2, JobKind::slow);
  // The other worker sleeps again, since no slow job may start. Then the first takes fast_1.
  pool.submit(fast_1);
  first.open();
  // The worker that took fast_1 is blocked; the other must run slow_2.
  collector.wait_for(2);
  EXPECT_EQ(slow_2.runs, 1);
  fast_gate.open();
  collector.wait_for(1);
}

TEST(ThreadPool, AnyNumberOfJobsMayBeQueuedAndTheyStartInOrder) {
  constexpr size_t kJobs = 100'000;
  ThreadPool pool(1);
  Collector collector;
  std::vector<std::unique_ptr<TestJob>> jobs;
  std::vector<size_t> order;
  order.reserve(kJobs);
  {
    Blockers blockers(pool, 1);
    blockers.wait_until_running(1);
    for (size_t i = 0; i < kJobs; ++i) {
      jobs.push_back(std::make_unique<TestJob>(collector, [&order, i] { order.push_back(i); }));
      pool.submit(*jobs.back());
    }
    EXPECT_EQ(pool.queued(), kJobs);
  }
  collector.wait_for(kJobs);
  ASSERT_EQ(order.size(), kJobs);
  for (size_t i = 0; i < kJobs; ++i) ASSERT_EQ(order[i], i);
  EXPECT_EQ(pool.queued(), 0u);
}

TEST(ThreadPool, ManyThreadsMaySubmit) {
  static constexpr size_t kThreads = 4, kEach = 5'000;
  ThreadPool pool(3);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&pool] {
      Collector collector;
      std::vector<std::unique_ptr<TestJob>> jobs;
      for (size_t i = 0; i < kEach; ++i) {
        jobs.push_back(std::make_unique<TestJob>(collector));
        pool.submit(*jobs.back(), i % 16 == 0 ? JobKind::slow : JobKind::fast);
      }
      EXPECT_EQ(collector.wait_for(kEach).size(), kEach);
      for (const auto& job : jobs) EXPECT_EQ(job->runs, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ThreadPool, NoWakeUpIsLostWhenWorkComesAsWorkersFallAsleep) {
  for (unsigned size : {1u, 2u, 4u}) {
    ThreadPool pool(size);
    Collector collector;
    TestJob a(collector), b(collector), c(collector);
    for (int round = 0; round < 5'000; ++round) {
      pool.submit(a);
      if (round % 2 == 0) pool.submit(b, round % 4 == 0 ? JobKind::slow : JobKind::fast);
      if (round % 3 == 0) pool.submit(c);
      collector.wait_for(1 + (round % 2 == 0) + (round % 3 == 0));
    }
  }
}

TEST(ThreadPool, JobsMaySubmitJobsFromWorkAndFromFinish) {
  struct Chain : PoolJob {
    ThreadPool* pool = nullptr;
    Collector* collector = nullptr;
    Chain* from_work = nullptr;
    int left = 0;
  };
  for (unsigned size : {1u, 3u}) {
    ThreadPool pool(size);
    Collector collector;
    Chain inner, outer;
    for (Chain* chain : {&inner, &outer}) {
      chain->pool = &pool;
      chain->collector = &collector;
      chain->work = [](PoolJob& job) {
        Chain& self = static_cast<Chain&>(job);
        if (self.from_work != nullptr) self.pool->submit(*std::exchange(self.from_work, nullptr));
      };
      chain->finish = [](PoolJob& job) {
        Chain& self = static_cast<Chain&>(job);
        if (self.left-- > 0) {
          self.pool->submit(self);
        } else {
          self.collector->post(self);
        }
      };
      chain->left = 1000;
    }
    outer.from_work = &inner;
    pool.submit(outer);
    collector.wait_for(2);
    EXPECT_EQ(inner.left, -1);
    EXPECT_EQ(outer.left, -1);
  }
}

TEST(ThreadPool, TheDestructorWaitsForTheRunningJob) {
  Collector collector;
  Gate gate;
  std::atomic<bool> is_done{false};
  TestJob job(collector, [&] {
    gate.wait();
    is_done = true;
  });
  std::thread opener;
  {
    ThreadPool pool(2);
    pool.submit(job);
    gate.wait_until_blocked(1);
    opener = std::thread([&] { gate.open(); });
  }
  EXPECT_TRUE(is_done);
  EXPECT_FALSE(collector.is_empty());
  opener.join();
}

TEST(ThreadPool, APoolThatWasNeverUsedStartsNoThreadAndIsDestroyed) {
  ThreadPool pool(ThreadPool::kMaxSize);
  EXPECT_EQ(pool.size(), 1024u);
  EXPECT_EQ(pool.running(), 0u);
  EXPECT_EQ(pool.queued(), 0u);
}

TEST(ThreadPool, PoolsComeAndGoWithTheirThreads) {
  for (int round = 0; round < 200; ++round) {
    Collector collector;
    TestJob jobs[3] = {TestJob(collector), TestJob(collector), TestJob(collector)};
    ThreadPool pool(3);
    for (TestJob& job : jobs) pool.submit(job);
    collector.wait_for(3);
  }
}

void destroy_a_pool_with_a_queued_job() {
  Collector collector;
  Gate gate;
  TestJob running(collector, [&] { gate.wait(); });
  TestJob queued(collector);
  ThreadPool pool(1);
  pool.submit(running);
  gate.wait_until_blocked(1);
  pool.submit(queued);
}

TEST(ThreadPoolDeathTest, DestroyingAPoolWithAQueuedJobAborts) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(destroy_a_pool_with_a_queued_job(), "holds_any");
}

}  // namespace
}  // namespace rondo
