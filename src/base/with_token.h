// Awaiting a task under another token than the inherited one.
//
//   co_await with_token(source.token(), fetch());
//   co_await uncancelled(say_goodbye(socket));
//
// Thread: that of the task which awaits.
#pragma once

#include "base/task.h"

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

// Instead of the inherited token, not in addition to it; CancelSource::follow() makes one of two.
template <class T>
WithToken<T> with_token(CancelToken token, Task<T> task) {
  return WithToken<T>(token, std::move(task));
}
// Nothing above can cancel the task: for what must be finished in an orderly way.
template <class T>
WithToken<T> uncancelled(Task<T> task) {
  return WithToken<T>(CancelToken(), std::move(task));
}

}  // namespace rondo
