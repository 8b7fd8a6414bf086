// Choice decides between orders of callbacks that are all legal. A loop without one takes the
// kernel's order. Implementations: src/explore/schedule.h.
// Thread: the loop's only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/time/time.h"

namespace rondo {

enum class ChoicePoint : uint8_t {
  timer_reached,     // 0: the clock has not reached the next timer; 1: it has.
  completion_order,  // The ready source to deliver next.
  batch_end,         // 0: this poll delivers one more; 1: the rest is late, in another poll.
  effect_first,  // 1: an earlier operation has taken effect already, although it is reported later.
};
constexpr size_t kChoicePoints = 4;
const char* choice_point_name(ChoicePoint point);

// One of the alternatives of a choice.
struct Candidate {
  uint64_t id = 0;         // Of the request or handle; 0 if it is neither.
  const char* label = "";  // Its kind: a literal.
  int fd = -1;             // The ready descriptor; -1 if it is identified by its id alone.
};

// Combines a hash of the history with a new event.
constexpr uint64_t mix_history(uint64_t history, uint64_t event) {
  uint64_t mixed = (history ^ event) + 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

// A choice to make, with its context.
struct Question {
  ChoicePoint point;
  size_t options;
  // Equal in two runs of a program only if they have reached the same point: the same callbacks in
  // the same order, the same pending operations, the same time. The rest of the run then depends
  // only on the choices.
  uint64_t state = 0;
  Nanos at{0};
  std::span<const Candidate> candidates = {};
};

class Choice {
 public:
  virtual ~Choice() = default;
  // A number below `options`; 0 always means the kernel's own order.
  virtual size_t pick(ChoicePoint point, size_t options) = 0;
  // The same, with the context.
  virtual size_t choose(const Question& question) { return pick(question.point, question.options); }
  // A callback was scheduled: describes the `id` of later candidates. `about` is the file it
  // touches, `writes` whether it changes it.
  virtual void scheduled(uint64_t /*id*/, const char* /*label*/, std::string_view /*about*/,
                         bool /*writes*/) {}
  // The running callback has touched something synchronously.
  virtual void touched(std::string_view /*about*/, bool /*writes*/) {}
  // A callback of `id` begins.
  virtual void delivered(uint64_t /*id*/, const char* /*label*/, Nanos /*at*/) {}
  // Results of operations are only passed to completed() if wants_results().
  virtual bool wants_results() const { return false; }
  virtual void completed(const char* /*label*/, const std::string& /*about*/,
                         const std::string& /*result*/) {}
};

// Limits of the orders that a Choice may select.
struct ChoiceLimits {
  // Longest time that code may have run when the loop checks its timers. Virtual time only.
  Nanos reach = Millis{1};
  // Longest time that an operation may take while timers become due. Virtual time only.
  Nanos slow = Millis{1000};
  // Number of polls in a row for which ready events may be late while nothing else completes.
  uint32_t late = 8;
  // Ask also if every answer leads to the same order of callbacks.
  bool asks_even_if_unobservable = false;
};

}  // namespace rondo
