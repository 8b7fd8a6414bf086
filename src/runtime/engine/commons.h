// Commons is the state that the engines of a process share: data that main created once and that
// workers use for their own engines, and the tables through which engines communicate. Thread: any.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/threads/lock_table.h"
#include "base/threads/port.h"
#include "base/time/clock.h"
#include "loop/poller/poller.h"
#include "runtime/engine/platform.h"
#include "runtime/trace/settings.h"
#include "runtime/values/binding.h"

namespace rondo {
class ExploredRun;
}

namespace rondo::runtime {

class OtlpExporter;

// The result of parsing a worker's execArgv: its options, or messages about those that a worker
// does not support.
struct ExecArgs {
  std::vector<std::pair<std::string, std::string>> flags;
  std::vector<std::string> refused;
};

struct Commons {
  explicit Commons(Platform& the_platform) : platform(the_platform) {}

  Platform& platform;
  std::string_view snapshot;
  Bindings bindings;
  Clock* clock = nullptr;
  Backend backend = Backend::automatic;
  ExecArgs (*parse_exec_args)(const std::vector<std::string>& arguments) = nullptr;
  // Parses NODE_OPTIONS of a worker; `refused` holds messages.
  ExecArgs (*parse_node_options)(const std::string& text) = nullptr;
  bool (*takes_next_argument)(const std::string& argument) = nullptr;

  std::optional<TraceSettings> trace;
  ExploredRun* explored_run = nullptr;  // Set in the server of `rondo explore`.
  FlightRecorder* flight = nullptr;
  OtlpExporter* otlp = nullptr;  // Set with --trace-otlp.

  LockTable locks;
  Switchboard switchboard;
  Directory threads;  // Ports by thread id.
  std::atomic<uint32_t> last_thread_id{0};
};

}  // namespace rondo::runtime
