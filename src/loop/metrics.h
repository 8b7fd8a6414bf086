// Counters of a loop. Counting is always on; time per phase costs two clock reads a phase and is
// measured only if Loop::measure_phases() or a trace turns it on.
#pragma once

#include <array>
#include <cstdint>

#include "base/histogram.h"
#include "loop/phase.h"

namespace rondo {

struct LoopMetrics {
  uint64_t turns = 0;
  uint64_t events = 0;          // From the poller and the mailbox.
  uint64_t events_waiting = 0;  // Those that were ready when poll looked without sleeping.
  uint64_t callbacks = 0;       // Calls of user callbacks.
  Nanos idle{0};                // Asleep in the poller.
  Nanos started{-1};            // When run() was first called; negative before.
  std::array<Nanos, kPhaseCount> phase_time{};
  Histogram lag;  // Lateness of timers: from their due time to the start of their phase.
};

}  // namespace rondo
