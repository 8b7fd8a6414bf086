#include "base/threads/thread.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

namespace rondo {
namespace {

TEST(Thread, RunsItsFunctionBesideItsOwner) {
  std::atomic<pthread_t> ran{};
  Thread thread;
  ASSERT_TRUE(thread.start([&ran] { ran.store(::pthread_self()); }));
  EXPECT_TRUE(thread.is_started());
  thread.join();
  EXPECT_FALSE(thread.is_started());
  EXPECT_NE(ran.load(), ::pthread_self());
}

TEST(Thread, JoiningOneThatWasNotStartedDoesNothing) {
  Thread thread;
  thread.join();
  EXPECT_FALSE(thread.is_started());
}

TEST(Thread, HasTheRequestedStackSize) {
  constexpr size_t kSize = 512 * 1024;
  size_t size = 0;
  Thread thread;
  ASSERT_TRUE(thread.start(
      [&size] {
        pthread_attr_t attributes;
        void* stack = nullptr;
        ::pthread_getattr_np(::pthread_self(), &attributes);
        ::pthread_attr_getstack(&attributes, &stack, &size);
        ::pthread_attr_destroy(&attributes);
      },
      kSize));
  thread.join();
  EXPECT_GE(size, kSize);
  EXPECT_LT(size, 2 * kSize);
}

bool is_blocked(int signal) {
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return ::sigismember(&mask, signal) == 1;
}

TEST(Thread, InheritsBlockedSignalsWhichTheStarterGetsBack) {
  ASSERT_FALSE(is_blocked(SIGUSR2));
  bool was_blocked = false;
  Thread thread;
  {
    const BlockedSignals blocked;
    ASSERT_TRUE(thread.start([&was_blocked] { was_blocked = is_blocked(SIGUSR2); }));
  }
  thread.join();
  EXPECT_TRUE(was_blocked);
  EXPECT_FALSE(is_blocked(SIGUSR2));
}

// Runs in a child process, because the limit cannot be raised again. No new stack fits into the
// limit; the C library may have cached the stacks of a few ended threads.
TEST(Thread, ReportsThatTheSystemRefuses) {
#if defined(RONDO_ASAN) || defined(RONDO_TSAN)
  GTEST_SKIP() << "a sanitizer needs more address space than any limit leaves";
#endif
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr size_t kMoreThanWereKept = 64;
    std::mutex end_of_test;
    end_of_test.lock();
    Thread threads[kMoreThanWereKept];
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_AS, &none);
    const bool was_refused =
        std::any_of(std::begin(threads), std::end(threads), [&end_of_test](Thread& thread) {
          return !thread.start([&end_of_test] { const std::lock_guard wait(end_of_test); });
        });
    ::_exit(was_refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace rondo
