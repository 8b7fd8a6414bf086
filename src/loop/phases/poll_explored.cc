#include "loop/phases/poll_explored.h"

#include <algorithm>
#include <utility>

#include "loop/request.h"
#include "loop/state.h"

namespace rondo {

ExploredPoll::ExploredPoll(LoopState& loop, PollPhase& poll)
    : VirtualPoll(loop, poll), batch_(poll.batch()), asyncs_(poll.asyncs()) {}

void ExploredPoll::operation_submitted(const Target& target, uint64_t id, const char* label,
                                       PoolRequest* late) {
  submitted_.push_back({&target, id, label, late, false});
  const bool has_effect = late != nullptr && !late->has_worked();
  const Touch touch = has_effect ? late->touches() : Touch();
  loop_.choice->scheduled(id, label, touch.text(), touch.writes);
}

void ExploredPoll::operation_over(const Target& target) {
  std::erase_if(submitted_, [&target](const Submitted& one) { return one.target == &target; });
}

const ExploredPoll::Submitted* ExploredPoll::find_submitted(const Target* target) const {
  for (const Submitted& one : submitted_) {
    if (one.target == target) return &one;
  }
  return nullptr;
}

// Each result becomes an event. Asyncs are found by their flags.
void ExploredPoll::collect_mail(size_t /*first_new*/) {
  loop_.mailbox.begin_delivery(true);
  const auto first = static_cast<std::ptrdiff_t>(batch_.ready.size());
  for (Completion* completion = loop_.mailbox.take_newest_first(); completion != nullptr;) {
    batch_.ready.push_back({completion, 0, 0});
    completion = static_cast<Completion*>(completion->next);
  }
  std::reverse(batch_.ready.begin() + first, batch_.ready.end());
}

bool ExploredPoll::has_something() const { return batch_.has_more() || poll_.has_pending_asyncs(); }

void ExploredPoll::await_operations() {
  poll_.take_over_thread();
  // Readiness is level-triggered: the kernel reports it again if it still holds.
  const auto first = batch_.begin();
  const bool is_kernel = loop_.poller->backend() != Backend::scripted;
  const auto is_reported_again = [is_kernel](const Event& event) {
    return is_kernel && event.target != nullptr && event.target->is_watch;
  };
  batch_.ready.erase(std::remove_if(first, batch_.ready.end(), is_reported_again),
                     batch_.ready.end());
  collect(Nanos::zero());
  const auto arrived = [this] {
    size_t count = 0;
    for (size_t i = batch_.next; i < batch_.ready.size(); ++i) {
      const Target* const target = batch_.ready[i].target;
      count += target != nullptr && target->is_request && !target->is_outside;
    }
    return count;
  };
  while (arrived() < poll_.operations_in_flight()) collect(kForever);
  const Nanos until = RealClock::instance().now() + kInsideWaitLimit;
  while (has_local_data_in_flight() && RealClock::instance().now() < until) collect(Millis{1});
  put_in_order();
}

// True if data sent between two sockets of this loop has not been reported by the kernel yet.
bool ExploredPoll::has_local_data_in_flight() const {
  bool is_coming = false;
  loop_.handles.for_each([this, &is_coming](const Handle& handle) {
    if (is_coming || handle.awaits() != Awaits::inside) return;
    is_coming = std::none_of(batch_.begin(), batch_.ready.end(), [&handle](const Event& event) {
      return event.target != nullptr && event.target->source == &handle;
    });
  });
  return is_coming;
}

uint64_t ExploredPoll::handle_id(const void* source) const {
  uint64_t id = 0;
  loop_.handles.for_each([source, &id](const Handle& handle) {
    if (&handle == source) id = handle.id();
  });
  return id;
}

// The Choice must get the same question in every run. So the mailbox's own event is left out, which
// depends on whether the loop slept, and completions are sorted by submission. Readiness comes
// first, by descriptor; the kernel's order is kept where it cannot differ.
void ExploredPoll::put_in_order() {
  const auto first = batch_.begin();
  const auto is_nothing = [this](const Event& event) {
    if (event.target == &loop_.mailbox_watch) return true;
    const bool is_readiness = event.target == nullptr || event.target->is_watch;
    if (!is_readiness || event.result < 0) return event.target == nullptr;
    const bool is_stopped =
        event.target == nullptr || static_cast<const Watch*>(event.target)->interest == 0;
    if (is_stopped && event.flags != 0) loop_.poller->disarm(event.result);
    return is_stopped;
  };
  batch_.ready.erase(std::remove_if(first, batch_.ready.end(), is_nothing), batch_.ready.end());
  const auto rank = [this](const Event& event) -> std::pair<int, uint64_t> {
    const Target& target = *event.target;
    if (target.is_watch && is_instant(target)) return {1, 0};
    if (target.is_watch) return {0, static_cast<const Watch&>(target).fd};
    if (const Submitted* const one = find_submitted(&target); one != nullptr) {
      return {4, one - submitted_.data()};
    }
    return {target.is_operation ? 2 : 3, handle_id(target.source)};
  };
  std::stable_sort(first, batch_.ready.end(), [&rank](const Event& left, const Event& right) {
    return rank(left) < rank(right);
  });
  // Waiting for the slower ones has reported readiness a second time.
  for (auto event = first; event != batch_.ready.end(); ++event) {
    if (!event->target->is_watch) continue;
    const auto again = std::remove_if(event + 1, batch_.ready.end(), [&event](const Event& other) {
      if (other.target == event->target) event->flags |= other.flags;
      return other.target == event->target;
    });
    batch_.ready.erase(again, batch_.ready.end());
  }
}

// The engine's own tasks do not affect any order that a program can see, so they need no question.
void ExploredPoll::run_internal_asyncs() {
  auto rest = asyncs_.take();
  while (Async* const async = rest.pop_front()) {
    asyncs_.push_back(*async);
    if (async->is_internal() && async->is_pending()) async->deliver();
  }
}

void ExploredPoll::run(bool may_sleep) {
  for (;;) {
    await_operations();
    run_internal_asyncs();
    if (has_something()) break;
    const Nanos budget = may_sleep ? loop_.sleep_budget() : Nanos::zero();
    if (budget == Nanos::zero()) return;
    if (loop_.clock.is_virtual()) {
      if (await_events(may_sleep)) return;
    } else {
      collect(budget);
    }
  }
  loop_.update_time();
  if (times_late_ == 0) late_since_ = loop_.now;
  begin_batch();
  for (bool is_first = true; find_candidates(); is_first = false) {
    if (!is_certain_left() && may_end() && end_early(is_first)) break;
    const bool is_end = choose_next();
    times_late_ = 0;
    if (is_end) break;
    // If nothing else can run before the next poll, this is equivalent to that poll beginning now,
    // with everything that the callback has scheduled.
    if (!loop_.choice_limits.asks_even_if_unobservable && !is_certain_left() && !may_end()) break;
  }
  end_batch();
}

// True if ending this poll makes a difference: something else would run before the next one.
bool ExploredPoll::may_end() {
  if (loop_.choice_limits.asks_even_if_unobservable || loop_.has_work_beside_poll()) return true;
  if (loop_.timers.is_empty() || !loop_.clock.is_virtual()) return false;
  const Nanos next = loop_.timers.next_exact();
  return next <= loop_.now || next - late_since_ <= loop_.choice_limits.slow;
}

// All ready events may be late, but not forever.
bool ExploredPoll::end_early(bool is_first) {
  if (is_first && times_late_ >= loop_.choice_limits.late) return false;
  if (!ask(ChoicePoint::batch_end)) return false;
  ++times_late_;
  // If nothing else is pending, the late events come after the next timer.
  if (!loop_.has_work_beside_poll() && loop_.clock.is_virtual() && !loop_.timers.is_empty()) {
    const Nanos next = loop_.timers.next_exact();
    if (next - late_since_ <= loop_.choice_limits.slow) {
      loop_.clock.advance_to(next);
      loop_.update_time();
    }
  }
  return true;
}

uint64_t ExploredPoll::state(ChoicePoint point) const {
  uint64_t hash = loop_.history;
  hash = mix_history(hash, static_cast<uint64_t>(point));
  hash = mix_history(hash, static_cast<uint64_t>(loop_.now.count()));
  hash = mix_history(hash, static_cast<uint64_t>(loop_.phase));
  hash = mix_history(hash, times_late_);
  for (const Candidate& candidate : candidates_) {
    hash = mix_history(hash, candidate.id);
    hash = mix_history(hash, static_cast<uint64_t>(candidate.fd));
  }
  return hash;
}

bool ExploredPoll::ask(ChoicePoint point) {
  Question question{point, 2};
  question.state = state(point);
  question.at = loop_.now;
  question.candidates = candidates_;
  return loop_.choice->choose(question) == 1;
}

bool ExploredPoll::choose_next() {
  size_t picked = 0;
  if (picks_.size() > 1) {
    Question question{ChoicePoint::completion_order, picks_.size()};
    question.state = state(ChoicePoint::completion_order);
    question.at = loop_.now;
    question.candidates = candidates_;
    picked = loop_.choice->choose(question);
  }
  const Pick pick = picks_[picked];
  const Candidate candidate = candidates_[picked];
  loop_.note_history(candidate.id, static_cast<uint64_t>(candidate.fd));
  if (pick.async != nullptr) {
    loop_.choice->delivered(candidate.id, candidate.label, loop_.now);
    deliver_message(*pick.async);
    return false;
  }
  const Event event = batch_.ready[pick.index];
  batch_.ready.erase(batch_.ready.begin() + static_cast<ptrdiff_t>(pick.index));
  loop_.note_history(static_cast<uint64_t>(event.result), event.flags);
  loop_.choice->delivered(candidate.id, candidate.label, loop_.now);
  if (find_submitted(event.target) == nullptr) {
    end_mail();
  } else if (mail_stage_ == Mail::waiting) {
    begin_mail();
  }
  const bool is_end = event.target->is_last;
  poll_.dispatch(event);
  return is_end;
}

void ExploredPoll::settle_effects(const Touch& touch, const PoolRequest* self) {
  if (touch.is_nothing()) return;
  // Doing the work of one may change the list.
  std::vector<PoolRequest*> others;
  for (const Submitted& one : submitted_) {
    if (one.job == nullptr || one.job == self || one.job->has_worked()) continue;
    // While `self` had a worker, `other` needed one, too.
    if (self != nullptr && !one.is_running) continue;
    if (one.job->touches().conflicts_with(touch)) others.push_back(one.job);
  }
  for (PoolRequest* const other : others) {
    candidates_.clear();
    candidates_.push_back({other->id(), other->label(), -1});
    if (self != nullptr) candidates_.push_back({self->id(), self->label(), -1});
    if (!ask(ChoicePoint::effect_first)) continue;
    loop_.note_history(other->id(), 1);
    other->work_now();
  }
}

}  // namespace rondo
