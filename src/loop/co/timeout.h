// A time limit for any task.
//
//   Result<size_t> size = co_await with_timeout(5s, read_all(file));
//
// Phase: timers cancels the task; the await returns when the task has ended. Thread: the loop's
// only.
#pragma once

#include "loop/co/awaiters.h"

namespace rondo {

// The result of with_timeout() for a Task<T>: T itself if it is a Result, otherwise Result<T>.
// ETIMEDOUT replaces the task's ECANCELED. A task that succeeds in spite of the cancellation keeps
// its result, unless it returns no Result: success looks like cancellation then, and
// ETIMEDOUT is returned.
template <class T>
class [[nodiscard]] WithTimeout {
 public:
  using Outcome = typename WorkResult<T>::Type;
  static constexpr bool kHasResult = std::is_same_v<Outcome, T>;

  WithTimeout(Loop* loop, Nanos delay, Task<T> task)
      : loop_(loop), delay_(delay), task_(std::move(task)) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiter) {
    TaskContext context = context_of(waiter);
    if (loop_ == nullptr) loop_ = static_cast<Loop*>(context.host);
    if (loop_ == nullptr) fatal("with_timeout() in a task that no loop runs; name the loop");
    source_.follow(context.cancel);
    timer_.emplace(*loop_);
    timer_->start(delay_, [this](Timer&) {
      is_late_ = true;
      source_.cancel();
    });
    context.cancel = source_.token();
    task_.start_for(waiter, context);
  }
  Outcome await_resume() {
    timer_->stop();
    const Error late{ETIMEDOUT, "timeout"};
    if constexpr (kHasResult) {
      Outcome outcome = task_.take();
      if (is_late_ && !outcome && outcome.error().code == ECANCELED) return late;
      return outcome;
    } else if constexpr (std::is_void_v<T>) {
      return is_late_ ? Outcome(late) : Outcome();
    } else {
      return is_late_ ? Outcome(late) : Outcome(task_.take());
    }
  }

 private:
  Loop* loop_;
  Nanos delay_;
  CancelSource source_;
  std::optional<Timer> timer_;
  Task<T> task_;
  bool is_late_ = false;
};

template <class T>
WithTimeout<T> with_timeout(Nanos delay, Task<T> task) {
  return WithTimeout<T>(nullptr, delay, std::move(task));
}
// For coroutines without a context that has the loop.
template <class T>
WithTimeout<T> with_timeout(Loop& loop, Nanos delay, Task<T> task) {
  return WithTimeout<T>(&loop, delay, std::move(task));
}

}  // namespace rondo
