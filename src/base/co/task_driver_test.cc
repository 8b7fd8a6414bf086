#include "base/co/task_driver.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo {
namespace {

// A coroutine that a test resumes by its handle, and that logs its progress.
struct Routine {
  struct promise_type {
    Routine get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept {}
  };
  std::coroutine_handle<promise_type> handle;
};

struct HandOver {
  std::coroutine_handle<> next;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept { TaskDriver::hand_over(next); }
  void await_resume() const noexcept {}
};

Routine say(std::string& log, char name) {
  log += name;
  co_return;
}

Routine say_then(std::string& log, char name, std::coroutine_handle<> next) {
  log += name;
  HandOver over{next};
  co_await over;
  log += '!';
}

TEST(TaskDriver, RunsSuccessorsUntilThereIsNone) {
  std::string log;
  Routine last = say(log, 'c');
  Routine middle = say_then(log, 'b', last.handle);
  Routine first = say_then(log, 'a', middle.handle);
  TaskDriver::run(first.handle);
  EXPECT_EQ(log, "abc");
  EXPECT_TRUE(last.handle.done());
  EXPECT_FALSE(first.handle.done());
  for (Routine* routine : {&first, &middle, &last}) routine->handle.destroy();
}

TEST(TaskDriver, WithoutADriverHandingOverRunsAtOnce) {
  std::string log;
  Routine last = say(log, 'b');
  Routine first = say_then(log, 'a', last.handle);
  first.handle.resume();  // Like an awaiter of another library.
  EXPECT_EQ(log, "ab");
  first.handle.destroy();
  last.handle.destroy();
}

TEST(TaskDriver, HandingOverTwiceBeforeReturningLosesNeither) {
  std::string log;
  Routine one = say(log, '1');
  Routine two = say(log, '2');
  Routine first = say_then(log, 'a', one.handle);
  Routine second = say_then(log, 'b', two.handle);
  auto foreign = [](std::coroutine_handle<> x, std::coroutine_handle<> y) -> Routine {
    x.resume();
    y.resume();
    co_return;
  };
  Routine outer = foreign(first.handle, second.handle);
  TaskDriver::run(outer.handle);
  EXPECT_EQ(log, "ab21");  // The first waits for the driver, the second cannot.
  for (Routine* routine : {&one, &two, &first, &second, &outer}) routine->handle.destroy();
}

TEST(TaskDriver, OneInsideAnotherHasItsOwnRound) {
  std::string log;
  Routine inner_last = say(log, 'c');
  Routine inner = say_then(log, 'b', inner_last.handle);
  Routine last = say(log, 'e');
  auto nest = [](std::string& to, std::coroutine_handle<> now,
                 std::coroutine_handle<> next) -> Routine {
    to += 'a';
    TaskDriver::run(now);
    to += 'd';
    HandOver over{next};
    co_await over;
  };
  Routine outer = nest(log, inner.handle, last.handle);
  TaskDriver::run(outer.handle);
  EXPECT_EQ(log, "abcde");
  for (Routine* routine : {&inner_last, &inner, &last, &outer}) routine->handle.destroy();
}

}  // namespace
}  // namespace rondo
