// What the engines of a process have in common: the parts that main made once, from which a worker
// makes an engine of its own, and the places where engines meet.
// Thread: any.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/lock_table.h"
#include "base/port.h"
#include "loop/poller/poller.h"
#include "runtime/binding.h"
#include "runtime/platform.h"
#include "runtime/trace_settings.h"

namespace rondo::runtime {

// The options of a worker's execArgv, or those among them that a worker cannot have.
struct ExecArgs {
  std::vector<std::pair<std::string, std::string>> flags;
  std::vector<std::string> refused;
};

class ExploredRun;

struct Commons {
  explicit Commons(Platform& the_platform) : platform(the_platform) {}

  Platform& platform;
  std::string_view snapshot;
  Bindings bindings;
  Clock* clock = nullptr;
  Backend backend = Backend::automatic;
  ExecArgs (*parse_exec_args)(const std::vector<std::string>& arguments) = nullptr;
  // NODE_OPTIONS of a worker; `refused` holds messages.
  ExecArgs (*parse_node_options)(const std::string& text) = nullptr;
  bool (*takes_next_argument)(const std::string& argument) = nullptr;

  std::optional<TraceSettings> trace;
  ExploredRun* explored_run = nullptr;  // Of the server of `rondo explore`.
  FlightRecorder* flight = nullptr;

  LockTable locks;
  Switchboard switchboard;
  Directory threads;  // By thread id.
  std::atomic<uint32_t> last_thread_id{0};
};

}  // namespace rondo::runtime
