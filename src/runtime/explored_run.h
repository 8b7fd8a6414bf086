// One run of a program under a schedule, for `rondo explore`: follows the decisions it was given,
// goes on with the kernel's order or at random, and writes down every decision where the process
// that watches can read it, whatever becomes of this one.
// Thread: the loop's only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/choice.h"
#include "runtime/v8.h"

namespace rondo::runtime {

// What a run writes: memory that two processes share. The same layout is read by
// lib/internal/explore/server.js.
struct RunRecord {
  static constexpr size_t kMostDecisions = 1 << 16;
  static constexpr size_t kMostText = size_t{4} << 20;

  struct Entry {
    uint64_t state;
    uint32_t options;
    uint32_t picked;
    uint32_t point;
    uint32_t unused;
  };

  uint32_t decisions;    // Asked, kept or not.
  uint32_t diverged_at;  // The first that was not as the schedule says; UINT32_MAX: none.
  uint32_t outside;      // Bits of Outside.
  uint32_t text_size;
  Entry entries[kMostDecisions];
  char text[kMostText];  // What happened, a line of JSON each, if that was asked for.
};

// What a program did that no schedule decides.
enum class Outside : uint32_t {
  worker = 1,
  child_process = 2,
  network = 4,
};

class ExploredRun final : public Choice {
 public:
  struct Request {
    Schedule schedule;
    std::optional<uint64_t> seed;  // Past the schedule: choose by it.
    bool describes = false;
  };

  // Memory for the record, which outlives forks.
  ExploredRun();
  RunRecord& record() { return *record_; }

  // In a process that was made for this run, before the program is read.
  void begin(Request request, v8::Isolate* isolate);
  void note_outside(Outside what) { record_->outside |= static_cast<uint32_t>(what); }

  size_t pick(ChoicePoint point, size_t options) override { return choose({point, options}); }
  size_t choose(const Question& question) override;
  void scheduled(uint64_t id, const char* label, std::string_view about, bool writes) override;
  void touched(std::string_view about, bool writes) override;
  void delivered(uint64_t id, const char* label, Nanos at) override;

 private:
  size_t decide(size_t step, const Question& question);
  void describe(size_t step, const Question& question, size_t picked);
  // Of a handle that has something to tell for the first time: what it is, and who made it.
  void introduce(uint64_t id);
  void say(std::string line);
  std::string place() const;

  RunRecord* record_;
  Request request_;
  std::optional<SeededChoice> seeded_;
  v8::Isolate* isolate_ = nullptr;
  std::unordered_set<uint64_t> introduced_;
};

class Realm;
// Where the program of the realm is explored.
void note_outside(Realm& realm, Outside what);

}  // namespace rondo::runtime
