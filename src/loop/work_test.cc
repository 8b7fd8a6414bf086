#include "loop/work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "loop/internals.h"
#include "loop/pool/test_job.h"
#include "support/backends.h"
#include "support/sleeping_loop.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class WorkTest : public BackendTest {
 protected:
  LoopOptions options(ThreadPool& pool) const {
    LoopOptions options;
    options.backend = GetParam();
    options.pool = &pool;
    return options;
  }
};

TEST_P(WorkTest, POOL_02_WorksOnAWorkerAndComesBackInPollOnTheLoopsThread) {
  ThreadPool pool(2);
  Loop loop(options(pool));
  const std::thread::id here = std::this_thread::get_id();
  std::thread::id worked_on, done_on;
  Phase phase = Phase::none;
  Work work(loop);
  work.submit([&] { worked_on = std::this_thread::get_id(); },
              [&](Work& self, Result<void> outcome) {
                EXPECT_TRUE(outcome);
                EXPECT_FALSE(self.is_pending());
                done_on = std::this_thread::get_id();
                phase = self.loop().phase();
              });
  EXPECT_TRUE(work.is_pending());
  EXPECT_EQ(loop.active_requests(), 1u);
  EXPECT_FALSE(loop.run());
  EXPECT_NE(worked_on, std::thread::id());
  EXPECT_NE(worked_on, here);
  EXPECT_EQ(done_on, here);
  EXPECT_EQ(phase, Phase::poll);
  EXPECT_EQ(loop.active_requests(), 0u);
}

TEST_P(WorkTest, FS_02_ATripIsQueuedBehindJobsThatCameMeanwhile) {
  ThreadPool pool(1);
  Loop loop(options(pool));
  std::string order;
  int times_worked = 0;
  Work many(loop), one(loop), two(loop);
  many.submit(
      [&] {
        ++times_worked;
        many.add_trips(2);
      },
      [&](Work&, Result<void>) { order += "many "; });
  one.submit([] {},
             [&](Work&, Result<void>) {
               order += "one ";
               two.submit([] {}, [&](Work&, Result<void>) { order += "two "; });
             });
  EXPECT_EQ(loop.internals().jobs_in_flight(), 2u);
  loop.run();
  EXPECT_EQ(order, "one two many ");
  EXPECT_EQ(times_worked, 1);
  EXPECT_EQ(loop.internals().jobs_in_flight(), 0u);
}

TEST_P(WorkTest, FS_02_ATripTakesATurnAlsoWhereNothingElseIsInFlight) {
  ThreadPool pool(1);
  Loop loop(options(pool));
  Work work(loop);
  bool is_done = false;
  int turns = 0;
  work.add_trips(3);
  work.submit([] {}, [&](Work&, Result<void>) { is_done = true; });
  while (pool.running() > 0 || pool.queued() > 0) std::this_thread::yield();
  while (!is_done) {
    loop.run_nowait();
    ++turns;
  }
  EXPECT_GE(turns, 4);
}

TEST_P(WorkTest, FS_02_ATripCannotBeCancelled) {
  ThreadPool pool(1);
  Loop loop(options(pool));
  Work work(loop), other(loop);
  Result<void> cancelled;
  work.add_trips(2);
  work.submit([] {}, [&](Work&, Result<void> outcome) { EXPECT_TRUE(outcome); });
  other.submit([] {}, [&](Work&, Result<void>) { cancelled = work.cancel(); });
  loop.run();
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, EBUSY);
}

TEST_P(WorkTest, POOL_02_DataOfTheWorkerIsVisibleToTheCallbackAndBack) {
  ThreadPool pool(2);
  Loop loop(options(pool));
  Work work(loop);
  int value = 0, rounds = 0;
  std::function<void()> again = [&] {
    work.submit([&] { ++value; },
                [&](Work&, Result<void>) {
                  EXPECT_EQ(value, 2 * rounds + 1);
                  ++value;
                  if (++rounds < 1000) again();
                });
  };
  again();
  loop.run();
  EXPECT_EQ(value, 2000);
}

TEST_P(WorkTest, ManyJobsAllComeBack) {
  ThreadPool pool(4);
  Loop loop(options(pool));
  std::vector<std::unique_ptr<Work>> works;
  std::atomic<int> worked{0};
  int done = 0;
  for (int i = 0; i < 5000; ++i) {
    works.push_back(std::make_unique<Work>(loop));
    works.back()->submit([&worked] { ++worked; }, [&done](Work&, Result<void>) { ++done; });
  }
  loop.run();
  EXPECT_EQ(worked, 5000);
  EXPECT_EQ(done, 5000);
}

TEST_P(WorkTest, POOL_03_QueuedWorkCanBeCancelledAndItsCallbackGetsECANCELED) {
  ThreadPool pool(1);
  Loop loop(options(pool));
  Blockers blockers(pool, 1);
  blockers.wait_until_running(1);
  bool worked = false, in_cancel = true;
  int code = 0;
  Phase phase = Phase::none;
  Work work(loop);
  work.submit([&] { worked = true; }, boxed([&](Work& self, Result<void> outcome) {
                EXPECT_FALSE(in_cancel);  // Never inside cancel().
                EXPECT_FALSE(outcome);
                code = outcome.error().code;
                phase = self.loop().phase();
              }));
  EXPECT_TRUE(work.cancel());
  in_cancel = false;
  EXPECT_TRUE(work.is_pending());
  EXPECT_EQ(work.cancel().error().code, EBUSY);  // The second call fails.
  loop.run();                                    // However busy the worker is.
  EXPECT_EQ(code, ECANCELED);
  EXPECT_EQ(phase, Phase::poll);
  EXPECT_FALSE(worked);
  blockers.release();
}

TEST_P(WorkTest, POOL_03_WorkThatRunsIsNotCancelled) {
  ThreadPool pool(1);
  Loop loop(options(pool));
  Gate gate;
  Work work(loop);
  bool done = false;
  EXPECT_EQ(work.cancel().error().code, EINVAL);  // Never submitted.
  work.submit([&] { gate.wait(); },
              [&](Work&, Result<void> outcome) {
                EXPECT_TRUE(outcome);
                done = true;
              });
  gate.wait_until_blocked(1);
  EXPECT_EQ(work.cancel().error().code, EBUSY);
  gate.open();
  loop.run();
  EXPECT_TRUE(done);
  EXPECT_EQ(work.cancel().error().code, EINVAL);
}

TEST_P(WorkTest, POOL_03_CancellingWhileWorkersTakeJobsReportsEachJobOnce) {
  ThreadPool pool(3);
  Loop loop(options(pool));
  struct Counts {
    std::atomic<int> worked{0};
    int done = 0, cancelled = 0;
  } counts;
  int accepted = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<Work>> works;
    for (int i = 0; i < 200; ++i) {
      works.push_back(std::make_unique<Work>(loop));
      works.back()->submit(
          [&counts] { ++counts.worked; },
          [&counts](Work&, Result<void> outcome) { ++(outcome ? counts.done : counts.cancelled); });
    }
    for (auto& work : works) accepted += work->cancel().has_value();
    loop.run();
  }
  EXPECT_EQ(counts.cancelled, accepted);
  EXPECT_EQ(counts.worked, counts.done);
  EXPECT_EQ(counts.done + counts.cancelled, 4000);
}

TEST_P(WorkTest, ACallbackMayFreeItsWorkOrSubmitItAgain) {
  ThreadPool pool(2);
  Loop loop(options(pool));
  auto freed = std::make_unique<Work>(loop);
  freed->submit([] {}, [&freed](Work&, Result<void>) { freed.reset(); });
  Work again(loop);
  int runs = 0;
  again.submit([] {},
               [&runs](Work& self, Result<void>) {
                 ++runs;
                 self.submit([] {}, [&runs](Work&, Result<void>) { ++runs; }, JobKind::slow);
               });
  loop.run();
  EXPECT_EQ(freed, nullptr);
  EXPECT_EQ(runs, 2);
}

TEST_P(WorkTest, POOL_01_LoopsShareAPool) {
  ThreadPool pool(2);
  std::vector<std::thread> threads;
  std::atomic<int> done{0};
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      Loop loop(options(pool));
      std::vector<std::unique_ptr<Work>> works;
      const std::thread::id here = std::this_thread::get_id();
      for (int n = 0; n < 200; ++n) {
        works.push_back(std::make_unique<Work>(loop));
        works.back()->submit([] {},
                             [&done, here](Work&, Result<void>) {
                               EXPECT_EQ(std::this_thread::get_id(), here);
                               ++done;
                             });
      }
      loop.run();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 600);
}

TEST_P(WorkTest, AJobThatFinishesWhileTheLoopSleepsWakesIt) {
  ThreadPool pool(1);
  Loop loop(options(pool));
  Work work(loop);
  bool done = false;
  work.submit([&loop] { await_idle(loop); }, [&](Work&, Result<void>) { done = true; });
  loop.run_once();
  EXPECT_TRUE(done);
  EXPECT_GT(loop.metrics().idle, 0ns);
}

RONDO_PER_BACKEND(WorkTest);

TEST(WorkDeathTest, DestroyingWorkThatIsInFlightAborts) {
#if defined(RONDO_TSAN)
  GTEST_SKIP() << "SKIPPED: the misuse is a race, and ThreadSanitizer reports it first";
#endif
  EXPECT_DEATH(
      {
        ThreadPool pool(1);
        LoopOptions options;
        options.pool = &pool;
        Loop loop(std::move(options));
        Work work(loop);
        work.submit([] {}, nullptr);
      },
      "a request was destroyed while its operation was in flight");
}

TEST(WorkDeathTest, SubmittingTwiceAborts) {
#if defined(RONDO_TSAN)
  GTEST_SKIP() << "SKIPPED: the misuse is a race, and ThreadSanitizer reports it first";
#endif
  EXPECT_DEATH(
      {
        Loop loop;
        Work work(loop);
        work.submit([] {}, nullptr);
        work.submit([] {}, nullptr);
      },
      "is_pending");
}

TEST(WorkDeathTest, EndingTheLoopWithWorkInFlightAborts) {
  EXPECT_DEATH(
      {
        auto loop = std::make_unique<Loop>();
        Work work(*loop);
        work.submit([] {}, nullptr);
        loop.reset();
      },
      "requests are in flight");
}

}  // namespace
}  // namespace rondo
