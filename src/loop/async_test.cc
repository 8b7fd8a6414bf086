#include "loop/async.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "loop/internals.h"
#include "support/backends.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(Async, ASY_01_ManySendsBeforeTheLoopGetsThereBecomeOneCallback) {
  TestLoop loop;
  auto async = loop.make<Async>(loop.mark("woken"));
  for (int i = 0; i < 100; ++i) async->send();
  EXPECT_EQ(loop.take_log(), "");  // Never inside send().
  EXPECT_EQ(loop.run_once(), "woken");
  EXPECT_EQ(loop.run_nowait(), "");
  async->send();
  EXPECT_EQ(loop.run_once(), "woken");
}

TEST(Async, ASY_02_RunsInPollInTheOrderOfCreation) {
  TestLoop loop;
  auto a = loop.make<Async>(loop.mark("a")), b = loop.make<Async>(loop.mark("b")),
       c = loop.make<Async>(loop.mark("c"));
  b->send();
  c->send();
  a->send();
  b->send();
  EXPECT_EQ(loop.run_once(), "a b c");
  EXPECT_EQ(loop.trace().order(), "poll:async poll:async poll:async");
}

TEST(Async, ASY_02_ASendToALaterOneIsPartOfThePass) {
  TestLoop loop;
  Owned<Async> first, last;
  auto middle = loop.make<Async>(loop.mark("unused"));
  middle->close();
  first = loop.make<Async>(loop.mark("first"));
  middle = loop.make<Async>([&](Async&) {
    loop.log("middle");
    last->send();
    first->send();
  });
  last = loop.make<Async>(loop.mark("last"));
  middle->send();
  EXPECT_EQ(loop.run_once(), "middle last");
  EXPECT_EQ(loop.run_once(), "first");
}

TEST(Async, ASY_02_OneThatACallbackCreatesIsNotPartOfThePass) {
  TestLoop loop;
  Owned<Async> made;
  auto second = loop.make<Async>(loop.mark("unused"));
  auto first = loop.make<Async>([&](Async&) {
    loop.log("first");
    made = loop.make<Async>(loop.mark("made"));
    made->send();
  });
  second = loop.make<Async>(loop.mark("second"));
  first->send();
  second->send();
  EXPECT_EQ(loop.run_once(), "first second");
  EXPECT_EQ(loop.run_once(), "made");
  // From then on it is between the two.
  second->send();
  made->send();
  EXPECT_EQ(loop.run_once(), "made second");
}

TEST(Async, ASY_02_PoolResultsComeFirst) {
  TestLoop loop;
  auto async = loop.make<Async>(loop.mark("async"));
  struct Reply final : Completion {
    TestLoop* loop;
  } reply;
  reply.loop = &loop;
  reply.fn = [](Target& target, int32_t, uint32_t) {
    static_cast<Reply&>(target).loop->log("pool");
  };
  async->send();
  loop->internals().mailbox().post(reply);
  EXPECT_EQ(loop.run_nowait(), "pool async");
}

TEST(Async, AClosedOneThatWasSentToIsNotCalled) {
  TestLoop loop;
  auto async = loop.make<Async>(loop.mark("async"));
  auto other = loop.make<Async>(loop.mark("other"));
  async->send();
  other->send();
  async->close(loop.mark("closed"));
  EXPECT_EQ(loop.run_once(), "other closed");
}

TEST(Async, ASY_01_ASendFromItsOwnCallbackMeansAnotherCallback) {
  TestLoop loop;
  int runs = 0;
  auto async = loop.make<Async>([&](Async& self) {
    if (++runs < 3) self.send();
  });
  async->send();
  loop.run_once();
  EXPECT_EQ(runs, 1);  // Not in the same poll.
  loop.run_once();
  loop.run_once();
  EXPECT_EQ(runs, 3);
}

TEST(Async, MailKeepsPollFromSleeping) {
  TestLoop loop;
  auto async = loop.make<Async>(loop.mark("woken"));
  auto timer = loop.make<Timer>();
  timer->start(1h, loop.mark("timer"));
  async->send();
  EXPECT_EQ(loop.run_once(), "woken");
  EXPECT_EQ(loop.time(), 0ns);
}

TEST(Async, IsActiveFromTheStartAndMayBeUnrefd) {
  TestLoop loop;
  auto async = loop.make<Async>(loop.mark("woken"));
  EXPECT_TRUE(async->is_active());
  EXPECT_TRUE(loop->is_alive());
  async->unref();
  EXPECT_FALSE(loop->is_alive());
  async->send();
  EXPECT_EQ(loop.run(), "");  // As with any handle: without live handles there is no turn.
  async->ref();
  EXPECT_EQ(loop.run_once(), "woken");
}

TEST(Async, ClosingWaitsForAWakeUpThatIsUnderWayAndDoesNotDeliverIt) {
  TestLoop loop;
  auto async = loop.make<Async>(loop.mark("woken"));
  async->send();
  async->close(loop.mark("closed"));
  EXPECT_EQ(loop.run(), "closed");
  auto dropped = loop.make<Async>(loop.mark("woken"));
  dropped->send();
  dropped.reset();
  EXPECT_EQ(loop.run(), "");
}

TEST(Async, ClosedByAnEarlierCallbackOfTheSamePollItDoesNotRun) {
  TestLoop loop;
  Owned<Async> second;
  auto first = loop.make<Async>([&](Async& self) {
    loop.log("first");
    second.reset();
    self.close();
  });
  second = loop.make<Async>(loop.mark("second"));
  first->send();
  second->send();
  EXPECT_EQ(loop.run(), "first");
}

// Fails the test instead of hanging if a wake-up was lost.
class Guard {
 public:
  explicit Guard(Loop& loop) : timer_(loop.make<Timer>()) {
    timer_->start(60s, [](Timer& self) {
      ADD_FAILURE() << "a wake-up was lost";
      self.loop().stop();
    });
    timer_->unref();
  }

 private:
  Owned<Timer> timer_;
};

class AsyncBackendTest : public BackendTest {
 protected:
  AsyncBackendTest() { options_.backend = GetParam(); }
  LoopOptions options_;
};

TEST_P(AsyncBackendTest, ASY_01_AnotherThreadWakesASleepingLoop) {
  Loop loop(std::move(options_));
  Guard guard(loop);
  const std::thread::id here = std::this_thread::get_id();
  int payload = 0;
  auto async = loop.make<Async>([&](Async& self) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_EQ(payload, 42);  // The sender's data is visible; checked by TSan.
    self.unref();
  });
  std::thread sender([&] {
    std::this_thread::sleep_for(2ms);
    payload = 42;
    async->send();
  });
  loop.run();
  sender.join();
}

TEST_P(AsyncBackendTest, ASY_01_NoneIsLostHoweverManyThreadsSend) {
  // Each sender waits until the loop has seen its number: a lost wake-up would block it forever,
  // because a sender that finds the flag set relies on the pending callback.
  constexpr int kSenders = 4;
  constexpr int kRounds = 20'000;
  Loop loop(std::move(options_));
  Guard guard(loop);
  struct alignas(64) Lane {
    std::atomic<int> sent{0};
    std::atomic<int> seen{0};
  };
  std::array<Lane, kSenders> lanes;
  std::atomic<bool> is_over{false};
  uint64_t callbacks = 0;
  auto async = loop.make<Async>(boxed([&](Async& self) {
    ++callbacks;
    bool all_done = true;
    for (Lane& lane : lanes) {
      const int sent = lane.sent.load(std::memory_order_relaxed);
      lane.seen.store(sent, std::memory_order_relaxed);
      all_done = all_done && sent == kRounds;
    }
    if (all_done) self.unref();
  }));
  std::vector<std::thread> senders;
  for (Lane& lane : lanes) {
    senders.emplace_back([&async, &lane, &is_over] {
      for (int i = 1; i <= kRounds && !is_over; ++i) {
        lane.sent.store(i, std::memory_order_relaxed);
        async->send();
        while (lane.seen.load(std::memory_order_relaxed) < i && !is_over) {
          std::this_thread::yield();
        }
      }
    });
  }
  loop.run();
  is_over = true;
  for (std::thread& sender : senders) sender.join();
  for (const Lane& lane : lanes) EXPECT_EQ(lane.seen, kRounds);
  EXPECT_LE(callbacks, uint64_t{kSenders} * kRounds);
}

TEST_P(AsyncBackendTest, ASY_01_DataOfACoalescedSenderIsVisibleToTheCallback) {
  // While another thread sends constantly, the sender usually finds the flag set. It passes plain
  // data, which only its send() orders before a callback: TSan reports it if not.
  constexpr int kRounds = 5'000;
  Loop loop(std::move(options_));
  Guard guard(loop);
  std::atomic<bool> is_over{false};
  std::atomic<bool> is_sent{false};
  bool was_sent = false;  // At the last callback: the send was over before this one began.
  int data = 0, rounds = 0;
  // On a slow machine, as many rounds as there is time for.
  const Nanos enough = RealClock::instance().now() + 5s;
  auto async = loop.make<Async>(boxed([&](Async& self) {
    if (!was_sent) {
      was_sent = is_sent.load(std::memory_order_relaxed);
      return;
    }
    EXPECT_EQ(data, ++rounds);
    if (rounds == kRounds || RealClock::instance().now() > enough) self.unref();
    was_sent = false;
    is_sent.store(false, std::memory_order_release);
  }));
  std::thread noise([&] {
    while (!is_over) {
      async->send();
      std::this_thread::yield();
    }
  });
  std::thread sender([&] {
    for (int i = 1; i <= kRounds && !is_over; ++i) {
      data = i;
      async->send();
      is_sent.store(true, std::memory_order_relaxed);
      while (is_sent.load(std::memory_order_acquire) && !is_over) std::this_thread::yield();
    }
  });
  loop.run();
  is_over = true;
  noise.join();
  sender.join();
  EXPECT_GT(rounds, 0);
}

TEST_P(AsyncBackendTest, SendIsSafeInASignalHandler) {
  static std::atomic<Async*> receiver;
  Loop loop(std::move(options_));
  Guard guard(loop);
  int woken = 0;
  auto async = loop.make<Async>([&](Async& self) {
    if (++woken == 3) {
      self.unref();
    } else {
      ::raise(SIGUSR2);  // While awake: the eventfd is not needed.
    }
  });
  receiver = async.get();
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { receiver.load()->send(); };
  ::sigaction(SIGUSR2, &action, &before);
  const pthread_t here = ::pthread_self();
  std::thread sender([here] {
    std::this_thread::sleep_for(2ms);
    ::pthread_kill(here, SIGUSR2);  // Interrupts the sleep, and sends.
  });
  loop.run();
  sender.join();
  ::sigaction(SIGUSR2, &before, nullptr);
  EXPECT_EQ(woken, 3);
}

TEST_P(AsyncBackendTest, ManyAsyncsOfManyThreadsAllArrive) {
  constexpr size_t kThreads = 4;
  constexpr size_t kEach = 50;
  Loop loop(std::move(options_));
  Guard guard(loop);
  size_t woken = 0;
  std::vector<Owned<Async>> asyncs;
  for (size_t i = 0; i < kThreads * kEach; ++i) {
    asyncs.push_back(loop.make<Async>([&woken](Async& self) {
      ++woken;
      self.unref();
    }));
  }
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&asyncs, t] {
      for (size_t i = 0; i < kEach; ++i) asyncs[t * kEach + i]->send();
    });
  }
  loop.run();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(woken, kThreads * kEach);
}

RONDO_PER_BACKEND(AsyncBackendTest);

}  // namespace
}  // namespace rondo
