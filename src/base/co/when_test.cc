#include "base/co/when.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>

#include "base/result.h"

namespace rondo {
namespace {

// Suspends until it is opened or cancelled. As with a real operation, cancelling only marks it, and
// settle() completes it later.
class Slow {
 public:
  class Wait {
   public:
    explicit Wait(Slow& slow) : slow_(slow) {}
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> waiter) noexcept {
      if (!context_of(waiter).cancel.attach(slow_.hook_)) {
        slow_.result_ = Error{ECANCELED, "slow"};
        return false;
      }
      slow_.waiter_ = waiter;
      return true;
    }
    Result<int> await_resume() const noexcept { return slow_.result_; }

   private:
    Slow& slow_;
  };
  Slow() { hook_.owner = this; }
  Wait wait() { return Wait(*this); }
  void finish(Result<int> result) {
    hook_.detach();
    result_ = std::move(result);
    TaskDriver::run(std::exchange(waiter_, nullptr));
  }
  void settle() {
    if (is_cancelled_ && waiter_) finish(Error{ECANCELED, "slow"});
  }
  bool is_cancelled() const { return is_cancelled_; }
  bool is_waited_for() const { return waiter_ != nullptr; }

 private:
  struct Hook : CancelHook {
    Hook()
        : CancelHook(
              [](CancelHook& self) { static_cast<Hook&>(self).owner->is_cancelled_ = true; }) {}
    Slow* owner = nullptr;
  };
  Hook hook_;
  std::coroutine_handle<> waiter_;
  Result<int> result_ = 0;
  bool is_cancelled_ = false;
};

std::coroutine_handle<> do_nothing(void*, std::coroutine_handle<>) { return nullptr; }

Task<int> now(int value) { co_return value; }
Task<void> nothing() { co_return; }
Task<Result<int>> later(Slow& slow) { co_return co_await slow.wait(); }

TEST(WhenAll, GivesTheValuesInTheOrderOfTheArguments) {
  Slow a, b;
  auto outer = [](Slow& x, Slow& y) -> Task<std::string> {
    auto [first, second, third, fourth] = co_await when_all(later(x), now(2), nothing(), later(y));
    co_return std::to_string(*first) + std::to_string(second) + std::to_string(*fourth);
  };
  Task<std::string> task = outer(a, b);
  task.start({}, nullptr, do_nothing);
  b.finish(4);
  EXPECT_TRUE(task.is_running());
  a.finish(1);
  EXPECT_EQ(task.take(), "124");
}

TEST(WhenAll, TasksThatNeedNotWaitAreDoneAtOnce) {
  auto outer = []() -> Task<int> {
    auto [one, two] = co_await when_all(now(1), now(2));
    co_return one + two;
  };
  Task<int> task = outer();
  task.start({}, nullptr, do_nothing);
  EXPECT_EQ(task.take(), 3);
}

TEST(WhenAll, NoTasksAreDoneAtOnce) {
  auto outer = []() -> Task<size_t> {
    std::vector<Task<int>> none;
    const std::vector<int> values = co_await when_all(std::move(none));
    co_await when_all();
    co_return values.size();
  };
  Task<size_t> task = outer();
  task.start({}, nullptr, do_nothing);
  EXPECT_EQ(task.take(), 0u);
}

TEST(WhenAll, TakesAsManyAsThereAreAtRunTime) {
  Slow slow[5];
  auto outer = [](std::span<Slow> all) -> Task<int> {
    std::vector<Task<Result<int>>> tasks;
    for (Slow& each : all) tasks.push_back(later(each));
    std::vector<Result<int>> values = co_await when_all(std::move(tasks));
    int digits = 0;
    for (const Result<int>& value : values) digits = digits * 10 + *value;
    co_return digits;
  };
  Task<int> task = outer(slow);
  task.start({}, nullptr, do_nothing);
  for (int i : {3, 0, 4, 1, 2}) slow[i].finish(i + 1);
  EXPECT_EQ(task.take(), 12345);
}

TEST(WhenAll, OneThatFailsDoesNotStopTheOthers) {
  Slow a, b;
  auto outer = [](Slow& x, Slow& y) -> Task<std::string> {
    auto [first, second] = co_await when_all(later(x), later(y));
    co_return std::string(first.error().name()) + " " + std::to_string(*second);
  };
  Task<std::string> task = outer(a, b);
  task.start({}, nullptr, do_nothing);
  a.finish(Error{EIO, "slow"});
  EXPECT_FALSE(b.is_cancelled());
  b.finish(2);
  EXPECT_EQ(task.take(), "EIO 2");
}

TEST(WhenAll, CancellationReachesEachTask) {
  Slow a, b;
  CancelSource source;
  auto outer = [](Slow& x, Slow& y) -> Task<int> {
    auto [first, second] = co_await when_all(later(x), later(y));
    co_return first.error().code + second.error().code;
  };
  Task<int> task = outer(a, b);
  task.start({source.token(), nullptr}, nullptr, do_nothing);
  source.cancel();
  EXPECT_TRUE(task.is_running());  // Cancelling does not resume a coroutine.
  a.settle();
  b.settle();
  EXPECT_EQ(task.take(), 2 * ECANCELED);
}

Task<std::string> race(Slow& x, Slow& y) {
  auto [winner, results] = co_await when_any(later(x), later(y));
  auto& [first, second] = results;
  std::string seen = std::to_string(winner);
  seen += first ? " " + std::to_string(*first) : std::string(" ") + first.error().name();
  seen += second ? " " + std::to_string(*second) : std::string(" ") + second.error().name();
  co_return seen;
}

TEST(WhenAny, TheOthersAreCancelledAndAwaited) {
  for (const int winner : {0, 1}) {
    Slow slow[2];
    Task<std::string> task = race(slow[0], slow[1]);
    task.start({}, nullptr, do_nothing);
    slow[winner].finish(7);
    EXPECT_TRUE(slow[1 - winner].is_cancelled());
    EXPECT_TRUE(task.is_running());
    slow[1 - winner].settle();
    EXPECT_EQ(task.take(), winner == 0 ? "0 7 ECANCELED" : "1 ECANCELED 7");
  }
}

TEST(WhenAny, AResultThatComesInSpiteOfTheCancellationIsKept) {
  Slow a, b;
  Task<std::string> task = race(a, b);
  task.start({}, nullptr, do_nothing);
  b.finish(2);
  a.finish(1);
  EXPECT_EQ(task.take(), "1 1 2");
}

TEST(WhenAny, ATaskBehindOneThatIsDoneAtOnceStartsCancelled) {
  Slow slow;
  auto outer = [](Slow& x) -> Task<std::string> {
    auto [winner, results] = co_await when_any(now(3), later(x));
    co_return std::to_string(winner) + " " + std::get<1>(results).error().name();
  };
  Task<std::string> task = outer(slow);
  task.start({}, nullptr, do_nothing);
  EXPECT_EQ(task.take(), "0 ECANCELED");
}

TEST(WhenAny, CancellationFromAboveReachesAll) {
  Slow a, b;
  CancelSource source;
  Task<std::string> task = race(a, b);
  task.start({source.token(), nullptr}, nullptr, do_nothing);
  source.cancel();
  b.settle();
  a.settle();
  EXPECT_EQ(task.take(), "1 ECANCELED ECANCELED");
}

}  // namespace
}  // namespace rondo
