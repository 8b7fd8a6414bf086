// Phase 2, pending: I/O callbacks that were deferred because their outcome was known at once: a
// connection that was refused, a finished write, a shutdown. The loop runs the phase before idle
// and again between poll and check.
#pragma once

#include "base/list.h"

namespace rondo {

class Loop;

// Something to run in the next pending phase. Owned by whoever defers it; dropping it cancels.
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
  // How often the queue is drained between poll and check; libuv's number.
  static constexpr int kRoundsAfterPoll = 8;

  // Queueing what is queued already does nothing. Does not by itself keep the loop alive: the
  // request or handle behind it does.
  void defer(Deferred& deferred);
  void run();  // Runs what was queued before this call (PEN-02).
  bool is_empty() const { return queue_.is_empty(); }

 private:
  List<Deferred, &Deferred::link_> queue_;
};

}  // namespace rondo
