// RecordedRun is a run under a schedule in a process of its own: it follows a schedule or a record,
// and can write a record. A record has the decisions and the results of file operations. The first
// step that differs is kept and reported at the end. Thread: the loop's only.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/schedule.h"

namespace rondo {

// A record has the options of the run and then its events, in lines:
//
//   rondo record 1
//   seed 0
//   limits 1,1000,8,0
//   date 1767225600000000000
//   t1/2                                       a decision: letter, pick, out of how many
//   = fs.read_file <TAB> /a/b <TAB> 5 bytes 9ae1    what an operation brought
//   end 0                                      the exit code: missing if the program was killed
struct OrderRecord {
  uint64_t seed = 0;
  ChoiceLimits limits;
  Nanos date{0};
  Schedule schedule;
  // Results of operations, each with the number of decisions before it.
  struct Result {
    size_t step;
    std::string text;
  };
  std::vector<Result> results;
  bool has_results = false;  // A schedule from the command line has none.
  bool has_end = false;
};

// Return an empty string, or an error message.
std::string parse_record(const std::string& text, OrderRecord& record);
std::string read_record(const std::string& path, OrderRecord& record);

class RecordedRun final : public Choice {
 public:
  // After the end of the record, or without a record, `otherwise` chooses; if it is null, the
  // kernel's order is taken.
  RecordedRun(OrderRecord record, std::unique_ptr<Choice> otherwise);

  // Writes the run to this file, beginning with `head`. Later write errors, such as a full disk,
  // are reported by finish().
  Result<void> write_to(const std::string& path, const OrderRecord& head);

  size_t pick(ChoicePoint point, size_t options) override;
  bool wants_results() const override { return is_writing() || record_.has_results; }
  void completed(const char* label, const std::string& about, const std::string& result) override;

  // Called at the end with the program's exit code. Returns another one, and reports the reason on
  // stderr, if the run differed from the record or could not be written.
  int finish(int code);
  static constexpr int kOtherRun = 4;
  static constexpr int kNotWritten = 1;

 private:
  bool is_writing() const { return file_ != nullptr; }
  void write(const std::string& line);
  int report_write_failure(int code) const;
  void differ(const std::string& recorded, const std::string& now);

  OrderRecord record_;
  std::unique_ptr<Choice> otherwise_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
  std::string path_;
  std::optional<Error> write_error_;  // The first error.
  size_t step_ = 0;
  size_t result_ = 0;
  std::string difference_;
};

}  // namespace rondo
