#include "loop/loop.h"

#include <cstdio>

#include "loop/trace/phase_scope.h"

namespace rondo {
namespace {

std::unique_ptr<Poller> open_poller_or_die(LoopOptions& options) {
  if (options.poller) return std::move(options.poller);
  Result<std::unique_ptr<Poller>> poller = make_poller(options.backend);
  if (!poller) fatal(("cannot create a poller: " + poller.error().message()).c_str());
  return std::move(*poller);
}

// Under virtual time the clock does not advance while code runs, so the Choice decides whether the
// next timer is already due.
void let_choice_move_time(LoopState& loop) {
  if (!loop.clock.is_virtual()) return;
  const Nanos next = loop.timers.next_exact();
  if (next <= loop.now || next > saturating_add(loop.now, loop.choice_limits.reach)) return;
  // If nothing else would run before the timer, it makes no difference. Poll itself decides whether
  // its ready events come after the timer.
  if (!loop.choice_limits.asks_even_if_unobservable && !loop.has_work_beside_poll()) return;
  Question question{ChoicePoint::timer_reached, 2};
  question.state = mix_history(mix_history(loop.history, static_cast<uint64_t>(loop.now.count())),
                               loop.metrics.turns == 0 ? 1 : 0);
  question.at = loop.now;
  if (loop.choice->choose(question) == 1) {
    loop.clock.advance_to(next);
    loop.update_time();
  }
}

void run_timers(LoopState& loop) {
  PhaseScope scope(loop, Phase::timers);
  if (loop.timers.is_empty()) return;
  if (loop.choice != nullptr) let_choice_move_time(loop);
  loop.timers.run();
}

// Runs callbacks that poll has deferred, such as those of finished writes, before the immediates.
// The bound keeps callbacks that always defer again from starving the loop (PEN-05).
void run_pending_after_poll(LoopState& loop) {
  for (int round = 0; round < PendingPhase::kRoundsAfterPoll && !loop.pending.is_empty(); ++round) {
    PhaseScope scope(loop, Phase::pending);
    loop.pending.run();
  }
}

// Returns true if the loop is still alive.
bool run_turn(LoopState& loop, bool may_sleep) {
  ++loop.metrics.turns;
  if (loop.trace.wants_phases()) [[unlikely]]
    loop.trace.turn();
  {
    PhaseScope scope(loop, Phase::pending);
    loop.pending.run();
  }
  {
    PhaseScope scope(loop, Phase::idle);
    loop.idle.run();
  }
  {
    PhaseScope scope(loop, Phase::prepare);
    loop.prepare.run();
  }
  {
    PhaseScope scope(loop, Phase::poll);
    loop.poll.run(may_sleep);
  }
  run_pending_after_poll(loop);
  loop.update_time_if_stale();
  {
    PhaseScope scope(loop, Phase::check);
    if (loop.choice != nullptr && loop.check.has_work()) [[unlikely]] {
      loop.note_history(loop.metrics.callbacks, static_cast<uint64_t>(loop.now.count()));
      loop.choice->delivered(0, "immediates", loop.now);
    }
    loop.check.run();
  }
  {
    PhaseScope scope(loop, Phase::closing);
    loop.closing.run();
  }
  // Time does not advance inside a phase; it is also updated after a sleep in poll.
  loop.update_time();
  run_timers(loop);
  return loop.is_alive();
}

}  // namespace

Loop::Loop(LoopOptions& options, std::unique_ptr<Poller> poller)
    : state_(options, std::move(poller)) {}

// cppcheck-suppress passedByValue ; the poller is moved out of it
Loop::Loop(LoopOptions options) : Loop(options, open_poller_or_die(options)) {
  if (Result<void> opened = state_.open_mailbox(); !opened) fatal(opened.error().message().c_str());
}

Result<std::unique_ptr<Loop>> Loop::create(LoopOptions options) {
  if (!options.poller) {
    Result<std::unique_ptr<Poller>> poller = make_poller(options.backend);
    if (!poller) return poller.error();
    options.poller = std::move(*poller);
  }
  std::unique_ptr<Loop> loop(new Loop(options, std::move(options.poller)));
  if (Result<void> opened = loop->state_.open_mailbox(); !opened) return opened.error();
  return loop;
}

Loop::~Loop() {
  RONDO_ASSERT(!state_.is_running);
  state_.services.clear();
  // Owned handles that were dropped after the last run must still be freed, and cancelled
  // operations must be completed by the kernel.
  while (state_.closing_handles > 0) {
    state_.closing.run();
    if (state_.closing_handles > 0) state_.poll.run(false);
  }
  if (state_.poller->backend() != Backend::scripted) state_.poller->unwatch(state_.mailbox_watch);
  if (Handle* left = state_.handles.front(); left != nullptr) {
    std::fprintf(stderr, "rondo: the loop was destroyed while a %s handle is open\n",
                 left->label());
    fatal("close every handle, and drop every Owned<T>, before the loop");
  }
  if (state_.active_requests > 0)
    fatal("the loop was destroyed while requests are in flight; run it first");
  // A worker may have posted its last result and still be using the mailbox.
  if (state_.pool != nullptr) state_.pool->await_finishing();
}

void Loop::measure_phases(bool measures) {
  state_.measures_phases = measures;
  state_.update_is_observed();
}

bool Loop::run(RunMode mode) {
  if (state_.is_running || state_.is_in_callback) fatal("run() was called from inside a callback");
  state_.is_running = true;
  bool alive = is_alive();
  update_time();  // TURN-09, and the time before the first timers.
  if (state_.metrics.started < Nanos::zero()) state_.metrics.started = state_.now;
  if (mode == RunMode::until_done && alive && !state_.is_stopping) {
    run_timers(state_);  // A turn follows even if nothing is alive any more: see TURN-04.
  }
  while (alive && !state_.is_stopping) {
    // If something ran before poll, there was progress already: then `once` must not sleep.
    const bool ran_early =
        mode == RunMode::once && (!state_.pending.is_empty() || !state_.idle.is_empty());
    alive = run_turn(state_, mode != RunMode::nowait && !ran_early);
    if (mode != RunMode::until_done) break;
  }
  state_.is_stopping = false;
  state_.is_running = false;
  return alive;
}

Result<void> Loop::reopen_after_fork() {
  RONDO_ASSERT(!state_.is_running);
  // The poller first: while it shares the parent's epoll or ring, unwatching would affect the
  // parent.
  if (Result<void> reopened = state_.poller->reopen_after_fork(); !reopened) return reopened;
  state_.poller->unwatch(state_.mailbox_watch);
  if (Result<void> opened = state_.open_mailbox(); !opened) return opened;
  return state_.services.reopen_after_fork();
}

}  // namespace rondo
