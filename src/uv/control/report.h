// The state of a loop of an installed program. The loop's thread collects it without
// names of functions, which the control thread looks up: that may read a large symbol table.
#pragma once

#include <sys/types.h>
#include <uv.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "loop/metrics.h"

namespace rondo::uv {

// A handle or request that keeps its loop alive.
struct Reason {
  std::string type;        // "timer", "tcp server".
  std::string text;        // "TCP server on 127.0.0.1:80".
  std::string details;     // Members of an object of JSON: `"fd":7`.
  uintptr_t function = 0;  // The callback; 0: none.
  std::string rest;        // Behind the callback: "due in 3.2 s".
};

struct Report {
  std::vector<Reason> reasons;  // For `why`.
  // For `top`.
  LoopMetrics metrics;
  Nanos idle{0};
  size_t handles = 0;
  size_t requests = 0;
  size_t closing = 0;
  size_t timers = 0;
  size_t pool_size = 0;
  size_t pool_queued = 0;
  size_t pool_running = 0;
};

// Thread: the loop's.
std::vector<Reason> reasons_of(const uv_loop_t* loop);
void read_figures(const uv_loop_t* loop, Report* report);

// Objects and arrays of JSON. Thread: any.
// `prefix` begins each description: "loop of thread 17 (worker): ".
std::string json_of(const std::vector<Reason>& reasons, const std::string& prefix);
std::string json_of_figures(const Report& report);
std::string json_of_lag(const LoopMetrics& metrics);
// [{"function":"on_timer","file":"app"}]
std::string stack_json(uintptr_t function);

}  // namespace rondo::uv
