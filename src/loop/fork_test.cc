// A loop on both sides of a fork, on both backends.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "loop/async.h"
#include "loop/loop.h"
#include "support/backends.h"
#include "support/child.h"
#include "support/pipes.h"
#include "support/readiness.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// Signals another thread when the loop is about to sleep, so that only a wake-up ends the sleep.
class SleepWatcher final : public TraceSink {
 public:
  void record(const TraceEvent& event) override {
    if (event.kind == TraceKind::poll_blocked) sleeps_.fetch_add(1, std::memory_order_release);
  }
  void wait_for_sleep(int count) const {
    while (sleeps_.load(std::memory_order_acquire) < count) std::this_thread::sleep_for(100us);
  }
  int count() const { return sleeps_.load(); }

 private:
  std::atomic<int> sleeps_{0};
};

class LoopForkTest : public BackendTest {
 protected:
  LoopForkTest() {
    options_.backend = GetParam();
    options_.trace = &sleeps_;
  }

  // A thread wakes the sleeping loop: true if the wake-up arrived.
  bool can_be_woken(Loop& loop) {
    bool was_woken = false, was_late = false;
    auto guard = loop.make<Timer>();
    auto async = loop.make<Async>([&](Async& self) {
      was_woken = true;
      self.loop().stop();
    });
    guard->start(20s, [&](Timer& self) {
      was_late = true;
      self.loop().stop();
    });
    std::thread waker([&, before = sleeps_.count()] {
      sleeps_.wait_for_sleep(before + 1);
      async->send();
    });
    loop.run();
    waker.join();
    return was_woken && !was_late;
  }
  // The same without a thread: a send by the loop's own thread is delivered.
  static bool can_send_to_itself(Loop& loop) {
    bool was_woken = false;
    auto async = loop.make<Async>([&](Async& self) {
      was_woken = true;
      self.unref();
    });
    async->send();
    loop.run();
    return was_woken;
  }

  SleepWatcher sleeps_;
  LoopOptions options_;
};

// True if `loop` reports that `pipe` is readable; reads the byte.
bool sees_a_byte(Loop& loop, Readiness& readiness, Pipe& pipe) {
  std::string seen;
  if (!readiness.start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
        seen = drain(self.fd());
        self.stop();
      })) {
    return false;
  }
  if (::write(pipe.in.get(), "x", 1) != 1) return false;
  loop.run();
  return seen == "x";
}

TEST_P(LoopForkTest, AChildReopensTheLoopItInheritedAndTheParentGoesOn) {
  Loop loop(std::move(options_));
  Pipe parents, childs;
  auto parents_end = loop.make<Readiness>(parents.out.get());
  auto childs_end = loop.make<Readiness>(childs.out.get());
  ASSERT_TRUE(sees_a_byte(loop, *parents_end, parents));
  EXPECT_TRUE(succeeds_in_child([&] {
    if (!loop.reopen_after_fork()) return false;
    if (!can_send_to_itself(loop)) return false;
    return sees_a_byte(loop, *childs_end, childs);
  }));
  EXPECT_TRUE(sees_a_byte(loop, *parents_end, parents));
  EXPECT_TRUE(can_be_woken(loop));
}

TEST_P(LoopForkTest, AForkBeforeTheFirstRunHurtsNeitherSide) {
  Loop loop(std::move(options_));
  EXPECT_TRUE(succeeds_in_child(
      [&] { return loop.reopen_after_fork().has_value() && can_send_to_itself(loop); }));
  EXPECT_TRUE(can_be_woken(loop));
}

TEST_P(LoopForkTest, WatchesStillWorkInTheChild) {
  Loop loop(std::move(options_));
  Pipe pipe;
  std::string seen;
  auto readiness = loop.make<Readiness>(pipe.out.get());
  ASSERT_TRUE(readiness->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
    seen = drain(self.fd());
    self.stop();
  }));
  loop.run_nowait();
  EXPECT_TRUE(succeeds_in_child([&] {
    if (!loop.reopen_after_fork()) return false;
    if (::write(pipe.in.get(), "child", 5) != 5) return false;
    loop.run();
    return seen == "child";
  }));
  // A watch that the child stopped is still active here.
  ASSERT_EQ(::write(pipe.in.get(), "parent", 6), 6);
  loop.run();
  EXPECT_EQ(seen, "parent");
}

TEST_P(LoopForkTest, BothSidesRunAtTheSameTime) {
  Loop loop(std::move(options_));
  Pipe to_child, to_parent;
  std::string seen;
  int rounds = 0;
  auto child_end = loop.make<Readiness>(to_child.out.get());
  auto parent_end = loop.make<Readiness>(to_parent.out.get());
  const auto answer = [&](Readiness& self, int answer_to) {
    for (const char byte : drain(self.fd())) {
      if (++rounds == 1000) self.stop();
      if (::write(answer_to, &byte, 1) != 1) std::abort();
    }
  };
  loop.run_nowait();
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (!loop.reopen_after_fork()) ::_exit(2);
    if (!child_end->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
          answer(self, to_parent.in.get());
        })) {
      ::_exit(3);
    }
    loop.run();
    ::_exit(rounds == 1000 ? 0 : 4);
  }
  ASSERT_TRUE(parent_end->start(
      EPOLLIN, [&](Readiness& self, int32_t, uint32_t) { answer(self, to_child.in.get()); }));
  ASSERT_EQ(::write(to_child.in.get(), "x", 1), 1);
  loop.run();
  EXPECT_EQ(rounds, 1000);
  EXPECT_TRUE(child_succeeded(pid));
  EXPECT_TRUE(can_be_woken(loop));
}

TEST_P(LoopForkTest, AChildMakesALoopOfItsOwnAndLeavesTheParentsAlone) {
  Loop loop(std::move(options_));
  ASSERT_TRUE(can_be_woken(loop));
  EXPECT_TRUE(succeeds_in_child([&] {
    LoopOptions options;
    options.backend = GetParam();
    Loop own(std::move(options));
    Pipe pipe;
    auto readiness = own.make<Readiness>(pipe.out.get());
    return sees_a_byte(own, *readiness, pipe) && can_send_to_itself(own);
  }));
  EXPECT_TRUE(can_be_woken(loop));
}

TEST_P(LoopForkTest, AChildsChildReopensItAgain) {
  Loop loop(std::move(options_));
  EXPECT_TRUE(succeeds_in_child([&] {
    if (!loop.reopen_after_fork() || !can_send_to_itself(loop)) return false;
    const bool grandchild = succeeds_in_child(
        [&] { return loop.reopen_after_fork().has_value() && can_send_to_itself(loop); });
    return grandchild && can_send_to_itself(loop);
  }));
  EXPECT_TRUE(can_be_woken(loop));
}

TEST_P(LoopForkTest, AWakeUpThatWasUnderWayArrivesOnBothSides) {
  Loop loop(std::move(options_));
  int woken = 0;
  auto async = loop.make<Async>([&](Async&) { ++woken; });
  async->send();
  EXPECT_TRUE(succeeds_in_child([&] {
    if (!loop.reopen_after_fork()) return false;
    loop.run_once();
    if (woken != 1) return false;
    async->send();
    loop.run_once();
    return woken == 2;
  }));
  loop.run_once();
  EXPECT_EQ(woken, 1);
}

TEST_P(LoopForkTest, TimersKeepTheirDueTimesInTheChild) {
  Loop loop(std::move(options_));
  bool fired = false;
  auto timer = loop.make<Timer>();
  timer->start(2ms, [&](Timer&) { fired = true; });
  EXPECT_TRUE(succeeds_in_child([&] {
    if (!loop.reopen_after_fork()) return false;
    loop.run();
    return fired;
  }));
  EXPECT_FALSE(fired);
  loop.run();
  EXPECT_TRUE(fired);
}

RONDO_PER_BACKEND(LoopForkTest);

}  // namespace
}  // namespace rondo
