#include "cli/launch.h"

#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/fd.h"
#include "base/result.h"
#include "cli/launch_target.h"
#include "cli/options.h"
#include "cli/options_table.h"
#include "cli/options_values.h"
#include "explore/fork_server.h"

namespace rondo::cli {

namespace {

constexpr int kNone = -1;
constexpr int kFailed = 1;
constexpr int kBadOption = 9;  // As for rondo itself.

constexpr std::string_view kUv = "uv";
constexpr std::string_view kNode = "node";

constexpr const char* kUvHelp = R"(usage: rondo uv [options] PROGRAM [arguments]

Runs an installed program that uses libuv on Rondo's loop, without changing it: a program that is linked with
libuv.so.1, or one that contains libuv and exports its functions, as Node does. PROGRAM is looked up on PATH.
Options of rondo, before or after `uv`: --clock=virtual[:DATE], --seed=N, --record=FILE, --trace-file=FILE,
--trace-buffer=MIB, --blocked=MS, --backend=NAME, --no-control.
`rondo trace uv PROGRAM` and `rondo order uv PROGRAM` show its callbacks, `rondo explore uv PROGRAM` its outcomes;
`rondo why PID` and `rondo top PID` ask it. See docs/INSTALLED-PROGRAMS.md.
)";
// Options that loops of other programs have.
constexpr std::array<std::string_view, 13> kSupported = {
    "backend", "seed",   "blocked",  "trace-file", "trace-buffer",  "control",       "no-control",
    "clock",   "record", "schedule", "replay",     "choice-limits", "explore-server"};

// The position of the command in argv; 0 if there is none, or an option decides what rondo does.
int find_command(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") return 0;
    if (argument.size() < 2 || argument[0] != '-') {
      return argument == kUv || argument == kNode ? i : 0;
    }
    const Option* const option = find_option(argument.substr(0, argument.find('=')));
    if (option == nullptr || option->takes == Takes::optional_value) return 0;
    const bool has_value = argument.find('=') != std::string::npos;
    if (option->takes == Takes::value && !has_value) ++i;
  }
  return 0;
}

int complain(std::string_view command, const std::string& message, int code) {
  std::fprintf(stderr, "rondo %s: %s\n", std::string(command).c_str(), message.c_str());
  return code;
}

// The first option that other programs cannot have; empty if there is none.
std::string unsupported_option(const std::vector<std::string>& own) {
  for (size_t i = 0; i < own.size(); ++i) {
    std::string name = own[i].substr(0, own[i].find('='));
    const Option* const option = find_option(name);
    if (option == nullptr) return name;
    if (std::find(kSupported.begin(), kSupported.end(), option->flag) == kSupported.end()) {
      return name;
    }
    if (takes_next_argument(own[i])) ++i;
  }
  return "";
}

// Parses rondo's options. NODE_OPTIONS is for the program.
ParsedOptions parse_own(char* program, std::vector<std::string> own, std::string command) {
  const char* const found = std::getenv("NODE_OPTIONS");
  const std::optional<std::string> node_options =
      found == nullptr ? std::nullopt : std::optional<std::string>(found);
  ::unsetenv("NODE_OPTIONS");
  std::vector<char*> arguments{program};
  for (std::string& word : own) arguments.push_back(word.data());
  arguments.push_back(command.data());
  ParsedOptions parsed = parse_options(static_cast<int>(arguments.size()), arguments.data());
  if (node_options) ::setenv("NODE_OPTIONS", node_options->c_str(), 1);
  return parsed;
}

// Beside libuv.so.1.
std::string clock_library(const std::string& library) {
  return library.substr(0, library.rfind('/')) + "/librondo-clock.so";
}

std::string limits_of(const ChoiceLimits& limits) {
  const auto millis = [](Nanos time) {
    return std::to_string(std::chrono::duration_cast<Millis>(time).count());
  };
  return millis(limits.reach) + "," + millis(limits.slow) + "," + std::to_string(limits.late) +
         (limits.asks_even_if_unobservable ? ",1" : ",0");
}

// `node --test` runs each file in a process of its own, whose loop has neither the clock nor the
// order of this one: unless the user says otherwise, the files are run in this process.
void keep_tests_in_process(std::vector<std::string>& words) {
  bool is_test = false;
  for (size_t i = 1; i < words.size() && words[i].starts_with("-"); ++i) {
    if (words[i] == "--test") is_test = true;
    if (words[i].find("-isolation") != std::string::npos) return;
  }
  if (is_test) words.insert(words.begin() + 1, "--experimental-test-isolation=none");
}

// Passes the options that decide the order of callbacks and the clock.
void set_orders(const Options& options) {
  const auto set = [](const char* name, const std::string& value) {
    ::setenv(name, value.c_str(), 1);
  };
  if (options.is_virtual_time) {
    set("RONDO_UV_CLOCK", std::to_string(options.virtual_start.count()));
  }
  if (options.serves_explore) {
    set("RONDO_UV_LIMITS", limits_of(options.choice_limits));
    return;
  }
  // A schedule without --seed has the number zero, which is for random numbers of the program.
  if (options.is_random_order || (options.seed && !options.record && options.record_path.empty())) {
    set("RONDO_UV_SEED", std::to_string(*options.seed));
  }
  set("RONDO_UV_LIMITS", limits_of(options.choice_limits));
  if (!options.record_path.empty()) set("RONDO_UV_RECORD", options.record_path);
  if (!options.record) return;
  if (const std::string* const path = find_flag(options, "replay"); path != nullptr) {
    set("RONDO_UV_REPLAY", *path);
  } else {
    set("RONDO_UV_SCHEDULE", *find_flag(options, "schedule"));
  }
}

// Passes the options to the preloaded library.
void set_environment(const Options& options, const std::string& library,
                     const std::string& program) {
  const char* const before = std::getenv("LD_PRELOAD");
  std::string list = library;
  if (options.is_virtual_time) {
    list.append(":").append(clock_library(library));
  }
  if (before != nullptr && *before != '\0') list.append(":").append(before);
  ::setenv("LD_PRELOAD", list.c_str(), 1);
  ::setenv("RONDO_UV_PID", std::to_string(::getpid()).c_str(), 1);
  ::setenv("RONDO_UV_PROGRAM", program.c_str(), 1);
  if (options.backend == Backend::uring) ::setenv("RONDO_UV_BACKEND", "uring", 1);
  set_orders(options);
  if (options.realm.watchdog.limit > Millis::zero()) {
    const auto limit = options.realm.watchdog.limit.count();
    ::setenv("RONDO_UV_BLOCKED", std::to_string(limit).c_str(), 1);
  }
  // Answers compare the loop's time with the real time.
  if (options.has_control && !options.is_virtual_time) ::setenv("RONDO_UV_CONTROL", "1", 1);
  if (options.trace) {
    ::setenv("RONDO_UV_TRACE_FILE", options.trace->path.c_str(), 1);
    ::setenv("RONDO_UV_TRACE_BYTES", std::to_string(options.trace->bytes).c_str(), 1);
  }
}

// Serves `rondo explore`, and returns in each process that was forked for a run. The program writes
// its decisions to a file in memory, which it finds by its descriptor.
void become_run(const std::string& folder) {
  constexpr int kChannel = 3;
  const Fd memory(::memfd_create("rondo-run", MFD_CLOEXEC));
  if (!memory || ::ftruncate(memory.get(), sizeof(RunRecord)) < 0) {
    fatal("rondo explore: no memory for the record of a run");
  }
  ExploredRun run(memory.get());
  const std::string request = ForkServer(run, kChannel, folder).serve().text();
  // A duplicate without the flag stays open across execve().
  const int inherited = ::dup(memory.get());
  if (inherited < 0 || ::ftruncate(inherited, sizeof(RunRecord)) < 0 ||
      ::pwrite(inherited, request.data(), request.size(), sizeof(RunRecord)) !=
          static_cast<ssize_t>(request.size())) {
    fatal("rondo explore: no memory for the schedule of a run");
  }
  ::setenv("RONDO_UV_RUN", std::to_string(inherited).c_str(), 1);
  // The same addresses in each run.
  ::personality(ADDR_NO_RANDOMIZE);
}

// The program is looked up, checked and executed; returns if that fails.
int execute(std::string_view command, const Options& options, std::vector<std::string> words) {
  const std::string library = find_library();
  if (library.empty()) {
    return complain(command,
                    "this installation of rondo has no libuv.so.1; install the complete package",
                    kFailed);
  }
  if (options.is_virtual_time && ::access(clock_library(library).c_str(), R_OK) != 0) {
    return complain(
        command,
        "there is no librondo-clock.so beside " + library + "; install the complete package",
        kFailed);
  }
  if (library.find_first_of(": ") != std::string::npos) {
    return complain(command,
                    "'" + library +
                        "' cannot be preloaded: install rondo in a folder without spaces and "
                        "colons in its name",
                    kFailed);
  }
  const Target target = find_target(std::move(words));
  if (!target.problem.empty()) return complain(command, target.problem, kFailed);
  if (options.serves_explore) become_run(*find_flag(options, "explore-server"));
  set_environment(options, library, target.name);
  std::vector<char*> arguments;
  arguments.reserve(target.arguments.size() + 1);
  for (const std::string& word : target.arguments) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  ::execve(target.path.c_str(), arguments.data(), environ);
  const Error error = Error::last("execve");
  return complain(command, "cannot run " + target.path + ": " + error.message(), kFailed);
}

}  // namespace

int launch(int argc, char** argv) {
  const int at = find_command(argc, argv);
  if (at == 0) return kNone;
  const std::string command = argv[at];
  std::vector<std::string> own(argv + 1, argv + at);
  std::vector<std::string> words(argv + at + 1, argv + argc);
  if (command == kUv) {
    while (!words.empty() && words[0].size() > 1 && words[0][0] == '-') {
      if (words[0] == "--help" || words[0] == "-h") {
        std::fputs(kUvHelp, stdout);
        return 0;
      }
      const bool has_value = takes_next_argument(words[0]) && words.size() > 1;
      own.insert(own.end(), words.begin(), words.begin() + (has_value ? 2 : 1));
      words.erase(words.begin(), words.begin() + (has_value ? 2 : 1));
    }
    if (words.empty()) {
      return complain(command, "name a program: rondo uv PROGRAM [arguments]", kBadOption);
    }
  }
  if (const std::string option = unsupported_option(own); !option.empty()) {
    return complain(command,
                    option +
                        " works only in Rondo's own runtime (rondo app.js); options "
                        "of the program follow its name",
                    kBadOption);
  }
  ParsedOptions parsed = parse_own(argv[0], own, command);
  if (!parsed.options) {
    std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return parsed.exit_code;
  }
  if (command == kNode) {
    words.insert(words.begin(), find_node());
    if (words[0].empty()) {
      return complain(
          command, "there is no program node on PATH; install Node, or use rondo app.js", kFailed);
    }
    if (parsed.options->is_virtual_time) keep_tests_in_process(words);
    // Those of a seed: rondo has no other options of V8 here.
    words.insert(words.begin() + 1, parsed.options->v8_flags.begin(),
                 parsed.options->v8_flags.end());
  }
  return execute(command, *parsed.options, std::move(words));
}

}  // namespace rondo::cli
