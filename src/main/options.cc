#include "main/options.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include "loop/poller/poller.h"

namespace rondo::main_program {

namespace {

constexpr int kBadOption = 9;  // As Node's.

constexpr const char* kHelp =
    R"(usage: rondo [options] [script.js | -] [arguments]
       rondo [options] -e CODE [arguments]

Runs a JavaScript program (CommonJS, or an ES module: .mjs, or "type": "module") on the Rondo event loop.

  -e, --eval CODE            run CODE
  -p, --print CODE           run CODE and print its value
  -c, --check                check the script's syntax without running it
  -r, --require MODULE       load MODULE before the program; may be repeated
      --import MODULE        the same for an ES module
      --input-type=TYPE      what -e, -p and stdin hold: commonjs or module
  -C, --conditions=NAME      one more condition for package "exports" and "imports"
  -                          read the program from standard input

      --ticks=WHEN           drain ticks and microtasks per-callback (the default) or per-phase (as Node 10)
      --clock=virtual[:DATE] time jumps to the next timer when nothing else can happen; DATE is its start
      --seed=N               choose among the legal orders by this seed, the same each time
      --blocked=MS           name callbacks that hold the loop longer than this
      --backend=NAME         epoll or uring

      --no-warnings          do not print warnings
      --throw-deprecation, --trace-deprecation, --no-deprecation, --pending-deprecation
      --trace-warnings, --trace-uncaught, --unhandled-rejections=MODE
      --redirect-warnings=FILE  append warnings to FILE
      --title=TEXT           what ps shows of the process
      --zero-fill-buffers    Buffer.allocUnsafe() and its kin give zeroes, too
      --enable-source-maps, --preserve-symlinks, --preserve-symlinks-main
      --v8-options           list V8's own options, all of which are accepted
  -v, --version              print Node's version level that is implemented
  -h, --help                 print this text

Environment: NODE_OPTIONS, NODE_PATH, NODE_REDIRECT_WARNINGS, NODE_DEBUG, NODE_NO_WARNINGS, NO_COLOR, FORCE_COLOR, RONDO_BACKEND,
RONDO_THREADPOOL_SIZE (or UV_THREADPOOL_SIZE).
)";

enum class Takes : uint8_t { nothing, value, optional_value };

struct Option {
  std::string_view name;   // With its dashes.
  std::string_view alias;  // One letter with its dash, or empty.
  Takes takes;
  std::string_view flag;  // The name under which lib reads it; empty: this file reads it.
};

constexpr std::array kOptions = {
    Option{"--eval", "-e", Takes::value, "eval"},
    Option{"--print", "-p", Takes::optional_value, "print"},
    Option{"--check", "-c", Takes::nothing, "check"},
    Option{"--require", "-r", Takes::value, "require"},
    Option{"--import", "", Takes::value, "import"},
    Option{"--input-type", "", Takes::value, "input-type"},
    Option{"--conditions", "-C", Takes::value, "conditions"},
    Option{"--interactive", "-i", Takes::nothing, "interactive"},
    Option{"--ticks", "", Takes::value, "ticks"},
    Option{"--clock", "", Takes::value, "clock"},
    Option{"--seed", "", Takes::value, "seed"},
    Option{"--blocked", "", Takes::value, "blocked"},
    Option{"--backend", "", Takes::value, "backend"},
    Option{"--no-warnings", "", Takes::nothing, "no-warnings"},
    Option{"--warnings", "", Takes::nothing, "warnings"},
    Option{"--throw-deprecation", "", Takes::nothing, "throw-deprecation"},
    Option{"--trace-deprecation", "", Takes::nothing, "trace-deprecation"},
    Option{"--no-deprecation", "", Takes::nothing, "no-deprecation"},
    Option{"--pending-deprecation", "", Takes::nothing, "pending-deprecation"},
    Option{"--trace-warnings", "", Takes::nothing, "trace-warnings"},
    Option{"--trace-uncaught", "", Takes::nothing, "trace-uncaught"},
    Option{"--unhandled-rejections", "", Takes::value, "unhandled-rejections"},
    Option{"--enable-source-maps", "", Takes::nothing, "enable-source-maps"},
    Option{"--preserve-symlinks", "", Takes::nothing, "preserve-symlinks"},
    Option{"--preserve-symlinks-main", "", Takes::nothing, "preserve-symlinks-main"},
    Option{"--stack-trace-limit", "", Takes::value, "stack-trace-limit"},
    Option{"--expose-internals", "", Takes::nothing, "expose-internals"},
    Option{"--title", "", Takes::value, "title"},
    Option{"--redirect-warnings", "", Takes::value, "redirect-warnings"},
    Option{"--zero-fill-buffers", "", Takes::nothing, "zero-fill-buffers"},
    Option{"--v8-options", "", Takes::nothing, "v8-options"},
    Option{"--version", "-v", Takes::nothing, "version"},
    Option{"--help", "-h", Takes::nothing, "help"},
};

size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// The option most like `name`, or nothing if none is like it.
std::string_view nearest(std::string_view name) {
  std::string_view best;
  size_t least = 4;
  for (const Option& option : kOptions) {
    const size_t changes = distance(name, option.name);
    if (changes < least && changes < option.name.size() - 2) {
      least = changes;
      best = option.name;
    }
  }
  return best;
}

ParsedOptions refuse(std::string message) {
  return {std::nullopt, "rondo: " + message + "\n", kBadOption};
}

// Whether V8 knows it: V8 removes from argv what it understood. --name, --no-name, --name=value.
bool is_v8_option(const std::string& argument) {
  std::string copy = argument;
  std::string program = "rondo";
  char* arguments[] = {program.data(), copy.data(), nullptr};
  int count = 2;
  v8::V8::SetFlagsFromCommandLine(&count, arguments, true);
  return count == 1;
}

bool parse_number(std::string_view text, uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// 2026-01-31 or 2026-01-31T12:30:00, with or without a Z: always UTC.
bool parse_date(const std::string& text, Nanos& since_1970) {
  for (const char* const format : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    tm parts = {};
    const char* const rest = ::strptime(text.c_str(), format, &parts);
    if (rest == nullptr) continue;
    std::string_view tail(rest);
    int64_t millis = 0;
    if (tail.starts_with('.')) {
      tail.remove_prefix(1);
      int64_t scale = 100;
      while (!tail.empty() && tail[0] >= '0' && tail[0] <= '9') {
        millis += (tail[0] - '0') * scale;
        scale /= 10;
        tail.remove_prefix(1);
      }
    }
    if (!tail.empty() && tail != "Z") continue;
    since_1970 = std::chrono::seconds(::timegm(&parts)) + Millis(millis);
    return true;
  }
  return false;
}

std::string executable_path() {
  char path[4096];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<size_t>(size)) : std::string("rondo");
}

// What concerns the process or its loop: not to be had for one thread alone.
constexpr std::array<std::string_view, 11> kOfProcess = {
    "title",   "zero-fill-buffers", "check",      "ticks",   "clock", "seed",
    "blocked", "backend",           "v8-options", "version", "help"};

// What says what to run, which the environment has no say in.
constexpr std::array<std::string_view, 8> kOfCommandLine = {
    "eval", "print", "check", "interactive", "v8-options", "version", "help", "expose-internals"};

// Words between blanks; a blank between double quotes belongs to its word, and a backslash there
// takes the meaning of what follows. Nothing if a quote stays open.
std::optional<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> words;
  bool is_quoted = false;
  bool begins = true;
  for (size_t i = 0; i < text.size(); ++i) {
    char letter = text[i];
    if (letter == '\\' && is_quoted) {
      if (i + 1 == text.size()) return std::nullopt;
      letter = text[++i];
    } else if (letter == ' ' && !is_quoted) {
      begins = true;
      continue;
    } else if (letter == '"') {
      is_quoted = !is_quoted;
      continue;
    }
    if (begins) words.emplace_back();
    begins = false;
    words.back() += letter;
  }
  if (is_quoted) return std::nullopt;
  return words;
}

// One parse: collects flags, then applies() them.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  runtime::ExecArgs parse_for_worker() {
    runtime::ExecArgs result;
    while (next_ < arguments_.size()) {
      const std::string argument = arguments_[next_];
      const size_t count = flags().size();
      if (argument.size() < 2 || argument[0] != '-') {
        ++next_;  // A value of nothing, which Node does not mind.
        continue;
      }
      const bool is_taken = take(argument);
      if (is_taken && flags().size() > count &&
          std::find(kOfProcess.begin(), kOfProcess.end(), flags().back().first) ==
              kOfProcess.end()) {
        continue;
      }
      result.refused.push_back(argument);
      if (!is_taken) ++next_;
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
      if (arguments_[i] != "--") options_.realm.exec_args.push_back(arguments_[i]);
    }
    return finish();
  }

 private:
  using Flags = std::vector<std::pair<std::string, std::string>>;

  // NODE_OPTIONS: what comes before the options of the command line, which have the last word.
  bool take_from_environment(const std::string& text) {
    std::optional<std::vector<std::string>> words = split_words(text);
    if (!words) return fail("invalid value for NODE_OPTIONS (unterminated string)");
    std::swap(arguments_, *words);
    bool is_good = true;
    while (is_good && next_ < arguments_.size()) {
      const std::string argument = arguments_[next_];
      const size_t count = flags().size();
      if (argument.size() < 2 || argument[0] != '-' || argument == "--") {
        is_good = fail(argument + " is not allowed in NODE_OPTIONS");
      } else if (!take(argument)) {
        is_good = false;
      } else if (flags().size() > count &&
                 std::find(kOfCommandLine.begin(), kOfCommandLine.end(), flags().back().first) !=
                     kOfCommandLine.end()) {
        is_good = fail(argument + " is not allowed in NODE_OPTIONS");
      }
    }
    std::swap(arguments_, *words);
    next_ = 0;
    return is_good;
  }

  bool fail(std::string message) {
    refusal_ = refuse(std::move(message));
    return false;
  }

  bool take(const std::string& argument) {
    const size_t equals = argument.starts_with("--") ? argument.find('=') : std::string::npos;
    // Node, and V8, take underscores for dashes.
    std::string name = argument.substr(0, equals);
    std::replace(name.begin() + 2, name.end(), '_', '-');
    if (argument == "-pe") name = "--print";
    const auto* const option =
        std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& candidate) {
          return candidate.name == name || (!candidate.alias.empty() && candidate.alias == name);
        });
    if (option == kOptions.end()) {
      if (is_for_process_ && argument.starts_with("--") && is_v8_option(argument)) {
        options_.v8_flags.push_back(argument);
        ++next_;
        return true;
      }
      const std::string_view like = nearest(name);
      return fail("bad option: " + argument +
                  (like.empty() ? "; rondo --help lists them"
                                : "; did you mean " + std::string(like) + "?"));
    }
    ++next_;
    std::string value;
    if (equals != std::string::npos) {
      if (option->takes == Takes::nothing) return fail(name + " takes no value");
      value = argument.substr(equals + 1);
    } else if (option->takes == Takes::value ||
               (option->takes == Takes::optional_value && next_ < arguments_.size())) {
      if (next_ >= arguments_.size()) return fail(argument + " requires an argument");
      value = arguments_[next_++];
    }
    flags().emplace_back(option->flag, std::move(value));
    return true;
  }

  Flags& flags() { return options_.realm.flags; }
  const std::string* flag(std::string_view name) {
    const std::string* last = nullptr;
    for (const auto& [key, value] : flags()) {
      if (key == name) last = &value;
    }
    return last;
  }

  ParsedOptions finish() {
    if (flag("help") != nullptr) return {std::nullopt, kHelp, 0};
    if (flag("version") != nullptr) return {std::nullopt, "v" RONDO_NODE_VERSION "\n", 0};
    if (flag("v8-options") != nullptr) {
      v8::V8::SetFlagsFromString("--help");  // Prints, and ends the process.
      return {};
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
    }
    if (const std::string* blocked = flag("blocked"); blocked != nullptr) {
      uint64_t number = 0;
      if (!parse_number(*blocked, number) || number == 0 || number > 1'000'000'000) {
        return fail("--blocked needs a number of milliseconds, not '" + *blocked + "'");
      }
      options_.realm.watchdog.limit = Millis(number);
    }
    const char* const silence = std::getenv("NODE_NO_WARNINGS");
    options_.realm.watchdog.warns =
        flag("no-warnings") == nullptr && (silence == nullptr || std::string_view(silence) != "1");
    if (const std::string* backend = flag("backend"); backend != nullptr) {
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

  bool choose_mode() {
    runtime::RealmOptions& realm = options_.realm;
    const std::string* const eval = flag("eval");
    const std::string* const print = flag("print");
    const std::string* const input_type = flag("input-type");
    if (input_type != nullptr && *input_type != "commonjs" && *input_type != "module") {
      return fail("--input-type must be \"module\" or \"commonjs\"");
    }
    if (eval != nullptr || print != nullptr) {
      if (flag("check") != nullptr) return fail("either --check or --eval can be used, not both");
      options_.mode = "eval_string";
      realm.source = print != nullptr ? *print : *eval;
    } else if (next_ >= arguments_.size() || arguments_[next_] == "-") {
      if (next_ < arguments_.size()) ++next_;
      options_.mode = flag("check") != nullptr ? "check_syntax" : "eval_stdin";
    } else {
      if (input_type != nullptr) {
        return fail(
            "--input-type can only be used with string input via --eval, --print, or STDIN");
      }
      options_.mode = flag("check") != nullptr ? "check_syntax" : "run_main";
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

}  // namespace rondo::main_program
