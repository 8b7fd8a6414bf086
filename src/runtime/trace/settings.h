// Options of tracing: --trace-file and related ones.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "runtime/trace/flight_recorder.h"

namespace rondo {
class TraceFile;
}

namespace rondo::runtime {

struct TraceSettings {
  std::string path;  // For the main thread; a worker's ends with its number. Empty: in memory.
  size_t bytes = 0;
  std::string command;  // JSON
  FlightOptions flight;
};

// For the loop of this thread; 0 is the main one.
Result<std::unique_ptr<TraceFile>> open_trace(const TraceSettings& settings, bool is_virtual,
                                              uint32_t thread_id);

}  // namespace rondo::runtime
