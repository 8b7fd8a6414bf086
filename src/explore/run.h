// ExploredRun is one run of a program under a schedule, for `rondo explore`: it follows the given
// decisions, continues with the kernel's order or at random, and records every decision in shared
// memory, so that the parent process can read it even if this process crashes. Thread: the loop's
// only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "explore/schedule.h"

namespace rondo {

class Handle;
class Loop;

// Output of a run, in memory that two processes share.
struct RunRecord {
  static constexpr size_t kMostDecisions = 1 << 16;
  static constexpr size_t kMostText = size_t{4} << 20;
  static constexpr size_t kMostPorts = 128;

  struct Entry {
    uint64_t state;
    uint32_t options;
    uint32_t picked;
    uint32_t point;
    uint32_t unused;
  };

  uint32_t decisions;    // All decisions, also those that did not fit.
  uint32_t diverged_at;  // The first decision that differs from the schedule; UINT32_MAX: none.
  uint32_t outside;      // Bits of Outside.
  uint32_t text_size;
  uint32_t ports;                  // The number of ports that the program has seen.
  uint16_t port_list[kMostPorts];  // In the order in which it first saw them.
  Entry entries[kMostDecisions];
  char text[kMostText];  // The events, a line of JSON each, if requested.
};

// Actions of a program that no schedule controls.
enum class Outside : uint32_t {
  worker = 1,
  child_process = 2,
  network = 4,
};

// Finds source places of the program, as "file:line:column".
class ProgramPlaces {
 public:
  virtual ~ProgramPlaces() = default;
  // The innermost function of the program on the stack, or "".
  virtual std::string here() const = 0;
  // The place where the handle was created, or "".
  virtual std::string maker_of(const Handle& handle) const = 0;
};

class ExploredRun final : public Choice {
 public:
  struct Request {
    Schedule schedule;
    std::optional<uint64_t> seed;  // Seed of the choices after the schedule's end.
    bool describes = false;

    // "describes seed schedule": 0 or 1, a number or "-", and a schedule.
    static std::optional<Request> parse(std::string_view text);
    std::string text() const;
  };

  // Allocates the record, which is shared with forked processes.
  ExploredRun();
  // The record is the begin of this file, so that a process that executes another program can use
  // it. The file must have the size of a RunRecord, or more.
  explicit ExploredRun(int fd);
  RunRecord& record() { return *record_; }

  // Called in the process that was forked for this run, before the program is read.
  void begin(Request request, Loop& loop, std::unique_ptr<ProgramPlaces> places);
  // The same before a loop exists. use() names the loop that runs, or null.
  void begin(Request request, std::unique_ptr<ProgramPlaces> places);
  void use(Loop* loop) { loop_ = loop; }
  void note_outside(Outside what) { record_->outside |= static_cast<uint32_t>(what); }
  // The program was given the number of a port of this machine, which may be another one in the
  // next run. Ports beyond RunRecord::kMostPorts are not recorded.
  void note_port(uint16_t port);

  size_t pick(ChoicePoint point, size_t options) override { return choose({point, options}); }
  size_t choose(const Question& question) override;
  void scheduled(uint64_t id, const char* label, std::string_view about, bool writes) override;
  void touched(std::string_view about, bool writes) override;
  void delivered(uint64_t id, const char* label, Nanos at) override;

 private:
  size_t decide(size_t step, const Question& question);
  void describe(size_t step, const Question& question, size_t picked);
  // Reports the kind and origin of a handle before its first event.
  void introduce(uint64_t id);
  void say(std::string line);

  RunRecord* record_;
  Request request_;
  std::optional<SeededChoice> seeded_;
  Loop* loop_ = nullptr;
  std::unique_ptr<ProgramPlaces> places_;
  std::unordered_set<uint64_t> introduced_;
};

}  // namespace rondo
