// The event loop: six phases in a ring, one callback at a time, on one thread.
//
//   timers -> pending -> idle, prepare -> poll -> check -> closing -> timers ...
//
// Thread: the loop's own only, except where Async and Mailbox say otherwise. A loop belongs to the
// thread that first runs it.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "base/time/clock.h"
#include "loop/choice.h"
#include "loop/metrics.h"
#include "loop/options.h"
#include "loop/phases/check.h"
#include "loop/phases/closing.h"
#include "loop/phases/idle.h"
#include "loop/phases/pending.h"
#include "loop/phases/poll.h"
#include "loop/phases/prepare.h"
#include "loop/phases/timers.h"
#include "loop/poller/poller.h"
#include "loop/pool/thread_pool.h"
#include "loop/pool/wake.h"
#include "loop/request.h"
#include "loop/services.h"
#include "loop/trace/sink.h"

namespace rondo {

class CancelToken;
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
  void stop() { is_stopping_ = true; }
  bool is_alive() const;

  // The cached time that all callbacks of a phase share (TURN-08).
  Nanos now() const { return now_; }
  void update_time();
  Clock& clock() { return clock_; }

  // Makes a handle that closes itself when its owner drops it: loop.make<Timer>().
  template <class T, class... Args>
  Owned<T> make(Args&&... args) {
    return Owned<T>(new T(*this, std::forward<Args>(args)...));
  }
  // The phase that is running a callback now; none outside run().
  Phase phase() const { return phase_; }
  Backend backend() const { return poller_->backend(); }
  const LoopMetrics& metrics() const { return metrics_; }
  // Any thread: total time the loop has slept, up to `now` if it is sleeping.
  Nanos idle_time(Nanos now) const {
    const Nanos since{asleep_since_.load(std::memory_order_relaxed)};
    const Nanos idle{slept_.load(std::memory_order_relaxed)};
    return since < Nanos::zero() || now < since ? idle : idle + (now - since);
  }
  // Calls `visit(Handle&)` for every handle that is not closing; `visit` must not create or free
  // any.
  template <class Visit>
  void for_each_handle(Visit&& visit) const {
    handles_.for_each(visit);
  }
  // The same for every request in flight.
  template <class Visit>
  void for_each_request(Visit&& visit) const {
    requests_.for_each(visit);
  }
  size_t active_handles() const { return active_handles_; }
  size_t active_requests() const { return active_requests_; }
  // Requests that a worker runs or that wait for a worker, until their callback begins.
  size_t jobs_in_flight() const { return jobs_in_flight_; }

  // Turns measuring of time per phase on or off; LoopOptions::measure_phases is the initial value.
  void measure_phases(bool measures);
  bool measures_phases() const { return measures_phases_; }
  // Number of handles that are closing.
  size_t closing_handles() const { return closing_handles_; }
  // Calls `note(self)` whenever a handle or request is created. The object keeps the returned
  // number as its creation_site().
  using NoteCreationSite = uint32_t (*)(void* self);
  void note_creation_sites(NoteCreationSite note, void* self) {
    note_creation_site_ = note;
    note_creation_site_self_ = self;
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

  // Called after each phase, before the next one, outside any callback.
  void on_phase_end(Callback<void()> on_phase_end) {
    on_phase_end_ = std::move(on_phase_end);
    observe();
  }

  // Call it in a child process after fork(), before the loop is used there: see Poller.
  Result<void> reopen_after_fork();

  // For code that implements handles and requests, not for users of the loop:
  Poller& poller() { return *poller_; }
  ThreadPool& pool() {
    if (pool_ == nullptr) [[unlikely]]
      pool_ = &ThreadPool::shared();
    return *pool_;
  }
  const ThreadPool* pool_so_far() const { return pool_; }  // Null before the first job.
  Mailbox& mailbox() { return mailbox_; }
  TimersPhase& timers() { return timers_; }
  PendingPhase& pending() { return pending_; }
  HookPhase& idle() { return idle_; }
  HookPhase& prepare() { return prepare_; }
  PollPhase& poll() { return poll_; }
  CheckPhase& check() { return check_; }
  Services& services() { return services_; }
  // Like Poller's unwatch(), and drops the target's events that are still in the current batch
  // (POL-06).
  void unwatch(Watch& watch);
  // Registers an operation that is sure to complete with exactly one event; `target` is_request.
  // For `late`, see PoolRequest.
  void operation_submitted(const Target& target, uint64_t id, const char* label,
                           PoolRequest* late = nullptr) {
    if (target.is_outside) [[unlikely]]
      return;
    ++operations_in_flight_;
    if (choice_ != nullptr) [[unlikely]]
      poll_.note_submitted(target, id, label, late);
  }
  Choice* choice() const { return choice_; }
  uint64_t next_id() { return ++last_id_; }
  // True if the arrival of data must not depend on the machine: connections with both ends in this
  // process are then tracked.
  bool tracks_local_connections() const { return clock_.is_virtual() || choice_ != nullptr; }
  bool is_traced() const { return trace_ != nullptr; }
  void trace_schedule(uint64_t id, const char* label) {
    if (trace_ != nullptr) [[unlikely]]
      record_schedule(id, label);
  }
  void trace_handle(TraceKind kind, const Handle& handle);
  void trace_job(TraceKind kind, uint64_t id, const char* label, int64_t worker, Nanos at);
  void trace_poll(TraceKind kind, Nanos at, int64_t value);

 private:
  friend class CallbackScope;
  friend class CheckPhase;
  friend class ClosingPhase;
  friend class Handle;
  friend class PhaseScope;
  friend class PollPhase;
  friend class PoolRequest;
  friend class Request;
  friend class TimersPhase;
  friend class UntracedCallbacks;

  // Without the mailbox: open_mailbox() adds it.
  Loop(LoopOptions& options, std::unique_ptr<Poller> poller);
  Result<void> open_mailbox();
  uint64_t register_handle(Handle& handle);
  uint32_t note_creation_site() {
    return note_creation_site_ == nullptr ? 0 : note_creation_site_(note_creation_site_self_);
  }
  void observe() {
    is_observed_ = trace_ != nullptr || measures_phases_ || static_cast<bool>(on_phase_end_);
  }
  void record_schedule(uint64_t id, const char* label);
  bool run_turn(bool may_sleep);
  void run_pending_after_poll();
  void run_timers();
  // The longest time that poll may sleep (POL-01).
  Nanos sleep_budget();
  bool has_live_work() const;
  void update_time_if_stale();
  void let_choice_move_time();
  // With a Choice: true if a phase other than timers and poll has something to run.
  bool has_work_beside_poll() const;
  void note_history(uint64_t first, uint64_t second);
  void note_callback(uint64_t id, const char* label);

  // The time of an event for the trace.
  Nanos trace_time() const { return trace_keeps_time_ ? Nanos::zero() : clock_.now(); }

  Clock& clock_;
  Choice* choice_;
  TraceSink* trace_;
  ThreadPool* pool_;  // The shared pool is null until the first job.
  std::unique_ptr<Poller> poller_;
  Mailbox mailbox_;
  Watch mailbox_watch_;
  ChoiceLimits choice_limits_;
  uint64_t history_ = 0;  // With a Choice: hash of the callbacks that have run, and their order.

  Nanos now_{0};
  Phase phase_ = Phase::none;
  bool is_observed_;  // Something measures or records the phases.
  bool measures_phases_;
  bool trace_keeps_time_;
  bool is_running_ = false;
  bool is_stopping_ = false;
  bool is_in_callback_ = false;
  uint64_t current_callback_ = 0;
  uint64_t last_id_ = 0;
  NoteCreationSite note_creation_site_ = nullptr;
  void* note_creation_site_self_ = nullptr;
  // metrics_.callbacks when now_ was last read, or kNever if a callback read it.
  uint64_t callbacks_at_update_ = 0;
  static constexpr uint64_t kNever = UINT64_MAX;
  size_t active_handles_ = 0;  // Active and ref'd.
  size_t closing_handles_ = 0;
  size_t active_requests_ = 0;
  size_t jobs_in_flight_ = 0;
  size_t operations_in_flight_ = 0;  // Except those that another process or machine completes.
  LoopMetrics metrics_;
  std::atomic<Nanos::rep> slept_{0};          // metrics_.idle, for other threads.
  std::atomic<Nanos::rep> asleep_since_{-1};  // Negative while awake.

  List<Handle, &Handle::link_> handles_;
  List<Request, &Request::link_> requests_;
  TimersPhase timers_;
  PendingPhase pending_;
  HookPhase idle_;
  HookPhase prepare_;
  PollPhase poll_;
  CheckPhase check_;
  ClosingPhase closing_;
  Callback<void()> on_phase_end_;
  // Last member: services serve handles, and must be destroyed before the members they use.
  Services services_;
};

// Here rather than in handle.cc because every start and stop of a timer calls them.
inline void Handle::activate() {
  if (state_ != State::idle) return;
  state_ = State::active;
  if (has_ref_) ++loop_.active_handles_;
  loop_.trace_schedule(id_, label_);
}

inline void Handle::deactivate() {
  if (state_ != State::active) return;
  state_ = State::idle;
  if (has_ref_) --loop_.active_handles_;
}

}  // namespace rondo

#include "loop/callback_scope.h"  // Needs everything above.
