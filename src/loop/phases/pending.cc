#include "loop/phases/pending.h"

namespace rondo {

void PendingPhase::defer(Deferred& deferred) {
  if (!deferred.is_queued()) queue_.push_back(deferred);
}

void PendingPhase::run() {
  auto turn = queue_.take();
  while (Deferred* deferred = turn.pop_front()) deferred->fn_(*deferred);
}

}  // namespace rondo
