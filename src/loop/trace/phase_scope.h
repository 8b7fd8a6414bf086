// Marks the current phase for traces and metrics; if neither is on it costs a store and a branch.
// Thread: the loop's only.
#pragma once

#include "loop/state.h"

namespace rondo {

class PhaseScope {
 public:
  PhaseScope(LoopState& loop, Phase phase) : loop_(loop) {
    loop.phase = phase;
    if (loop.is_observed) [[unlikely]]
      begin();
  }
  ~PhaseScope() {
    if (loop_.is_observed) [[unlikely]]
      end();
    loop_.phase = Phase::none;
  }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  [[gnu::cold]] void begin() {
    began_ = loop_.clock.now();
    loop_.trace.phase(TraceKind::phase_begin, began_);
  }
  [[gnu::cold]] void end() {
    const Nanos ended = loop_.clock.now();
    // Negative if measuring began during this phase.
    if (began_ >= Nanos::zero()) {
      loop_.metrics.phase_time[static_cast<size_t>(loop_.phase)] += ended - began_;
    }
    loop_.trace.phase(TraceKind::phase_end, ended);
    loop_.phase = Phase::none;
    if (loop_.on_phase_end) loop_.on_phase_end();
  }

  LoopState& loop_;
  Nanos began_{-1};
};

}  // namespace rondo
