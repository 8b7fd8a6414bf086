#include "explore/recorded_run.h"

#include <charconv>
#include <string_view>

namespace rondo {

namespace {

constexpr std::string_view kFirstLine = "rondo record 1";
// Limits the memory for a file that is not a record.
constexpr size_t kMostBytes = size_t{256} << 20;

template <class T>
bool parse_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_limits(std::string_view text, ChoiceLimits& limits) {
  uint32_t numbers[4] = {};
  for (uint32_t& number : numbers) {
    const std::string_view word = text.substr(0, text.find(','));
    if (!parse_number(word, number)) return false;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  limits = {Millis(numbers[0]), Millis(numbers[1]), numbers[2], numbers[3] != 0};
  return text.empty();
}

bool parse_line(std::string_view line, OrderRecord& record) {
  if (line.starts_with("= ")) {
    record.results.push_back({record.schedule.size(), std::string(line.substr(2))});
    return true;
  }
  const size_t blank = line.find(' ');
  if (blank != std::string_view::npos) {
    const std::string_view name = line.substr(0, blank);
    const std::string_view value = line.substr(blank + 1);
    int64_t number = 0;
    if (name == "seed") return parse_number(value, record.seed);
    if (name == "limits") return parse_limits(value, record.limits);
    if (name == "date" && parse_number(value, number)) {
      record.date = Nanos(number);
      return true;
    }
    record.has_end = name == "end";
    return record.has_end;
  }
  Result<Schedule> decision = parse_schedule(line);
  if (!decision || decision->size() != 1) return false;
  record.schedule.push_back(decision->front());
  return record.schedule.size() < kMostDecisions;
}

std::string describe(ChoicePoint point, size_t options) {
  return "a choice between " + std::to_string(options) + " (" + choice_point_name(point) + ")";
}

std::string readable(std::string text) {
  for (char& letter : text) {
    if (letter == '\t') letter = ' ';
  }
  return text;
}

}  // namespace

std::string parse_record(const std::string& text, OrderRecord& record) {
  std::string_view rest = text;
  if (!rest.starts_with(kFirstLine))
    return "not a Rondo record. Record one with rondo --record=FILE app.js";
  record.has_results = true;
  size_t number = 0;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    // The file was cut in the middle of a line: use only the lines before it.
    if (end == std::string_view::npos) break;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (++number == 1) {
      if (line != kFirstLine) return "it has another version of the format";
    } else if (!parse_line(line, record)) {
      return "line " + std::to_string(number) + " is damaged";
    }
  }
  return "";
}

std::string read_record(const std::string& path, OrderRecord& record) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                             std::fclose);
  if (!file) return Error::last("open").message();
  std::string text;
  char bytes[1 << 16];
  while (const size_t count = std::fread(bytes, 1, sizeof bytes, file.get())) {
    text.append(bytes, count);
    if (text.size() > kMostBytes) return "it is too large";
  }
  if (std::ferror(file.get()) != 0) return Error::last("read").message();
  return parse_record(text, record);
}

RecordedRun::RecordedRun(OrderRecord record, std::unique_ptr<Choice> otherwise)
    : record_(std::move(record)), otherwise_(std::move(otherwise)) {}

Result<void> RecordedRun::write_to(const std::string& path, const OrderRecord& head) {
  file_.reset(std::fopen(path.c_str(), "we"));
  if (!file_) return Error::last("open");
  path_ = path;
  const ChoiceLimits& limits = head.limits;
  const auto in_ms = [](Nanos time) {
    return std::to_string(std::chrono::duration_cast<Millis>(time).count());
  };
  write(std::string(kFirstLine) + "\nseed " + std::to_string(head.seed) + "\nlimits " +
        in_ms(limits.reach) + "," + in_ms(limits.slow) + "," + std::to_string(limits.late) + "," +
        (limits.asks_even_if_unobservable ? "1" : "0") + "\ndate " +
        std::to_string(head.date.count()));
  if (write_error_) return *write_error_;
  return {};
}

// Written immediately, so that the record is complete even if the program is killed.
void RecordedRun::write(const std::string& line) {
  if (write_error_) return;  // Lines after a gap would make an invalid record.
  if (std::fputs((line + "\n").c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0) {
    write_error_ = Error::last("write");
  }
}

int RecordedRun::report_write_failure(int code) const {
  if (!write_error_) return code;
  std::fprintf(
      stderr,
      "rondo: the record '%s' is not complete: %s. It has the first %zu decisions or fewer\n",
      path_.c_str(), write_error_->message().c_str(), step_);
  return code == 0 ? kNotWritten : code;
}

void RecordedRun::differ(const std::string& recorded, const std::string& now) {
  if (!difference_.empty()) return;
  difference_ = "rondo: this run differs from the recorded one after " + std::to_string(step_) +
                " decisions and " + std::to_string(result_) + " results\n  recorded: " + recorded +
                "\n  now:      " + now + "\n";
}

size_t RecordedRun::pick(ChoicePoint point, size_t options) {
  size_t picked = 0;
  if (step_ < record_.schedule.size()) {
    const Decision& decision = record_.schedule[step_];
    if (decision.options != 0) {
      if (decision.point == point && decision.options == options) {
        picked = decision.picked;
      } else {
        differ(describe(decision.point, decision.options), describe(point, options));
      }
    }
  } else if (otherwise_) {
    picked = otherwise_->pick(point, options);
  } else if (record_.has_end) {
    differ("no more choices", describe(point, options));
  }
  ++step_;
  if (is_writing()) {
    write(
        format_schedule({{point, static_cast<uint32_t>(options), static_cast<uint32_t>(picked)}}));
  }
  return picked;
}

void RecordedRun::completed(const char* label, const std::string& about,
                            const std::string& result) {
  std::string line = std::string(label) + "\t" + about + "\t" + result;
  for (char& letter : line) {
    if (letter == '\n') letter = ' ';
  }
  if (record_.has_results) {
    if (result_ < record_.results.size()) {
      const std::string& recorded = record_.results[result_].text;
      if (recorded != line) differ(readable(recorded), readable(line));
    } else if (record_.has_end) {
      differ("no more results", readable(line));
    }
  }
  ++result_;
  if (is_writing()) write("= " + line);
}

int RecordedRun::finish(int code) {
  if (is_writing()) write("end " + std::to_string(code));
  if (step_ < record_.schedule.size()) {
    const Decision& decision = record_.schedule[step_];
    differ(describe(decision.point, decision.options), "the end of the program");
  }
  if (record_.has_results && result_ < record_.results.size()) {
    differ(readable(record_.results[result_].text), "the end of the program");
  }
  if (record_.has_results && !record_.has_end) {
    std::fputs("rondo: the record is incomplete: it was followed to its last line\n", stderr);
  }
  code = report_write_failure(code);
  if (difference_.empty()) return code;
  std::fputs(difference_.c_str(), stderr);
  return kOtherRun;
}

}  // namespace rondo
