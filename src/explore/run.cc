#include "explore/run.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

#include "base/assert.h"
#include "loop/handle.h"
#include "loop/loop.h"

namespace rondo {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    if (static_cast<unsigned char>(letter) < 0x20) {
      out += ' ';
    } else {
      out += letter;
    }
  }
  return out + '"';
}

std::string field(const char* name, std::string_view text) {
  return std::string(",\"") + name + "\":" + quoted(text);
}

}  // namespace

std::optional<ExploredRun::Request> ExploredRun::Request::parse(std::string_view text) {
  const auto next_word = [&text] {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    return word;
  };
  Request request;
  request.describes = next_word() == "1";
  const std::string_view word = next_word();
  if (word != "-") {
    uint64_t number = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc{}) {
      return std::nullopt;
    }
    request.seed = number;
  }
  Result<Schedule> schedule = parse_schedule(text);
  if (!schedule) return std::nullopt;
  request.schedule = std::move(*schedule);
  return request;
}

std::string ExploredRun::Request::text() const {
  return std::string(describes ? "1 " : "0 ") + (seed ? std::to_string(*seed) : "-") + " " +
         format_deviations(schedule);
}

ExploredRun::ExploredRun() : ExploredRun(-1) {}

ExploredRun::ExploredRun(int fd) {
  const int sharing = fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
  void* const memory =
      ::mmap(nullptr, sizeof(RunRecord), PROT_READ | PROT_WRITE, sharing | MAP_NORESERVE, fd, 0);
  if (memory == MAP_FAILED) fatal("no memory for the record of a run");
  record_ = static_cast<RunRecord*>(memory);
}

void ExploredRun::begin(Request request, Loop& loop, std::unique_ptr<ProgramPlaces> places) {
  use(&loop);
  begin(std::move(request), std::move(places));
}

void ExploredRun::begin(Request request, std::unique_ptr<ProgramPlaces> places) {
  request_ = std::move(request);
  places_ = std::move(places);
  if (request_.seed) seeded_.emplace(*request_.seed);
  if (request_.describes) say("{\"pid\":" + std::to_string(::getpid()) + "}");
}

void ExploredRun::note_port(uint16_t port) {
  uint16_t* const end = record_->port_list + record_->ports;
  if (record_->ports == RunRecord::kMostPorts || std::find(record_->port_list, end, port) != end) {
    return;
  }
  *end = port;
  ++record_->ports;
}

size_t ExploredRun::decide(size_t step, const Question& question) {
  if (step < request_.schedule.size()) {
    const Decision& decision = request_.schedule[step];
    if (decision.options == 0) return 0;
    if (decision.point == question.point && decision.options == question.options) {
      return decision.picked;
    }
    if (record_->diverged_at == UINT32_MAX) record_->diverged_at = static_cast<uint32_t>(step);
    return 0;
  }
  return seeded_ ? seeded_->pick(question.point, question.options) : 0;
}

size_t ExploredRun::choose(const Question& question) {
  const size_t step = record_->decisions;
  const size_t picked = decide(step, question);
  if (step < RunRecord::kMostDecisions) {
    record_->entries[step] = {question.state, static_cast<uint32_t>(question.options),
                              static_cast<uint32_t>(picked), static_cast<uint32_t>(question.point),
                              0};
  }
  record_->decisions = static_cast<uint32_t>(step + 1);
  if (request_.describes) describe(step, question, picked);
  return picked;
}

void ExploredRun::introduce(uint64_t id) {
  if (id == 0 || loop_ == nullptr || !introduced_.insert(id).second) return;
  loop_->for_each_handle([&](const Handle& handle) {
    if (handle.id() != id) return;
    say("{\"handle\":" + std::to_string(id) + field("label", handle.label()) +
        field("place", places_->maker_of(handle)) + ",\"accepted\":" +
        ((handle.creation_site() & Handle::kInherited) != 0 ? "true" : "false") + "}");
  });
}

void ExploredRun::describe(size_t step, const Question& question, size_t picked) {
  for (const Candidate& candidate : question.candidates) introduce(candidate.id);
  std::string line = "{\"step\":" + std::to_string(step) +
                     field("point", choice_point_name(question.point)) +
                     ",\"picked\":" + std::to_string(picked) +
                     ",\"at\":" + std::to_string(question.at.count()) + ",\"candidates\":[";
  for (size_t i = 0; i < question.candidates.size(); ++i) {
    const Candidate& candidate = question.candidates[i];
    if (i > 0) line += ',';
    line += "{\"id\":" + std::to_string(candidate.id) + field("label", candidate.label) +
            ",\"fd\":" + std::to_string(candidate.fd) + "}";
  }
  say(line + "]}");
}

void ExploredRun::scheduled(uint64_t id, const char* label, std::string_view about, bool writes) {
  if (!request_.describes) return;
  say("{\"scheduled\":" + std::to_string(id) + field("label", label) + field("about", about) +
      field("place", places_->here()) + ",\"writes\":" + (writes ? "true" : "false") + "}");
}

void ExploredRun::touched(std::string_view about, bool writes) {
  if (!request_.describes) return;
  say("{\"touched\":" + quoted(about) + field("place", places_->here()) +
      ",\"writes\":" + (writes ? "true" : "false") + "}");
}

void ExploredRun::delivered(uint64_t id, const char* label, Nanos at) {
  if (!request_.describes) return;
  introduce(id);
  say("{\"delivered\":" + std::to_string(id) + field("label", label) +
      ",\"at\":" + std::to_string(at.count()) + "}");
}

void ExploredRun::say(std::string line) {
  line += '\n';
  if (line.size() > RunRecord::kMostText - record_->text_size) return;
  std::memcpy(record_->text + record_->text_size, line.data(), line.size());
  record_->text_size += static_cast<uint32_t>(line.size());
}

}  // namespace rondo
