// The data that the parts of a loop share: its phases, counters, lists and services. For src/loop
// only: programs use Loop, code that implements handles and requests uses LoopInternals.
// Thread: the loop's only, except where Async and Mailbox say otherwise.
#pragma once

#include <atomic>
#include <memory>

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
#include "loop/trace/loop_trace.h"

namespace rondo {

class Loop;

struct LoopState {
  // Without the mailbox: open_mailbox() adds it.
  LoopState(LoopOptions& options, std::unique_ptr<Poller> open_poller);
  LoopState(const LoopState&) = delete;
  LoopState& operator=(const LoopState&) = delete;
  static LoopState& of(Loop& loop);  // Defined in loop/internals.h.

  Result<void> open_mailbox();

  bool has_live_work() const {
    return active_handles > 0 || active_requests > 0 || check.has_refd_immediates();
  }
  bool is_alive() const { return has_live_work() || closing_handles > 0; }

  void update_time();
  void update_time_if_stale();
  // The longest time that poll may sleep (POL-01).
  Nanos sleep_budget();

  uint64_t next_id() { return ++last_id; }
  uint32_t creation_site() {
    return note_creation_site == nullptr ? 0 : note_creation_site(note_creation_site_self);
  }
  ThreadPool& worker_pool() {
    if (pool == nullptr) [[unlikely]]
      pool = &ThreadPool::shared();
    return *pool;
  }
  // Call it after a change of one of the conditions.
  void update_is_observed() {
    is_observed = trace.wants_phases() || measures_phases || static_cast<bool>(on_phase_end);
  }

  // With a Choice: true if a phase other than timers and poll has something to run.
  bool has_work_beside_poll() const;
  void note_history(uint64_t first, uint64_t second) {
    history = mix_history(mix_history(history, first), second);
  }
  void note_callback(uint64_t id, const char* label);

  Clock& clock;
  Choice* choice;
  LoopTrace trace;
  ThreadPool* pool;  // The shared pool is null until the first job.
  std::unique_ptr<Poller> poller;
  Mailbox mailbox;
  Watch mailbox_watch;
  ChoiceLimits choice_limits;
  uint64_t history = 0;  // With a Choice: hash of the callbacks that have run, and their order.

  Nanos now{0};
  Phase phase = Phase::none;
  bool is_observed = false;  // Something measures or records the phases.
  bool measures_phases;
  bool is_running = false;
  bool is_stopping = false;
  bool is_embedded = false;  // Another loop waits for the poller's descriptor.
  bool is_in_callback = false;
  uint64_t last_id = 0;
  uint32_t (*note_creation_site)(void* self) = nullptr;
  void* note_creation_site_self = nullptr;
  // metrics.callbacks when `now` was last read, or kNever if a callback read it.
  uint64_t callbacks_at_update = 0;
  static constexpr uint64_t kNever = UINT64_MAX;
  size_t active_handles = 0;  // Active and ref'd.
  size_t closing_handles = 0;
  size_t active_requests = 0;
  size_t jobs_in_flight = 0;
  LoopMetrics metrics;
  std::atomic<Nanos::rep> slept{0};          // metrics.idle, for other threads.
  std::atomic<Nanos::rep> asleep_since{-1};  // Negative while awake.

  List<Handle, &Handle::link_> handles;  // Those that are not closing.
  List<Request, &Request::link_> requests;
  TimersPhase timers;
  PendingPhase pending;
  HookPhase idle;
  HookPhase prepare;
  PollPhase poll;
  CheckPhase check;
  ClosingPhase closing;
  Callback<void()> on_phase_end;
  // Last member: services serve handles, and must be destroyed before the members they use.
  Services services;
};

}  // namespace rondo
