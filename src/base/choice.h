// Choice is the only place that decides between orders that are all legal. The default takes what
// the kernel gave and is never asked; a seeded choice shuffles, a recording one writes down what
// was chosen, a replaying one follows such a record.
// Thread: the loop's only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace rondo {

enum class ChoicePoint : uint8_t {
  timer_reached,     // 0: the clock has not reached the next timer yet; 1: it has.
  completion_order,  // Which of the ready sources is delivered next.
  batch_end,         // 0: this poll delivers one more; 1: the rest comes late, in another poll.
  effect_first,      // 1: what was asked for earlier has taken effect, though it is told later.
};
constexpr size_t kChoicePoints = 4;
const char* choice_point_name(ChoicePoint point);

// One of those between which the loop chooses.
struct Candidate {
  uint64_t id = 0;         // Of the request or handle; 0 for what is neither.
  const char* label = "";  // What it is: a literal.
  int fd = -1;             // The descriptor that is ready; -1 for what is known by its id alone.
};

// Makes one number of what happened before and of what happens now.
constexpr uint64_t mix_history(uint64_t history, uint64_t event) {
  uint64_t mixed = (history ^ event) + 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

// What the loop asks, and what it knows about it.
struct Question {
  ChoicePoint point;
  size_t options;
  // Equal in two runs of a program only if they have come to the same point: the same callbacks in
  // the same order, the same waiting, the same time. What follows depends on the choices alone.
  uint64_t state = 0;
  Nanos at{0};
  std::span<const Candidate> candidates = {};
};

class Choice {
 public:
  virtual ~Choice() = default;
  // A number below `options`; 0 is always what the kernel's own order would have been.
  virtual size_t pick(ChoicePoint point, size_t options) = 0;
  // The same, for those who want to know more.
  virtual size_t choose(const Question& question) { return pick(question.point, question.options); }
  // A callback has been asked for; what `id` stands for in candidates. `about` is what it touches,
  // and whether that is changed.
  virtual void scheduled(uint64_t /*id*/, const char* /*label*/, std::string_view /*about*/,
                         bool /*writes*/) {}
  // Something was touched at once, in the callback that runs.
  virtual void touched(std::string_view /*about*/, bool /*writes*/) {}
  // A callback of `id` begins.
  virtual void delivered(uint64_t /*id*/, const char* /*label*/, Nanos /*at*/) {}
  // What an operation has brought, for those who want to know.
  virtual bool wants_results() const { return false; }
  virtual void completed(const char* /*label*/, const std::string& /*about*/,
                         const std::string& /*result*/) {}
};

// How far the orders may go between which a Choice is asked.
struct ChoiceLimits {
  // How long code may have run when the loop looks at its timers. Virtual time only.
  Nanos reach = Millis{1};
  // How long an operation may take, while timers fall due. Virtual time only.
  Nanos slow = Millis{1000};
  // For how many polls in a row what is ready may be late, while nothing else completes.
  uint32_t late = 8;
  // Ask also where every answer would lead to the same order of callbacks.
  bool asks_in_vain = false;
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
  uint32_t options;  // 0: whatever is asked here, the kernel's order is taken.
  uint32_t picked;

  friend bool operator==(const Decision&, const Decision&) = default;
};
using Schedule = std::vector<Decision>;

// "t1/2.c0/3.b1/2": point letter, what was picked, out of how many.
std::string format_schedule(const Schedule& schedule);
// "0t1/2.7b1/2": only what was not the kernel's order, after the number of the decision; "-" where
// all was.
std::string format_deviations(const Schedule& schedule);
// Either form. At most kMostDecisions.
Result<Schedule> parse_schedule(std::string_view text);
constexpr size_t kMostDecisions = size_t{1} << 20;

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
