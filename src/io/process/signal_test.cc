#include "io/process/signal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "explore/search.h"
#include "loop/async.h"
#include "loop/loop.h"
#include "loop/work.h"

namespace rondo {
namespace {

// Runs `child` in a forked process and returns its wait status.
template <class Child>
int status_of_child(Child&& child) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(child() ? 0 : 1);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

TEST(Signal, IsReportedInPollWithItsNumber) {
  Loop loop;
  auto signal = loop.make<Signal>();
  int received = 0;
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal& self, int signum) {
    received = signum;
    EXPECT_EQ(loop.phase(), Phase::poll);
    EXPECT_EQ(self.signum(), SIGUSR1);
    self.close();
  }));
  EXPECT_TRUE(signal->is_active());
  ::kill(::getpid(), SIGUSR1);
  loop.run();
  EXPECT_EQ(received, SIGUSR1);
}

// Explores every legal order: the result of a job may be late, but the signal is always last.
TEST(Signal, POL_09_IsTheLastOfItsBatchInEveryOrder) {
  const ExploreResult result = explore([](Loop& loop) {
    std::string order;
    auto signal = loop.make<Signal>();
    EXPECT_TRUE(signal->start(SIGUSR1, [&order](Signal& self, int) {
      order += 's';
      self.close();
    }));
    auto message = loop.make<Async>([&order](Async& self) {
      order += 'm';
      self.close();
    });
    Work work(loop);
    Immediate immediate(loop);
    work.submit([] {}, [&order](Work&, Result<void>) { order += 'w'; });
    immediate.set([&order] { order += 'i'; });
    ::kill(::getpid(), SIGUSR1);
    message->send();
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.outcomes.size(), 2u);
  EXPECT_NE(result.find("wmsi"), nullptr);
  EXPECT_NE(result.find("msiw"), nullptr);
}

TEST(Signal, POL_09_ComesInOrderOfArrivalAfterAllOtherEvents) {
  Loop loop;
  std::string order;
  std::vector<Owned<Signal>> signals;
  for (const int signum : {SIGUSR1, SIGUSR2, SIGHUP}) {
    signals.push_back(loop.make<Signal>());
    ASSERT_TRUE(signals.back()->start(
        signum, [&order](Signal&, int which) { order += std::to_string(which) + ' '; }));
  }
  auto async = loop.make<Async>([&order](Async&) { order += "async "; });
  loop.run_nowait();
  const int sent[] = {SIGUSR2, SIGUSR1, SIGHUP, SIGUSR2};
  std::string expected = "async ";
  for (const int signum : sent) {
    ::raise(signum);
    expected += std::to_string(signum) + ' ';
  }
  async->send();
  loop.run_once();
  EXPECT_EQ(order, expected);
}

TEST(Signal, AHandleThatIsStartedLaterDoesNotGetOlderSignals) {
  Loop loop;
  std::string order;
  auto early = loop.make<Signal>(), late = loop.make<Signal>();
  ASSERT_TRUE(early->start(SIGUSR1, [&order](Signal&, int) { order += "early "; }));
  ::raise(SIGUSR1);
  ASSERT_TRUE(late->start(SIGUSR1, [&order](Signal&, int) { order += "late "; }));
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(order, "early early late ");
}

TEST(Signal, MoreThanThePipeHoldsAreCounted) {
#if defined(RONDO_TSAN)
  GTEST_SKIP() << "TSan puts handlers off, and merges equal signals meanwhile";
#endif
  Loop loop;
  int count = 0;
  auto signal = loop.make<Signal>();
  ASSERT_TRUE(signal->start(SIGUSR1, [&count](Signal&, int) { ++count; }));
  constexpr int kSent = 10'000;
  for (int i = 0; i < kSent; ++i) ::raise(SIGUSR1);
  for (int turns = 0; turns < 100 && count < kSent; ++turns) loop.run_nowait();
  EXPECT_EQ(count, kSent);
}

TEST(Signal, WakesASleepingLoop) {
  Loop loop;
  auto signal = loop.make<Signal>();
  ASSERT_TRUE(signal->start(SIGUSR1, [](Signal& self, int) { self.stop(); }));
  std::thread sender([] { ::kill(::getpid(), SIGUSR1); });
  loop.run();  // Ends only if the signal is delivered.
  sender.join();
  EXPECT_FALSE(signal->is_active());
}

TEST(Signal, OneThatComesBetweenStartAndRunIsNotLost) {
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGUSR2, [&](Signal&, int) { ++calls; }));
  ::raise(SIGUSR2);
  loop.run_nowait();
  EXPECT_EQ(calls, 1);
  loop.run_nowait();
  EXPECT_EQ(calls, 1);
}

TEST(Signal, EveryDeliveryIsReportedAndAStormDoesNotStarveOtherPhases) {
  Loop loop;
  auto signal = loop.make<Signal>();
  auto check = loop.make<Check>();
  int calls = 0, calls_before_check = 0, most_per_turn = 0;
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal&, int) { ++calls; }));
  check->start([&](Hook&) {
    most_per_turn = std::max(most_per_turn, calls - calls_before_check);
    calls_before_check = calls;
  });
  for (int i = 0; i < 5000; ++i) ::raise(SIGUSR1);
  while (calls < 5000) loop.run_once();
  loop.run_nowait();
  EXPECT_EQ(calls, 5000);
  EXPECT_GT(most_per_turn, 0);
  EXPECT_LT(most_per_turn, 5000);
}

TEST(Signal, HandlesOfOneLoopAreAllCalledInStartOrder) {
  Loop loop;
  std::string order;
  std::vector<Owned<Signal>> handles;
  for (char name = 'a'; name <= 'd'; ++name) {
    handles.push_back(loop.make<Signal>());
    ASSERT_TRUE(
        handles.back()->start(SIGUSR1, [&order, name](Signal&, int) { order.push_back(name); }));
  }
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(order, "abcd");
  ::raise(SIGUSR1);
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(order, "abcdabcdabcd");
}

TEST(Signal, SignalsDoNotMix) {
  Loop loop;
  auto first = loop.make<Signal>(), second = loop.make<Signal>();
  int usr1 = 0, usr2 = 0;
  ASSERT_TRUE(first->start(SIGUSR1, [&](Signal&, int) { ++usr1; }));
  ASSERT_TRUE(second->start(SIGUSR2, [&](Signal&, int) { ++usr2; }));
  ::raise(SIGUSR2);
  loop.run_once();
  EXPECT_EQ(usr1, 0);
  EXPECT_EQ(usr2, 1);
}

TEST(Signal, LoopsOnSeveralThreadsAllGetTheSignal) {
  constexpr int kLoops = 4;
  std::atomic<int> ready{0}, calls{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kLoops; ++i) {
    threads.emplace_back([&] {
      Loop loop;
      auto signal = loop.make<Signal>();
      ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal& self, int) {
        ++calls;
        self.close();
      }));
      ++ready;
      loop.run();
    });
  }
  while (ready < kLoops) std::this_thread::yield();
  ::kill(::getpid(), SIGUSR1);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, kLoops);
}

TEST(Signal, UncatchableSignalsGiveEinvalAndChangeNothing) {
  Loop loop;
  auto signal = loop.make<Signal>();
  for (int signum : {SIGKILL, SIGSTOP, 0, -1, 32, 33, 65, 1'000'000}) {
    Result<void> started = signal->start(signum, [](Signal&, int) {});
    ASSERT_FALSE(started) << signum;
    EXPECT_EQ(started.error().code, EINVAL);
    EXPECT_FALSE(signal->is_active());
  }
  EXPECT_FALSE(loop.run());
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal&, int) { ++calls; }));
  ASSERT_FALSE(signal->start(SIGKILL, [](Signal&, int) {}));
  EXPECT_TRUE(signal->is_active());
  EXPECT_EQ(signal->signum(), SIGUSR1);
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(calls, 1);
}

TEST(Signal, POL_06_StoppedOrClosedByAnEarlierCallbackOfTheSameSignalIsNotCalled) {
  Loop loop;
  auto first = loop.make<Signal>(), second = loop.make<Signal>(), third = loop.make<Signal>();
  auto last = loop.make<Signal>();
  std::string order;
  ASSERT_TRUE(first->start(SIGUSR1, [&](Signal&, int) {
    order += '1';
    second->stop();
    third.reset();
  }));
  ASSERT_TRUE(second->start(SIGUSR1, [&](Signal&, int) { order += '2'; }));
  ASSERT_TRUE(third->start(SIGUSR1, [&](Signal&, int) { order += '3'; }));
  ASSERT_TRUE(last->start(SIGUSR1, [&](Signal&, int) { order += '4'; }));
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(order, "14");
  ::raise(SIGUSR1);  // Stopping the others has not removed the interest of the last one.
  loop.run_once();
  EXPECT_EQ(order, "1414");
}

TEST(Signal, TheLastHandleIsStillCalledAfterAllOthersWereStopped) {
  Loop loop;
  auto first = loop.make<Signal>(), second = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(first->start(SIGUSR1, [](Signal& self, int) { self.stop(); }));
  ASSERT_TRUE(second->start(SIGUSR1, [&](Signal&, int) { ++calls; }));
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(calls, 1);
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(calls, 2);
}

TEST(Signal, StartedByACallbackDoesNotGetEarlierSignals) {
  Loop loop;
  auto first = loop.make<Signal>(), second = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(first->start(SIGUSR1, [&](Signal&, int) {
    if (second->is_active()) return;
    ASSERT_TRUE(second->start(SIGUSR1, [&](Signal&, int) { ++calls; }));
  }));
  ::raise(SIGUSR1);
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(calls, 0);
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_EQ(calls, 1);
}

TEST(Signal, CaughtButUndeliveredSignalsAreDroppedByStop) {
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal&, int) { ++calls; }));
  ::raise(SIGUSR1);
  signal->stop();
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal&, int) { ++calls; }));
  loop.run_nowait();
  EXPECT_EQ(calls, 0);
}

TEST(Signal, TheNextLoopDoesNotGetSignalsOfTheLastOne) {
  {
    Loop loop;
    auto signal = loop.make<Signal>();
    ASSERT_TRUE(signal->start(SIGUSR1, [](Signal&, int) {}));
    ::raise(SIGUSR1);
  }
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal&, int) { ++calls; }));
  loop.run_nowait();
  EXPECT_EQ(calls, 0);
  ::raise(SIGUSR1);
  loop.run_nowait();
  EXPECT_EQ(calls, 1);
}

TEST(Signal, WithoutARefItDoesNotKeepTheLoopAlive) {
  Loop loop;
  auto signal = loop.make<Signal>();
  ASSERT_TRUE(signal->start(SIGUSR1, [](Signal&, int) {}));
  EXPECT_TRUE(loop.is_alive());
  signal->unref();
  EXPECT_FALSE(loop.run());
}

TEST(Signal, SigchldIsASignalLikeAnyOther) {
  Loop loop;
  auto signal = loop.make<Signal>();
  const pid_t pid = ::fork();
  if (pid == 0)
    ::_exit([] {
      ::pause();
      return 0;
    }());
  int status = 0;
  ASSERT_TRUE(signal->start(SIGCHLD, [&](Signal& self, int) {
    if (::waitpid(pid, &status, WNOHANG) == pid) self.close();
  }));
  ::kill(pid, SIGTERM);
  loop.run();
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(Signal, ARealTimeSignalIsReportedEachTimeItIsQueued) {
#if defined(RONDO_TSAN)
  GTEST_SKIP() << "TSan puts handlers off, and merges equal signals meanwhile";
#endif
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGRTMIN + 3, [&](Signal&, int) { ++calls; }));
  sigset_t set, old;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGRTMIN + 3);
  ::pthread_sigmask(SIG_BLOCK, &set, &old);
  for (int i = 0; i < 5; ++i) ::pthread_kill(::pthread_self(), SIGRTMIN + 3);
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  while (calls < 5) loop.run_once();
  EXPECT_EQ(calls, 5);
}

TEST(Signal, TheHandlerLeavesErrnoAlone) {
  Loop loop;
  auto signal = loop.make<Signal>();
  ASSERT_TRUE(signal->start(SIGUSR1, [](Signal&, int) {}));
  errno = ENOTTY;
  ::raise(SIGUSR1);
  EXPECT_EQ(errno, ENOTTY);
}

TEST(Signal, AForkedChildGetsItsOwnSignalsAndNotItsParents) {
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGUSR1, [&](Signal&, int) { ++calls; }));
  ::raise(SIGUSR1);  // Caught, not delivered yet.
  const int status = status_of_child([&] {
    if (!loop.reopen_after_fork()) return false;
    loop.run_nowait();
    if (calls != 0) return false;
    ::raise(SIGUSR1);
    ::raise(SIGUSR1);
    loop.run_once();
    return calls == 2;
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  loop.run_once();
  EXPECT_EQ(calls, 1);
}

TEST(Signal, AFaultOfTheProgramEndsItInsteadOfRepeatingForEver) {
  const int status = status_of_child([] {
    const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(null, 2);  // Hides a sanitizer's report.
    Loop loop;
    auto signal = loop.make<Signal>();
    if (!signal->start(SIGSEGV, [](Signal&, int) {})) return true;
    void* page = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<volatile char*>(page) = 1;
    return true;
  });
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Signal, AFaultSignalThatAProcessSentIsAnEvent) {
  Loop loop;
  auto signal = loop.make<Signal>();
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGSEGV, [&](Signal& self, int) {
    ++calls;
    self.close();
  }));
  ::kill(::getpid(), SIGSEGV);
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(Signal, WithoutDescriptorsStartReportsItAndTheLoopLivesOn) {
  // More loops than there can be unused slots: one of them needs a descriptor.
  std::vector<std::unique_ptr<Loop>> loops;
  std::vector<Owned<Signal>> handles;
  for (int i = 0; i < 40; ++i) {
    loops.push_back(std::make_unique<Loop>());
    handles.push_back(loops.back()->make<Signal>());
  }
  rlimit saved{};
  ::getrlimit(RLIMIT_NOFILE, &saved);
  rlimit none = saved;
  none.rlim_cur = 0;
  ::setrlimit(RLIMIT_NOFILE, &none);
  size_t failed = 0;
  for (Owned<Signal>& handle : handles) {
    Result<void> started = handle->start(SIGUSR1, [](Signal&, int) {});
    if (started) continue;
    EXPECT_EQ(started.error().code, EMFILE);
    EXPECT_FALSE(handle->is_active());
    ++failed;
  }
  ::setrlimit(RLIMIT_NOFILE, &saved);
  EXPECT_GT(failed, 0U);
  EXPECT_TRUE(handles.back()->start(SIGUSR1, [](Signal&, int) {}));
  handles.clear();
}

}  // namespace
}  // namespace rondo
