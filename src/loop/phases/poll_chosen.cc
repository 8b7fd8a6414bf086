// Poll with a Choice: which of what is ready comes next, and what comes late.
#include <sys/epoll.h>

#include <algorithm>
#include <utility>

#include "loop/loop.h"
#include "loop/phases/poll.h"
#include "loop/request.h"

namespace rondo {

void PollPhase::note_submitted(const Target& target, uint64_t id, const char* label,
                               PoolRequest* late) {
  submitted_.push_back({&target, id, label, late});
  const Touch touch = late != nullptr ? late->touches() : Touch();
  loop_.choice_->scheduled(id, label, touch.text(), touch.writes);
}

const PollPhase::Submitted* PollPhase::find_submitted(const Target* target) const {
  for (const Submitted& one : submitted_) {
    if (one.target == target) return &one;
  }
  return nullptr;
}

// All mail becomes events of their own, which the Choice orders.
void PollPhase::collect_mail_chosen() {
  loop_.mailbox_.begin_delivery();
  const auto first = static_cast<std::ptrdiff_t>(ready_.size());
  for (Letter* letter = loop_.mailbox_.take_newest_first(); letter != nullptr;) {
    ready_.push_back({letter, 0, 0});
    letter = static_cast<Letter*>(letter->next);
  }
  std::reverse(ready_.begin() + first, ready_.end());
  asyncs_.for_each([this](Async& async) {
    const auto is_its = [&async](const Event& event) { return event.target == &async.bell_; };
    const auto known = ready_.begin() + static_cast<ptrdiff_t>(next_);
    if (!async.is_pending() || std::any_of(known, ready_.end(), is_its)) return;
    ready_.push_back({&async.bell_, 0, 0});
  });
}

void PollPhase::await_operations() {
  owner_ = std::this_thread::get_id();
  // Readiness is level-triggered: the kernel reports again what is still ready.
  const auto first = ready_.begin() + static_cast<ptrdiff_t>(next_);
  const bool is_kernel = loop_.poller_->backend() != Backend::scripted;
  const auto is_told_again = [is_kernel](const Event& event) {
    return is_kernel && event.target != nullptr && event.target->is_watch;
  };
  ready_.erase(std::remove_if(first, ready_.end(), is_told_again), ready_.end());
  collect(Nanos::zero());
  const auto arrived = [this] {
    size_t count = 0;
    for (size_t i = next_; i < ready_.size(); ++i) {
      const Target* const target = ready_[i].target;
      count += target != nullptr && target->is_request && !target->is_outside;
    }
    return count;
  };
  while (arrived() < loop_.operations_in_flight_) collect(kForever);
  const Nanos until = RealClock::instance().now() + kPatience;
  while (is_something_on_a_wire() && RealClock::instance().now() < until) collect(Millis{1});
  put_in_order();
}

// What was sent between two sockets of this loop, and the kernel has not shown yet.
bool PollPhase::is_something_on_a_wire() const {
  bool is_coming = false;
  loop_.for_each_handle([this, &is_coming](const Handle& handle) {
    if (is_coming || handle.awaits() != Awaits::inside) return;
    is_coming = std::none_of(ready_.begin() + static_cast<ptrdiff_t>(next_), ready_.end(),
                             [&handle](const Event& event) {
                               return event.target != nullptr && event.target->source == &handle;
                             });
  });
  return is_coming;
}

uint64_t PollPhase::handle_id(const void* source) const {
  uint64_t id = 0;
  loop_.for_each_handle([source, &id](const Handle& handle) {
    if (&handle == source) id = handle.id();
  });
  return id;
}

// A Choice must be asked the same question in every run. So the mailbox's own event is left out,
// which depends on whether the loop slept, and completions are put in the order of submission.
// Readiness comes first, by descriptor, then messages in order of creation of their Asyncs.
void PollPhase::put_in_order() {
  const auto first = ready_.begin() + static_cast<ptrdiff_t>(next_);
  const auto is_nothing = [this](const Event& event) {
    if (event.target == &loop_.mailbox_watch_) return true;
    const bool is_readiness = event.target == nullptr || event.target->is_watch;
    if (!is_readiness || event.result < 0) return event.target == nullptr;
    const bool is_stopped =
        event.target == nullptr || static_cast<const Watch*>(event.target)->interest == 0;
    if (is_stopped && event.flags != 0) loop_.poller_->disarm(event.result);
    return is_stopped;
  };
  ready_.erase(std::remove_if(first, ready_.end(), is_nothing), ready_.end());
  const auto rank = [this](const Event& event) -> std::pair<int, uint64_t> {
    const Target& target = *event.target;
    if (target.is_watch) return {0, static_cast<const Watch&>(target).fd};
    if (const Submitted* const one = find_submitted(&target); one != nullptr) {
      return {3, one - submitted_.data()};
    }
    return {target.is_operation ? 1 : 2, handle_id(target.source)};
  };
  std::stable_sort(first, ready_.end(), [&rank](const Event& left, const Event& right) {
    return rank(left) < rank(right);
  });
  // Waiting for the slower ones has shown again what was ready already.
  for (auto event = first; event != ready_.end(); ++event) {
    if (!event->target->is_watch) continue;
    const auto again = std::remove_if(event + 1, ready_.end(), [&event](const Event& other) {
      if (other.target == event->target) event->flags |= other.flags;
      return other.target == event->target;
    });
    ready_.erase(again, ready_.end());
  }
}

// The engine's own errands change no order that anyone could see, and come when it pleases.
void PollPhase::do_housework() {
  for (size_t i = next_; i < ready_.size(); ++i) {
    const Event event = ready_[i];
    if (event.target == nullptr || !event.target->is_housework) continue;
    ready_[i].target = nullptr;
    event.target->fn(*event.target, event.result, event.flags);
  }
  while (next_ < ready_.size() && ready_[next_].target == nullptr) ++next_;
  compact();
}

void PollPhase::run_chosen(bool may_sleep) {
  for (;;) {
    await_operations();
    do_housework();
    if (next_ < ready_.size()) break;
    const Nanos budget = may_sleep ? loop_.sleep_budget() : Nanos::zero();
    if (budget == Nanos::zero()) return;
    if (loop_.clock_.is_virtual()) {
      if (await_virtual(may_sleep)) return;
    } else {
      collect(budget);
    }
  }
  loop_.update_time();
  if (times_late_ == 0) late_since_ = loop_.now_;
  for (bool is_first = true; next_ < ready_.size(); is_first = false) {
    if (may_end() && end_early(is_first)) break;
    choose_next();
    while (next_ < ready_.size() && ready_[next_].target == nullptr) ++next_;
    times_late_ = 0;
    // Where nothing else can run before the next poll it is as if that began now, with all that
    // the callback has asked for.
    if (!loop_.choice_limits_.asks_in_vain && !may_end()) break;
  }
  compact();
}

// Whether it makes a difference that this poll ends: something else would run before the next one.
bool PollPhase::may_end() {
  if (loop_.choice_limits_.asks_in_vain || loop_.has_work_beside_poll()) return true;
  if (loop_.timers_.is_empty() || !loop_.clock_.is_virtual()) return false;
  const Nanos next = loop_.timers_.next_exact();
  return next <= loop_.now_ || next - late_since_ <= loop_.choice_limits_.slow;
}

// All that is ready may be late, but not for ever.
bool PollPhase::end_early(bool is_first) {
  if (is_first && times_late_ >= loop_.choice_limits_.late) return false;
  if (!ask(ChoicePoint::batch_end, false)) return false;
  ++times_late_;
  // Where nothing else is waiting, what is late is later than the next timer.
  if (!loop_.has_work_beside_poll() && loop_.clock_.is_virtual() && !loop_.timers_.is_empty()) {
    const Nanos next = loop_.timers_.next_exact();
    if (next - late_since_ <= loop_.choice_limits_.slow) {
      loop_.clock_.advance_to(next);
      loop_.update_time();
    }
  }
  return true;
}

// Events of one source keep their order. Messages that this thread has sent are of one source: one
// pass delivers them in order of creation of their Asyncs. Other threads may send at any time.
const void* PollPhase::source_of(const Target& target) const {
  if (target.is_message) {
    const Async& async = *static_cast<const Async::Bell&>(target).owner;
    if (!async.is_from_outside_.load(std::memory_order_relaxed)) return &asyncs_;
  }
  return target.source != nullptr ? target.source : &target;
}

// The first event of each source is a candidate.
void PollPhase::find_candidates() {
  candidates_.clear();
  indices_.clear();
  std::vector<const void*> sources;
  for (size_t i = next_; i < ready_.size(); ++i) {
    const Target* const target = ready_[i].target;
    if (target == nullptr) continue;
    const void* const source = source_of(*target);
    if (std::find(sources.begin(), sources.end(), source) != sources.end()) continue;
    sources.push_back(source);
    indices_.push_back(i);
    Candidate candidate;
    if (const Submitted* const one = find_submitted(target); one != nullptr) {
      candidate.id = one->id;
      candidate.label = one->label;
    } else {
      candidate.id = handle_id(target->source);
      if (target->is_watch) candidate.fd = static_cast<const Watch*>(target)->fd;
      candidate.label = target->is_watch || target->is_operation ? "readiness" : "message";
    }
    candidates_.push_back(candidate);
  }
}

uint64_t PollPhase::state(ChoicePoint point) const {
  uint64_t hash = loop_.history_;
  hash = mix_history(hash, static_cast<uint64_t>(point));
  hash = mix_history(hash, static_cast<uint64_t>(loop_.now_.count()));
  hash = mix_history(hash, static_cast<uint64_t>(loop_.phase_));
  hash = mix_history(hash, times_late_);
  for (const Candidate& candidate : candidates_) {
    hash = mix_history(hash, candidate.id);
    hash = mix_history(hash, static_cast<uint64_t>(candidate.fd));
  }
  return hash;
}

bool PollPhase::ask(ChoicePoint point, bool has_candidates) {
  if (!has_candidates) find_candidates();
  Question question{point, 2};
  question.state = state(point);
  question.at = loop_.now_;
  question.candidates = candidates_;
  return loop_.choice_->choose(question) == 1;
}

void PollPhase::choose_next() {
  find_candidates();
  if (indices_.empty()) {
    next_ = ready_.size();
    return;
  }
  size_t picked = 0;
  if (indices_.size() > 1) {
    Question question{ChoicePoint::completion_order, indices_.size()};
    question.state = state(ChoicePoint::completion_order);
    question.at = loop_.now_;
    question.candidates = candidates_;
    picked = loop_.choice_->choose(question);
  }
  const size_t index = indices_[picked];
  const Candidate candidate = candidates_[picked];
  const Event event = ready_[index];
  // Keep the order of the rest: what was in front of it moves up by one.
  for (size_t i = index; i > next_; --i) ready_[i] = ready_[i - 1];
  ++next_;
  loop_.note_history(candidate.id, static_cast<uint64_t>(candidate.fd));
  loop_.note_history(static_cast<uint64_t>(event.result), event.flags);
  loop_.choice_->delivered(candidate.id, candidate.label, loop_.now_);
  dispatch(event);
}

void PollPhase::settle_effects(const Touch& touch, const PoolRequest* self) {
  if (touch.is_nothing()) return;
  // What is done may take others out of the list, or add to it.
  std::vector<PoolRequest*> others;
  for (const Submitted& one : submitted_) {
    if (one.late == nullptr || one.late == self || one.late->has_worked()) continue;
    if (one.late->touches().conflicts_with(touch)) others.push_back(one.late);
  }
  for (PoolRequest* const other : others) {
    candidates_.clear();
    candidates_.push_back({other->id(), other->label(), -1});
    if (self != nullptr) candidates_.push_back({self->id(), self->label(), -1});
    if (!ask(ChoicePoint::effect_first, true)) continue;
    loop_.note_history(other->id(), 1);
    other->work_now();
  }
}

}  // namespace rondo
