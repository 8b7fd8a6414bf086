// Phase 6, closing: runs close callbacks and frees handles, last in, first out like libuv (CLO-04).
#pragma once

#include "loop/handle.h"

namespace rondo {

struct LoopState;

class ClosingPhase {
 public:
  explicit ClosingPhase(LoopState& loop) : loop_(loop) {}

  void add(Handle& handle) { queue_.push_front(handle); }
  // Runs the handles queued before this call; handles that callbacks close wait for the next turn
  // (TURN-10).
  void run();
  bool is_empty() const { return queue_.is_empty(); }

 private:
  LoopState& loop_;
  List<Handle, &Handle::link_> queue_;
};

}  // namespace rondo
