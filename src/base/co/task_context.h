// TaskContext is the context that a task inherits; current_context() returns it inside a coroutine.
// Works for every coroutine type whose promise has a context(). Thread: the task's only.
#pragma once

#include <concepts>
#include <coroutine>

#include "base/co/cancel.h"

namespace rondo {

// Inherited from the task that awaits or spawns this one, and passed on to the tasks it awaits.
struct TaskContext {
  CancelToken cancel;    // Passed to every cancellable operation of the task.
  void* host = nullptr;  // The Loop; this layer only passes it on.
};

// The context of a coroutine; an empty one if its promise type has no context().
template <class Promise>
TaskContext context_of(std::coroutine_handle<Promise> coroutine) {
  if constexpr (requires {
                  { coroutine.promise().context() } -> std::convertible_to<TaskContext>;
                }) {
    return coroutine.promise().context();
  } else {
    return {};
  }
}

// TaskContext context = co_await current_context();
class CurrentContext {
 public:
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) noexcept {
    found_ = context_of(coroutine);
    return false;
  }
  TaskContext await_resume() const noexcept { return found_; }

 protected:
  TaskContext found_;
};
inline CurrentContext current_context() { return {}; }

// CancelToken token = co_await current_token(): for long computations that poll for cancellation.
class CurrentToken : public CurrentContext {
 public:
  CancelToken await_resume() const noexcept { return found_.cancel; }
};
inline CurrentToken current_token() { return {}; }

}  // namespace rondo
