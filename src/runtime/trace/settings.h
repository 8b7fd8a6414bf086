// TraceSettings holds the options of tracing: --trace-file and related ones.
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
  std::string path;  // Of the main thread; workers append their number. Empty: in memory.
  size_t bytes = 0;
  std::string command;  // JSON
  FlightOptions flight;
};

// Opens the trace for the loop of the thread `thread_id`; 0 is the main thread.
Result<std::unique_ptr<TraceFile>> open_trace(const TraceSettings& settings, bool is_virtual,
                                              uint32_t thread_id);

}  // namespace rondo::runtime
