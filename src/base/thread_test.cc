#include "base/thread.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

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

// In a child, because the limit cannot be raised again. A thread's stack does not fit into it.
TEST(Thread, SaysSoIfTheSystemRefuses) {
#if defined(RONDO_ASAN) || defined(RONDO_TSAN)
  GTEST_SKIP() << "a sanitizer needs more address space than any limit leaves";
#endif
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_AS, &none);
    Thread thread;
    const bool is_started = thread.start([] {});
    thread.join();
    ::_exit(is_started ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace rondo
