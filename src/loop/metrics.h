// What a loop has done so far. Counting is always on; time per phase costs two clock reads a phase
// and is measured only when Loop::measure_phases() or a trace asks for it.
#pragma once

#include <array>
#include <cstdint>

#include "base/histogram.h"
#include "loop/phase.h"

namespace rondo {

struct LoopMetrics {
  uint64_t turns = 0;
  uint64_t events = 0;     // What the poller and the mailbox brought.
  uint64_t callbacks = 0;  // Calls into users' functions.
  Nanos idle{0};           // Asleep in the poller.
  Nanos started{-1};       // When run() was first called; negative before.
  std::array<Nanos, kPhaseCount> phase_time{};
  Histogram lag;  // How late timers ran: from their due time to the start of their phase.
};

}  // namespace rondo
