// A ThreadPool on both sides of a fork.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "loop/pool/test_job.h"
#include "loop/pool/thread_pool.h"

namespace rondo {
namespace {

#if defined(RONDO_TSAN)
constexpr bool kCanFork = false;  // TSan allows a forked child no threads.
#else
constexpr bool kCanFork = true;
#endif
// ASan allocates memory for a new thread from its own allocator, whose locks g++ 12's does not
// handle across a fork: a child forked at that moment would deadlock when it starts a thread. So
// under ASan the workers are started before the first fork; running jobs allocates nothing.
#if defined(RONDO_ASAN)
constexpr bool kCanForkWhileThreadsStart = false;
#else
constexpr bool kCanForkWhileThreadsStart = true;
#endif

// Runs `child` in a forked process; true if it returned true.
bool succeeds_in_child(const std::function<bool()>& child) {
  pid_t pid = fork();
  if (pid == 0) _exit(child() ? 0 : 1);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ThreadPool, AForkedChildHasFreshWorkersAndForgetsTheParentsJobs) {
  if (!kCanFork) GTEST_SKIP() << "TSan allows a forked child no threads";
  ThreadPool pool(2);
  Collector collector;
  std::vector<std::unique_ptr<TestJob>> jobs;
  Blockers blockers(pool, 2);
  blockers.wait_until_running(2);
  for (int i = 0; i < 6'000; ++i) {
    jobs.push_back(std::make_unique<TestJob>(collector));
    pool.submit(*jobs.back(), i % 100 == 0 ? JobKind::slow : JobKind::fast);
  }
  EXPECT_TRUE(succeeds_in_child([&] {
    if (pool.queued() != 0 || pool.running() != 0) return false;
    Collector mine;
    for (int round = 0; round < 3; ++round) {
      TestJob fast(mine), slow(mine);
      pool.submit(fast);
      pool.submit(slow, JobKind::slow);
      mine.wait_for(2);
      if (fast.runs != 1 || slow.runs != 1) return false;
    }
    for (const auto& job : jobs) {
      if (pool.cancel(*job) || job->runs != 0) return false;
    }
    return true;
  }));
  // The parent continues normally.
  EXPECT_EQ(pool.queued(), 6'000u);
  blockers.release();
  EXPECT_EQ(collector.wait_for(6'000).size(), 6'000u);
}

TEST(ThreadPool, TheSharedPoolWorksInAForkedChildAndInTheChildsChild) {
  if (!kCanFork) GTEST_SKIP() << "TSan allows a forked child no threads";
  auto runs_a_job = [] {
    Collector collector;
    TestJob job(collector);
    ThreadPool::shared().submit(job);
    collector.wait_for(1);
    return job.runs == 1;
  };
  EXPECT_TRUE(runs_a_job());
  EXPECT_TRUE(succeeds_in_child([&] { return runs_a_job() && succeeds_in_child(runs_a_job); }));
  EXPECT_TRUE(runs_a_job());
}

TEST(ThreadPool, ForkingWhileTheWorkersAreBusyLeavesTheChildAWorkingPool) {
  if (!kCanFork) GTEST_SKIP() << "TSan allows a forked child no threads";
  ThreadPool pool(3);
  if (!kCanForkWhileThreadsStart) Blockers(pool, 3).wait_until_running(3);
  Collector collector;
  std::vector<std::unique_ptr<TestJob>> jobs;
  jobs.reserve(5'000);
  for (int i = 0; i < 5'000; ++i) jobs.push_back(std::make_unique<TestJob>(collector));
  for (int round = 0; round < 20; ++round) {
    for (size_t i = 0; i < jobs.size(); ++i) {
      pool.submit(*jobs[i], i % 8 == 0 ? JobKind::slow : JobKind::fast);
    }
    EXPECT_TRUE(succeeds_in_child([&] {
      Collector mine;
      TestJob fast(mine), slow(mine);
      pool.submit(fast);
      pool.submit(slow, JobKind::slow);
      return mine.wait_for(2).size() == 2;
    }));
    collector.wait_for(jobs.size());
  }
}

}  // namespace
}  // namespace rondo
