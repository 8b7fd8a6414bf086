// Phase 2, pending: I/O callbacks that were deferred because their outcome was known at once: a
// connection that was refused, a finished write, a shutdown. The loop runs the phase before idle
// and again between poll and check.
#pragma once

#include "base/list.h"

namespace rondo {

class Loop;

// A callback for the next pending phase. Owned by the caller of defer(); destroying it cancels.
class Deferred {
 public:
  using Fn = void (*)(Deferred& self);
  explicit Deferred(Fn fn) : fn_(fn) {}
  ~Deferred() { cancel(); }

  bool is_queued() const { return link_.is_linked(); }
  void cancel() {
    if (link_.is_linked()) link_.unlink();
  }

 private:
  friend class PendingPhase;
  ListLink link_;
  Fn fn_;
};

class PendingPhase {
 public:
  // Rounds of draining the queue between poll and check; the same number as libuv.
  static constexpr int kRoundsAfterPoll = 8;

  // Deferring one that is queued already does nothing. Does not by itself keep the loop alive: the
  // request or handle behind it does.
  void defer(Deferred& deferred);
  void run();  // Runs what was queued before this call (PEN-02).
  bool is_empty() const { return queue_.is_empty(); }

 private:
  List<Deferred, &Deferred::link_> queue_;
};

}  // namespace rondo
