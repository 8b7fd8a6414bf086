// Awaits a task with another token than the inherited one.
//
//   co_await with_token(source.token(), fetch());
//   co_await uncancelled(say_goodbye(socket));
//
// Thread: that of the task which awaits.
#pragma once

#include "base/co/task.h"

namespace rondo {

template <class T>
class [[nodiscard]] WithToken {
 public:
  WithToken(CancelToken token, Task<T> task) : task_(std::move(task)), token_(token) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiter) noexcept {
    TaskContext context = context_of(waiter);
    context.cancel = token_;
    task_.start_for(waiter, context);
  }
  T await_resume() { return task_.take(); }

 private:
  Task<T> task_;
  CancelToken token_;
};

// Replaces the inherited token; use CancelSource::follow() to combine two.
template <class T>
WithToken<T> with_token(CancelToken token, Task<T> task) {
  return WithToken<T>(token, std::move(task));
}
// The task is not cancelled with its callers: for clean-up that must finish.
template <class T>
WithToken<T> uncancelled(Task<T> task) {
  return WithToken<T>(CancelToken(), std::move(task));
}

}  // namespace rondo
