// The part of a loop for code that implements handles and requests. Programs that only use them do
// not need it.
// Thread: the loop's only, except where Async and Mailbox say otherwise.
#pragma once

#include <utility>

#include "loop/loop.h"

namespace rondo {

inline LoopState& LoopState::of(Loop& loop) { return loop.state_; }

// A pair of references: make one where it is needed, by Loop::internals(), Handle::internals() or
// Request::internals().
class LoopInternals {
 public:
  explicit LoopInternals(Loop& loop) : loop_(loop), state_(LoopState::of(loop)) {}

  // Sources of events.
  Poller& poller() { return *state_.poller; }
  // Like Poller's unwatch(), and drops the target's events that are still in the current batch
  // (POL-06).
  void unwatch(Watch& watch) {
    state_.poller->unwatch(watch);
    state_.poll.forget(watch);
  }
  // Registers an operation that is sure to complete with exactly one event; `target` is_request.
  void operation_submitted(const Target& target, uint64_t id, const char* label) {
    state_.poll.operation_submitted(target, id, label, nullptr);
  }
  Mailbox& mailbox() { return state_.mailbox; }

  // A request in flight without a Request object: it keeps the loop alive. For callers whose
  // requests are structures of their own.
  void begin_request() { ++state_.active_requests; }
  void end_request() {
    RONDO_ASSERT(state_.active_requests > 0);
    --state_.active_requests;
  }
  // The poller's descriptor, for a program that waits for the loop in another one. From this call
  // on each post to the mailbox makes it readable.
  int backend_fd() {
    state_.is_embedded = true;
    state_.mailbox.flush_writes();
    return state_.poller->descriptor();
  }
  // The longest time that poll may sleep now.
  Nanos sleep_budget() { return state_.sleep_budget(); }
  // True if a deferred callback waits for the pending phase.
  bool has_pending() const { return !state_.pending.is_empty(); }

  // Runs `deferred` in the next pending phase.
  void defer(Deferred& deferred) { state_.pending.defer(deferred); }
  CheckPhase& check() { return state_.check; }
  // Called after each phase, before the next one, outside any callback.
  void on_phase_end(Callback<void()> on_phase_end) {
    state_.on_phase_end = std::move(on_phase_end);
    state_.update_is_observed();
  }

  ThreadPool& pool() { return state_.worker_pool(); }
  // Null before the first job, unless the loop has its own pool.
  const ThreadPool* pool_if_used() const { return state_.pool; }
  // Requests that a worker runs or that wait for a worker, until their callback begins.
  size_t jobs_in_flight() const { return state_.jobs_in_flight; }

  // The loop's one T, made as T(loop) on first use.
  template <class T>
  T& service() {
    return state_.services.get<T>(loop_);
  }

  // Null unless the order of callbacks is explored.
  Choice* choice() const { return state_.choice; }
  // With a Choice: before `touch` happens synchronously, chooses whether operations in flight that
  // touch the same files have taken effect already.
  void settle_effects(const Touch& touch) { state_.poll.settle_effects(touch, nullptr); }
  // True if the arrival of data must not depend on the machine: connections with both ends in this
  // process are then tracked.
  bool tracks_local_connections() const {
    return state_.clock.is_virtual() || state_.choice != nullptr;
  }
  // Any thread: true if the caller is on the loop's thread.
  bool is_loop_thread() const { return state_.poll.is_loop_thread(); }

  // Calls `note(self)` whenever a handle or request is created. The object keeps the returned
  // number as its creation_site().
  void note_creation_sites(uint32_t (*note)(void* self), void* self) {
    state_.note_creation_site = note;
    state_.note_creation_site_self = self;
  }

 private:
  Loop& loop_;
  LoopState& state_;
};

inline LoopInternals Loop::internals() { return LoopInternals(*this); }
inline LoopInternals Handle::internals() const { return LoopInternals(loop_); }
inline LoopInternals Request::internals() const { return LoopInternals(loop_); }

// Inline because every start and stop of a timer calls them.
inline void Handle::activate() {
  if (state_ != State::idle) return;
  state_ = State::active;
  LoopState& loop = LoopState::of(loop_);
  if (has_ref_) ++loop.active_handles;
  loop.trace.scheduled(*this);
}

inline void Handle::deactivate() {
  if (state_ != State::active) return;
  state_ = State::idle;
  if (has_ref_) --LoopState::of(loop_).active_handles;
}

}  // namespace rondo

#include "loop/callback_scope.h"  // Needs everything above.
