#include "cli/options_schedule.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "cli/options_values.h"

namespace rondo::cli {

namespace {

// The start date of the virtual clock in explored programs: 2026-01-01.
constexpr Nanos kExploredDate = std::chrono::seconds(1'767'225'600);

// Parses "code_ms,operation_ms,polls,asks_even_if_unobservable".
bool parse_limits(std::string_view text, ChoiceLimits& limits) {
  uint32_t numbers[4] = {};
  for (uint32_t& number : numbers) {
    const std::string_view word = text.substr(0, text.find(','));
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return false;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  limits = {Millis(numbers[0]), Millis(numbers[1]), numbers[2], numbers[3] != 0};
  return text.empty();
}

}  // namespace

std::string read_schedule_options(Options& options) {
  const std::string* const text = find_flag(options, "schedule");
  const std::string* const replay = find_flag(options, "replay");
  const bool has_seed = options.seed.has_value();
  if (text != nullptr) {
    Result<Schedule> schedule = parse_schedule(*text);
    if (!schedule) {
      return "'" + *text + "' is not a schedule: rondo explore prints schedules like 0t1/2.4c2/3";
    }
    options.record.emplace().schedule = std::move(*schedule);
  }
  if (replay != nullptr) {
    if (text != nullptr) return "use either --schedule or --replay, not both";
    const std::string problem = read_record(*replay, options.record.emplace());
    if (!problem.empty()) {
      return "cannot replay '" + *replay + "': " + problem +
             ". rondo replay needs a schedule, such as 0t1/2.4c2/3, or a file of rondo --record";
    }
    options.seed = options.record->seed;
    options.choice_limits = options.record->limits;
    options.virtual_start = options.record->date;
    options.is_virtual_time = true;
  }
  if (const std::string* const path = find_flag(options, "record"); path != nullptr) {
    options.record_path = *path;
  }
  options.serves_explore = find_flag(options, "explore-server") != nullptr;
  if (const std::string* const limits = find_flag(options, "choice-limits");
      limits != nullptr && !parse_limits(*limits, options.choice_limits)) {
    return "--choice-limits needs four numbers, as in 1,1000,8,0, not '" + *limits + "'";
  }
  if (!options.serves_explore && !options.record && options.record_path.empty()) return "";
  if (find_flag(options, "clock") == nullptr) {
    if (replay == nullptr) options.virtual_start = kExploredDate;
    options.is_virtual_time = true;
  } else if (!options.is_virtual_time) {
    return "a schedule needs virtual time, not --clock=real";
  }
  options.backend = Backend::epoll;
  options.is_random_order = has_seed && !options.record;
  // Random numbers must be the same in every run.
  if (has_seed) return "";
  if (!options.seed) options.seed = 0;
  options.realm.flags.emplace_back("seed", std::to_string(*options.seed));
  const std::string number = std::to_string(*options.seed % 0x7FFF'FFFE + 1);
  options.v8_flags.push_back("--random-seed=" + number);
  options.v8_flags.push_back("--hash-seed=" + number);
  return "";
}

}  // namespace rondo::cli
