// Choice is the only place that decides between orders that are all legal. The default takes what
// the kernel gave and is never asked; a seeded choice shuffles, a recording one writes down what
// was chosen, a replaying one follows such a record.
// Thread: the loop's only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rondo {

enum class ChoicePoint : uint8_t {
  timer_reached,     // 0: the clock has not reached the next timer yet; 1: it has.
  completion_order,  // Which of the ready sources is delivered next.
  batch_size,        // How many of the ready completions this poll leaves for the next one.
};
const char* choice_point_name(ChoicePoint point);

class Choice {
 public:
  virtual ~Choice() = default;
  // A number below `options`; 0 is always what the kernel's own order would have been.
  virtual size_t pick(ChoicePoint point, size_t options) = 0;
};

// The same seed asks for the same order, on every machine.
class SeededChoice final : public Choice {
 public:
  explicit SeededChoice(uint64_t seed) : state_(seed) {}
  size_t pick(ChoicePoint point, size_t options) override;

 private:
  uint64_t state_;
};

// One decision of a run: a schedule is the list of them.
struct Decision {
  ChoicePoint point;
  uint32_t options;
  uint32_t picked;

  friend bool operator==(const Decision&, const Decision&) = default;
};
using Schedule = std::vector<Decision>;

// "t1/2.c0/3.b2/3": point letter, what was picked, out of how many.
std::string format_schedule(const Schedule& schedule);
Result<Schedule> parse_schedule(std::string_view text);

// Writes down what another choice picks.
class RecordingChoice final : public Choice {
 public:
  explicit RecordingChoice(Choice& inner) : inner_(inner) {}
  size_t pick(ChoicePoint point, size_t options) override;
  const Schedule& schedule() const { return schedule_; }

 private:
  Choice& inner_;
  Schedule schedule_;
};

// Follows a schedule; past its end, or where the run asks something else than the record says, it
// takes the kernel's order, and remembers the first such step.
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
