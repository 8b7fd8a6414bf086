#include "cli/options_trace.h"

#include <string_view>
#include <utility>

#include "cli/options_values.h"

namespace rondo::cli {

namespace {

constexpr uint64_t kTraceMegabytes = 64;
constexpr uint64_t kMostTraceMegabytes = 65536;

std::string command_as_json(const Options& options, const std::vector<std::string>& arguments) {
  std::string json = "[";
  const auto add = [&json](std::string_view word) {
    json += json.size() > 1 ? ",\"" : "\"";
    for (const char letter : word) {
      if (letter == '"' || letter == '\\') {
        json += {'\\', letter};
      } else if (static_cast<unsigned char>(letter) < 0x20) {
        constexpr char kDigits[] = "0123456789abcdef";
        json += {'\\', 'u', '0', '0', kDigits[letter >> 4], kDigits[letter & 15]};
      } else {
        json += letter;
      }
    }
    json += '"';
  };
  add(options.realm.argv0);
  for (const std::string& argument : arguments) add(argument);
  return json + "]";
}

// Parses --trace-on=SIGUSR2,blocked:100,uncaught. Returns an error message, or an empty string.
std::string take_triggers(std::string_view list, runtime::FlightOptions& flight) {
  for (;;) {
    const size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    uint64_t number = 0;
    if (word == "SIGUSR2") {
      flight.on_signal = true;
    } else if (word == "uncaught") {
      flight.on_uncaught = true;
    } else if (word.starts_with("blocked:") && parse_number(word.substr(8), number) && number > 0 &&
               number <= 1'000'000'000) {
      flight.blocked = Millis(number);
    } else {
      return "--trace-on takes SIGUSR2, uncaught and blocked:MS, with commas between them, not '" +
             std::string(word) + "'";
    }
    if (comma == std::string_view::npos) return "";
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::string read_trace_options(Options& options, const std::vector<std::string>& arguments) {
  const std::string* const path = find_flag(options, "trace-file");
  uint64_t megabytes = kTraceMegabytes;
  if (const std::string* buffer = find_flag(options, "trace-buffer"); buffer != nullptr) {
    if (!parse_number(*buffer, megabytes) || megabytes == 0 || megabytes > kMostTraceMegabytes) {
      return "--trace-buffer needs a number of MiB from 1 to " +
             std::to_string(kMostTraceMegabytes) + ", not '" + *buffer + "'";
    }
  }
  runtime::TraceSettings trace;
  for (const auto& [key, value] : options.realm.flags) {
    if (key != "trace-on") continue;
    if (std::string problem = take_triggers(value, trace.flight); !problem.empty()) return problem;
  }
  if (path == nullptr && !trace.flight.is_wanted()) return "";
  if (path != nullptr) {
    trace.path = *path;
    const size_t slash = path->rfind('/');
    if (slash != std::string::npos) trace.flight.folder = path->substr(0, slash == 0 ? 1 : slash);
  }
  trace.bytes = static_cast<size_t>(megabytes) << 20;
  trace.command = command_as_json(options, arguments);
  options.trace = std::move(trace);
  return "";
}

}  // namespace rondo::cli
