// Coroutines on the loop: the types that Loop's awaitable members return.
//
//   co_await loop.sleep(5ms);                    // in the timers phase
//   co_await loop.yield();                       // in the check phase, after the next poll
//   co_await loop.work([&] { return hash(x); }); // on a worker; back in the poll phase
//   loop.spawn(serve(client));                   // owned by the loop
//   int code = loop.run_task(app(loop));         // runs the loop until the task has ended
//
// Each operation lives in the frame of the coroutine that awaits it, so none allocates; and the
// coroutine goes on inside the operation's own callback, in its own phase. When the task is
// cancelled the await gives ECANCELED, promptly and never from inside cancel(). Thread: the loop's
// only.
#pragma once

#include <optional>

#include "base/co/task.h"
#include "base/result.h"
#include "loop/co/task_group.h"
#include "loop/loop.h"
#include "loop/work.h"

namespace rondo {

// A Result that may be ignored. Code that ignores ECANCELED from a sleep only wakes up early, but a
// loop of such sleeps never ends: check the result. Await it in a statement of its own, since g++
// 12 may miscompile an await in the condition of a while.
class Slept : public Result<void> {
 public:
  using Result<void>::Result;
};

// Wakes no earlier than the delay, counted from loop.now(). Phase: timers, cancelled or not.
class [[nodiscard]] Sleep {
 public:
  Sleep(Loop& loop, Nanos delay) : loop_(loop), delay_(delay) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiter) {
    start(waiter, context_of(waiter).cancel);
  }
  Slept await_resume() const;

 private:
  struct Hook final : CancelHook {
    explicit Hook(Sleep& sleep);
    Sleep& owner;
  };
  void start(std::coroutine_handle<> waiter, CancelToken token);
  void arm(Nanos delay);

  Loop& loop_;
  Nanos delay_;
  std::coroutine_handle<> waiter_;
  std::optional<Timer> timer_;
  std::optional<Hook> hook_;
  bool is_cancelled_ = false;
};

// Lets everything that is ready run first. Phase: check.
class [[nodiscard]] Yield {
 public:
  explicit Yield(Loop& loop) : immediate_(loop) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiter) {
    token_ = context_of(waiter).cancel;
    immediate_.set([waiter] { TaskDriver::run(waiter); });
  }
  Slept await_resume() const {
    return token_.is_cancelled() ? Slept(Error{ECANCELED, "yield"}) : Slept();
  }

 private:
  Immediate immediate_;
  CancelToken token_;
};

// The type that awaiting a function's work gives: a Result of the function's return type, or that
// type itself if it is a Result already.
template <class T>
struct WorkResult {
  using Type = Result<T>;
};
template <class T>
struct WorkResult<Result<T>> {
  using Type = Result<T>;
};

// ECANCELED only if the function had not begun; otherwise it runs to its end, and the await waits
// for that (POOL-03). Phase: poll.
template <class F>
class [[nodiscard]] WorkAwaiter {
 public:
  using Value = std::invoke_result_t<F&>;
  using Outcome = typename WorkResult<Value>::Type;

  WorkAwaiter(Loop& loop, F function, JobKind kind)
      : function_(std::move(function)), work_(loop), kind_(kind) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    if (!context_of(waiter).cancel.attach(hook_)) {
      outcome_.emplace(Error{ECANCELED, "work"});
      return false;
    }
    waiter_ = waiter;
    work_.submit([this] { run(); }, [this](Work&, Result<void> result) { finish(result); }, kind_);
    return true;
  }
  Outcome await_resume() { return std::move(*outcome_); }

 private:
  struct Hook final : CancelHook {
    explicit Hook(Work& to_cancel)
        : CancelHook([](CancelHook& self) {
            (void)static_cast<Hook&>(self).work.cancel();  // EBUSY: it has begun and will end.
          }),
          work(to_cancel) {}
    Work& work;
  };
  void run() {  // On a worker.
    if constexpr (std::is_void_v<Value>) {
      function_();
      outcome_.emplace();
    } else {
      outcome_.emplace(function_());
    }
  }
  void finish(Result<void> result) {
    hook_.detach();
    if (!result) outcome_.emplace(result.error());
    TaskDriver::run(waiter_);
  }

  F function_;
  Work work_;
  Hook hook_{work_};
  std::coroutine_handle<> waiter_;
  std::optional<Outcome> outcome_;  // Owned by the worker until the work is done.
  JobKind kind_;
};

// Loop& loop = co_await current_loop(): the loop that runs this task.
class CurrentLoop : public CurrentContext {
 public:
  Loop& await_resume() const;
};
inline CurrentLoop current_loop() { return {}; }

inline Sleep Loop::sleep(Nanos delay) { return Sleep(*this, delay); }
inline Yield Loop::yield() { return Yield(*this); }
template <class F>
WorkAwaiter<F> Loop::work(F function, JobKind kind) {
  return WorkAwaiter<F>(*this, std::move(function), kind);
}

// Runs one task for run_task().
class RootTask {
 public:
  explicit RootTask(Loop& loop) : loop_(loop) {}
  void run_until_ended();
  static std::coroutine_handle<> on_end(void* self, std::coroutine_handle<> task);

 private:
  Loop& loop_;
  bool is_running_ = false;
  bool has_ended_ = false;
};

template <class T>
T Loop::run_task(Task<T> task, CancelToken token) {
  RootTask root(*this);
  task.start({token, this}, &root, RootTask::on_end);
  root.run_until_ended();
  return task.take();
}
template <class T>
T Loop::run_task(Task<T> task) {
  return run_task(std::move(task), CancelToken());
}

}  // namespace rondo
