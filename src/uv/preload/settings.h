// The options of `rondo uv` for the loops of this process, from the environment that it sets. The
// variables are removed when they have been read: children do not inherit the options.
// Thread: read_settings() before main(); the others any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/time/time.h"
#include "loop/choice.h"
#include "loop/poller/poller.h"

namespace rondo::uv {

// The name of the program as the user wrote it, for messages.
inline constexpr const char* kProgramVariable = "RONDO_UV_PROGRAM";

// The trace file that the user has asked for; the path is empty if the program is not traced.
struct TraceRequest {
  std::string path;
  size_t bytes = 0;
};

struct Settings {
  // Sockets are watched by epoll with either backend, and epoll's descriptor is uv_backend_fd().
  Backend backend = Backend::epoll;
  std::optional<uint64_t> seed;  // Chooses among the legal orders.
  std::optional<Nanos> clock;    // The time since 1970 at which the virtual clock starts.
  ChoiceLimits limits;
  std::string schedule;  // The schedule to follow.
  std::string replay;    // The record to follow.
  std::string record;    // The record to write.
  int run = -1;          // The descriptor of the record of an explored run; see run/explored.h.
  TraceRequest trace;
  Millis blocked{0};         // Report callbacks that take longer; zero: none.
  bool has_control = false;  // Answer `rondo why` and `rondo top`.
};

// Those of a program that was not started by `rondo uv`, until read_settings() is called.
const Settings& settings();
void read_settings();

}  // namespace rondo::uv
