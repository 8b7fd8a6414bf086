#include "loop/phases/poll_plain.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>

#include "loop/state.h"

namespace rondo {
namespace {

// About the latency of waking a sleeping thread: 5 to 25 us on bare metal, up to 80 us on a virtual
// machine, whose processor must be woken, too.
constexpr std::chrono::microseconds kSleepCost{100};

std::chrono::microseconds spin_limit() {
  const char* const text = std::getenv("RONDO_SPIN");
  if (text == nullptr) return kSleepCost;
  return std::chrono::microseconds(std::clamp(std::atol(text), 0L, 10'000L));
}

}  // namespace

PlainPoll::PlainPoll(LoopState& loop, PollPhase& poll)
    : loop_(loop), poll_(poll), spin_(usable_processors(), spin_limit()) {}

void PlainPoll::count_waiting() {
  if (events_before_ == kNone) return;
  loop_.metrics.events_waiting += loop_.metrics.events - events_before_;
  events_before_ = kNone;
}

void PlainPoll::run(bool may_sleep) {
  poll_.run_batches(may_sleep, [this](bool may_sleep_now) {
    collect(may_sleep_now ? loop_.sleep_budget() : Nanos::zero());
    return false;
  });
  count_waiting();
}

// Without another source of events, workers need not write to the mailbox's eventfd while the loop
// is awake. If a source has been added since, the eventfd is written before the next wait registers
// the descriptor.
bool PlainPoll::is_mail_first() const { return !loop_.poller->has_sources() && !loop_.is_embedded; }

void PlainPoll::collect(Nanos timeout) {
  count_waiting();
  const size_t first_new = poll_.batch().ready.size();
  if (!is_mail_first()) loop_.mailbox.flush_writes();
  if (timeout > Nanos::zero() && !loop_.mailbox.is_notified()) {
    sleep(timeout);
  } else {
    loop_.poller->wait(Nanos::zero(), poll_.batch().ready);
    events_before_ = loop_.metrics.events;
  }
  if (loop_.mailbox.is_notified()) poll_.add_mail_event(first_new);
  if (is_mail_first()) loop_.mailbox.pause_writes();
}

void PlainPoll::sleep(Nanos timeout) {
  const Nanos began = poll_.begin_sleep(timeout);
  const bool has_come = spin_before_sleep(began, timeout);
  loop_.mailbox.resume_writes();
  if (!has_come && !loop_.mailbox.is_notified()) {
    loop_.poller->wait(timeout, poll_.batch().ready);
  }
  poll_.end_sleep(began);
}

// Each check costs a system call. Yielding in between lets the thread that the loop waits for run.
bool PlainPoll::spin_before_sleep(Nanos began, Nanos& timeout) {
  // Scripted pollers have no latency to save, and tests count their waits.
  if (timeout < spin_.longest() || loop_.poller->backend() == Backend::scripted) return false;
  Mailbox& mailbox = loop_.mailbox;
  if (!loop_.is_embedded) mailbox.pause_writes();
  bool has_looked = false;
  const bool has_come = spin_.wait([this, &mailbox, &has_looked] {
    has_looked = true;
    loop_.poller->wait(Nanos::zero(), poll_.batch().ready);
    if (poll_.batch().has_more() || mailbox.is_notified()) return true;
    ::sched_yield();
    return false;
  });
  if (has_looked && timeout != kForever) {
    timeout = std::max(timeout - (loop_.clock.now() - began), Nanos::zero());
  }
  return has_come;
}

}  // namespace rondo
