// Runs several tasks concurrently: starts them in order and waits for all of them, so that none is
// left running.
//
//   auto [config, users] = co_await when_all(load_config(), load_users());
//   auto [winner, results] = co_await when_any(ask(first), ask(second));
//
// Thread: that of the task which awaits.
#pragma once

#include <tuple>
#include <variant>
#include <vector>

#include "base/co/task.h"

namespace rondo {

// The value of a Task<T> in a tuple: monostate for a void task.
template <class T>
using TaskValue = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class T>
TaskValue<T> take_value(Task<T>& task) {
  if constexpr (std::is_void_v<T>) {
    task.take();
    return {};
  } else {
    return task.take();
  }
}

// Counts tasks down and then resumes the coroutine that waits for all of them.
class TaskBarrier {
 public:
  TaskBarrier() = default;
  TaskBarrier(const TaskBarrier&) = delete;
  TaskBarrier& operator=(const TaskBarrier&) = delete;

  // Start the tasks between open() and close(); if close() returns true, suspend.
  void open(std::coroutine_handle<> waiter, size_t tasks) {
    waiter_ = waiter;
    left_ = tasks + 1;  // One for the waiter: it must not be resumed while it is suspending.
  }
  bool close() { return --left_ > 0; }
  // Records that a task has ended. Returns the coroutine to resume, or null while others run.
  std::coroutine_handle<> arrive() { return --left_ == 0 ? waiter_ : nullptr; }

 private:
  std::coroutine_handle<> waiter_;
  size_t left_ = 0;
};

// co_await when_all(a(), b(), …): a tuple of their values, in the order of the arguments. A failed
// task does not stop the others; use a TaskGroup for that.
template <class... Ts>
class [[nodiscard]] WhenAll {
 public:
  explicit WhenAll(Task<Ts>... tasks) : tasks_(std::move(tasks)...) {}

  bool await_ready() const noexcept { return sizeof...(Ts) == 0; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    barrier_.open(waiter, sizeof...(Ts));
    const TaskContext context = context_of(waiter);
    std::apply([&](auto&... tasks) { (tasks.start(context, this, on_end), ...); }, tasks_);
    return barrier_.close();
  }
  std::tuple<TaskValue<Ts>...> await_resume() {
    return std::apply(
        [](auto&... tasks) { return std::tuple<TaskValue<Ts>...>(take_value(tasks)...); }, tasks_);
  }

 private:
  static std::coroutine_handle<> on_end(void* self, std::coroutine_handle<>) {
    return static_cast<WhenAll*>(self)->barrier_.arrive();
  }

  std::tuple<Task<Ts>...> tasks_;
  TaskBarrier barrier_;
};

template <class... Ts>
WhenAll<Ts...> when_all(Task<Ts>... tasks) {
  return WhenAll<Ts...>(std::move(tasks)...);
}

// when_all() for a number of tasks known only at run time: returns a vector of their values.
template <class T>
class [[nodiscard]] WhenAllOf {
 public:
  explicit WhenAllOf(std::vector<Task<T>> tasks) : tasks_(std::move(tasks)) {}

  bool await_ready() const noexcept { return tasks_.empty(); }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    barrier_.open(waiter, tasks_.size());
    const TaskContext context = context_of(waiter);
    for (Task<T>& task : tasks_) task.start(context, this, on_end);
    return barrier_.close();
  }
  std::vector<TaskValue<T>> await_resume() {
    std::vector<TaskValue<T>> values;
    values.reserve(tasks_.size());
    for (Task<T>& task : tasks_) values.push_back(take_value(task));
    return values;
  }

 private:
  static std::coroutine_handle<> on_end(void* self, std::coroutine_handle<>) {
    return static_cast<WhenAllOf*>(self)->barrier_.arrive();
  }

  std::vector<Task<T>> tasks_;
  TaskBarrier barrier_;
};

template <class T>
WhenAllOf<T> when_all(std::vector<Task<T>> tasks) {
  return WhenAllOf<T>(std::move(tasks));
}

// The result of when_any(): the index of the task that ended first, and the values of all. The
// others were cancelled, but one that already had its result keeps it: bytes that were read are not
// lost.
template <class... Ts>
struct AnyOf {
  size_t winner;
  std::tuple<TaskValue<Ts>...> results;
};

// co_await when_any(a(), b(), …): when one has ended, cancels the others and waits for them.
template <class... Ts>
class [[nodiscard]] WhenAny {
  static_assert(sizeof...(Ts) > 0, "no task at all never ends");

 public:
  explicit WhenAny(Task<Ts>... tasks) : tasks_(std::move(tasks)...) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    barrier_.open(waiter, sizeof...(Ts));
    TaskContext context = context_of(waiter);
    source_.follow(context.cancel);
    context.cancel = source_.token();
    start(context, std::index_sequence_for<Ts...>{});
    return barrier_.close();
  }
  AnyOf<Ts...> await_resume() {
    return std::apply(
        [this](auto&... tasks) {
          return AnyOf<Ts...>{winner_, {take_value(tasks)...}};
        },
        tasks_);
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  template <size_t... kIndex>
  void start(const TaskContext& context, std::index_sequence<kIndex...>) {
    (std::get<kIndex>(tasks_).start(context, this, on_end<kIndex>), ...);
  }
  template <size_t kIndex>
  static std::coroutine_handle<> on_end(void* self, std::coroutine_handle<>) {
    WhenAny& any = *static_cast<WhenAny*>(self);
    if (any.winner_ == kNone) {
      any.winner_ = kIndex;
      any.source_.cancel();
    }
    return any.barrier_.arrive();
  }

  CancelSource source_;  // Before the tasks: it must outlive the hooks in them.
  std::tuple<Task<Ts>...> tasks_;
  TaskBarrier barrier_;
  size_t winner_ = kNone;
};

template <class... Ts>
WhenAny<Ts...> when_any(Task<Ts>... tasks) {
  return WhenAny<Ts...>(std::move(tasks)...);
}

}  // namespace rondo
