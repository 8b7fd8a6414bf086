// A run under a schedule in a process of its own: it follows a schedule or a record, and can write
// a record. A record is what was chosen, and what the files said that were read; the first step at
// which either is not as it was is kept, to be told at the end. Thread: the loop's only.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/choice.h"
#include "base/result.h"

namespace rondo::runtime {

// What a record says of how the program was run, and what then happened, in lines:
//
//   rondo record 1
//   seed 0
//   limits 1,1000,8,0
//   date 1767225600000000000
//   t1/2                                       a decision: letter, pick, out of how many
//   = fs.read_file <TAB> /a/b <TAB> 5 bytes 9ae1    what an operation brought
//   end 0                                      the exit code: missing if the program was killed
struct Record {
  uint64_t seed = 0;
  ChoiceLimits limits;
  Nanos date{0};
  Schedule schedule;
  // What operations brought, each with the number of decisions before it.
  struct Result {
    size_t step;
    std::string text;
  };
  std::vector<Result> results;
  bool has_results = false;  // A schedule from the command line has none.
  bool has_end = false;
};

// Nothing, or what is wrong with it.
std::string parse_record(const std::string& text, Record& record);
std::string read_record(const std::string& path, Record& record);

class RecordedRun final : public Choice {
 public:
  // Past the end of the record, or without one, `otherwise` chooses, or nobody if it is null.
  RecordedRun(Record record, std::unique_ptr<Choice> otherwise);

  // Writes what follows to this file, beginning with `head`. If the disk is full later, finish()
  // says so.
  Result<void> write_to(const std::string& path, const Record& head);

  size_t pick(ChoicePoint point, size_t options) override;
  bool wants_results() const override { return is_writing() || record_.has_results; }
  void completed(const char* label, const std::string& about, const std::string& result) override;

  // At the end: the exit code, which is another one if the run was not the recorded one, or could
  // not be written. Says so on stderr.
  int finish(int code);
  static constexpr int kOtherRun = 4;
  static constexpr int kNotWritten = 1;

 private:
  bool is_writing() const { return file_ != nullptr; }
  void write(const std::string& line);
  int report_write_failure(int code) const;
  void differ(const std::string& recorded, const std::string& now);

  Record record_;
  std::unique_ptr<Choice> otherwise_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
  std::string path_;
  std::optional<Error> write_error_;  // The first.
  size_t step_ = 0;
  size_t result_ = 0;
  std::string difference_;
};

}  // namespace rondo::runtime
