// Poll with a Choice: finds the events that may come next in the current batch. Node's poll takes
// one batch from the kernel. Pool results and most readiness may be late, in a later batch.
// Messages and signals that this thread has sent are there already, and so are its effects on the
// other end of a Unix socket: they belong to the batch.
#include <algorithm>

#include "loop/phases/poll_explored.h"
#include "loop/request.h"
#include "loop/state.h"

namespace rondo {

void ExploredPoll::begin_batch() {
  mail_stage_ = Mail::waiting;
  began_with_message_ = false;
  asyncs_.for_each([this](const Async& async) {
    began_with_message_ = began_with_message_ || is_local_message(async);
  });
}

void ExploredPoll::end_batch() {
  end_mail();
  while (batch_.next < batch_.ready.size() && batch_.ready[batch_.next].target == nullptr)
    ++batch_.next;
  batch_.compact();
}

// Asyncs that a callback creates from here on are not part of this pass.
void ExploredPoll::begin_mail() {
  mail_stage_ = Mail::results;
  unvisited_.splice_back(asyncs_);
}

void ExploredPoll::end_mail() {
  if (!is_mail_begun()) return;
  asyncs_.splice_back(unvisited_);
  mail_stage_ = Mail::over;
}

// Visits Asyncs in the same way as deliver_asyncs().
void ExploredPoll::deliver_message(Async& async) {
  if (mail_stage_ == Mail::waiting) begin_mail();
  mail_stage_ = Mail::messages;
  for (const Async* visited = nullptr; visited != &async;) {
    Async* const next = unvisited_.pop_front();
    asyncs_.push_back(*next);
    visited = next;
  }
  ++loop_.metrics.events;
  async.deliver();
}

bool ExploredPoll::is_local_message(const Async& async) {
  return async.is_pending() && !async.is_internal() &&
         !async.is_from_outside_.load(std::memory_order_relaxed);
}

// A message sent by a callback of this batch joins it only if the mailbox comes later in the batch
// for another reason.
bool ExploredPoll::is_message_due() const {
  if (mail_stage_ == Mail::over || (!is_mail_begun() && !began_with_message_)) return false;
  bool is_due = false;
  const AsyncList& asyncs = is_mail_begun() ? unvisited_ : asyncs_;
  asyncs.for_each([&is_due](const Async& async) { is_due = is_due || is_local_message(async); });
  return is_due;
}

// A signal that a program sends to itself has arrived when kill() returns. While handles wait for
// other signals, for example of child processes, the signal may be one of those and be late.
bool ExploredPoll::is_signal_due() const {
  const auto is_signal = [](const Event& event) {
    return event.target != nullptr && event.target->is_last;
  };
  if (std::none_of(batch_.begin(), batch_.ready.end(), is_signal)) {
    return false;
  }
  bool is_alone = true;
  loop_.handles.for_each([&is_alone](const Handle& handle) {
    is_alone = is_alone && handle.awaits() != Awaits::outside;
  });
  return is_alone;
}

bool ExploredPoll::is_instant(const Target& target) const {
  if (!target.is_watch || target.source == nullptr) return false;
  bool is_so = false;
  loop_.handles.for_each([&target, &is_so](const Handle& handle) {
    if (&handle == target.source) is_so = handle.is_instant();
  });
  return is_so;
}

bool ExploredPoll::is_instant_due() const {
  return std::any_of(batch_.begin(), batch_.ready.end(), [this](const Event& event) {
    return event.target != nullptr && is_instant(*event.target);
  });
}

bool ExploredPoll::is_certain_left() const {
  return is_message_due() || is_instant_due() || is_signal_due();
}

// False if the batch is empty.
bool ExploredPoll::find_candidates() {
  candidates_.clear();
  picks_.clear();
  find_running_jobs();
  const bool is_due = is_message_due();
  // The messages directly follow the results of the same wake-up.
  if (!is_mail_begun() || !is_due) add_readiness();
  if (mail_stage_ != Mail::over) add_messages();
  if (mail_stage_ == Mail::waiting || mail_stage_ == Mail::results) add_results();
  if (!is_due && !is_instant_due()) add_signals();
  return !picks_.empty();
}

// Jobs start in the order of submission, and only as many run at once as there are workers.
void ExploredPoll::find_running_jobs() {
  if (submitted_.empty()) return;
  const ThreadPool& pool = loop_.worker_pool();
  unsigned running = 0;
  unsigned slow = 0;
  for (Submitted& one : submitted_) {
    if (one.job == nullptr || one.job->is_cancelled()) {
      one.is_running = true;
      continue;
    }
    const bool is_slow = one.job->kind() == JobKind::slow;
    one.is_running = running < pool.size() && (!is_slow || slow < pool.slow_limit());
    if (!one.is_running) continue;
    ++running;
    if (is_slow) ++slow;
  }
}

void ExploredPoll::add_candidate(size_t index) {
  const Target& target = *batch_.ready[index].target;
  Candidate candidate;
  if (const Submitted* const one = find_submitted(&target); one != nullptr) {
    candidate.id = one->id;
    candidate.label = one->label;
  } else {
    candidate.id = handle_id(target.source);
    if (target.is_watch) candidate.fd = static_cast<const Watch&>(target).fd;
    candidate.label = "readiness";
  }
  candidates_.push_back(candidate);
  picks_.push_back({index, nullptr});
}

// Events of one source keep their order: only the first is a candidate. The same holds for all
// events that cannot be late, since they became ready in the order of the calls that caused them.
void ExploredPoll::add_readiness() {
  std::vector<const void*> sources;
  for (size_t i = batch_.next; i < batch_.ready.size(); ++i) {
    const Target* const target = batch_.ready[i].target;
    if (target == nullptr || target->is_last || find_submitted(target) != nullptr) continue;
    const void* source = target->source != nullptr ? target->source : target;
    if (is_instant(*target)) source = this;
    if (std::find(sources.begin(), sources.end(), source) != sources.end()) continue;
    sources.push_back(source);
    add_candidate(i);
  }
}

// Of the messages that this thread has sent, only the first of the pass. Those of other threads may
// have arrived before it or not.
void ExploredPoll::add_messages() {
  const AsyncList& asyncs = is_mail_begun() ? unvisited_ : asyncs_;
  for (Async* async = asyncs.front(); async != nullptr; async = asyncs.after(*async)) {
    if (!async->is_pending() || async->is_internal()) continue;
    const bool is_local = is_local_message(*async);
    if (is_local && !is_message_due()) return;
    candidates_.push_back({async->id(), "message", -1});
    picks_.push_back({0, async});
    if (is_local) return;
  }
}

void ExploredPoll::add_results() {
  for (size_t i = batch_.next; i < batch_.ready.size(); ++i) {
    if (batch_.ready[i].target == nullptr) continue;
    const Submitted* const one = find_submitted(batch_.ready[i].target);
    if (one != nullptr && one->is_running) add_candidate(i);
  }
}

void ExploredPoll::add_signals() {
  for (size_t i = batch_.next; i < batch_.ready.size(); ++i) {
    if (batch_.ready[i].target != nullptr && batch_.ready[i].target->is_last) add_candidate(i);
  }
}

}  // namespace rondo
