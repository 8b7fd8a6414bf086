#include "loop/poller/scripted.h"

#include <algorithm>

namespace rondo {

Result<void> ScriptedPoller::watch(Watch& watch, uint32_t interest) {
  if (interest == 0) {
    unwatch(watch);
    return {};
  }
  watch.interest = interest;
  watches_[watch.fd] = &watch;
  return {};
}

void ScriptedPoller::unwatch(Watch& watch) {
  if (watch.interest == 0) return;
  watch.interest = 0;
  watches_.erase(watch.fd);
}

bool ScriptedPoller::take_due(std::vector<Event>& ready) {
  size_t taken = 0;
  while (!script_.empty() && script_.begin()->first <= clock_.now() && taken < kBatch) {
    const Readiness readiness = script_.begin()->second;
    script_.erase(script_.begin());
    const auto found = watches_.find(readiness.fd);
    if (found == watches_.end()) continue;
    ready.push_back({found->second, 0, readiness.events});
    ++taken;
  }
  return taken > 0;
}

void ScriptedPoller::wait(Nanos timeout, std::vector<Event>& ready) {
  sleeps_.push_back(timeout);
  if (take_due(ready) || timeout == Nanos::zero()) return;
  Nanos until = timeout == kForever ? kForever : clock_.now() + timeout;
  if (interrupt_after_ >= Nanos::zero()) {
    until = std::min(until, clock_.now() + interrupt_after_);
    interrupt_after_ = Nanos{-1};
  }
  if (!script_.empty()) until = std::min(until, script_.begin()->first);
  // A test that sleeps forever without a scripted event would hang: fail instead.
  RONDO_ASSERT(until != kForever);
  clock_.advance_to(until);
  take_due(ready);
}

}  // namespace rondo
