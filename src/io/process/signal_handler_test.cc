// Tests the process's handler of a signal: installed by the first start, restored by the last stop.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/process/signal.h"
#include "loop/async.h"
#include "loop/loop.h"

namespace rondo {
namespace {

// Sets the action that a signal has without any handle, during a test.
class Former {
 public:
  Former(int signum, void (*handler)(int)) : signum_(signum) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigaction(signum, &action, &saved_);
  }
  ~Former() { ::sigaction(signum_, &saved_, nullptr); }

 private:
  int signum_;
  struct sigaction saved_ {};
};

void (*current_handler(int signum))(int) {
  struct sigaction action {};
  ::sigaction(signum, nullptr, &action);
  return action.sa_handler;
}

std::atomic<int> former_calls{0};
void count_former_call(int) { ++former_calls; }

TEST(Signal, StoppedInItsOwnCallbackDoesNotGetTheRest) {
  Former former(SIGUSR1, SIG_IGN);
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal& self, int) {
    ++calls;
    self.stop();
    self.stop();
  }));
  for (int i = 0; i < 3; ++i) ::raise(SIGUSR1);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(calls, 1);
}

TEST(Signal, RestartedInItsCallbackGetsTheNewFunctionAndSignal) {
  Former former(SIGUSR1, SIG_IGN);
  Loop loop;
  auto signal = loop.make<Signal>();
  std::string order;
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal& self, int) {
    order += '1';
    ASSERT_TRUE(self.start(SIGUSR2, [&](Signal& again, int signum) {
      order += signum == SIGUSR2 ? '2' : '?';
      again.stop();
    }));
    ::raise(SIGUSR2);
  }));
  ::raise(SIGUSR1);
  ::raise(SIGUSR1);
  loop.run();
  EXPECT_EQ(order, "12");
  EXPECT_EQ(current_handler(SIGUSR1), SIG_IGN);
}

TEST(Signal, OneshotIsCalledOnceAndIsStoppedByThen) {
  Former former(SIGUSR1, SIG_IGN);
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(signal->start_oneshot(SIGUSR1, [&](Signal& self, int) {
    ++calls;
    EXPECT_FALSE(self.is_active());
  }));
  ::raise(SIGUSR1);
  // The kernel has reset the handler: a second signal would end a blocked process.
  EXPECT_EQ(current_handler(SIGUSR1), SIG_DFL);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(current_handler(SIGUSR1), SIG_IGN);
}

TEST(Signal, OneshotBesideARegularHandleResetsNothing) {
  Former former(SIGUSR1, SIG_IGN);
  Loop loop;
  auto once = loop.make<Signal>(), always = loop.make<Signal>();
  int calls_once = 0, calls_always = 0;
  ASSERT_TRUE(once->start_oneshot(SIGUSR1, [&](Signal&, int) { ++calls_once; }));
  ASSERT_TRUE(always->start(SIGUSR1, [&](Signal&, int) { ++calls_always; }));
  ::raise(SIGUSR1);
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(calls_once, 1);
  EXPECT_EQ(calls_always, 2);
  // When only one-shot handles are left, the handler is one-shot again.
  ASSERT_TRUE(once->start_oneshot(SIGUSR1, [&](Signal&, int) { ++calls_once; }));
  always->stop();
  ::raise(SIGUSR1);
  EXPECT_EQ(current_handler(SIGUSR1), SIG_DFL);
  loop.run_once();
  EXPECT_EQ(calls_once, 2);
}

TEST(Signal, OneshotRestartedInItsCallbackWorksAgain) {
  Former former(SIGUSR1, SIG_IGN);
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  const auto again = [&](Signal& self, auto& me) -> void {
    ASSERT_TRUE(self.start_oneshot(SIGUSR1, [&](Signal& in, int) {
      if (++calls < 3) {
        me(in, me);
        ::raise(SIGUSR1);
      }
    }));
  };
  again(*signal, again);
  ::raise(SIGUSR1);
  loop.run();
  EXPECT_EQ(calls, 3);
}

TEST(Signal, TheFormerHandlerIsPutBackWithTheLastStop) {
  Former former(SIGUSR1, count_former_call);
  former_calls = 0;
  Loop loop;
  auto first = loop.make<Signal>(), second = loop.make<Signal>();
  ASSERT_TRUE(first->start(SIGUSR1, [](Signal&, int) {}));
  ASSERT_TRUE(second->start(SIGUSR1, [](Signal&, int) {}));
  ::raise(SIGUSR1);
  EXPECT_EQ(former_calls, 0);
  first->stop();
  EXPECT_NE(current_handler(SIGUSR1), count_former_call);
  second->stop();
  EXPECT_EQ(current_handler(SIGUSR1), count_former_call);
  ::raise(SIGUSR1);
  EXPECT_EQ(former_calls, 1);
  EXPECT_FALSE(loop.run());
}

TEST(Signal, AHandlerInstalledSinceByOtherCodeIsKept) {
  Former former(SIGUSR1, SIG_IGN);
  Loop loop;
  auto signal = loop.make<Signal>();
  ASSERT_TRUE(signal->start(SIGUSR1, [](Signal&, int) {}));
  Former since(SIGUSR1, count_former_call);
  signal->stop();
  EXPECT_EQ(current_handler(SIGUSR1), count_former_call);
}

// For ThreadSanitizer: signals arrive on all threads while handles and loops are created and
// destroyed.
TEST(Signal, StormsDuringStartStopAndTheEndOfLoops) {
  Former former(SIGUSR1, count_former_call);
  Loop main_loop;
  auto constant = main_loop.make<Signal>();  // Keeps a regular handle at all times.
  ASSERT_TRUE(constant->start(SIGUSR1, [](Signal&, int) {}));
  std::atomic<bool> is_over{false};
  std::vector<std::thread> senders;
  for (int i = 0; i < 2; ++i) {
    senders.emplace_back([&] {
      while (!is_over) {
        ::kill(::getpid(), SIGUSR1);
        std::this_thread::yield();
      }
    });
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 15; ++round) {
        Loop loop;
        auto first = loop.make<Signal>(), second = loop.make<Signal>();
        int left = 5;
        ASSERT_TRUE(first->start(SIGUSR1, [&](Signal& self, int) {
          if (--left == 0) self.stop();
        }));
        ASSERT_TRUE(second->start_oneshot(SIGUSR1, [&](Signal& self, int) {
          if (left > 0) {
            ASSERT_TRUE(self.start_oneshot(SIGUSR1, [](Signal&, int) {}));
          }
        }));
        loop.run();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  is_over = true;
  for (std::thread& sender : senders) sender.join();
  constant->stop();
  EXPECT_EQ(current_handler(SIGUSR1), count_former_call);
}

}  // namespace
}  // namespace rondo
