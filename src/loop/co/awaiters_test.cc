#include "loop/co/awaiters.h"

#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "base/co/when.h"
#include "base/co/with_token.h"
#include "support/virtual_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A pool of one worker that a test can keep busy.
class BusyPool {
 public:
  explicit BusyPool() {
    job_.pool = this;
    job_.work = [](PoolJob& job) {
      BusyPool& self = *static_cast<Job&>(job).pool;
      self.begun_.release();
      self.go_.acquire();
    };
    job_.finish = [](PoolJob& job) { static_cast<Job&>(job).pool->ended_.release(); };
  }
  void block() {
    pool.submit(job_);
    begun_.acquire();
  }
  void unblock() {
    go_.release();
    ended_.acquire();
  }

  ThreadPool pool{1};

 private:
  struct Job final : PoolJob {
    BusyPool* pool;
  };
  Job job_;
  std::binary_semaphore begun_{0}, go_{0}, ended_{0};
};

std::string name_of(const Result<void>& result) { return result ? "ok" : result.error().name(); }

TEST(Sleep, LastsExactlyItsDurationInVirtualTime) {
  VirtualLoop v;
  auto nap = [](Loop& loop) -> Task<Nanos> {
    const Nanos from = loop.now();
    for (int i = 0; i < 10; ++i) co_await loop.sleep(1h);
    co_return loop.now() - from;
  };
  EXPECT_EQ(v.loop.run_task(nap(v.loop)), 10h);
}

TEST(Sleep, ComesBackInTheTimersPhaseInsideACallback) {
  RecordingTrace trace;
  VirtualClock clock;
  Loop loop(LoopOptions{.clock = &clock, .trace = &trace});
  auto nap = [](Loop& on) -> Task<std::string> {
    std::string phases = phase_name(on.phase());
    co_await on.sleep(5ms);
    phases += std::string(" ") + phase_name(on.phase());
    co_await on.yield();
    phases += std::string(" ") + phase_name(on.phase());
    EXPECT_TRUE(co_await on.work([] {}));
    phases += std::string(" ") + phase_name(on.phase());
    co_return phases;
  };
  EXPECT_EQ(loop.run_task(nap(loop)), "none timers check poll");
  EXPECT_EQ(trace.order(), "timers:timer check:immediate poll:work");
  EXPECT_EQ(trace.first_nesting_error(), "");
}

TEST(Sleep, FallsInWithTimersByDueTimeThenByStart) {
  VirtualLoop v;
  std::string log;
  auto nap = [](Loop& loop, Nanos delay, char name, std::string& to) -> Task<void> {
    co_await loop.sleep(delay);
    to += name;
  };
  Owned<Timer> timers[3] = {v.loop.make<Timer>(), v.loop.make<Timer>(), v.loop.make<Timer>()};
  timers[0]->start(2ms, [&](Timer&) { log += '1'; });
  v.loop.spawn(nap(v.loop, 2ms, 'a', log));
  v.loop.spawn(nap(v.loop, 1ms, 'b', log));
  timers[1]->start(2ms, [&](Timer&) { log += '2'; });
  timers[2]->start(1ms, [&](Timer&) { log += '3'; });
  v.loop.run();
  EXPECT_EQ(log, "b31a2");
}

TEST(Sleep, ZeroStillLetsTheLoopTurn) {
  VirtualLoop v;
  auto naps = [](Loop& loop) -> Task<uint64_t> {
    const uint64_t from = loop.metrics().turns;
    for (int i = 0; i < 10; ++i) co_await loop.sleep(0ms);
    co_return loop.metrics().turns - from;
  };
  EXPECT_GE(v.loop.run_task(naps(v.loop)), 9u);
}

TEST(Sleep, CancelledWhileSleepingItEndsAtOnce) {
  VirtualLoop v;
  CancelSource source;
  auto nap = [](Loop& loop) -> Task<std::string> { co_return name_of(co_await loop.sleep(1h)); };
  auto timer = v.loop.make<Timer>();
  bool is_inside = false;
  timer->start(5ms, [&](Timer&) {
    is_inside = true;
    source.cancel();
    is_inside = false;
  });
  auto watched = [&](Loop& loop) -> Task<std::string> {
    std::string seen = co_await nap(loop);
    EXPECT_FALSE(is_inside);  // Never inside cancel().
    co_return seen;
  };
  EXPECT_EQ(v.loop.run_task(watched(v.loop), source.token()), "ECANCELED");
  EXPECT_EQ(v.loop.now(), 5ms);
}

TEST(Sleep, CancelledBeforehandItNeverSleeps) {
  VirtualLoop v;
  CancelSource source;
  source.cancel();
  auto nap = [](Loop& loop) -> Task<std::string> {
    std::string seen = name_of(co_await loop.sleep(1h));
    seen += " " + name_of(co_await loop.yield());
    co_return seen;
  };
  EXPECT_EQ(v.loop.run_task(nap(v.loop), source.token()), "ECANCELED ECANCELED");
  EXPECT_EQ(v.loop.now(), 0ms);
}

TEST(Sleep, CancelledByAnEarlierCallbackOfItsOwnPhaseItIsCancelled) {
  VirtualLoop v;
  CancelSource source;
  auto timer = v.loop.make<Timer>();
  timer->start(5ms, [&](Timer&) { source.cancel(); });
  auto nap = [](Loop& loop) -> Task<std::string> { co_return name_of(co_await loop.sleep(5ms)); };
  EXPECT_EQ(v.loop.run_task(nap(v.loop), source.token()), "ECANCELED");
}

TEST(Sleep, CancelledWhenItIsOverNothingHappens) {
  VirtualLoop v;
  CancelSource source;
  auto nap = [](Loop& loop, CancelSource& cancels) -> Task<std::string> {
    std::string seen = name_of(co_await loop.sleep(5ms));
    cancels.cancel();
    co_return seen;
  };
  EXPECT_EQ(v.loop.run_task(nap(v.loop, source), source.token()), "ok");
}

TEST(Sleep, ALoopOfSleepsEndsWhenItIsCancelled) {
  VirtualLoop v;
  CancelSource source;
  auto timer = v.loop.make<Timer>();
  timer->start(95ms, [&](Timer&) { source.cancel(); });
  auto tick = [](Loop& loop) -> Task<int> {
    int ticks = 0;
    for (;;) {
      const Slept slept = co_await loop.sleep(10ms);
      if (!slept) break;
      ++ticks;
    }
    co_return ticks;
  };
  EXPECT_EQ(v.loop.run_task(tick(v.loop), source.token()), 9);
}

TEST(Sleep, ATaskThatIgnoresCancellationDoesNotHoldTheLoopUp) {
  VirtualLoop v;
  CancelSource source;
  source.cancel();
  bool is_over = false;
  auto timer = v.loop.make<Timer>();
  timer->start(1ms, [&](Timer&) { is_over = true; });
  auto stubborn = [](Loop& loop, VirtualClock& clock, bool& over) -> Task<void> {
    while (!over) {
      co_await loop.sleep(1h);
      clock.advance(10us);
    }
  };
  v.loop.run_task(stubborn(v.loop, v.clock, is_over), source.token());
  EXPECT_TRUE(is_over);
}

TEST(Yield, LetsReadyCallbacksRunFirst) {
  VirtualLoop v;
  std::string log;
  auto polite = [](Loop& loop, char name, std::string& to) -> Task<void> {
    for (int i = 0; i < 3; ++i) {
      to += name;
      co_await loop.yield();
    }
  };
  v.loop.spawn(polite(v.loop, 'a', log));
  v.loop.spawn(polite(v.loop, 'b', log));
  v.loop.run();
  EXPECT_EQ(log, "ababab");
}

TEST(Work, POOL_02_RunsOnAWorkerAndComesBackToTheLoop) {
  Loop loop;
  auto compute = [](Loop& on) -> Task<std::string> {
    const std::thread::id here = std::this_thread::get_id();
    Result<std::thread::id> there = co_await on.work([] { return std::this_thread::get_id(); });
    EXPECT_EQ(std::this_thread::get_id(), here);
    co_return *there == here ? "same" : "another";
  };
  EXPECT_EQ(loop.run_task(compute(loop)), "another");
}

TEST(Work, GivesWhatTheFunctionReturns) {
  Loop loop;
  auto compute = [](Loop& on) -> Task<std::string> {
    int side_effect = 0;
    Result<void> nothing = co_await on.work([&] { side_effect = 3; });
    Result<std::unique_ptr<int>> box = co_await on.work([] { return std::make_unique<int>(4); });
    Result<int> failed = co_await on.work([]() -> Result<int> { return Error{EIO, "disk"}; });
    co_return name_of(nothing) + std::to_string(side_effect) + std::to_string(**box) +
        failed.error().name();
  };
  EXPECT_EQ(loop.run_task(compute(loop)), "ok34EIO");
}

TEST(Work, POOL_03_CancelledInTheQueueItNeverRuns) {
  BusyPool busy;
  busy.block();
  Loop loop(LoopOptions{.pool = &busy.pool});
  CancelSource source;
  bool has_run = false;
  auto compute = [](Loop& on, bool& ran) -> Task<std::string> {
    co_return name_of(co_await on.work([&] { ran = true; }));
  };
  auto timer = loop.make<Timer>();
  timer->start(0ms, [&](Timer&) { source.cancel(); });
  EXPECT_EQ(loop.run_task(compute(loop, has_run), source.token()), "ECANCELED");
  busy.unblock();
  EXPECT_FALSE(has_run);
}

TEST(Work, CancelledWhileItRunsItIsAwaitedAndItsValueKept) {
  Loop loop;
  CancelSource source;
  std::binary_semaphore begun{0}, go{0};
  auto compute = [&](Loop& on) -> Task<std::string> {
    Result<int> value = co_await on.work([&] {
      begun.release();
      go.acquire();
      return 7;
    });
    co_return value ? std::to_string(*value) : value.error().name();
  };
  auto timer = loop.make<Timer>();
  timer->start(0ms, [&](Timer&) {
    begun.acquire();
    source.cancel();
    go.release();
  });
  EXPECT_EQ(loop.run_task(compute(loop), source.token()), "7");
}

TEST(Work, CancelledBeforehandItIsNotEvenQueued) {
  Loop loop;
  CancelSource source;
  source.cancel();
  auto compute = [](Loop& on) -> Task<std::string> {
    co_return name_of(co_await on.work([] { ADD_FAILURE() << "ran"; }));
  };
  EXPECT_EQ(loop.run_task(compute(loop), source.token()), "ECANCELED");
  EXPECT_EQ(loop.metrics().turns, 0u);
}

TEST(Work, CancelledWhenItIsDoneNothingHappens) {
  Loop loop;
  CancelSource source;
  auto compute = [](Loop& on, CancelSource& cancels) -> Task<int> {
    Result<int> value = co_await on.work([] { return 1; });
    cancels.cancel();
    co_return *value;
  };
  EXPECT_EQ(loop.run_task(compute(loop, source), source.token()), 1);
}

TEST(Work, ManyInFlightAllComeBack) {
  Loop loop;
  auto square = [](Loop& on, int n) -> Task<int> {
    Result<int> value = co_await on.work([n] { return n * n; });
    co_return *value;
  };
  auto all = [&](Loop& on) -> Task<long> {
    std::vector<Task<int>> tasks;
    for (int n = 0; n < 1000; ++n) tasks.push_back(square(on, n));
    long sum = 0;
    for (const int value : co_await when_all(std::move(tasks))) sum += value;
    co_return sum;
  };
  EXPECT_EQ(loop.run_task(all(loop)), 332833500);
}

TEST(RunTask, ATaskThatNeedNotWaitNeedsNoTurn) {
  Loop loop;
  auto quick = []() -> Task<int> { co_return 3; };
  EXPECT_EQ(loop.run_task(quick()), 3);
  EXPECT_EQ(loop.metrics().turns, 0u);
  // Nothing is left that would end the next run early.
  bool has_run = false;
  Immediate immediate(loop);
  immediate.set([&] { has_run = true; });
  loop.run();
  EXPECT_TRUE(has_run);
}

TEST(RunTask, EndsWithItsTaskAndLeavesTheRest) {
  VirtualLoop v;
  auto timer = v.loop.make<Timer>();
  bool has_fired = false;
  timer->start(1h, [&](Timer&) { has_fired = true; });
  auto nap = [](Loop& loop) -> Task<void> { co_await loop.sleep(1ms); };
  v.loop.run_task(nap(v.loop));
  EXPECT_FALSE(has_fired);
  v.loop.run();
  EXPECT_TRUE(has_fired);
}

TEST(RunTask, AnUnrelatedStopDoesNotEndIt) {
  VirtualLoop v;
  auto timer = v.loop.make<Timer>();
  timer->start(1ms, [&](Timer&) { v.loop.stop(); });
  auto nap = [](Loop& loop) -> Task<int> {
    co_await loop.sleep(5ms);
    co_return 1;
  };
  EXPECT_EQ(v.loop.run_task(nap(v.loop)), 1);
}

TEST(RunTask, ATaskHasItsLoop) {
  Loop loop;
  auto find = []() -> Task<Loop*> {
    Loop& found = co_await current_loop();
    co_return &found;
  };
  auto outer = [&]() -> Task<Loop*> { co_return co_await find(); };
  EXPECT_EQ(loop.run_task(outer()), &loop);
}

TEST(RunTask, AMillionYieldsAndCallbacksMix) {
  VirtualLoop v;
  auto many = [](Loop& loop) -> Task<int> {
    int count = 0;
    for (int i = 0; i < 100'000; ++i) {
      co_await loop.yield();
      ++count;
    }
    co_return count;
  };
  EXPECT_EQ(v.loop.run_task(many(v.loop)), 100'000);
}

TEST(RunTaskDeathTest, ATaskThatWaitsForeverAborts) {
  Loop loop;
  auto stuck = []() -> Task<void> { co_await std::suspend_always{}; };
  EXPECT_DEATH(loop.run_task(stuck()), "nothing left to do");
}

TEST(RunTaskDeathTest, RunningALoopInsideATaskAborts) {
  VirtualLoop v;
  auto quick = [](Loop& loop) -> Task<void> { co_await loop.sleep(1ms); };
  auto nested = [&](Loop& loop) -> Task<void> {
    co_await loop.sleep(1ms);
    loop.run_task(quick(loop));
  };
  EXPECT_DEATH(v.loop.run_task(nested(v.loop)), "inside a callback");
}

TEST(CurrentLoopDeathTest, WithoutALoopAborts) {
  auto lost = []() -> Task<void> { (void)co_await current_loop(); };
  Task<void> task = lost();
  EXPECT_DEATH(task.start({}, nullptr,
                          [](void*, std::coroutine_handle<>) { return std::coroutine_handle<>(); }),
               "not run by a loop");
}

}  // namespace
}  // namespace rondo
