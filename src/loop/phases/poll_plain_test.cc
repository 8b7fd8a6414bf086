// Spinning before sleep: events that arrive meanwhile, and that none is lost between spinning and
// sleeping.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "loop/async.h"
#include "loop/internals.h"
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

TEST_P(PollLookTest, POL_04_EventsWhileTheLoopSpinsRunAtOnce) {
  const Spinning spinning("10000");
  Loop loop(std::move(options_));
  auto timer = loop.make<Timer>();
  timer->start(1h, [](Timer&) { ADD_FAILURE() << "an hour has passed"; });
  Pipe pipe;
  std::string seen;
  auto readiness = loop.make<Readiness>(pipe.out.get());
  ASSERT_TRUE(readiness->start(
      EPOLLIN, [&seen](Readiness& self, int32_t, uint32_t) { seen += drain(self.fd()); }));
  auto async = loop.make<Async>([&seen](Async&) { seen += "mail "; });
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
  EXPECT_EQ(seen, "bytes mail ");
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

// Messages between two loops, which spin, skip spinning for a while, and sleep, in turn.
TEST_P(PollLookTest, POL_04_NoResultIsLostHoweverLongLoopsSpin) {
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

// The eventfd of an awake loop is written to only if its position among descriptors matters.
TEST_P(PollLookTest, POL_08_MailIsWrittenToTheEventfdWhereDescriptorsAreWatched) {
  Loop loop(std::move(options_));
  std::string seen;
  auto async = loop.make<Async>([&seen](Async&) { seen += "mail "; });
  const auto is_written = [&loop] {
    pollfd event{loop.internals().mailbox().fd(), POLLIN, 0};
    return ::poll(&event, 1, 0) == 1;
  };
  loop.run_nowait();
  async->send();
  EXPECT_FALSE(is_written());
  // A descriptor that is watched from now on is registered with the next poll, so mail comes first.
  Pipe pipe;
  struct Reading : Watch {
    std::string* seen;
  } reading;
  reading.fd = pipe.out.get();
  reading.seen = &seen;
  reading.fn = [](Target& target, int32_t, uint32_t) {
    auto& self = static_cast<Reading&>(target);
    *self.seen += drain(self.fd);
  };
  ASSERT_EQ(::write(pipe.in.get(), "bytes ", 6), 6);
  ASSERT_TRUE(loop.internals().poller().watch(reading, EPOLLIN));
  loop.run_nowait();
  EXPECT_EQ(seen, "mail bytes ");
  // Once neither is ready any more, the order is that of arrival.
  loop.run_nowait();
  ASSERT_EQ(::write(pipe.in.get(), "bytes ", 6), 6);
  async->send();
  EXPECT_TRUE(is_written());
  loop.run_nowait();
  EXPECT_EQ(seen, "mail bytes bytes mail ");
  EXPECT_FALSE(is_written());
  // Stopped, it is still registered and keeps its position (POL-10).
  ASSERT_TRUE(loop.internals().poller().watch(reading, 0));
  loop.run_nowait();
  ASSERT_EQ(::write(pipe.in.get(), "again ", 6), 6);
  async->send();
  EXPECT_TRUE(is_written());
  ASSERT_TRUE(loop.internals().poller().watch(reading, EPOLLIN));
  loop.run_nowait();
  EXPECT_EQ(seen, "mail bytes bytes mail again mail ");
  loop.internals().unwatch(reading);
}

// The kernel puts a descriptor that stays ready behind those that it has reported with it. So mail
// posted later keeps the position of the first, before the descriptor that came after.
TEST_P(PollLookTest, POL_08_MailKeepsThePlaceBeforeADescriptorThatCameLater) {
  Loop loop(std::move(options_));
  std::string seen;
  auto async = loop.make<Async>([&seen](Async& self) {
    seen += "mail ";
    self.send();
  });
  loop.run_nowait();
  async->send();
  Pipe pipe;
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  auto readiness = loop.make<Readiness>(pipe.out.get());
  ASSERT_TRUE(
      readiness->start(EPOLLIN, [&seen](Readiness&, int32_t, uint32_t) { seen += "pipe "; }));
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(seen, "mail pipe mail pipe mail pipe ");
}

RONDO_PER_BACKEND(PollLookTest);

}  // namespace
}  // namespace rondo
