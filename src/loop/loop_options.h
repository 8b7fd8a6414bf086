// What a loop is told when it is made, and when it is run.
// Thread: any; plain values.
#pragma once

#include <cstdint>
#include <memory>

#include "base/choice.h"
#include "base/clock.h"
#include "loop/poller/poller.h"
#include "loop/pool/thread_pool.h"
#include "loop/trace.h"

namespace rondo {

struct LoopOptions {
  Backend backend = Backend::automatic;
  Clock* clock = nullptr;                    // Null: the real one.
  Choice* choice = nullptr;                  // Null: what the kernel gave.
  TraceSink* trace = nullptr;                // Null: off.
  ThreadPool* pool = nullptr;                // Null: the process's shared one. Outlives the loop.
  std::unique_ptr<Poller> poller = nullptr;  // Null: made for `backend`.
  bool measure_phases = false;
  ChoiceLimits choice_limits = {};
};

enum class RunMode : uint8_t {
  until_done,  // Until nothing is alive, or stop().
  once,        // One turn; poll may sleep, and timers that fell due meanwhile run (TURN-06).
  nowait,      // One turn without sleeping.
};

}  // namespace rondo
