// A schedule is the list of decisions that a Choice made in a run. SeededChoice decides at random,
// RecordingChoice records the decisions, ReplayChoice follows recorded ones. Thread: the loop's
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "loop/choice.h"

namespace rondo {

// Chooses at random. The same seed gives the same order on every machine.
class SeededChoice final : public Choice {
 public:
  explicit SeededChoice(uint64_t seed) : state_(seed) {}
  size_t pick(ChoicePoint point, size_t options) override;

 private:
  uint64_t state_;
};

// One decision of a run; a schedule is a list of them.
struct Decision {
  ChoicePoint point;
  uint32_t options;  // 0: take the kernel's order at any choice point.
  uint32_t picked;

  friend bool operator==(const Decision&, const Decision&) = default;
};
using Schedule = std::vector<Decision>;

// The letters of the points, in the order of ChoicePoint.
inline constexpr std::string_view kChoiceLetters = "tcbe";
static_assert(kChoiceLetters.size() == kChoicePoints);

// "t1/2.c0/3.b1/2": letter of the point, the pick, the number of options.
std::string format_schedule(const Schedule& schedule);
// "0t1/2.7b1/2": only deviations from the kernel's order, each preceded by the number of the
// decision; "-" if there are none.
std::string format_deviations(const Schedule& schedule);
// Parses either form, of at most kMostDecisions.
Result<Schedule> parse_schedule(std::string_view text);
constexpr size_t kMostDecisions = size_t{1} << 20;

// Records the picks of another choice.
class RecordingChoice final : public Choice {
 public:
  explicit RecordingChoice(Choice& inner) : inner_(inner) {}
  size_t pick(ChoicePoint point, size_t options) override;
  const Schedule& schedule() const { return schedule_; }

 private:
  Choice& inner_;
  Schedule schedule_;
};

// Follows a schedule. Past its end, or at a choice that differs from the recorded one, it takes the
// kernel's order and remembers the first such step.
class ReplayChoice final : public Choice {
 public:
  explicit ReplayChoice(Schedule schedule) : schedule_(std::move(schedule)) {}
  size_t pick(ChoicePoint point, size_t options) override;

  bool has_diverged() const { return diverged_at_ != kNowhere; }
  size_t diverged_at() const { return diverged_at_; }
  size_t steps() const { return step_; }

 private:
  static constexpr size_t kNowhere = SIZE_MAX;

  Schedule schedule_;
  size_t step_ = 0;
  size_t diverged_at_ = kNowhere;
};

}  // namespace rondo
