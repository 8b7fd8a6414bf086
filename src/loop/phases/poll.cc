#include "loop/phases/poll.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "loop/loop.h"

namespace rondo {
namespace {

// About what it takes until a thread that sleeps runs again: 5 to 25 us on bare metal, and up to
// 80 us on a virtual machine, where the processor has to be woken, too.
constexpr std::chrono::microseconds kSleepCost{100};

std::chrono::microseconds wait_before_sleep() {
  const char* const text = std::getenv("RONDO_SPIN");
  if (text == nullptr) return kSleepCost;
  return std::chrono::microseconds(std::clamp(std::atol(text), 0L, 10'000L));
}

}  // namespace

PollPhase::PollPhase(Loop& loop) : loop_(loop), spin_(usable_processors(), wait_before_sleep()) {
  ready_.reserve(2 * Poller::kBatch);
  loop_.clock_.join(*this);
}

PollPhase::~PollPhase() { loop_.clock_.leave(*this); }

void PollPhase::run(bool may_sleep) {
  if (loop_.choice_ != nullptr) {
    run_chosen(may_sleep);
  } else {
    run_plain(may_sleep);
  }
}

void PollPhase::run_plain(bool may_sleep) {
  for (int rounds = 0; rounds < kMostFullBatches; ++rounds) {
    const uint64_t callbacks_before = loop_.metrics_.callbacks;
    if (loop_.clock_.is_virtual()) {
      if (await_virtual(may_sleep)) return;
    } else {
      collect(may_sleep ? loop_.sleep_budget() : Nanos::zero());
    }
    const bool was_full = ready_.size() - next_ >= Poller::kBatch;
    dispatch_all();
    if (was_full) {
      may_sleep = false;
      continue;
    }
    // A signal, a spurious wake-up, a time-out that came early: nothing ran, so sleep on for what
    // is left, as long as there is a reason to (POL-07).
    if (!may_sleep || loop_.metrics_.callbacks != callbacks_before) return;
    if (loop_.sleep_budget() == Nanos::zero()) return;
    rounds = -1;
  }
}

void PollPhase::collect(Nanos timeout) {
  if (timeout > Nanos::zero()) {
    sleep(timeout);
  } else {
    loop_.poller_->wait(Nanos::zero(), ready_);
  }
  if (is_idle_) [[unlikely]]
    resume();
  collect_mail();
}

void PollPhase::sleep(Nanos timeout) {
  Mailbox& mailbox = loop_.mailbox_;
  if (!mailbox.is_empty()) {
    loop_.poller_->wait(Nanos::zero(), ready_);
    return;
  }
  const Nanos from = loop_.clock_.now();
  if (loop_.is_traced()) {
    loop_.trace_poll(TraceKind::poll_blocked, from, timeout == kForever ? -1 : timeout.count());
  }
  loop_.asleep_since_.store(from.count(), std::memory_order_relaxed);
  if (!has_come_at_once(timeout)) {
    const bool sleeps = mailbox.prepare_to_sleep();
    loop_.poller_->wait(sleeps ? timeout : Nanos::zero(), ready_);
    if (sleeps) mailbox.woke();
  }
  loop_.now_ = loop_.clock_.now();
  loop_.metrics_.idle += loop_.now_ - from;
  loop_.asleep_since_.store(-1, std::memory_order_relaxed);
  loop_.slept_.store(loop_.metrics_.idle.count(), std::memory_order_relaxed);
  if (loop_.is_traced()) {
    loop_.trace_poll(TraceKind::poll_woke, loop_.now_, static_cast<int64_t>(ready_.size() - next_));
  }
}

// The first look hands over what was submitted, so that it is under way. The others cost io_uring a
// few reads of shared memory, and epoll a system call each. Whoever waits for this processor gets
// it in between: it may well be the one that we wait for.
bool PollPhase::has_come_at_once(Nanos timeout) {
  // A poller that follows a script, a choice and a virtual clock are in no hurry, and who watches
  // them counts.
  if (timeout < spin_.longest() || loop_.choice_ != nullptr || loop_.clock_.is_virtual() ||
      loop_.poller_->backend() == Backend::scripted) {
    return false;
  }
  return spin_.wait([this] {
    loop_.poller_->wait(Nanos::zero(), ready_);
    if (next_ < ready_.size() || !loop_.mailbox_.is_empty()) return true;
    ::sched_yield();
    return false;
  });
}

void PollPhase::collect_mail() {
  if (loop_.mailbox_.is_empty()) return;
  const auto first = static_cast<std::ptrdiff_t>(ready_.size());
  for (Letter* letter = loop_.mailbox_.take_newest_first(); letter != nullptr;) {
    ready_.push_back({letter, 0, 0});
    letter = static_cast<Letter*>(letter->next);
  }
  // Turned over here, where they lie side by side: the letters themselves are with the processors
  // that wrote them, and walking along them once is dear enough.
  std::reverse(ready_.begin() + first, ready_.end());
}

void PollPhase::dispatch_all() {
  if (next_ == ready_.size()) return;
  loop_.update_time_if_stale();
  while (next_ < ready_.size()) {
    const Event event = ready_[next_++];
    dispatch(event);
  }
  compact();
}

void PollPhase::dispatch(const Event& event) {
  if (event.target == nullptr) return;
  ++loop_.metrics_.events;
  if (event.target->is_request) note_over(*event.target);
  event.target->fn(*event.target, event.result, event.flags);
}

void PollPhase::compact() {
  if (next_ != ready_.size()) return;
  ready_.clear();
  next_ = 0;
}

void PollPhase::forget(const Target& target) {
  for (size_t i = next_; i < ready_.size(); ++i) {
    if (ready_[i].target != &target) continue;
    if (target.is_request) note_over(target);
    discard(ready_[i]);
    ready_[i].target = nullptr;
  }
}

void PollPhase::discard(const Event& event) {
  switch (event.target->discard) {
    case Discard::nothing: break;
    case Discard::close_fd:
      if (event.result >= 0) ::close(event.result);
      break;
    case Discard::recycle_buffer: loop_.poller_->recycle(event.flags); break;
  }
}

void PollPhase::note_over(const Target& target) {
  if (target.is_outside) [[unlikely]]
    return;
  RONDO_ASSERT(loop_.operations_in_flight_ > 0);
  --loop_.operations_in_flight_;
  if (loop_.choice_ != nullptr) [[unlikely]] {
    std::erase_if(submitted_, [&target](const Submitted& one) { return one.target == &target; });
  }
}

}  // namespace rondo
