// A TaskGroup runs tasks concurrently and ends with all of them: no task outlives the scope that
// started it.
//
//   TaskGroup clients(loop);
//   while (Result<Owned<TcpSocket>> client = co_await server.accept()) {
//     clients.spawn(serve(std::move(*client)));
//   }
//   clients.cancel();
//   co_await clients.join();
//
// Thread: the loop's only.
#pragma once

#include <concepts>

#include "base/co/task.h"
#include "base/result.h"

namespace rondo {

class Loop;

class TaskGroup {
 public:
  // Cancelled with `parent`, too; join() also observes the token of the task that awaits it.
  explicit TaskGroup(Loop& loop, CancelToken parent = {});
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup();  // Aborts while tasks run: cancel() and join() first.

  // Runs the task until it first suspends, then returns. The group owns it, and frees it at its
  // end.
  void spawn(Task<void> task);
  // The first task that ends with an error cancels the group; join() returns the error.
  void spawn(Task<Result<void>> task);
  // Takes a function that returns such a task. Captures of a lambda given here live as long as the
  // task, unlike those of a lambda that is called on the spot.
  template <class F>
    requires std::invocable<F&>
  void spawn(F function) { spawn(call(std::move(function))); }

  // Cancels every task: whatever it awaits gives ECANCELED. Tasks spawned later start cancelled.
  void cancel() { source_.cancel(); }
  CancelToken token() { return source_.token(); }
  size_t running() const { return running_; }

  // co_await group.join(): the first error that a task ended with, or success. Waits until no task
  // runs; the group may be used again afterwards. If the waiting task is cancelled, so is the
  // group, and join() still waits. One at a time.
  class Join;
  Join join();

 private:
  template <class F>
  static std::invoke_result_t<F&> call(F function) {
    co_return co_await function();
  }
  static std::coroutine_handle<> on_end(void* self, std::coroutine_handle<> task);
  static std::coroutine_handle<> on_result(void* self, std::coroutine_handle<> task);
  std::coroutine_handle<> ended(std::coroutine_handle<> task);

  Loop& loop_;
  CancelSource source_;
  size_t running_ = 0;
  std::coroutine_handle<> joiner_;
  Result<void> first_error_;
};

class [[nodiscard]] TaskGroup::Join {
 public:
  explicit Join(TaskGroup& group);

  bool await_ready() const noexcept { return group_.running_ == 0; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiter) {
    suspend(waiter, context_of(waiter).cancel);
  }
  Result<void> await_resume();

 private:
  struct Hook final : CancelHook {
    explicit Hook(TaskGroup& group);
    TaskGroup& group;
  };
  void suspend(std::coroutine_handle<> waiter, CancelToken token);

  TaskGroup& group_;
  Hook hook_;
};

inline TaskGroup::Join TaskGroup::join() { return Join(*this); }

}  // namespace rondo
