// The events that poll waits for under virtual time, and how long. Sockets:
// src/io/net/local_connections_test.cc.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "loop/async.h"
#include "loop/loop.h"
#include "loop/work.h"
#include "support/sleeping_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A handle with a given result of awaits(). It never calls back.
class Waiting final : public Handle {
 public:
  Waiting(Loop& loop, Awaits awaits) : Handle(loop, "waiting"), awaits_(awaits) {}
  void start() { activate(); }
  void stop() { deactivate(); }
  Awaits awaits() const override { return is_active() ? awaits_ : Awaits::nothing; }

 private:
  void on_closing() override { deactivate(); }
  const Awaits awaits_;
};

struct Virtual {
  VirtualClock clock;
  Loop loop{{.clock = &clock}};
  std::string log;
};

// The real time of a run.
template <class F>
Nanos measured(F&& run) {
  const Nanos began = RealClock::instance().now();
  run();
  return RealClock::instance().now() - began;
}

TEST(PollVirtual, JumpsToTheNextTimerIfNothingElseCanCome) {
  Virtual here;
  auto first = here.loop.make<Timer>();
  auto second = here.loop.make<Timer>();
  first->start(10h, [&here](Timer&) { here.log += std::to_string(here.clock.now() / 1h) + " "; });
  second->start(30h, [&here](Timer&) { here.log += std::to_string(here.clock.now() / 1h); });
  const Nanos took = measured([&here] { here.loop.run(); });
  EXPECT_EQ(here.log, "10 30");
  EXPECT_EQ(here.clock.now(), 30h);
  EXPECT_LT(took, 10h);
}

TEST(PollVirtual, AJobUnderWayStopsTheClock) {
  Virtual here;
  auto timer = here.loop.make<Timer>();
  timer->start(1ms, [&here](Timer&) { here.log += "timer"; });
  Work work(here.loop);
  work.submit([] { std::this_thread::sleep_for(30ms); },
              [&here](Work&, Result<void>) {
                EXPECT_EQ(here.clock.now(), 0ns);
                here.log += "job ";
              });
  here.loop.run();
  EXPECT_EQ(here.log, "job timer");
  EXPECT_EQ(here.clock.now(), 1ms);
}

TEST(PollVirtual, ASignalDoesNotMakeItImpatientWithAJob) {
  static std::atomic<int> interruptions;
  interruptions = 0;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { ++interruptions; };
  ::sigaction(SIGUSR1, &action, &before);
  Virtual here;
  auto timer = here.loop.make<Timer>();
  timer->start(1ms, [&here](Timer&) { here.log += "timer"; });
  std::atomic<bool> may_end{false};
  Work work(here.loop);
  work.submit([&may_end] { may_end.wait(false); },
              [&here](Work&, Result<void>) { here.log += "job "; });
  const SleepingLoop sleeping(here.loop);
  std::thread pest([&may_end, &sleeping, loop = ::pthread_self()] {
    for (int i = 1; i <= 3; ++i) {
      sleeping.await();
      ::pthread_kill(loop, SIGUSR1);
      while (interruptions < i) std::this_thread::yield();
    }
    sleeping.await();
    may_end = true;
    may_end.notify_all();
  });
  here.loop.run();
  pest.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(here.log, "job timer");
  EXPECT_EQ(here.clock.now(), 1ms);
}

TEST(PollVirtual, UnexpectedEventsDoNotStopTheClock) {
  Virtual here;
  auto waiting = here.loop.make<Waiting>(Awaits::nothing);
  waiting->start();
  auto timer = here.loop.make<Timer>();
  timer->start(1h, [&waiting](Timer&) { waiting->stop(); });
  here.loop.run();
  EXPECT_EQ(here.clock.now(), 1h);
}

TEST(PollVirtual, WhileWaitingForOutsideEventsTimePassesInRealTime) {
  Virtual here;
  auto waiting = here.loop.make<Waiting>(Awaits::outside);
  waiting->start();
  auto timer = here.loop.make<Timer>();
  timer->start(40ms, [&waiting](Timer&) { waiting->stop(); });
  const Nanos took = measured([&here] { here.loop.run(); });
  EXPECT_EQ(here.clock.now(), 40ms);
  EXPECT_GE(took, 39ms);
}

TEST(PollVirtual, AMessageOfAnotherThreadArrivesAtAWholeMillisecond) {
  Virtual here;
  auto waiting = here.loop.make<Waiting>(Awaits::outside);
  waiting->start();
  Nanos came{-1};
  auto async = here.loop.make<Async>([&](Async& self) {
    came = here.clock.now();
    waiting->stop();
    self.unref();
  });
  auto timer = here.loop.make<Timer>();
  timer->start(1h, [](Timer&) {});
  const SleepingLoop sleeping(here.loop);
  std::thread sender([&async, &sleeping] {
    sleeping.await();
    std::this_thread::sleep_for(25ms);
    async->send();
  });
  here.loop.run();
  sender.join();
  EXPECT_GE(came, 20ms);
  EXPECT_EQ(came % Nanos(1ms), 0ns);
  // Without outside handles it jumps again.
  EXPECT_EQ(here.clock.now(), 1h);
}

TEST(PollVirtual, WithoutTimersItSleepsAndNoTimePasses) {
  Virtual here;
  auto async = here.loop.make<Async>([&here](Async& self) {
    here.log += "rung";
    EXPECT_EQ(here.clock.now(), 0ns);
    self.unref();
  });
  std::thread sender([&async] {
    std::this_thread::sleep_for(20ms);
    async->send();
  });
  here.loop.run();
  sender.join();
  EXPECT_EQ(here.log, "rung");
}

TEST(PollVirtual, InsideEventsGoBeforeOutsideEvents) {
  Virtual here;
  auto outside = here.loop.make<Waiting>(Awaits::outside);
  auto inside = here.loop.make<Waiting>(Awaits::inside);
  outside->start();
  inside->start();
  auto timer = here.loop.make<Timer>();
  timer->start(5ms, [&here](Timer&) { here.log += "timer"; });
  auto async = here.loop.make<Async>([&](Async& self) {
    here.log += "inside ";
    EXPECT_EQ(here.clock.now(), 0ns) << "the clock moved while something was on its way";
    inside->stop();
    outside->stop();
    self.unref();
  });
  std::thread sender([&async] {
    std::this_thread::sleep_for(30ms);
    async->send();
  });
  here.loop.run();
  sender.join();
  EXPECT_EQ(here.log, "inside timer");
}

TEST(PollVirtual, ALoopThatIsBusyHoldsTheClockOfAnother) {
  VirtualClock clock;
  std::atomic<bool> is_let_go{false};
  std::atomic<const SleepingLoop*> asleep{nullptr};
  Nanos busy_saw{-1};
  Loop busy({.clock = &clock});
  std::thread other([&] {
    Loop loop({.clock = &clock});
    auto timer = loop.make<Timer>();
    timer->start(1h,
                 [&](Timer&) { EXPECT_TRUE(is_let_go.load()) << "it jumped past a busy loop"; });
    const SleepingLoop sleeping(loop);
    asleep = &sleeping;
    asleep.notify_one();
    loop.run();
  });
  asleep.wait(nullptr);
  asleep.load()->await();
  busy_saw = clock.now();
  is_let_go.store(true);
  auto timer = busy.make<Timer>();
  timer->start(2h, [](Timer&) {});
  busy.run();
  other.join();
  EXPECT_LT(busy_saw, 1h);  // It follows the real clock, which shows when something wakes it.
  EXPECT_EQ(clock.now(), 2h);
}

}  // namespace
}  // namespace rondo
