// Phase 6, closing: close callbacks, then the memory.
#pragma once

#include "loop/handle.h"

namespace rondo {

class ClosingPhase {
 public:
  explicit ClosingPhase(Loop& loop) : loop_(loop) {}

  void add(Handle& handle) { queue_.push_back(handle); }
  void run();  // What was queued before this call; handles that callbacks close wait (TURN-10).
  bool is_empty() const { return queue_.is_empty(); }

 private:
  Loop& loop_;
  List<Handle, &Handle::link_> queue_;
};

}  // namespace rondo
