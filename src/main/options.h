// The command line of `rondo`, and the options that NODE_OPTIONS-style variables add to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/choice.h"
#include "base/time.h"
#include "loop/poller/poller.h"
#include "runtime/commons.h"
#include "runtime/realm.h"
#include "runtime/recorded_run.h"

namespace rondo::main_program {

struct Options {
  std::string mode;  // Which of lib/internal/main runs: "run_main", "eval_string"...
  runtime::RealmOptions realm;
  std::vector<std::string> v8_flags;
  bool is_virtual_time = false;
  Nanos virtual_start{0};  // Since 1970.
  std::optional<uint64_t> seed;
  bool is_random_order = false;           // The seed chooses between orders.
  bool serves_explore = false;            // The server of `rondo explore`.
  std::optional<runtime::Record> record;  // A schedule or a record to be followed.
  std::string record_path;                // Where to write one.
  ChoiceLimits choice_limits;
  Backend backend = Backend::automatic;
  std::optional<runtime::TraceSettings> trace;
  bool has_control = true;
};

// Either options, or what to print (on stdout if the exit code is 0) and the code to end with.
struct ParsedOptions {
  std::optional<Options> options;
  std::string text;
  int exit_code = 0;
};

ParsedOptions parse_options(int argc, char** argv);
// The execArgv of a worker, which can set what concerns its JavaScript, and nothing of the process.
runtime::ExecArgs parse_exec_args(const std::vector<std::string>& arguments);
// NODE_OPTIONS in the environment of a worker: the same, with messages for what is refused.
runtime::ExecArgs parse_node_options(const std::string& text);

}  // namespace rondo::main_program
