// Looking before it sleeps: what comes meanwhile, and that nothing is lost between looking and
// sleeping.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "loop/async.h"
#include "loop/loop.h"
#include "support/backends.h"
#include "support/pipes.h"
#include "support/readiness.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class PollLookTest : public BackendTest {
 protected:
  PollLookTest() { options_.backend = GetParam(); }

  LoopOptions options_;
};

class Spinning {
 public:
  explicit Spinning(const char* microseconds) { ::setenv("RONDO_SPIN", microseconds, 1); }
  ~Spinning() { ::unsetenv("RONDO_SPIN"); }
};

TEST_P(PollLookTest, POL_04_WhatComesWhileTheLoopLooksRunsAtOnce) {
  const Spinning spinning("10000");
  Loop loop(std::move(options_));
  auto timer = loop.make<Timer>();
  timer->start(1h, [](Timer&) { ADD_FAILURE() << "an hour has passed"; });
  Pipe pipe;
  std::string seen;
  auto readiness = loop.make<Readiness>(pipe.out.get());
  ASSERT_TRUE(readiness->start(
      EPOLLIN, [&seen](Readiness& self, int32_t, uint32_t) { seen += drain(self.fd()); }));
  auto async = loop.make<Async>([&seen](Async&) { seen += "letter "; });
  const auto when_idle = [&loop](auto action) {
    const Nanos before = loop.metrics().idle;
    std::thread other([&loop, before, action] {
      while (loop.idle_time(RealClock::instance().now()) == before) std::this_thread::yield();
      action();
    });
    loop.run_once();
    other.join();
    EXPECT_GT(loop.metrics().idle, before);
  };
  when_idle([&pipe] { EXPECT_EQ(::write(pipe.in.get(), "bytes ", 6), 6); });
  when_idle([&async] { async->send(); });
  EXPECT_EQ(seen, "bytes letter ");
}

TEST_P(PollLookTest, POL_05_ATimerThatIsDueSoonerThanItLooksEndsThePoll) {
  const Spinning spinning("10000");
  Loop loop(std::move(options_));
  auto timer = loop.make<Timer>();
  bool is_over = false;
  timer->start(1ms, [&is_over](Timer&) { is_over = true; });
  EXPECT_FALSE(loop.run());
  EXPECT_TRUE(is_over);
}

// To and fro between two loops, which look, do not look for a while, and sleep, in turn.
TEST_P(PollLookTest, POL_04_NoLetterIsLostHoweverLongLoopsLook) {
  for (const char* microseconds : {"0", "5", "100", "not a number"}) {
    const Spinning spinning(microseconds);
    constexpr int kRounds = 500;
    LoopOptions theirs;
    theirs.backend = GetParam();
    Loop near(LoopOptions{.backend = GetParam()});
    Loop far(std::move(theirs));
    Async* to_far = nullptr;
    int rounds = 0;
    auto to_near = near.make<Async>([&rounds, &to_far](Async& self) {
      if (++rounds == kRounds) self.close();
      to_far->send();
    });
    auto far_end = far.make<Async>([&rounds, &to_near](Async& self) {
      if (rounds == kRounds) {
        self.close();
      } else {
        to_near->send();
      }
    });
    to_far = far_end.get();
    std::thread other([&far] { far.run(); });
    to_near->send();
    near.run();
    other.join();
    EXPECT_EQ(rounds, kRounds);
  }
}

RONDO_PER_BACKEND(PollLookTest);

}  // namespace
}  // namespace rondo
