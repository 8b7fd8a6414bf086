#include "loop/loop.h"

#include <sys/epoll.h>

#include <cstdio>

namespace rondo {

// Marks a phase for traces and metrics; unobserved it costs a store and a branch.
class PhaseScope {
 public:
  PhaseScope(Loop& loop, Phase phase) : loop_(loop) {
    loop.phase_ = phase;
    if (loop.is_observed_) [[unlikely]]
      begin();
  }
  ~PhaseScope() {
    if (loop_.is_observed_) [[unlikely]]
      end();
    loop_.phase_ = Phase::none;
  }

 private:
  [[gnu::cold]] void begin() {
    began_ = loop_.clock_.now();
    record(TraceKind::phase_begin, began_);
  }
  [[gnu::cold]] void end() {
    const Nanos ended = loop_.clock_.now();
    // Negative if measuring began during this phase.
    if (began_ >= Nanos::zero()) {
      loop_.metrics_.phase_time[static_cast<size_t>(loop_.phase_)] += ended - began_;
    }
    record(TraceKind::phase_end, ended);
    loop_.phase_ = Phase::none;
    if (loop_.on_phase_end_) loop_.on_phase_end_();
  }
  void record(TraceKind kind, Nanos at) {
    if (loop_.trace_ == nullptr || loop_.trace_keeps_time_) return;
    TraceEvent event{kind};
    event.phase = loop_.phase_;
    event.at = at;
    loop_.trace_->record(event);
  }

  Loop& loop_;
  Nanos began_{-1};
};

namespace {

std::unique_ptr<Poller> open_poller_or_die(LoopOptions& options) {
  if (options.poller) return std::move(options.poller);
  Result<std::unique_ptr<Poller>> poller = make_poller(options.backend);
  if (!poller) fatal(("cannot create a poller: " + poller.error().message()).c_str());
  return std::move(*poller);
}

}  // namespace

Loop::Loop(LoopOptions& options, std::unique_ptr<Poller> poller)
    : clock_(options.clock != nullptr ? *options.clock : RealClock::instance()),
      choice_(options.choice),
      trace_(options.trace),
      pool_(options.pool),
      poller_(std::move(poller)),
      choice_limits_(options.choice_limits),
      is_observed_((options.trace != nullptr && !options.trace->keeps_own_time()) ||
                   options.measure_phases),
      measures_phases_(options.measure_phases),
      trace_keeps_time_(options.trace != nullptr && options.trace->keeps_own_time()),
      timers_(*this, clock_.now()),
      idle_(*this),
      prepare_(*this),
      poll_(*this),
      check_(*this),
      closing_(*this) {
  update_time();
}

// cppcheck-suppress passedByValue ; the poller is moved out of it
Loop::Loop(LoopOptions options) : Loop(options, open_poller_or_die(options)) {
  if (Result<void> opened = open_mailbox(); !opened) fatal(opened.error().message().c_str());
}

Result<std::unique_ptr<Loop>> Loop::create(LoopOptions options) {
  if (!options.poller) {
    Result<std::unique_ptr<Poller>> poller = make_poller(options.backend);
    if (!poller) return poller.error();
    options.poller = std::move(*poller);
  }
  std::unique_ptr<Loop> loop(new Loop(options, std::move(options.poller)));
  if (Result<void> opened = loop->open_mailbox(); !opened) return opened.error();
  return loop;
}

Result<void> Loop::open_mailbox() {
  mailbox_watch_.interest = EPOLLIN;
  if (poller_->backend() == Backend::scripted) return {};
  mailbox_watch_.interest = 0;
  if (Result<void> opened = mailbox_.open(); !opened) return opened;
  mailbox_watch_.fd = mailbox_.fd();
  mailbox_watch_.is_waker = true;
  return poller_->watch_now(mailbox_watch_, EPOLLIN);
}

Loop::~Loop() {
  RONDO_ASSERT(!is_running_);
  services_.clear();
  // Owned handles that were dropped after the last run must still be freed, and cancelled
  // operations must be completed by the kernel.
  while (closing_handles_ > 0) {
    closing_.run();
    if (closing_handles_ > 0) poll_.run(false);
  }
  if (poller_->backend() != Backend::scripted) poller_->unwatch(mailbox_watch_);
  if (Handle* left = handles_.front(); left != nullptr) {
    std::fprintf(stderr, "rondo: the loop was destroyed while a %s handle is open\n",
                 left->label());
    fatal("close every handle, and drop every Owned<T>, before the loop");
  }
  if (active_requests_ > 0)
    fatal("the loop was destroyed while requests are in flight; run it first");
  // A worker may have posted its last result and still be using the mailbox.
  if (pool_ != nullptr) pool_->await_finishing();
}

void Loop::measure_phases(bool measures) {
  measures_phases_ = measures;
  observe();
}

uint64_t Loop::register_handle(Handle& handle) {
  handles_.push_back(handle);
  const uint64_t id = next_id();
  if (trace_ != nullptr) {
    TraceEvent event{TraceKind::handle_open};
    event.label = handle.label_;
    event.id = id;
    event.cause = current_callback_;
    event.at = trace_time();
    trace_->record(event);
  }
  return id;
}

bool Loop::has_live_work() const {
  return active_handles_ > 0 || active_requests_ > 0 || check_.has_refd_immediates();
}

bool Loop::is_alive() const { return has_live_work() || closing_handles_ > 0; }

void Loop::update_time() {
  now_ = clock_.now();
  // A callback that reads the clock may run on for some time.
  callbacks_at_update_ = is_in_callback_ ? kNever : metrics_.callbacks;
}

// If no callback has run since the clock was read, it has advanced by nanoseconds only.
void Loop::update_time_if_stale() {
  if (metrics_.callbacks != callbacks_at_update_ || clock_.is_virtual()) update_time();
}

bool Loop::run(RunMode mode) {
  if (is_running_ || is_in_callback_) fatal("run() was called from inside a callback");
  is_running_ = true;
  bool alive = is_alive();
  update_time();  // TURN-09, and the time before the first timers.
  if (metrics_.started < Nanos::zero()) metrics_.started = now_;
  if (mode == RunMode::until_done && alive && !is_stopping_) {
    run_timers();  // A turn follows even if nothing is alive any more: see TURN-04.
  }
  while (alive && !is_stopping_) {
    // If something ran before poll, there was progress already: then `once` must not sleep.
    const bool ran_early = mode == RunMode::once && !pending_.is_empty();
    alive = run_turn(mode != RunMode::nowait && !ran_early);
    if (mode != RunMode::until_done) break;
  }
  is_stopping_ = false;
  is_running_ = false;
  return alive;
}

bool Loop::run_turn(bool may_sleep) {
  ++metrics_.turns;
  if (trace_ != nullptr && !trace_keeps_time_) [[unlikely]] {
    TraceEvent event{TraceKind::turn};
    event.id = metrics_.turns;
    event.at = now_;
    trace_->record(event);
  }
  {
    PhaseScope scope(*this, Phase::pending);
    pending_.run();
  }
  {
    PhaseScope scope(*this, Phase::idle);
    idle_.run();
  }
  {
    PhaseScope scope(*this, Phase::prepare);
    prepare_.run();
  }
  {
    PhaseScope scope(*this, Phase::poll);
    poll_.run(may_sleep);
  }
  run_pending_after_poll();
  update_time_if_stale();
  {
    PhaseScope scope(*this, Phase::check);
    if (choice_ != nullptr && check_.has_work()) [[unlikely]] {
      note_history(metrics_.callbacks, static_cast<uint64_t>(now_.count()));
      choice_->delivered(0, "immediates", now_);
    }
    check_.run();
  }
  {
    PhaseScope scope(*this, Phase::closing);
    closing_.run();
  }
  update_time();  // Time does not advance inside a phase; it is also updated after a sleep in poll.
  run_timers();
  return is_alive();
}

// Runs callbacks that poll has deferred, such as those of finished writes, before the immediates.
// The bound keeps callbacks that always defer again from starving the loop (PEN-05).
void Loop::run_pending_after_poll() {
  for (int round = 0; round < PendingPhase::kRoundsAfterPoll && !pending_.is_empty(); ++round) {
    PhaseScope scope(*this, Phase::pending);
    pending_.run();
  }
}

void Loop::run_timers() {
  PhaseScope scope(*this, Phase::timers);
  if (timers_.is_empty()) return;
  if (choice_ != nullptr) let_choice_move_time();
  timers_.run();
}

// Under virtual time the clock does not advance while code runs, so the Choice decides whether the
// next timer is already due.
void Loop::let_choice_move_time() {
  if (!clock_.is_virtual()) return;
  const Nanos next = timers_.next_exact();
  if (next <= now_ || next > saturating_add(now_, choice_limits_.reach)) return;
  // If nothing else would run before the timer, it makes no difference. Poll itself decides whether
  // its ready events come after the timer.
  if (!choice_limits_.asks_even_if_unobservable && !has_work_beside_poll()) return;
  Question question{ChoicePoint::timer_reached, 2};
  question.state = mix_history(mix_history(history_, static_cast<uint64_t>(now_.count())),
                               metrics_.turns == 0 ? 1 : 0);
  question.at = now_;
  if (choice_->choose(question) == 1) {
    clock_.advance_to(next);
    update_time();
  }
}

bool Loop::has_work_beside_poll() const {
  return !pending_.is_empty() || !idle_.is_empty() || !prepare_.is_empty() || check_.has_work() ||
         !closing_.is_empty();
}

void Loop::note_history(uint64_t first, uint64_t second) {
  history_ = mix_history(mix_history(history_, first), second);
}

void Loop::note_callback(uint64_t id, const char* label) {
  note_history(id, static_cast<uint64_t>(now_.count()));
  if (phase_ != Phase::poll) choice_->delivered(id, label, now_);
}

Nanos Loop::sleep_budget() {
  // A closing handle that waits for an operation is alive, but no reason not to sleep.
  if (is_stopping_ || !is_alive() || !idle_.is_empty() || !pending_.is_empty() ||
      !closing_.is_empty() || check_.has_refd_immediates() || poll_.has_leftovers()) {
    return Nanos::zero();
  }
  if (timers_.is_empty()) return kForever;
  update_time_if_stale();  // Time spent in callbacks shortens the sleep.
  Nanos next = timers_.next_bound();
  // The bound has passed: either a timer is due, or the exact time of the first one must be found.
  if (next <= now_) next = timers_.next_exact();
  if (next == kForever) return kForever;
  return next > now_ ? next - now_ : Nanos::zero();
}

void Loop::unwatch(Watch& watch) {
  poller_->unwatch(watch);
  poll_.forget(watch);
}

Result<void> Loop::reopen_after_fork() {
  RONDO_ASSERT(!is_running_);
  // The poller first: while it shares the parent's epoll or ring, unwatching would affect the
  // parent.
  if (Result<void> reopened = poller_->reopen_after_fork(); !reopened) return reopened;
  poller_->unwatch(mailbox_watch_);
  if (Result<void> opened = open_mailbox(); !opened) return opened;
  return services_.reopen_after_fork();
}

void Loop::record_schedule(uint64_t id, const char* label) {
  TraceEvent event{TraceKind::schedule};
  event.phase = phase_;
  event.label = label;
  event.id = id;
  event.cause = current_callback_;
  event.at = now_;
  trace_->record(event);
}

void Loop::trace_handle(TraceKind kind, const Handle& handle) {
  if (trace_ == nullptr) [[likely]]
    return;
  TraceEvent event{kind};
  event.phase = phase_;
  event.label = handle.label();
  event.id = handle.id();
  event.at = now_;
  trace_->record(event);
}

void Loop::trace_job(TraceKind kind, uint64_t id, const char* label, int64_t worker, Nanos at) {
  if (trace_ == nullptr) return;
  TraceEvent event{kind};
  event.phase = phase_;
  event.label = label;
  event.id = id;
  event.value = worker;
  event.at = at;
  trace_->record(event);
}

void Loop::trace_poll(TraceKind kind, Nanos at, int64_t value) {
  TraceEvent event{kind};
  event.phase = phase_;
  event.value = value;
  event.at = at;
  trace_->record(event);
}

void CallbackScope::begin(uint64_t id, const char* label) {
  label_ = label;
  loop_.current_callback_ = id;
  if (loop_.trace_keeps_time_) {
    loop_.trace_->begin_callback(id, label);
    return;
  }
  TraceEvent event{TraceKind::callback_begin};
  event.phase = loop_.phase_;
  event.label = label;
  event.id = id;
  event.at = loop_.trace_time();
  loop_.trace_->record(event);
}

void CallbackScope::end() {
  const uint64_t id = loop_.current_callback_;
  loop_.current_callback_ = 0;
  if (loop_.trace_keeps_time_) {
    loop_.trace_->end_callback(id);
    return;
  }
  TraceEvent event{TraceKind::callback_end};
  event.phase = loop_.phase_;
  event.label = label_;
  event.id = id;
  event.at = loop_.trace_time();
  loop_.trace_->record(event);
}

}  // namespace rondo
