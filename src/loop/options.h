// Options of a loop and of run().
// Thread: any; plain values.
#pragma once

#include <cstdint>
#include <memory>

#include "base/time/clock.h"
#include "loop/choice.h"
#include "loop/poller/poller.h"
#include "loop/pool/thread_pool.h"
#include "loop/trace/sink.h"

namespace rondo {

struct LoopOptions {
  Backend backend = Backend::automatic;
  Clock* clock = nullptr;      // Null: the real one.
  Choice* choice = nullptr;    // Null: the kernel's order.
  TraceSink* trace = nullptr;  // Null: off.
  ThreadPool* pool = nullptr;  // Null: the process's shared pool. Must outlive the loop.
  std::unique_ptr<Poller> poller = nullptr;  // Null: made for `backend`.
  bool measure_phases = false;
  ChoiceLimits choice_limits = {};
};

enum class RunMode : uint8_t {
  until_done,  // Until nothing is alive, or until stop().
  once,        // One turn; poll may sleep, and timers that became due meanwhile run (TURN-06).
  nowait,      // One turn without sleeping.
};

}  // namespace rondo
