// Task<T> is a coroutine that returns a T: the return type of an asynchronous function.
//
//   Task<Result<size_t>> copy(Socket& from, Socket& to) {
//     ...
//     Result<size_t> size = co_await from.read(buffer);
//     if (!size) co_return size.error();
//
// A task is lazy: nothing runs until it is awaited, spawned (loop/co/task_group.h) or given to
// Loop::run_task(). It runs on the thread that started it, inside the callback of the operation it
// awaited. A task inherits its context from the one that awaits it: see TaskContext.
//
// A task that has started must run to its end: the kernel may use memory of its frame. To end one
// early, cancel it and wait. Destroying a running task aborts with a message.
//
// Guidelines for writing coroutines, and bugs of g++ 12 to avoid: docs/COROUTINES.md.
#pragma once

#include <concepts>
#include <coroutine>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "base/co/task_context.h"
#include "base/co/task_driver.h"

namespace rondo {

// Base class of the promises of all tasks.
class TaskPromiseBase {
 public:
  // Called when a task has ended, instead of resuming an awaiting coroutine. The task is at its
  // final suspend point and may be destroyed. Returns the coroutine to resume, or null.
  using OnEnd = std::coroutine_handle<> (*)(void* waiter, std::coroutine_handle<> task);

  struct AtEnd {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> task) const noexcept {
      // The frame, including `this`, must not be touched after the call.
      const TaskPromiseBase& promise = task.promise();
      const std::coroutine_handle<> next =
          promise.on_end_ == nullptr ? std::coroutine_handle<>::from_address(promise.waiter_)
                                     : promise.on_end_(promise.waiter_, task);
      if (next != nullptr) TaskDriver::hand_over(next);
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  AtEnd final_suspend() const noexcept { return {}; }
  // An exception that leaves a task ends the program: it must not unwind through the loop.
  [[noreturn]] void unhandled_exception() const noexcept;

  const TaskContext& context() const { return context_; }
  bool is_started() const { return is_started_; }

 protected:
  TaskPromiseBase() = default;

 private:
  template <class T>
  friend class Task;
  void begin(const TaskContext& context, void* waiter, OnEnd on_end);

  TaskContext context_;
  // With on_end_: its argument. Otherwise the address of the awaiting coroutine.
  void* waiter_ = nullptr;
  OnEnd on_end_ = nullptr;
  bool is_started_ = false;
};

template <class T>
class TaskPromise;

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = TaskPromise<T>;
  using Handle = std::coroutine_handle<promise_type>;
  using value_type = T;
  static_assert(!std::is_reference_v<T>, "a task returns a value; return a pointer instead");

  Task() = default;  // Empty: may only be assigned to and destroyed.
  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_ == nullptr) return;
    if (is_running()) fatal("a task was destroyed while it was running; cancel it and wait for it");
    handle_.destroy();
  }

  explicit operator bool() const { return handle_ != nullptr; }
  bool is_running() const { return handle_ && handle_.promise().is_started() && !handle_.done(); }
  bool is_done() const { return handle_ && handle_.done(); }

  // co_await f(...), or co_await std::move(task): runs the task now; the result is its value.
  auto operator co_await() &&;

  // For functions that start tasks, such as when_all(): runs the task until it first suspends;
  // `on_end(waiter, …)` is called when it has ended, possibly before this returns.
  void start(const TaskContext& context, void* waiter, TaskPromiseBase::OnEnd on_end) {
    prepare(context, waiter, on_end);
    TaskDriver::run(handle_);
  }
  // For await_suspend(), as its last statement: runs the task and resumes `waiter` when it has
  // ended.
  void start_for(std::coroutine_handle<> waiter, const TaskContext& context) {
    prepare(context, waiter.address(), nullptr);
    TaskDriver::hand_over(handle_);
  }
  // As start(), but `on_end` also has to destroy the coroutine: the caller no longer owns it.
  void start_detached(const TaskContext& context, void* waiter, TaskPromiseBase::OnEnd on_end) && {
    prepare(context, waiter, on_end);
    TaskDriver::run(std::exchange(handle_, nullptr));
  }
  // Moves the value out, once, after the task has ended.
  T take() {
    RONDO_ASSERT(is_done());
    return handle_.promise().take();
  }

 private:
  class Awaiter;
  void prepare(const TaskContext& context, void* waiter, TaskPromiseBase::OnEnd on_end) {
    if (handle_ == nullptr) fatal("an empty task was awaited; has it been moved from?");
    handle_.promise().begin(context, waiter, on_end);
  }

  Handle handle_;
};

template <class T>
class TaskPromise final : public TaskPromiseBase {
 public:
  TaskPromise() {}
  TaskPromise(const TaskPromise&) = delete;
  TaskPromise& operator=(const TaskPromise&) = delete;
  ~TaskPromise() {
    if (has_value_) std::destroy_at(&value_);
  }

  Task<T> get_return_object() { return Task<T>(Task<T>::Handle::from_promise(*this)); }
  template <class U = T>
    requires std::convertible_to<U, T>
  void return_value(U&& value) {
    std::construct_at(&value_, std::forward<U>(value));
    has_value_ = true;
  }
  T take() { return std::move(value_); }

 private:
  union {
    T value_;
  };
  bool has_value_ = false;
};

template <>
class TaskPromise<void> final : public TaskPromiseBase {
 public:
  Task<void> get_return_object() { return Task<void>(Task<void>::Handle::from_promise(*this)); }
  void return_void() const noexcept {}
  void take() const {}
};

template <class T>
class [[nodiscard]] Task<T>::Awaiter {
 public:
  explicit Awaiter(Task task) : task_(std::move(task)) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiter) noexcept {
    task_.start_for(waiter, context_of(waiter));
  }
  T await_resume() { return task_.take(); }

 private:
  Task task_;
};

template <class T>
auto Task<T>::operator co_await() && {
  return Awaiter(std::move(*this));
}

}  // namespace rondo
