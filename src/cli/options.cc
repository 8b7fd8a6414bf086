#include "cli/options.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <string_view>

#include "cli/options_environment.h"
#include "cli/options_export.h"
#include "cli/options_schedule.h"
#include "cli/options_table.h"
#include "cli/options_trace.h"
#include "cli/options_values.h"
#include "loop/poller/poller.h"
#include "runtime/values/v8.h"

namespace rondo::cli {

namespace {

std::string version_text() {
  return "rondo " RONDO_VERSION " (Node " RONDO_NODE_VERSION " API, V8 " +
         std::string(v8::V8::GetVersion()) + ")\n";
}

constexpr int kBadOption = 9;  // As in Node.
constexpr int kInvalidProtoMode = 12;

// Rejects the command line with Node's message, preceded by the name of the program.
ParsedOptions refuse(const std::string& program, const std::string& message) {
  return {std::nullopt, program + ": " + message + "\n", kBadOption};
}

// True if the argument is an option of V8 (--name, --no-name or --name=value): V8 removes these
// from argv.
bool is_v8_option(const std::string& argument) {
  std::string copy = argument;
  std::string program = "rondo";
  char* arguments[] = {program.data(), copy.data(), nullptr};
  int count = 2;
  v8::V8::SetFlagsFromCommandLine(&count, arguments, true);
  return count == 1;
}

std::string executable_path() {
  char path[PATH_MAX];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  if (size > 0) return std::string(path, static_cast<size_t>(size));
  // Fallback without /proc: the path that the kernel executed.
  const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  return started != nullptr && ::realpath(started, path) != nullptr ? path : "rondo";
}

// Options of the process or of its loop, which cannot be set for a single worker.
constexpr std::array<std::string_view, 22> kOfProcess = {"title",          "zero-fill-buffers",
                                                         "check",          "ticks",
                                                         "clock",          "seed",
                                                         "blocked",        "backend",
                                                         "v8-options",     "version",
                                                         "help",           "trace-file",
                                                         "trace-buffer",   "trace-on",
                                                         "schedule",       "choice-limits",
                                                         "explore-server", "control",
                                                         "no-control",     "record",
                                                         "replay",         "metrics"};

// Options that select the program to run, which are not allowed in NODE_OPTIONS.
constexpr std::array<std::string_view, 15> kOfCommandLine = {"eval",
                                                             "print",
                                                             "check",
                                                             "interactive",
                                                             "run",
                                                             "version",
                                                             "help",
                                                             "expose-internals",
                                                             "schedule",
                                                             "choice-limits",
                                                             "explore-server",
                                                             "test",
                                                             "env-file",
                                                             "v8-options",
                                                             "env-file-if-exists"};

// Environment variables that set an option if they are 1.
constexpr std::array<std::pair<const char*, const char*>, 4> kVariables = {{
    {"NODE_PENDING_DEPRECATION", "pending-deprecation"},
    {"NODE_PRESERVE_SYMLINKS", "preserve-symlinks"},
    {"NODE_PRESERVE_SYMLINKS_MAIN", "preserve-symlinks-main"},
    {"NODE_USE_ENV_PROXY", "use-env-proxy"},
}};

constexpr std::array<std::string_view, 5> kRejectionModes = {"none", "strict", "throw", "warn",
                                                             "warn-with-error-code"};

// Parses one command line: collects flags, then applies them.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  runtime::ExecArgs parse_for_worker() {
    runtime::ExecArgs result;
    while (next_ < arguments_.size()) {
      const std::string argument = arguments_[next_];
      if (argument.size() < 2 || argument[0] != '-' || argument == "--") {
        ++next_;  // Node accepts an empty value here.
        continue;
      }
      const bool is_taken = take(argument);
      if (is_taken && std::find(kOfProcess.begin(), kOfProcess.end(), flags().back().first) ==
                          kOfProcess.end()) {
        continue;
      }
      result.refused.push_back(argument);
      if (!is_taken) ++next_;
    }
    result.flags = std::move(flags());
    return result;
  }

  // V8's options cannot differ between threads, so those of NODE_OPTIONS are not applied.
  runtime::ExecArgs parse_environment_of_worker() {
    runtime::ExecArgs result;
    while (next_ < arguments_.size()) {
      const std::string argument = arguments_[next_];
      const size_t equals = argument.find('=');
      const Option* const option = find_option(name_of(argument));
      if (!is_for_environment(argument) ||
          (option != nullptr &&
           std::find(kOfProcess.begin(), kOfProcess.end(), option->flag) != kOfProcess.end())) {
        result.refused.push_back(
            argument.substr(0, equals == std::string::npos ? equals : equals + 1) +
            " is not allowed in NODE_OPTIONS");
        break;
      } else if (option == nullptr && is_v8_option(argument)) {
        ++next_;
      } else if (!take(argument)) {
        result.refused.push_back(argument + " requires an argument");
        break;
      }
    }
    result.flags = std::move(flags());
    return result;
  }

  Parser(int argc, char** argv) : arguments_(argv + 1, argv + argc) {
    is_for_process_ = true;
    options_.realm.argv0 = argc > 0 ? argv[0] : "rondo";
    options_.realm.exec_path = executable_path();
  }

  ParsedOptions parse() {
    for (const auto& [variable, flag_name] : kVariables) {
      const char* const value = std::getenv(variable);
      if (value != nullptr && std::string_view(value) == "1") flags().emplace_back(flag_name, "");
    }
    if (const char* const more = std::getenv("NODE_OPTIONS"); more != nullptr && *more != '\0') {
      if (!take_from_environment(more)) return std::move(refusal_);
    }
    while (next_ < arguments_.size()) {
      const std::string& argument = arguments_[next_];
      if (argument == "--") {
        ++next_;
        break;
      }
      if (argument.size() < 2 || argument[0] != '-') break;
      if (!take(argument)) return std::move(refusal_);
    }
    for (size_t i = 0; i < next_; ++i) {
      if (arguments_[i] == "--") continue;
      // process.execArgv omits these options, because programs start children with it: a trace is
      // for one process, and children must not inherit it; nor can they listen on the same port.
      if (arguments_[i].starts_with("--trace-") || arguments_[i].starts_with("--metrics")) {
        const std::string name = name_of(arguments_[i]);
        if (name == "--trace-file" || name == "--trace-buffer" || name == "--trace-on" ||
            name == "--metrics") {
          if (name.size() == arguments_[i].size()) ++i;  // The next argument is its value.
          continue;
        }
      }
      if (is_ours(arguments_[i])) continue;
      options_.realm.exec_args.push_back(arguments_[i]);
    }
    return finish();
  }

 private:
  using Flags = std::vector<std::pair<std::string, std::string>>;

  // Applies NODE_OPTIONS before the options of the command line, which take precedence.
  bool take_from_environment(const std::string& text) {
    std::optional<std::vector<std::string>> words = split_words(text);
    if (!words) return fail("invalid value for NODE_OPTIONS (unterminated string)");
    std::swap(arguments_, *words);
    bool is_good = true;
    while (is_good && next_ < arguments_.size()) {
      const std::string argument = arguments_[next_];
      if (!is_for_environment(argument)) {
        is_good = fail(argument + " is not allowed in NODE_OPTIONS");
      } else {
        is_good = take(argument);
      }
    }
    std::swap(arguments_, *words);
    next_ = 0;
    return is_good;
  }

  static bool is_for_environment(const std::string& argument) {
    if (argument.size() < 2 || argument[0] != '-' || argument == "--") return false;
    const std::string name = name_of(argument);
    if (const Option* const option = find_option(name); option != nullptr) {
      return std::find(kOfCommandLine.begin(), kOfCommandLine.end(), option->flag) ==
             kOfCommandLine.end();
    }
    if (name.starts_with("--no-") && find_option("--" + name.substr(5)) != nullptr) return true;
    return argument.starts_with("--") && is_v8_option(argument);
  }

  bool fail(const std::string& message) {
    refusal_ = refuse(options_.realm.argv0, message);
    return false;
  }

  // The name of an option without its value. Underscores become dashes, as in Node and V8.
  static std::string name_of(const std::string& argument) {
    if (argument == "-pe") return "--print";
    const size_t end = argument.starts_with("--") ? argument.find('=') : std::string::npos;
    std::string name(argument, 0, end);
    if (name.size() > 2) std::replace(name.begin() + 2, name.end(), '_', '-');
    return name;
  }

  // True for options that commands of Rondo add: hidden from the program, and from children that it
  // starts with its own options.
  static bool is_ours(const std::string& argument) {
    return argument.starts_with("--schedule=") || argument.starts_with("--replay=") ||
           argument.starts_with("--record=") || argument.starts_with("--choice-limits=") ||
           argument.starts_with("--explore-server=");
  }

  // Removes earlier values of a flag: of --NAME and --no-NAME, the last one takes effect.
  void forget(std::string_view name) {
    std::erase_if(flags(), [&](const auto& flag) { return flag.first == name; });
  }

  bool take_unlisted(const std::string& argument, const std::string& name) {
    if (name.starts_with("--no-")) {
      if (const Option* const negated = find_option("--" + name.substr(5)); negated != nullptr) {
        if (negated->takes != Takes::nothing) {
          return fail(name + " is an invalid negation because it is not a boolean option");
        }
        ++next_;
        forget(negated->flag);
        flags().emplace_back("no-" + std::string(negated->flag), "");
        return true;
      }
    }
    if (is_for_process_ && argument.starts_with("--") && is_v8_option(argument)) {
      options_.v8_flags.push_back(argument);
      ++next_;
      return true;
    }
    const std::string_view like = nearest_option(name);
    return fail(
        "bad option: " + argument +
        (like.empty() ? "; rondo --help lists them" : "; did you mean " + std::string(like) + "?"));
  }

  bool take(const std::string& argument) {
    const std::string name = name_of(argument);
    const Option* const option = find_option(name);
    if (option == nullptr) return take_unlisted(argument, name);
    const size_t equals = argument.starts_with("--") ? argument.find('=') : std::string::npos;
    ++next_;
    std::string value;
    const bool has_value =
        equals != std::string::npos || option->takes != Takes::optional_value || is_value_next();
    if (equals != std::string::npos) {
      if (option->takes == Takes::nothing) return fail(name + " takes no value");
      value = argument.substr(equals + 1);
      if (value.empty() && option->takes == Takes::value) {
        return fail(argument + " requires an argument");
      }
    } else if (option->takes == Takes::optional_value && argument != "-pe") {
      if (has_value) value = take_value();
    } else if (option->takes != Takes::nothing) {
      if (next_ >= arguments_.size() || (argument == "-pe" && !has_value)) {
        return fail((argument == "-pe" ? "--eval" : argument) + " requires an argument");
      }
      value = option->takes == Takes::optional_value ? take_value() : arguments_[next_++];
    }
    // -p CODE means --print --eval CODE; the last code takes effect.
    if (option->takes == Takes::optional_value && has_value) {
      flags().emplace_back("eval", value);
    }
    if (option->takes == Takes::nothing) {
      forget(option->flag.starts_with("no-") ? option->flag.substr(3)
                                             : "no-" + std::string(option->flag));
    }
    flags().emplace_back(option->flag, std::move(value));
    return true;
  }

  // As in Node, a value that begins with a dash must be preceded by a backslash.
  bool is_value_next() const {
    return next_ < arguments_.size() && !arguments_[next_].starts_with('-');
  }
  std::string take_value() {
    const std::string& value = arguments_[next_++];
    return value.starts_with("\\-") ? value.substr(1) : value;
  }

  Flags& flags() { return options_.realm.flags; }
  const std::string* flag(std::string_view name) const { return find_flag(options_, name); }

  ParsedOptions finish() {
    if (flag("help") != nullptr) return {std::nullopt, kHelp, 0};
    if (flag("version") != nullptr) return {std::nullopt, version_text(), 0};
    if (flag("v8-options") != nullptr) {
      v8::V8::SetFlagsFromString("--help");  // Prints the help and ends the process.
      return {};
    }
    if (const std::string problem = problem_of_environment(); !problem.empty()) {
      return refuse(options_.realm.argv0, problem);
    }
    if (!apply_loop_options() || !choose_mode()) return std::move(refusal_);
    return {std::move(options_), "", 0};
  }

  bool apply_loop_options() {
    if (const std::string* ticks = flag("ticks"); ticks != nullptr) {
      if (*ticks != "per-callback" && *ticks != "per-phase") {
        return fail("--ticks must be per-callback or per-phase, not '" + *ticks + "'");
      }
      options_.realm.ticks_per_phase = *ticks == "per-phase";
    }
    if (const std::string* clock = flag("clock"); clock != nullptr) {
      if (*clock != "real" && *clock != "virtual" && !clock->starts_with("virtual:")) {
        return fail("--clock must be real, virtual or virtual:DATE, not '" + *clock + "'");
      }
      options_.is_virtual_time = *clock != "real";
      if (const size_t colon = clock->find(':');
          colon != std::string::npos &&
          !parse_date(clock->substr(colon + 1), options_.virtual_start)) {
        return fail("--clock=virtual:DATE needs a date like 2026-01-31T12:00:00Z, not '" +
                    clock->substr(colon + 1) + "'");
      }
    }
    if (const std::string* seed = flag("seed"); seed != nullptr) {
      uint64_t number = 0;
      if (!parse_number(*seed, number)) {
        return fail("--seed needs a whole number from 0 to 2^64-1, not '" + *seed + "'");
      }
      options_.seed = number;
      follow_seed(number);
    }
    if (const std::string problem = read_schedule_options(options_); !problem.empty()) {
      return fail(problem);
    }
    if (const std::string* blocked = flag("blocked"); blocked != nullptr) {
      uint64_t number = 0;
      if (!parse_number(*blocked, number) || number == 0 || number > 1'000'000'000) {
        return fail("--blocked needs milliseconds from 1 to 1000000000, not '" + *blocked + "'");
      }
      options_.realm.watchdog.limit = Millis(number);
    }
    if (const std::string problem = read_trace_options(options_, arguments_); !problem.empty()) {
      return fail(problem);
    }
    if (const std::string problem = read_export_options(options_); !problem.empty()) {
      return fail(problem);
    }
    const char* const silence = std::getenv("NODE_NO_WARNINGS");
    options_.realm.watchdog.warns =
        flag("no-warnings") == nullptr && (silence == nullptr || std::string_view(silence) != "1");
    // Other threads would make a run impossible to repeat.
    const bool is_repeatable =
        options_.serves_explore || options_.record || !options_.record_path.empty();
    const char* const no_control = std::getenv("RONDO_NO_CONTROL");
    options_.has_control = flag("no-control") == nullptr && !is_repeatable &&
                           (no_control == nullptr || std::string_view(no_control) != "1");
    options_.realm.watchdog.always_runs = options_.has_control;
    if (const std::string* backend = flag("backend"); backend != nullptr && !is_repeatable) {
      if (*backend == "epoll") {
        options_.backend = Backend::epoll;
      } else if (*backend == "uring") {
        options_.backend = Backend::uring;
      } else {
        return fail("--backend must be epoll or uring, not '" + *backend + "'");
      }
    }
    return true;
  }

  // Seeds all randomness of V8: Math.random(), and the hashes of its tables. Not zero, because V8
  // would choose a seed. Uses virtual time, because real time would be another source of
  // randomness.
  void follow_seed(uint64_t seed) {
    const std::string number = std::to_string(seed % 0x7FFF'FFFE + 1);
    const std::string flags[] = {"--random-seed=" + number, "--hash-seed=" + number};
    options_.v8_flags.insert(options_.v8_flags.begin(), std::begin(flags), std::end(flags));
    if (flag("clock") == nullptr) options_.is_virtual_time = true;
  }

  bool choose_mode() {
    runtime::RealmOptions& realm = options_.realm;
    const std::string* const eval = flag("eval");
    const std::string* const input_type = flag("input-type");
    if (input_type != nullptr && *input_type != "commonjs" && *input_type != "module" &&
        *input_type != "commonjs-typescript" && *input_type != "module-typescript") {
      return fail(
          "--input-type must be \"module\",\"commonjs\", \"module-typescript\" or "
          "\"commonjs-typescript\"");
    }
    if (const std::string* mode = flag("unhandled-rejections");
        mode != nullptr &&
        std::find(kRejectionModes.begin(), kRejectionModes.end(), *mode) == kRejectionModes.end()) {
      return fail("invalid value for --unhandled-rejections");
    }
    if (const std::string* mode = flag("disable-proto");
        mode != nullptr && *mode != "delete" && *mode != "throw") {
      fail("invalid mode passed to --disable-proto");
      refusal_.exit_code = kInvalidProtoMode;
      return false;
    }
    if (flag("tls-min-v1.3") != nullptr && flag("tls-max-v1.2") != nullptr) {
      return fail("either --tls-min-v1.3 or --tls-max-v1.2 can be used, not both");
    }
    if (flag("use-openssl-ca") != nullptr && flag("use-bundled-ca") != nullptr) {
      return fail("either --use-openssl-ca or --use-bundled-ca can be used, not both");
    }
    if (flag("use-openssl-ca") != nullptr && flag("use-system-ca") != nullptr) {
      return fail("either --use-openssl-ca or --use-system-ca can be used, not both");
    }
    if (flag("run") != nullptr) {
      options_.mode = "run_script";
    } else if (eval != nullptr) {
      if (flag("check") != nullptr) return fail("either --check or --eval can be used, not both");
      options_.mode = "eval_string";
      realm.source = *eval;
    } else if (flag("test") != nullptr) {
      options_.mode = "test_runner";
    } else if (next_ >= arguments_.size() || arguments_[next_] == "-") {
      // The dash is kept as the name of the program.
      options_.mode = flag("check") != nullptr ? "check_syntax" : "eval_stdin";
    } else if (is_command(arguments_[next_])) {
      options_.mode = "command";
    } else {
      options_.mode = flag("check") != nullptr ? "check_syntax" : "run_main";
    }
    if (options_.serves_explore) {
      flags().emplace_back("explored-mode", options_.mode);
      options_.mode = "explore_server";
      realm.watchdog = {false, Millis(0)};
    }
    realm.args.assign(arguments_.begin() + static_cast<std::ptrdiff_t>(next_), arguments_.end());
    return true;
  }

  std::vector<std::string> arguments_;
  size_t next_ = 0;
  bool is_for_process_ = false;
  Options options_;
  ParsedOptions refusal_;
};

}  // namespace

ParsedOptions parse_options(int argc, char** argv) { return Parser(argc, argv).parse(); }

runtime::ExecArgs parse_exec_args(const std::vector<std::string>& arguments) {
  return Parser(arguments).parse_for_worker();
}

runtime::ExecArgs parse_node_options(const std::string& text) {
  const std::optional<std::vector<std::string>> words = split_words(text);
  if (!words) return {{}, {"invalid value for NODE_OPTIONS (unterminated string)\n"}};
  return Parser(*words).parse_environment_of_worker();
}

}  // namespace rondo::cli
