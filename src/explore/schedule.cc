#include "explore/schedule.h"

#include <charconv>

#include "base/assert.h"

namespace rondo {
namespace {

Error malformed() { return Error{EINVAL, "schedule"}; }

bool parse_number(std::string_view& text, uint32_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

size_t SeededChoice::pick(ChoicePoint, size_t options) {
  RONDO_ASSERT(options > 0);
  // splitmix64: small, well mixed, and the same on every machine. The multiplication maps the upper
  // half to [0, options) with a negligible bias.
  state_ += 0x9E3779B97F4A7C15u;
  uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  mixed ^= mixed >> 31;
  return static_cast<size_t>((mixed >> 32) * options >> 32);
}

std::string format_schedule(const Schedule& schedule) {
  std::string out;
  for (const Decision& decision : schedule) {
    if (!out.empty()) out += '.';
    out += kChoiceLetters[static_cast<size_t>(decision.point)];
    out += std::to_string(decision.picked) + "/" + std::to_string(decision.options);
  }
  return out;
}

std::string format_deviations(const Schedule& schedule) {
  std::string out;
  for (size_t i = 0; i < schedule.size(); ++i) {
    const Decision& decision = schedule[i];
    if (decision.picked == 0) continue;
    if (!out.empty()) out += '.';
    out += std::to_string(i) + kChoiceLetters[static_cast<size_t>(decision.point)];
    out += std::to_string(decision.picked) + "/" + std::to_string(decision.options);
  }
  return out.empty() ? "-" : out;
}

Result<Schedule> parse_schedule(std::string_view text) {
  Schedule schedule;
  if (text == "-") return schedule;
  while (!text.empty()) {
    if (text.front() >= '0' && text.front() <= '9') {
      uint32_t step = 0;
      if (!parse_number(text, step) || text.empty()) return malformed();
      if (step < schedule.size() || step >= kMostDecisions) return malformed();
      schedule.resize(step, {ChoicePoint::completion_order, 0, 0});
    }
    if (schedule.size() >= kMostDecisions) return malformed();
    const auto letter = kChoiceLetters.find(text.front());
    if (letter == std::string_view::npos) return malformed();
    text.remove_prefix(1);
    Decision decision{static_cast<ChoicePoint>(letter), 0, 0};
    if (!parse_number(text, decision.picked)) return malformed();
    if (text.empty() || text.front() != '/') return malformed();
    text.remove_prefix(1);
    if (!parse_number(text, decision.options)) return malformed();
    if (decision.picked >= decision.options) return malformed();
    schedule.push_back(decision);
    if (text.empty()) break;
    if (text.front() != '.' || text.size() == 1) return malformed();
    text.remove_prefix(1);
  }
  return schedule;
}

size_t RecordingChoice::pick(ChoicePoint point, size_t options) {
  const size_t picked = inner_.pick(point, options);
  schedule_.push_back({point, static_cast<uint32_t>(options), static_cast<uint32_t>(picked)});
  return picked;
}

size_t ReplayChoice::pick(ChoicePoint point, size_t options) {
  const size_t step = step_++;
  if (step < schedule_.size()) {
    const Decision& decision = schedule_[step];
    if (decision.options == 0) return 0;
    if (decision.point == point && decision.options == options) return decision.picked;
  }
  if (!has_diverged()) diverged_at_ = step;
  return 0;
}

}  // namespace rondo
