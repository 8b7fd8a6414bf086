#include "uv/preload/settings.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace rondo::uv {

namespace {

// Once per process, like the environment.
Settings current;

// The value of a variable, which is removed; empty if it is not set.
std::string take(const char* name) {
  const char* const value = ::getenv(name);
  std::string text = value == nullptr ? "" : value;
  ::unsetenv(name);
  return text;
}

// `rondo uv` has checked the numbers.
uint64_t number_of(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Absolute, as the program may change its folder before it creates a loop.
std::string absolute(const std::string& path) {
  char folder[PATH_MAX];
  if (path.empty() || path[0] == '/' || ::getcwd(folder, sizeof folder) == nullptr) return path;
  return std::string(folder) + "/" + path;
}

// "reach_ms,slow_ms,late,asks"
void read_limits(std::string_view text) {
  if (text.empty()) return;
  uint64_t numbers[4] = {};
  for (uint64_t& number : numbers) {
    const std::string_view word = text.substr(0, text.find(','));
    number = number_of(word);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  current.limits = {Millis(numbers[0]), Millis(numbers[1]), static_cast<uint32_t>(numbers[2]),
                    numbers[3] != 0};
}

}  // namespace

const Settings& settings() { return current; }

void read_settings() {
  ::unsetenv(kProgramVariable);
  current = Settings();
  current.trace.path = absolute(take("RONDO_UV_TRACE_FILE"));
  current.trace.bytes = number_of(take("RONDO_UV_TRACE_BYTES"));
  current.blocked = Millis(number_of(take("RONDO_UV_BLOCKED")));
  if (const std::string seed = take("RONDO_UV_SEED"); !seed.empty()) {
    current.seed = number_of(seed);
  }
  current.has_control = take("RONDO_UV_CONTROL") == "1";
  if (const std::string start = take("RONDO_UV_CLOCK"); !start.empty()) {
    current.clock = Nanos(number_of(start));
  }
  read_limits(take("RONDO_UV_LIMITS"));
  current.schedule = take("RONDO_UV_SCHEDULE");
  current.replay = absolute(take("RONDO_UV_REPLAY"));
  current.record = absolute(take("RONDO_UV_RECORD"));
  if (const std::string run = take("RONDO_UV_RUN"); !run.empty()) {
    current.run = static_cast<int>(number_of(run));
  }
  if (take("RONDO_UV_BACKEND") == "uring") current.backend = Backend::uring;
}

}  // namespace rondo::uv
