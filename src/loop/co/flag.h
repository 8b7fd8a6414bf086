// A Flag lets tasks wait for an event: anything on the loop sets it, coroutines wait for it.
//
//   Flag ready(loop);
//   timer.start(5ms, [&](Timer&) { ready.set(); });
//   co_await ready.wait();
//
// Phase: check, so set() never runs other code. Thread: the loop's only; from another thread, set
// it in the callback of an Async.
#pragma once

#include "base/co/task_context.h"
#include "base/co/task_driver.h"
#include "base/result.h"
#include "loop/phases/check.h"

namespace rondo {

class Flag;
class Loop;

// co_await flag.wait(): a Result<void>, ECANCELED if the task was cancelled before the flag was
// set.
class [[nodiscard]] FlagWait {
 public:
  explicit FlagWait(Flag& flag);

  bool await_ready() const noexcept;
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    return suspend(waiter, context_of(waiter).cancel);
  }
  Result<void> await_resume() const;

 private:
  friend class Flag;
  struct Hook final : CancelHook {
    explicit Hook(FlagWait& wait);
    FlagWait& owner;
  };
  bool suspend(std::coroutine_handle<> waiter, CancelToken token);
  void wake();

  Flag& flag_;
  ListLink link_;  // In the flag's list until the flag is set or the wait is cancelled.
  Hook hook_;
  Immediate immediate_;
  std::coroutine_handle<> waiter_;
  bool is_cancelled_ = false;
};

class Flag {
 public:
  explicit Flag(Loop& loop) : loop_(loop) {}
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;
  ~Flag();  // Aborts while a task waits.

  // Wakes all waiting tasks in the order in which they began to wait. Later waits return at once.
  void set();
  void clear() { is_set_ = false; }  // Tasks wait again.
  bool is_set() const { return is_set_; }

  // Waiting does not keep the loop alive: if nothing else does, nothing is left that could set the
  // flag.
  FlagWait wait() { return FlagWait(*this); }

 private:
  friend class FlagWait;
  Loop& loop_;
  List<FlagWait, &FlagWait::link_> waiters_;
  bool is_set_ = false;
};

inline bool FlagWait::await_ready() const noexcept { return flag_.is_set_; }

}  // namespace rondo
