#include "loop/state.h"

#include <sys/epoll.h>

namespace rondo {

LoopState::LoopState(LoopOptions& options, std::unique_ptr<Poller> open_poller)
    : clock(options.clock != nullptr ? *options.clock : RealClock::instance()),
      choice(options.choice),
      trace(options.trace, *this),
      pool(options.pool),
      poller(std::move(open_poller)),
      choice_limits(options.choice_limits),
      measures_phases(options.measure_phases),
      timers(*this, clock.now()),
      idle(*this),
      prepare(*this),
      poll(*this),
      check(*this),
      closing(*this) {
  update_is_observed();
  update_time();
}

Result<void> LoopState::open_mailbox() {
  mailbox_watch.interest = EPOLLIN;
  if (poller->backend() == Backend::scripted) return {};
  mailbox_watch.interest = 0;
  if (Result<void> opened = mailbox.open(); !opened) return opened;
  mailbox_watch.fd = mailbox.fd();
  mailbox_watch.is_waker = true;
  return poller->watch_now(mailbox_watch, EPOLLIN);
}

void LoopState::update_time() {
  now = clock.now();
  // A callback that reads the clock may run on for some time.
  callbacks_at_update = is_in_callback ? kNever : metrics.callbacks;
}

// If no callback has run since the clock was read, it has advanced by nanoseconds only.
void LoopState::update_time_if_stale() {
  if (metrics.callbacks != callbacks_at_update || clock.is_virtual()) update_time();
}

Nanos LoopState::sleep_budget() {
  // A closing handle that waits for an operation is alive, but no reason not to sleep.
  if (is_stopping || !is_alive() || !idle.is_empty() || !pending.is_empty() ||
      !closing.is_empty() || check.has_refd_immediates() || poll.has_leftovers()) {
    return Nanos::zero();
  }
  if (timers.is_empty()) return kForever;
  update_time_if_stale();  // Time spent in callbacks shortens the sleep.
  Nanos next = timers.next_bound();
  // The bound has passed: either a timer is due, or the exact time of the first one must be found.
  if (next <= now) next = timers.next_exact();
  if (next == kForever) return kForever;
  return next > now ? next - now : Nanos::zero();
}

bool LoopState::has_work_beside_poll() const {
  if (!pending.is_empty() || !idle.is_empty() || check.has_work() || !closing.is_empty()) {
    return true;
  }
  if (prepare.is_empty()) return false;
  // Without a ref it only observes the loop, as Node's for its profiler do.
  bool has_refd = false;
  handles.for_each([&has_refd](const Handle& handle) {
    has_refd = has_refd ||
               (handle.kind() == HandleKind::prepare && handle.is_active() && handle.has_ref());
  });
  return has_refd;
}

void LoopState::note_callback(uint64_t id, const char* label) {
  note_history(id, static_cast<uint64_t>(now.count()));
  if (phase != Phase::poll) choice->delivered(id, label, now);
}

}  // namespace rondo
