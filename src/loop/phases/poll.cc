#include "loop/phases/poll.h"

#include <sched.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "loop/loop.h"

namespace rondo {
namespace {

// About the latency of waking a sleeping thread: 5 to 25 us on bare metal, up to 80 us on a virtual
// machine, whose processor must be woken, too.
constexpr std::chrono::microseconds kSleepCost{100};

std::chrono::microseconds wait_before_sleep() {
  const char* const text = std::getenv("RONDO_SPIN");
  if (text == nullptr) return kSleepCost;
  return std::chrono::microseconds(std::clamp(std::atol(text), 0L, 10'000L));
}

}  // namespace

PollPhase::PollPhase(Loop& loop) : loop_(loop), spin_(usable_processors(), wait_before_sleep()) {
  ready_.reserve(2 * Poller::kBatch);
  owner_ = std::this_thread::get_id();
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
    const uint64_t events_before = loop_.metrics_.events;
    if (loop_.clock_.is_virtual()) {
      if (await_virtual(may_sleep)) return;
    } else {
      collect(may_sleep ? loop_.sleep_budget() : Nanos::zero());
    }
    const bool was_full = ready_.size() - next_ >= Poller::kBatch;
    if (dispatch_all()) return;
    if (was_full) {
      may_sleep = false;
      continue;
    }
    // A spurious wake-up, an interrupted or early timeout: sleep for the rest of the time while
    // there is a reason to (POL-07). An event ends the phase, even if it caused no callback.
    if (!may_sleep || loop_.metrics_.events != events_before) return;
    if (loop_.sleep_budget() == Nanos::zero()) return;
    rounds = -1;
  }
}

// Without another source of events, workers need not write to the mailbox's eventfd while the loop
// is awake. If a source has been added since, the eventfd is written before the next wait registers
// the descriptor.
bool PollPhase::is_mail_first() const {
  return loop_.choice_ == nullptr && !loop_.clock_.is_virtual() && !loop_.poller_->has_sources();
}

void PollPhase::collect(Nanos timeout) {
  const size_t first_new = ready_.size();
  if (!is_mail_first()) loop_.mailbox_.flush_writes();
  if (timeout > Nanos::zero()) {
    sleep(timeout);
  } else {
    loop_.poller_->wait(Nanos::zero(), ready_);
  }
  if (is_idle_) [[unlikely]]
    resume();
  if (loop_.mailbox_.is_notified()) collect_mail(first_new);
  if (is_mail_first()) loop_.mailbox_.pause_writes();
}

void PollPhase::sleep(Nanos timeout) {
  if (loop_.mailbox_.is_notified()) {
    loop_.poller_->wait(Nanos::zero(), ready_);
    return;
  }
  const Nanos from = loop_.clock_.now();
  if (loop_.is_traced()) {
    loop_.trace_poll(TraceKind::poll_blocked, from, timeout == kForever ? -1 : timeout.count());
  }
  loop_.asleep_since_.store(from.count(), std::memory_order_relaxed);
  const bool has_come = has_come_at_once(timeout);
  loop_.mailbox_.resume_writes();
  if (!has_come && !loop_.mailbox_.is_notified()) loop_.poller_->wait(timeout, ready_);
  loop_.now_ = loop_.clock_.now();
  loop_.metrics_.idle += loop_.now_ - from;
  loop_.asleep_since_.store(-1, std::memory_order_relaxed);
  loop_.slept_.store(loop_.metrics_.idle.count(), std::memory_order_relaxed);
  if (loop_.is_traced()) {
    loop_.trace_poll(TraceKind::poll_woke, loop_.now_, static_cast<int64_t>(ready_.size() - next_));
  }
}

// Each check costs a system call. Yielding in between lets the thread that the loop waits for run.
bool PollPhase::has_come_at_once(Nanos timeout) {
  // Scripted pollers, a Choice and virtual clocks have no latency to save, and tests count their
  // waits.
  if (timeout < spin_.longest() || loop_.choice_ != nullptr || loop_.clock_.is_virtual() ||
      loop_.poller_->backend() == Backend::scripted) {
    return false;
  }
  Mailbox& mailbox = loop_.mailbox_;
  mailbox.pause_writes();
  return spin_.wait([this, &mailbox] {
    loop_.poller_->wait(Nanos::zero(), ready_);
    if (next_ < ready_.size() || mailbox.is_notified()) return true;
    ::sched_yield();
    return false;
  });
}

// The mailbox was rung without a write to its eventfd, or after the poller had looked. The former
// happens only without other sources, so its event goes first.
void PollPhase::collect_mail(size_t first_new) {
  if (loop_.choice_ != nullptr) return collect_mail_chosen();
  const auto first = ready_.begin() + static_cast<std::ptrdiff_t>(first_new);
  const auto is_mail = [this](const Event& event) { return event.target == &loop_.mailbox_watch_; };
  if (std::any_of(first, ready_.end(), is_mail)) return;
  ready_.insert(first, {&loop_.mailbox_watch_, 0, EPOLLIN});
}

bool PollPhase::dispatch_all() {
  if (next_ == ready_.size()) return false;
  loop_.update_time_if_stale();
  while (next_ < ready_.size()) {
    const Event event = ready_[next_++];
    if (event.target != nullptr && event.target->is_last) {
      last_ = event;
    } else {
      dispatch(event);
    }
  }
  const bool has_last = last_.target != nullptr;
  if (has_last) dispatch(std::exchange(last_, Event{}));
  compact();
  return has_last;
}

void PollPhase::dispatch(const Event& event) {
  if (event.target == nullptr || event.target->is_watch) return dispatch_readiness(event);
  ++loop_.metrics_.events;
  if (event.target->is_request) note_over(*event.target);
  event.target->fn(*event.target, event.result, event.flags);
}

// As in libuv, the watch is looked up when its event is dispatched: an earlier callback of the
// batch may have stopped it, or started one on a descriptor that had none.
void PollPhase::dispatch_readiness(const Event& event) {
  if (event.flags == 0) return;  // Forgotten.
  auto* watch = static_cast<Watch*>(event.target);
  if (watch == nullptr) watch = loop_.poller_->watch_of(event.result);
  if (watch == nullptr || (watch->interest == 0 && event.result >= 0)) {
    loop_.poller_->disarm(event.result);
    return;
  }
  const uint32_t flags = event.flags & (watch->interest | EPOLLERR | EPOLLHUP);
  if (flags == 0) return;
  if (watch == &loop_.mailbox_watch_) return deliver_mail(event.result == watch->fd);
  ++loop_.metrics_.events;
  watch->fn(*watch, event.result, flags);
}

// Pool results in order of completion, then Asyncs in order of creation. Mail posted meanwhile
// waits for the next poll, except as ASY-02 says.
void PollPhase::deliver_mail(bool is_reported) {
  loop_.mailbox_.begin_delivery(is_reported);
  // Before the results: an Async that one of their callbacks creates is not part of this pass.
  auto asyncs = asyncs_.take();
  mail_.clear();
  for (Completion* completion = loop_.mailbox_.take_newest_first(); completion != nullptr;) {
    mail_.push_back(completion);
    completion = static_cast<Completion*>(completion->next);
  }
  // Reversed here, where the pointers are adjacent: the completions are in the caches of the
  // processors that wrote them, so following their links twice would be expensive.
  for (size_t left = mail_.size(); left > 0; --left) dispatch({mail_[left - 1], 0, 0});
  deliver_asyncs(asyncs);
}

// Each Async moves to the end of the list when it is visited, so one that a callback creates is
// behind the visited and before the others, as in libuv's list.
void PollPhase::deliver_asyncs(AsyncList& rest) {
  while (pending_asyncs_.load(std::memory_order_acquire) > 0) {
    Async* const async = rest.pop_front();
    if (async == nullptr) return;
    asyncs_.push_back(*async);
    if (!async->is_pending()) continue;
    ++loop_.metrics_.events;
    async->deliver();
  }
  asyncs_.splice_back(rest);
}

void PollPhase::compact() {
  if (next_ != ready_.size()) return;
  ready_.clear();
  next_ = 0;
}

void PollPhase::forget(const Target& target) {
  if (last_.target == &target) last_ = Event{};
  for (size_t i = next_; i < ready_.size(); ++i) {
    if (ready_[i].target != &target) continue;
    if (target.is_request) note_over(target);
    ready_[i].target = nullptr;
    ready_[i].flags = 0;
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
