#include "base/co/task.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "base/co/with_token.h"
#include "base/result.h"

namespace rondo {
namespace {

// Suspends until the test opens it.
class Door {
 public:
  class Pass {
   public:
    explicit Pass(Door& door) : door_(door) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiter) const noexcept { door_.waiter_ = waiter; }
    int await_resume() const noexcept { return door_.value_; }

   private:
    Door& door_;
  };
  Pass pass() { return Pass(*this); }
  void open(int value = 0) {
    value_ = value;
    TaskDriver::run(std::exchange(waiter_, nullptr));
  }
  bool is_waited_for() const { return waiter_ != nullptr; }

 private:
  std::coroutine_handle<> waiter_;
  int value_ = 0;
};

std::coroutine_handle<> do_nothing(void*, std::coroutine_handle<>) { return nullptr; }

// Runs a task that never suspends.
template <class T>
T run_now(Task<T> task, TaskContext context = {}) {
  task.start(context, nullptr, do_nothing);
  return task.take();
}

Task<int> answer() { co_return 42; }
Task<int> add(int left, int right) { co_return left + right; }
Task<std::unique_ptr<int>> boxed(int value) { co_return std::make_unique<int>(value); }
Task<void> count(int& counter) {
  ++counter;
  co_return;
}
Task<Result<int>> half(int number) {
  if (number % 2 != 0) co_return Error{EINVAL, "half"};
  co_return number / 2;
}

TEST(Task, RunsOnlyWhenItIsAwaited) {
  int counter = 0;
  {
    Task<void> never = count(counter);
    EXPECT_FALSE(never.is_running());
  }
  EXPECT_EQ(counter, 0);
  run_now(count(counter));
  EXPECT_EQ(counter, 1);
}

TEST(Task, GivesItsValueToTheAwaitingTask) {
  auto outer = []() -> Task<int> { co_return co_await add(co_await answer(), 1); };
  EXPECT_EQ(run_now(outer()), 43);
}

TEST(Task, CarriesValuesThatOnlyMove) {
  auto outer = []() -> Task<int> {
    std::unique_ptr<int> box = co_await boxed(5);
    co_return *box + *(co_await boxed(6));
  };
  EXPECT_EQ(run_now(outer()), 11);
}

TEST(Task, CarriesResults) {
  auto quarter = [](int number) -> Task<Result<int>> {
    Result<int> once = co_await half(number);
    if (!once) co_return once.error();
    co_return co_await half(*once);
  };
  Result<int> good = run_now(quarter(12));
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 3);
  EXPECT_EQ(run_now(quarter(6)).error().code, EINVAL);
  EXPECT_EQ(run_now(quarter(3)).error().code, EINVAL);
}

TEST(Task, MayBeKeptAndAwaitedLater) {
  auto outer = []() -> Task<int> {
    Task<int> first = add(1, 2);
    Task<int> second = add(3, 4);
    const int late = co_await std::move(second);
    const int early = co_await std::move(first);
    co_return late * 10 + early;
  };
  EXPECT_EQ(run_now(outer()), 73);
}

TEST(Task, DestroysItsParametersAndLocalsOnce) {
  auto shared = std::make_shared<int>(1);
  auto use = [](std::shared_ptr<int> parameter) -> Task<long> {
    std::shared_ptr<int> local = parameter;  // NOLINT(performance-*): the copy is what is tested
    co_return local.use_count();
  };
  auto outer = [&](std::shared_ptr<int> mine) -> Task<long> {
    const long inner = co_await use(mine);
    co_return inner * 10 + mine.use_count();
  };
  // The references: shared, mine (twice while it is being passed), parameter, local.
  EXPECT_GE(run_now(outer(shared)), 42);
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Task, WaitsInTheMiddleAndGoesOnWhereItWas) {
  Door door;
  std::string log;
  auto inner = [](Door& at, std::string& to) -> Task<int> {
    to += "before ";
    const int value = co_await at.pass();
    to += "after ";
    co_return value;
  };
  auto outer = [&](Door& at, std::string& to) -> Task<int> {
    int sum = 0;
    for (int i = 0; i < 2; ++i) sum += co_await inner(at, to);
    co_return sum;
  };
  Task<int> task = outer(door, log);
  task.start({}, nullptr, do_nothing);
  EXPECT_TRUE(task.is_running());
  EXPECT_EQ(log, "before ");
  door.open(1);
  EXPECT_EQ(log, "before after before ");
  door.open(2);
  EXPECT_TRUE(task.is_done());
  EXPECT_EQ(task.take(), 3);
}

TEST(Task, AMillionAwaitsInALoopNeedNoStack) {
  auto loop = []() -> Task<int> {
    int sum = 0;
    for (int i = 0; i < 1'000'000; ++i) sum = co_await add(sum, 1);
    co_return sum;
  };
  EXPECT_EQ(run_now(loop()), 1'000'000);
}

Task<int> descend(int depth) {
  if (depth == 0) co_return 0;
  co_return 1 + co_await descend(depth - 1);
}

TEST(Task, AHundredThousandNestedTasksNeedNoStack) {
  EXPECT_EQ(run_now(descend(100'000)), 100'000);
}

Task<int> descend_to(int depth, Door& door) {
  if (depth == 0) co_return co_await door.pass();
  co_return 1 + co_await descend_to(depth - 1, door);
}

TEST(Task, ADeepChainThatWasWaitingUnwindsWithoutStack) {
  Door door;
  Task<int> task = descend_to(100'000, door);
  task.start({}, nullptr, do_nothing);
  ASSERT_TRUE(door.is_waited_for());
  door.open(7);
  EXPECT_EQ(task.take(), 100'007);
}

TEST(Task, InheritsTheContextOfTheAwaitingTask) {
  CancelSource source;
  int host = 0;
  auto inner = []() -> Task<TaskContext> { co_return co_await current_context(); };
  auto outer = [&]() -> Task<TaskContext> { co_return co_await inner(); };
  source.cancel();
  const TaskContext seen = run_now(outer(), {source.token(), &host});
  EXPECT_EQ(seen.host, &host);
  EXPECT_TRUE(seen.cancel.is_cancelled());
}

Task<bool> sees_cancellation() {
  const CancelToken token = co_await current_token();
  co_return token.is_cancelled();
}

TEST(Task, WithAnotherTokenTheInheritedOneIsOutOfSight) {
  CancelSource inherited;
  CancelSource own;
  inherited.cancel();
  auto outer = [](CancelSource& mine) -> Task<std::string> {
    std::string seen;
    seen += (co_await sees_cancellation()) ? "cancelled " : "not ";
    seen += (co_await with_token(mine.token(), sees_cancellation())) ? "cancelled " : "not ";
    seen += (co_await uncancelled(sees_cancellation())) ? "cancelled" : "not";
    co_return seen;
  };
  EXPECT_EQ(run_now(outer(own), {inherited.token(), nullptr}), "cancelled not not");
}

// A coroutine type of another library, without contexts or drivers.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept {}
  };
};

TEST(Task, MayBeAwaitedByCoroutinesThatAreNotOurs) {
  Door door;
  int result = 0;
  auto outer = [](Door& at, int& out) -> Detached {
    const int sum = co_await add(1, 2);
    out = sum + co_await descend_to(3, at);
  };
  outer(door, result);
  EXPECT_EQ(result, 0);
  door.open(10);
  EXPECT_EQ(result, 16);
}

TEST(Task, CoroutinesThatAreNotOursMayResumeSeveralOfOurs) {
  // Resumed directly inside a driven coroutine: the driver must not lose the second one.
  Door first, second;
  std::string log;
  auto waiter = [](Door& at, std::string& to, char name) -> Task<void> {
    co_await at.pass();
    to += name;
  };
  Task<void> a = waiter(first, log, 'a');
  Task<void> b = waiter(second, log, 'b');
  a.start({}, nullptr, do_nothing);
  b.start({}, nullptr, do_nothing);
  auto opener = [](Door& one, Door& two, std::string& to) -> Task<int> {
    one.open();
    two.open();
    to += 'o';
    co_return co_await answer();
  };
  EXPECT_EQ(run_now(opener(first, second, log)), 42);
  EXPECT_EQ(log, "abo");
}

TEST(Task, AssigningATaskDropsTheOldOne) {
  auto shared = std::make_shared<int>(1);
  auto hold = [](std::shared_ptr<int>) -> Task<void> { co_return; };
  Task<void> task = hold(shared);
  EXPECT_EQ(shared.use_count(), 2);
  task = Task<void>();
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_FALSE(task);
}

TEST(TaskDeathTest, DestroyingARunningTaskAborts) {
  EXPECT_DEATH(
      {
        Door door;
        Task<int> task = descend_to(2, door);
        task.start({}, nullptr, do_nothing);
      },
      "cancel it and wait");
}

TEST(TaskDeathTest, AwaitingATaskThatWasMovedAwayAborts) {
  auto outer = []() -> Task<int> {
    Task<int> task = answer();
    Task<int> other = std::move(task);
    co_return co_await std::move(task);
  };
  EXPECT_DEATH(run_now(outer()), "moved from");
}

TEST(TaskDeathTest, StartingATaskTwiceAborts) {
  Task<int> task = answer();
  task.start({}, nullptr, do_nothing);
  EXPECT_DEATH(task.start({}, nullptr, do_nothing), "started twice");
}

}  // namespace
}  // namespace rondo
