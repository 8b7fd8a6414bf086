#include "loop/phases/poll.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "loop/async.h"
#include "support/backends.h"
#include "support/faults.h"
#include "support/pipes.h"
#include "support/readiness.h"
#include "support/sleeping_loop.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class PollPhaseTest : public ::testing::Test {
 protected:
  Owned<Readiness> ready(int fd, Nanos when, Readiness::OnReady on_ready) {
    auto readiness = loop_.make<Readiness>(fd);
    readiness->start(EPOLLIN, std::move(on_ready)).value();
    loop_.poller().at(when, fd, EPOLLIN);
    return readiness;
  }
  Nanos last_sleep() { return loop_.poller().sleeps().back(); }

  TestLoop loop_;
};

// --- How long it sleeps ---

TEST_F(PollPhaseTest, POL_01_SleepsUntilTheNextTimer) {
  auto timer = loop_.make<Timer>();
  timer->start(25ms, loop_.mark("timer"));
  EXPECT_EQ(loop_.run_once(), "timer");
  EXPECT_EQ(last_sleep(), 25ms);
}

TEST_F(PollPhaseTest, POL_01_SleepsWithoutLimitWhereThereIsNoTimer) {
  auto fd = ready(3, 1h, loop_.mark("fd"));
  EXPECT_EQ(loop_.run_once(), "fd");
  EXPECT_EQ(last_sleep(), kForever);
}

TEST_F(PollPhaseTest, POL_01_AnUnrefdTimerBoundsTheSleepToo) {
  auto fd = ready(3, 1h, loop_.mark("fd"));
  auto timer = loop_.make<Timer>();
  timer->start(25ms, loop_.mark("timer"));
  timer->unref();
  EXPECT_EQ(loop_.run_once(), "timer");
  EXPECT_EQ(last_sleep(), 25ms);
}

TEST_F(PollPhaseTest, POL_01_DoesNotSleepAfterStop) {
  auto timer = loop_.make<Timer>();
  auto prepare = loop_.make<Prepare>();
  timer->start(1h, nullptr);
  prepare->start([this](Hook&) { loop_->stop(); });
  loop_.run_once();
  EXPECT_EQ(last_sleep(), 0ns);
}

TEST_F(PollPhaseTest, POL_01_DoesNotSleepWhenNothingIsAlive) {
  auto fd = ready(3, 1h, loop_.mark("fd"));
  auto prepare = loop_.make<Prepare>();
  prepare->start([&](Hook& self) {
    fd->unref();
    self.stop();
  });
  EXPECT_EQ(loop_.run(), "");
  EXPECT_EQ(last_sleep(), 0ns);
}

TEST_F(PollPhaseTest, POL_01_DoesNotSleepForAHandleThatIsClosingOrAnImmediate) {
  auto timer = loop_.make<Timer>(), closing = loop_.make<Timer>();
  auto prepare = loop_.make<Prepare>();
  Immediate immediate(loop_);
  timer->start(1h, nullptr);
  prepare->start([&](Hook&) { closing->close(); });
  loop_.run_once();
  EXPECT_EQ(last_sleep(), 0ns);
  prepare->start([&](Hook& self) {
    immediate.set([] {});
    self.stop();
  });
  loop_.run_once();
  EXPECT_EQ(last_sleep(), 0ns);
  EXPECT_EQ(loop_.time(), 0ns);
  // Idle handles and pending callbacks: idle_test.cc (IDL-02) and pending_test.cc (PEN-03).
}

TEST_F(PollPhaseTest, POL_01_ATimerThatIsDueMeansNoSleep) {
  auto timer = loop_.make<Timer>();
  timer->start(0ms, loop_.mark("timer"));
  EXPECT_EQ(loop_.run_once(), "timer");
  EXPECT_EQ(last_sleep(), 0ns);
}

// --- What it runs ---

TEST_F(PollPhaseTest, RunsReadyEventsInTheKernelsOrder) {
  auto b = ready(5, 0ms, loop_.mark("b")), a = ready(3, 0ms, loop_.mark("a")),
       c = ready(4, 0ms, loop_.mark("c"));
  EXPECT_EQ(loop_.run_once(), "b a c");
}

TEST_F(PollPhaseTest, POL_02_PollsAgainAfterAFullBatchFortyEightTimesAtMost) {
  constexpr size_t kFull = PollPhase::kMostFullBatches * Poller::kBatch;
  size_t seen = 0;
  auto fd = ready(3, 0ms, [&seen](Readiness&, int32_t, uint32_t) { ++seen; });
  for (size_t i = 1; i < kFull + 10; ++i) loop_.poller().at(0ms, 3, EPOLLIN);
  auto timer = loop_.make<Timer>();
  auto check = loop_.make<Check>();
  timer->start(1h, nullptr);
  size_t seen_in_check = 0;
  check->start([&](Hook&) { seen_in_check = seen; });
  loop_.run_once();
  EXPECT_EQ(seen_in_check, kFull);  // Check ran, although there were more events.
  const std::vector<Nanos>& sleeps = loop_.poller().sleeps();
  ASSERT_EQ(sleeps.size(), size_t{PollPhase::kMostFullBatches});
  EXPECT_EQ(sleeps.front(), 1h);
  for (size_t i = 1; i < sleeps.size(); ++i) EXPECT_EQ(sleeps[i], 0ns);
  loop_.run_once();
  EXPECT_EQ(seen_in_check, kFull + 10);  // Nothing was lost.
}

TEST_F(PollPhaseTest, POL_02_DoesNotPollAgainAfterABatchThatWasNotFull) {
  size_t seen = 0;
  auto fd = ready(3, 0ms, [&seen](Readiness&, int32_t, uint32_t) { ++seen; });
  for (size_t i = 1; i < Poller::kBatch - 1; ++i) loop_.poller().at(0ms, 3, EPOLLIN);
  loop_.run_once();
  EXPECT_EQ(seen, Poller::kBatch - 1);
  EXPECT_EQ(loop_.poller().sleeps().size(), 1u);
}

TEST_F(PollPhaseTest, POL_02_AFullBatchIsNotFollowedByASleep) {
  size_t seen = 0;
  auto fd = ready(3, 0ms, [&seen](Readiness&, int32_t, uint32_t) { ++seen; });
  for (size_t i = 1; i < Poller::kBatch; ++i) loop_.poller().at(0ms, 3, EPOLLIN);
  loop_.run_once();
  EXPECT_EQ(seen, Poller::kBatch);
  EXPECT_EQ(loop_.poller().sleeps(), (std::vector<Nanos>{kForever, 0ns}));
}

TEST_F(PollPhaseTest, POL_03_WithNothingReadyAndAnImmediateWaitingCheckRuns) {
  auto fd = ready(3, 1h, loop_.mark("fd"));
  Immediate immediate(loop_);
  immediate.set(loop_.mark("immediate"));
  EXPECT_EQ(loop_.run_once(), "immediate");
  EXPECT_EQ(loop_.time(), 0ns);
}

TEST_F(PollPhaseTest, POL_04_WithoutReadyEventsItBlocksAndDeliversTheNextAtOnce) {
  Nanos ran_at{0};
  auto fd = ready(3, 1h, [&](Readiness& self, int32_t, uint32_t) {
    ran_at = self.loop().now();
    self.stop();
  });
  loop_.run();
  EXPECT_EQ(ran_at, 1h);
  EXPECT_EQ(loop_->metrics().turns, 1u);
}

TEST_F(PollPhaseTest, POL_05_ATimerThatFallsDueEndsPollAndCheckAndClosingStillRun) {
  auto timer = loop_.make<Timer>(), closing = loop_.make<Timer>();
  auto fd = ready(3, 1h, loop_.mark("fd"));
  Immediate immediate(loop_);
  immediate.unref();
  immediate.set([&] {
    loop_.log("check");
    closing->close(loop_.mark("closing"));
  });
  timer->start(5ms, loop_.mark("timer"));
  EXPECT_EQ(loop_.run_once(), "check closing timer");
  EXPECT_EQ(loop_.time(), 5ms);
}

TEST_F(PollPhaseTest, POL_06_ACallbackStopsClosesAndDropsHandlesOfTheSameBatch) {
  Owned<Readiness> stopped, closed, dropped;
  auto first = ready(3, 0ms, boxed([&](Readiness& self, int32_t, uint32_t) {
                       loop_.log("first");
                       stopped->stop();
                       closed->close(loop_.mark("closed"));
                       dropped.reset();
                       self.stop();
                     }));
  stopped = ready(4, 0ms, loop_.mark("stopped"));
  closed = ready(5, 0ms, loop_.mark("never"));
  dropped = ready(6, 0ms, loop_.mark("never"));
  auto last = ready(7, 0ms, loop_.mark("last"));
  EXPECT_EQ(loop_.run_once(), "first last closed");
}

TEST_F(PollPhaseTest, POL_06_AHandleStoppedAndStartedAgainInTheBatchWaitsForANewEvent) {
  Owned<Readiness> second;
  auto first = ready(3, 0ms, [&](Readiness&, int32_t, uint32_t) {
    loop_.log("first");
    second->stop();
    second->start(EPOLLIN, loop_.mark("second again")).value();
  });
  second = ready(4, 0ms, loop_.mark("second"));
  EXPECT_EQ(loop_.run_once(), "first");
  loop_.poller().at(0ms, 4, EPOLLIN);
  EXPECT_EQ(loop_.run_once(), "second again");
}

TEST_F(PollPhaseTest, POL_06_ACallbackClosesItself) {
  auto fd = ready(3, 0ms, [this](Readiness& self, int32_t, uint32_t) {
    loop_.log("fd");
    self.close(loop_.mark("closed"));
  });
  loop_.poller().at(0ms, 3, EPOLLIN);  // A second event in the same batch.
  EXPECT_EQ(loop_.run(), "fd closed");
}

TEST_F(PollPhaseTest, POL_06_AnEarlierPhaseClosesWhatWouldBeReady) {
  auto fd = ready(3, 0ms, loop_.mark("never"));
  auto prepare = loop_.make<Prepare>();
  prepare->start([&](Hook& self) {
    fd.reset();
    self.stop();
  });
  EXPECT_EQ(loop_.run(), "");
}

TEST_F(PollPhaseTest, POL_07_AnInterruptedSleepIsSleptToItsEnd) {
  auto timer = loop_.make<Timer>();
  Nanos ran_at{0};
  timer->start(10ms, [&](Timer&) { ran_at = loop_->now(); });
  loop_.poller().interrupt_after(3ms);
  loop_.run_once();
  EXPECT_EQ(ran_at, 10ms);
  EXPECT_EQ(loop_.poller().sleeps(), (std::vector<Nanos>{10ms, 7ms}));
  EXPECT_EQ(loop_->metrics().turns, 1u);
}

TEST_F(PollPhaseTest, POL_07_AnEventWithoutAWatchIsASpuriousWakeUp) {
  // The event is in the batch when its handle is destroyed; nothing else is there to run.
  auto timer = loop_.make<Timer>();
  auto check = loop_.make<Check>();
  auto fd = loop_.make<Readiness>(3);
  ASSERT_TRUE(fd->start(EPOLLIN, loop_.mark("fd")));
  fd->stop();
  timer->start(10ms, loop_.mark("timer"));
  check->start(loop_.mark("check"));
  loop_.poller().at(4ms, 3, EPOLLIN);
  EXPECT_EQ(loop_.run_once(), "check timer");
  EXPECT_EQ(loop_.time(), 10ms);
}

// --- The same with a kernel poller ---

class PollBackendTest : public BackendTest {
 protected:
  PollBackendTest() {
    options_.backend = GetParam();
    for (const char* call : {"epoll_wait", "epoll_pwait2", "io_uring_enter"})
      waits_.push_back(call);
  }
  void fail_waits(FaultPlan& faults, int error, FaultPlan::When when) {
    for (const char* call : waits_) faults.fail(call, error, when);
  }
  std::vector<const char*> waits_;
  LoopOptions options_;
};

TEST_P(PollBackendTest, POL_07_InterruptedWaitsAreAbsorbed) {
  Loop loop(std::move(options_));
  auto timer = loop.make<Timer>();
  const Nanos began = loop.now();
  Nanos ran_at{0};
  timer->start(5ms, [&](Timer& self) { ran_at = self.loop().now(); });
  FaultPlan faults;
  fail_waits(faults, EINTR, {.times = 5});
  loop.run_once();
  EXPECT_GE(ran_at - began, 5ms);
  EXPECT_EQ(loop.metrics().turns, 1u);
}

TEST_P(PollBackendTest, POL_07_SignalsDoNotEndASleepEarly) {
  Loop loop(std::move(options_));
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};
  ::sigaction(SIGUSR1, &action, &before);
  auto timer = loop.make<Timer>();
  const Nanos began = loop.now();
  Nanos ran_at{0};
  timer->start(30ms, [&](Timer& self) { ran_at = self.loop().now(); });
  const pthread_t here = ::pthread_self();
  std::thread pest([here] {
    for (int i = 0; i < 10; ++i) {
      std::this_thread::sleep_for(1ms);
      ::pthread_kill(here, SIGUSR1);
    }
  });
  loop.run_once();
  pest.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_GE(ran_at - began, 30ms);
  EXPECT_EQ(loop.metrics().turns, 1u);
}

TEST_P(PollBackendTest, TIM_02_RealTimersNeverRunEarly) {
  Loop loop(std::move(options_));
  std::vector<Owned<Timer>> timers;
  for (int i = 0; i < 50; ++i) {
    timers.push_back(loop.make<Timer>());
    timers.back()->start(i * 150us, [due = loop.now() + i * 150us](Timer& self) {
      EXPECT_GE(self.loop().now(), due);
      EXPECT_GE(RealClock::instance().now(), due);
    });
  }
  loop.run();
  EXPECT_EQ(loop.metrics().lag.count(), 50u);
}

TEST_P(PollBackendTest, TIM_10_ASleepOfAgesIsClampedToWhatTheSystemCallTakes) {
  for (const Nanos delay : {Nanos{Nanos::max().count() - 1}, Nanos{std::chrono::hours{24 * 365}},
                            Nanos{std::chrono::hours{24 * 49}}}) {
    LoopOptions options;
    options.backend = GetParam();
    Loop loop(std::move(options));
    auto timer = loop.make<Timer>();
    timer->start(delay, [](Timer&) { ADD_FAILURE() << "ages have passed"; });
    bool woken = false;
    auto async = loop.make<Async>([&woken](Async&) { woken = true; });
    std::thread sender([&async, &loop] {
      await_idle(loop);
      async->send();
    });
    loop.run_once();
    sender.join();
    EXPECT_TRUE(woken);
    EXPECT_GT(loop.metrics().idle, 0ns);
  }
}

TEST_P(PollBackendTest, POL_04_BlocksUntilADescriptorIsReady) {
  Loop loop(std::move(options_));
  Pipe pipe;
  auto readiness = loop.make<Readiness>(pipe.out.get());
  std::string seen;
  ASSERT_TRUE(readiness->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t events) {
    EXPECT_EQ(events & EPOLLIN, uint32_t{EPOLLIN});
    seen = drain(self.fd());
    self.stop();
  }));
  std::thread writer([&pipe] {
    std::this_thread::sleep_for(2ms);
    EXPECT_EQ(::write(pipe.in.get(), "late", 4), 4);
  });
  EXPECT_FALSE(loop.run());
  writer.join();
  EXPECT_EQ(seen, "late");
}

TEST_P(PollBackendTest, POL_08_MailComesWhereItsDescriptorBecameReady) {
  Loop loop(std::move(options_));
  std::string order;
  Pipe before, after;
  auto first = loop.make<Readiness>(before.out.get());
  auto last = loop.make<Readiness>(after.out.get());
  auto async = loop.make<Async>([&order](Async& self) {
    order += "mail ";
    self.close();
  });
  ASSERT_TRUE(first->start(EPOLLIN, [&order](Readiness& self, int32_t, uint32_t) {
    order += "first ";
    self.close();
  }));
  ASSERT_TRUE(last->start(EPOLLIN, [&order](Readiness& self, int32_t, uint32_t) {
    order += "last ";
    self.close();
  }));
  loop.run_nowait();  // All of them are registered with the kernel now.
  ASSERT_EQ(::write(before.in.get(), "x", 1), 1);
  async->send();
  ASSERT_EQ(::write(after.in.get(), "x", 1), 1);
  loop.run_once();
  EXPECT_EQ(order, "first mail last ");
  loop.run();
}

TEST_P(PollBackendTest, POL_06_AReusedDescriptorNumberGetsNoEventOfItsForerunner) {
  // Both pipes are ready. The first callback closes the second's descriptor and opens a new one,
  // which has the same number and nothing to read.
  Loop loop(std::move(options_));
  auto first = std::make_unique<Pipe>(), second = std::make_unique<Pipe>();
  std::unique_ptr<Pipe> reused;
  std::array<Owned<Readiness>, 3> handles;
  std::string log;
  struct State {
    Loop& loop;
    std::unique_ptr<Pipe>&first, &second, &reused;
    std::array<Owned<Readiness>, 3>& handles;
    std::string& log;
  } state{loop, first, second, reused, handles, log};
  const auto swap = [&state](Readiness& self, int32_t, uint32_t) {
    state.log += "swap ";
    self.stop();
    const bool is_first = &self == state.handles[0].get();
    Owned<Readiness>& other = state.handles[is_first ? 1 : 0];
    std::unique_ptr<Pipe>& other_pipe = is_first ? state.second : state.first;
    const int number = other->fd();
    other.reset();
    other_pipe.reset();
    state.reused = std::make_unique<Pipe>();
    ASSERT_TRUE(state.reused->out.get() == number || state.reused->in.get() == number);
    state.handles[2] = state.loop.make<Readiness>(state.reused->out.get());
    ASSERT_TRUE(state.handles[2]->start(
        EPOLLIN, [&log = state.log](Readiness&, int32_t, uint32_t) { log += "reused "; }));
  };
  handles[0] = loop.make<Readiness>(first->out.get());
  handles[1] = loop.make<Readiness>(second->out.get());
  ASSERT_TRUE(handles[0]->start(EPOLLIN, swap));
  ASSERT_TRUE(handles[1]->start(EPOLLIN, swap));
  ASSERT_EQ(::write(first->in.get(), "x", 1), 1);
  ASSERT_EQ(::write(second->in.get(), "x", 1), 1);
  for (int i = 0; i < 5; ++i) loop.run_nowait();
  EXPECT_EQ(log, "swap ");
  ASSERT_EQ(::write(reused->in.get(), "y", 1), 1);
  loop.run_once();
  EXPECT_EQ(log, "swap reused ");
}

TEST_P(PollBackendTest, POL_02_MoreReadyDescriptorsThanABatchAllGetTheirCallback) {
  constexpr size_t kPipes = Poller::kBatch + 200;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < 2 * kPipes + 64) {
    rlimit more = limit;
    more.rlim_cur = std::min<rlim_t>(limit.rlim_max, 2 * kPipes + 64);
    ::setrlimit(RLIMIT_NOFILE, &more);
    if (more.rlim_cur < 2 * kPipes + 64) GTEST_SKIP() << "SKIPPED: too few descriptors allowed";
  }
  Loop loop(std::move(options_));
  std::vector<Pipe> pipes(kPipes);
  std::vector<Owned<Readiness>> handles;
  size_t seen = 0;
  for (Pipe& pipe : pipes) {
    handles.push_back(loop.make<Readiness>(pipe.out.get()));
    ASSERT_TRUE(handles.back()->start(EPOLLIN, [&seen](Readiness& self, int32_t, uint32_t) {
      // Level-triggered, and drained: no callback without data.
      EXPECT_EQ(drain(self.fd()), "x");
      ++seen;
    }));
    ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  }
  loop.run_once();
  EXPECT_EQ(seen, kPipes);  // In one poll.
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(seen, kPipes);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

RONDO_PER_BACKEND(PollBackendTest);

}  // namespace
}  // namespace rondo
