#include "loop/phases/poll.h"

#include <sys/epoll.h>

#include <algorithm>
#include <utility>

#include "loop/phases/poll_explored.h"
#include "loop/phases/poll_plain.h"
#include "loop/phases/poll_virtual.h"
#include "loop/state.h"

namespace rondo {
namespace {

// Events ahead of the dispatched one: the callback of one takes longer than loading an object.
constexpr size_t kPrefetchDistance = 2;

std::unique_ptr<PollPolicy> make_policy(LoopState& loop, PollPhase& poll) {
  if (loop.choice != nullptr) return std::make_unique<ExploredPoll>(loop, poll);
  if (loop.clock.is_virtual()) return std::make_unique<VirtualPoll>(loop, poll);
  return std::make_unique<PlainPoll>(loop, poll);
}

}  // namespace

PollPhase::PollPhase(LoopState& loop)
    : loop_(loop),
      thread_(std::this_thread::get_id()),
      policy_(make_policy(loop, *this)),
      tracker_(policy_->tracks_operations() ? policy_.get() : nullptr) {
  batch_.ready.reserve(2 * Poller::kBatch);
}

PollPhase::~PollPhase() = default;

uint64_t PollPhase::events() const { return loop_.metrics.events; }

bool PollPhase::has_reason_to_sleep() { return loop_.sleep_budget() > Nanos::zero(); }

void PollPhase::wait(Nanos timeout) {
  if (timeout <= Nanos::zero() || loop_.mailbox.is_notified()) {
    loop_.poller->wait(Nanos::zero(), batch_.ready);
    return;
  }
  const Nanos began = begin_sleep(timeout);
  loop_.poller->wait(timeout, batch_.ready);
  end_sleep(began);
}

Nanos PollPhase::begin_sleep(Nanos timeout) {
  const Nanos began = loop_.clock.now();
  loop_.trace.poll_blocks(began, timeout);
  loop_.asleep_since.store(began.count(), std::memory_order_relaxed);
  return began;
}

void PollPhase::end_sleep(Nanos began) {
  loop_.now = loop_.clock.now();
  loop_.metrics.idle += loop_.now - began;
  loop_.asleep_since.store(-1, std::memory_order_relaxed);
  loop_.slept.store(loop_.metrics.idle.count(), std::memory_order_relaxed);
  loop_.trace.poll_woke(loop_.now, batch_.ready.size() - batch_.next);
}

// The mailbox was notified without a write to its eventfd, or after the poller had checked it. The
// former happens only without other sources, so its event goes first.
void PollPhase::add_mail_event(size_t first_new) {
  const auto first = batch_.ready.begin() + static_cast<std::ptrdiff_t>(first_new);
  const auto is_mail = [this](const Event& event) { return event.target == &loop_.mailbox_watch; };
  if (std::any_of(first, batch_.ready.end(), is_mail)) return;
  batch_.ready.insert(first, {&loop_.mailbox_watch, 0, EPOLLIN});
}

bool PollPhase::dispatch_all() {
  if (!batch_.has_more()) return false;
  loop_.update_time_if_stale();
  while (batch_.has_more()) {
    const Event event = batch_.ready[batch_.next++];
    // With many connections their objects are not in the cache.
    const size_t ahead = batch_.next + kPrefetchDistance;
    if (ahead < batch_.ready.size()) __builtin_prefetch(batch_.ready[ahead].target);
    if (event.target != nullptr && event.target->is_last) {
      last_ = event;
    } else {
      dispatch(event);
    }
  }
  const bool has_last = last_.target != nullptr;
  if (has_last) dispatch(std::exchange(last_, Event{}));
  batch_.compact();
  return has_last;
}

void PollPhase::dispatch(const Event& event) {
  if (event.target == nullptr || event.target->is_watch) return dispatch_readiness(event);
  ++loop_.metrics.events;
  if (event.target->is_request) operation_over(*event.target);
  event.target->fn(*event.target, event.result, event.flags);
}

// As in libuv, the watch is looked up when its event is dispatched: an earlier callback of the
// batch may have stopped it, or started one on a descriptor that had none.
void PollPhase::dispatch_readiness(const Event& event) {
  if (event.flags == 0) return;  // Forgotten.
  auto* watch = static_cast<Watch*>(event.target);
  if (watch == nullptr) watch = loop_.poller->watch_of(event.result);
  if (watch == nullptr || (watch->interest == 0 && event.result >= 0)) {
    loop_.poller->disarm(event.result);
    return;
  }
  const uint32_t flags = event.flags & (watch->interest | EPOLLERR | EPOLLHUP);
  if (flags == 0) return;
  if (watch == &loop_.mailbox_watch) return deliver_mail(event.result == watch->fd);
  ++loop_.metrics.events;
  watch->fn(*watch, event.result, flags);
}

// Pool results in order of completion, then Asyncs in order of creation. Mail posted meanwhile
// waits for the next poll, except as ASY-02 says.
void PollPhase::deliver_mail(bool is_reported) {
  loop_.mailbox.begin_delivery(is_reported);
  // Before the results: an Async that one of their callbacks creates is not part of this pass.
  auto asyncs = asyncs_.take();
  mail_.clear();
  for (Completion* completion = loop_.mailbox.take_newest_first(); completion != nullptr;) {
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
  while (has_pending_asyncs()) {
    Async* const async = rest.pop_front();
    if (async == nullptr) return;
    asyncs_.push_back(*async);
    if (!async->is_pending()) continue;
    ++loop_.metrics.events;
    async->deliver();
  }
  asyncs_.splice_back(rest);
}

void PollPhase::Batch::compact() {
  if (has_more()) return;
  ready.clear();
  next = 0;
}

void PollPhase::forget(const Target& target) {
  if (last_.target == &target) last_ = Event{};
  for (Event& event : batch_) {
    if (event.target != &target) continue;
    if (target.is_request) operation_over(target);
    event.target = nullptr;
    event.flags = 0;
  }
}

}  // namespace rondo
