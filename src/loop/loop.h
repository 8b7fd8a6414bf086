// The event loop: six phases in a ring, one callback at a time, on one thread.
//
//   timers -> pending -> idle, prepare -> poll -> check -> closing -> timers ...
//
// Code that implements handles and requests also needs loop/internals.h.
// Thread: the loop's own only, except where Async and Mailbox say otherwise. A loop belongs to the
// thread that first runs it.
#pragma once

#include <memory>
#include <utility>

#include "loop/state.h"

namespace rondo {

class CancelToken;
class LoopInternals;
class Sleep;
class TaskGroup;
class Yield;
template <class T>
class Task;
template <class F>
class WorkAwaiter;

class Loop {
 public:
  // Aborts with a message if the system has no descriptors left; create() reports that instead.
  explicit Loop(LoopOptions options = {});
  static Result<std::unique_ptr<Loop>> create(LoopOptions options = {});
  // Frees handles that are still closing; any other handle that is left is a bug, and aborts.
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Each returns true if the loop is still alive. Never call them from inside a callback (TURN-03).
  bool run(RunMode mode = RunMode::until_done);
  bool run_once() { return run(RunMode::once); }
  bool run_nowait() { return run(RunMode::nowait); }
  // Ends the run at the end of the current turn, whose poll does not sleep. Reset when run()
  // returns (TURN-07).
  void stop() { state_.is_stopping = true; }
  bool is_alive() const { return state_.is_alive(); }

  // The cached time that all callbacks of a phase share (TURN-08).
  Nanos now() const { return state_.now; }
  void update_time() { state_.update_time(); }
  Clock& clock() { return state_.clock; }

  // Makes a handle that closes itself when its owner drops it: loop.make<Timer>().
  template <class T, class... Args>
  Owned<T> make(Args&&... args) {
    return Owned<T>(new T(*this, std::forward<Args>(args)...));
  }

  // For coroutines: include loop/co/awaiters.h, which documents these.
  Sleep sleep(Nanos delay);
  Yield yield();
  template <class F>  // co_await loop.work(f): a Result of what f() returned on a worker.
  WorkAwaiter<F> work(F function, JobKind kind = JobKind::fast);
  // The loop's own group; its tasks must have ended before the loop is destroyed.
  TaskGroup& tasks();
  void spawn(Task<void> task);  // Adds a task to tasks().
  // Runs the loop until the task has ended; aborts if the task waits for something that cannot
  // happen.
  template <class T>
  T run_task(Task<T> task);
  template <class T>
  T run_task(Task<T> task, CancelToken token);

  // The phase that is running a callback now; none outside run().
  Phase phase() const { return state_.phase; }
  Backend backend() const { return state_.poller->backend(); }
  const LoopMetrics& metrics() const { return state_.metrics; }
  // Turns measuring of time per phase on or off; LoopOptions::measure_phases is the initial value.
  void measure_phases(bool measures);
  bool measures_phases() const { return state_.measures_phases; }
  // Any thread: total time the loop has slept, up to `now` if it is sleeping.
  Nanos idle_time(Nanos now) const {
    const Nanos since{state_.asleep_since.load(std::memory_order_relaxed)};
    const Nanos idle{state_.slept.load(std::memory_order_relaxed)};
    return since < Nanos::zero() || now < since ? idle : idle + (now - since);
  }

  // Calls `visit(Handle&)` for every handle that is not closing; `visit` must not create or free
  // any.
  template <class Visit>
  void for_each_handle(Visit&& visit) const {
    state_.handles.for_each(visit);
  }
  // The same for every request in flight.
  template <class Visit>
  void for_each_request(Visit&& visit) const {
    state_.requests.for_each(visit);
  }
  size_t active_handles() const { return state_.active_handles; }  // Those with a ref.
  size_t active_requests() const { return state_.active_requests; }
  size_t closing_handles() const { return state_.closing_handles; }

  // Call it in a child process after fork(), before the loop is used there: see Poller.
  Result<void> reopen_after_fork();

  // For code that implements handles and requests: include loop/internals.h.
  LoopInternals internals();

 private:
  friend struct LoopState;
  Loop(LoopOptions& options, std::unique_ptr<Poller> poller);

  LoopState state_;
};

}  // namespace rondo
