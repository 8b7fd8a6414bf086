// A ThreadPool that cannot start all its threads.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "loop/pool/test_job.h"
#include "loop/pool/thread_pool.h"

namespace rondo {
namespace {

#if defined(RONDO_ASAN) || defined(RONDO_TSAN)
constexpr bool kCanLimit = false;
#else
constexpr bool kCanLimit = true;
#endif

constexpr size_t kStack = size_t{8} << 20;

// From now on this process gets at most `bytes` more of address space, which thread stacks need. (A
// limit of processes would not apply to root.)
void limit_address_space(size_t bytes) {
  rlimit stack{kStack, RLIM_INFINITY};
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &stack), 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_setattr_default_np(&attributes);
  size_t pages = 0;
  FILE* file = std::fopen("/proc/self/statm", "r");
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(std::fscanf(file, "%zu", &pages), 1);
  std::fclose(file);
  size_t now = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  rlimit space{now + bytes, now + bytes};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &space), 0);
}

void submit_without_room_for_a_thread() {
  Collector collector;
  TestJob fast(collector), slow(collector), later(collector);
  ThreadPool pool(4);
  limit_address_space(kStack / 2);
  pool.submit(fast);
  pool.submit(slow, JobKind::slow);
  pool.submit(later);
  collector.wait_for(3);
  _exit(42);
}

TEST(ThreadPoolDeathTest, APoolThatCannotStartAnyThreadRunsTheJobsInTheCallersThread) {
  if (!kCanLimit) GTEST_SKIP() << "sanitizers need the address space";
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(submit_without_room_for_a_thread(), testing::ExitedWithCode(42), "");
}

void work_with_fewer_threads() {
  Collector collector;
  std::vector<std::unique_ptr<TestJob>> jobs;
  jobs.reserve(1000);
  for (int i = 0; i < 1000; ++i) jobs.push_back(std::make_unique<TestJob>(collector));
  ThreadPool pool(16);
  limit_address_space(3 * kStack);
  int most = 0;
  {
    // Those that could be started are blocked now; the other jobs wait for them.
    Blockers blockers(pool, 16);
    blockers.wait_until_running(1);
    for (auto& job : jobs) pool.submit(*job);
    blockers.release();
  }
  for (PoolJob* job : collector.wait_for(jobs.size())) {
    most = std::max(most, static_cast<int>(job->worker()));
  }
  _exit(most < 4 ? 42 : 1);
}

TEST(ThreadPoolDeathTest, APoolWorksWithThoseThreadsThatCouldBeStarted) {
  if (!kCanLimit) GTEST_SKIP() << "sanitizers need the address space";
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(work_with_fewer_threads(), testing::ExitedWithCode(42), "");
}

}  // namespace
}  // namespace rondo
