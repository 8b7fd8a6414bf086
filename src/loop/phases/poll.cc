#include "loop/phases/poll.h"

#include <unistd.h>

#include <algorithm>

#include "loop/loop.h"

namespace rondo {

PollPhase::PollPhase(Loop& loop) : loop_(loop) { ready_.reserve(2 * Poller::kBatch); }

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
  collect_mail();
}

void PollPhase::sleep(Nanos timeout) {
  Mailbox& mailbox = loop_.mailbox_;
  if (!mailbox.prepare_to_sleep()) {
    loop_.poller_->wait(Nanos::zero(), ready_);
    return;
  }
  const Nanos from = loop_.clock_.now();
  if (loop_.is_traced()) {
    loop_.trace_poll(TraceKind::poll_blocked, from, timeout == kForever ? -1 : timeout.count());
  }
  loop_.asleep_since_.store(from.count(), std::memory_order_relaxed);
  loop_.poller_->wait(timeout, ready_);
  mailbox.woke();
  loop_.now_ = loop_.clock_.now();
  loop_.metrics_.idle += loop_.now_ - from;
  loop_.asleep_since_.store(-1, std::memory_order_relaxed);
  loop_.slept_.store(loop_.metrics_.idle.count(), std::memory_order_relaxed);
  if (loop_.is_traced()) {
    loop_.trace_poll(TraceKind::poll_woke, loop_.now_, static_cast<int64_t>(ready_.size() - next_));
  }
}

void PollPhase::collect_mail() {
  if (loop_.mailbox_.is_empty()) return;
  for (Letter* letter = loop_.mailbox_.take_all(); letter != nullptr;) {
    Letter* next = static_cast<Letter*>(letter->next);
    ready_.push_back({letter, 0, 0});
    letter = next;
  }
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

void PollPhase::note_submitted(const Target& target) { submitted_[&target] = ++submissions_; }

void PollPhase::note_over(const Target& target) {
  RONDO_ASSERT(loop_.operations_in_flight_ > 0);
  --loop_.operations_in_flight_;
  if (loop_.choice_ != nullptr) [[unlikely]]
    submitted_.erase(&target);
}

bool PollPhase::await_virtual(bool may_sleep) {
  collect(Nanos::zero());
  if (next_ < ready_.size() || !may_sleep) return false;
  const Nanos budget = loop_.sleep_budget();
  if (budget == Nanos::zero()) return true;
  if (loop_.operations_in_flight_ > 0 || budget == kForever) {
    // Real work is under way, or only the outside can bring anything: real waiting, and virtual
    // time stands still meanwhile.
    collect(kForever);
    return false;
  }
  loop_.clock_.advance_to(loop_.timers_.next_exact());
  loop_.update_time();
  return true;
}

void PollPhase::await_operations() {
  collect(Nanos::zero());
  const auto arrived = [this] {
    size_t count = 0;
    for (size_t i = next_; i < ready_.size(); ++i) {
      count += ready_[i].target != nullptr && ready_[i].target->is_request;
    }
    return count;
  };
  while (arrived() < loop_.operations_in_flight_) collect(kForever);
  put_in_order();
}

// What a choice is asked about must be the same in every run: without the waker, which is only
// there if the loop happened to sleep, and with completions in the order of their submission.
// Readiness comes first, in the kernel's order.
void PollPhase::put_in_order() {
  const auto first = ready_.begin() + static_cast<ptrdiff_t>(next_);
  const auto is_nothing = [this](const Event& event) {
    return event.target == nullptr || event.target == &loop_.mailbox_watch_;
  };
  ready_.erase(std::remove_if(first, ready_.end(), is_nothing), ready_.end());
  const auto submission = [this](const Event& event) {
    const auto found = submitted_.find(event.target);
    return found != submitted_.end() ? found->second : 0;
  };
  std::stable_sort(first, ready_.end(), [&submission](const Event& left, const Event& right) {
    return submission(left) < submission(right);
  });
}

void PollPhase::run_chosen(bool may_sleep) {
  for (await_operations(); next_ == ready_.size(); await_operations()) {
    compact();
    const Nanos budget = may_sleep ? loop_.sleep_budget() : Nanos::zero();
    if (budget == Nanos::zero()) return;
    if (loop_.clock_.is_virtual()) {
      if (await_virtual(may_sleep)) return;
    } else {
      collect(budget);
    }
  }
  loop_.update_time();
  size_t left = 0;
  for (size_t i = next_; i < ready_.size(); ++i) left += ready_[i].target != nullptr;
  if (left > 1) left = left - loop_.choice_->pick(ChoicePoint::batch_size, left);
  for (; left > 0 && next_ < ready_.size(); --left) {
    const size_t index = choose_next();
    if (index == ready_.size()) break;
    const Event event = ready_[index];
    // Keep the order of the rest: what was in front of it moves up by one.
    for (size_t i = index; i > next_; --i) ready_[i] = ready_[i - 1];
    ++next_;
    dispatch(event);
  }
  while (next_ < ready_.size() && ready_[next_].target == nullptr) ++next_;
  compact();
}

// The index of the event to deliver next: the first of each source is a candidate.
size_t PollPhase::choose_next() {
  std::vector<size_t> candidates;
  std::vector<const void*> sources;
  for (size_t i = next_; i < ready_.size(); ++i) {
    const Target* target = ready_[i].target;
    if (target == nullptr) continue;
    const void* source = target->source != nullptr ? target->source : target;
    bool is_first = true;
    for (const void* seen : sources) is_first = is_first && seen != source;
    if (!is_first) continue;
    sources.push_back(source);
    candidates.push_back(i);
  }
  if (candidates.empty()) return ready_.size();
  if (candidates.size() == 1) return candidates[0];
  return candidates[loop_.choice_->pick(ChoicePoint::completion_order, candidates.size())];
}

}  // namespace rondo
