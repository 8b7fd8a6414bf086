// Parses the command line of `rondo`, and options from environment variables such as NODE_OPTIONS.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time/time.h"
#include "explore/recorded_run.h"
#include "loop/choice.h"
#include "loop/poller/poller.h"
#include "runtime/engine/commons.h"
#include "runtime/engine/realm.h"
#include "runtime/export/address.h"
#include "runtime/export/otlp_exporter.h"

namespace rondo::cli {

struct Options {
  std::string mode;  // The file of lib/internal/main that runs first: "run_main", "eval_string"...
  runtime::RealmOptions realm;
  std::vector<std::string> v8_flags;
  bool is_virtual_time = false;
  Nanos virtual_start{0};  // Since 1970.
  std::optional<uint64_t> seed;
  bool is_random_order = false;       // The order of callbacks is chosen with the seed.
  bool serves_explore = false;        // The server of `rondo explore`.
  std::optional<OrderRecord> record;  // A schedule or a record to follow.
  std::string record_path;            // The file to write a record to.
  ChoiceLimits choice_limits;
  Backend backend = Backend::automatic;
  std::optional<runtime::TraceSettings> trace;
  bool has_control = true;
  std::optional<runtime::Address> metrics;   // The address to serve metrics on.
  std::optional<runtime::OtlpOptions> otlp;  // The collector to send spans to.
};

// Options, or a text to print (on stdout if the exit code is 0) and the exit code.
struct ParsedOptions {
  std::optional<Options> options;
  std::string text;
  int exit_code = 0;
};

ParsedOptions parse_options(int argc, char** argv);
// Parses the execArgv of a worker, which may have options of its JavaScript, but not of the
// process.
runtime::ExecArgs parse_exec_args(const std::vector<std::string>& arguments);
// Parses NODE_OPTIONS in the environment of a worker, with messages for options that are not
// allowed.
runtime::ExecArgs parse_node_options(const std::string& text);

}  // namespace rondo::cli
