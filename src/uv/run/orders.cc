#include "uv/run/orders.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/recorded_run.h"
#include "explore/schedule.h"
#include "uv/core/loop.h"
#include "uv/preload/settings.h"
#include "uv/run/places.h"

namespace rondo::uv {

namespace {

// Once per process, as the order of its callbacks; never freed, because they are used at its end.
Choice* choice = nullptr;
ExploredRun* explored = nullptr;
FunctionPlaces* places = nullptr;    // Of an explored run that is described.
std::vector<uv_loop_t*> open_loops;  // Of the main thread; the last one has run last.

bool is_main_thread() { return ::gettid() == ::getpid(); }

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "rondo uv: %s\n", message.c_str());
  ::_exit(1);
}

// At exit(): an abrupt end leaves a record without its last line.
void finish(int code, void* self) {
  const int other = static_cast<RecordedRun*>(self)->finish(code);
  if (other == code) return;
  std::fflush(nullptr);
  ::_exit(other);
}

void start_recorded_run() {
  const Settings& options = settings();
  OrderRecord record;
  if (!options.schedule.empty()) {
    // `rondo uv` has checked it.
    if (Result<Schedule> schedule = parse_schedule(options.schedule)) {
      record.schedule = std::move(*schedule);
    }
  }
  if (!options.replay.empty()) {
    const std::string problem = read_record(options.replay, record);
    if (!problem.empty()) fail("cannot replay '" + options.replay + "': " + problem);
  }
  std::unique_ptr<Choice> seeded;
  if (options.seed && options.schedule.empty() && options.replay.empty()) {
    seeded = std::make_unique<SeededChoice>(*options.seed);
  }
  auto* const run = new RecordedRun(std::move(record), std::move(seeded));
  if (!options.record.empty()) {
    OrderRecord head;
    head.seed = options.seed.value_or(0);
    head.limits = options.limits;
    head.date = options.clock.value_or(Nanos::zero());
    const Result<void> opened = run->write_to(options.record, head);
    if (!opened) fail("cannot record to '" + options.record + "': " + opened.error().message());
  }
  choice = run;
  ::on_exit(finish, run);
}

// `rondo explore` has made the file: the record, and behind it the request.
void start_explored_run(int fd) {
  explored = new ExploredRun(fd);
  choice = explored;
  std::string text;
  char bytes[4096];
  for (off_t at = sizeof(RunRecord);;) {
    const ssize_t count = ::pread(fd, bytes, sizeof bytes, at);
    if (count <= 0) break;
    text.append(bytes, static_cast<size_t>(count));
    at += count;
  }
  ::close(fd);
  std::optional<ExploredRun::Request> request = ExploredRun::Request::parse(text);
  if (!request) fail("the request of rondo explore is damaged");
  auto found = std::make_unique<FunctionPlaces>();
  if (request->describes) places = found.get();
  explored->begin(std::move(*request), std::move(found));
}

}  // namespace

void start_orders() {
  const Settings& options = settings();
  if (options.run >= 0) {
    start_explored_run(options.run);
  } else if (!options.schedule.empty() || !options.replay.empty() || !options.record.empty()) {
    start_recorded_run();
  } else if (options.seed) {
    choice = new SeededChoice(*options.seed);
  }
}

Choice* choice_of_process() { return choice; }

void enter_loop(uv_loop_t* loop) {
  if (!open_loops.empty() && open_loops.back() == loop) return;
  std::erase(open_loops, loop);
  open_loops.push_back(loop);
  if (explored != nullptr) explored->use(&loop_of(loop));
}

void leave_loop(uv_loop_t* loop) {
  std::erase(open_loops, loop);
  if (explored != nullptr)
    explored->use(open_loops.empty() ? nullptr : &loop_of(open_loops.back()));
}

uv_loop_t* ordered_loop() {
  if (choice == nullptr || !is_main_thread() || open_loops.empty()) return nullptr;
  return open_loops.back();
}

void note_outside(Outside what) {
  if (explored != nullptr) explored->note_outside(what);
}

void note_handle(const Handle& handle) {
  if (places != nullptr && is_main_thread()) places->made(handle);
}

void note_message() {
  if (explored != nullptr && !is_main_thread()) explored->note_outside(Outside::worker);
}

void note_port(uint16_t port) {
  if (explored != nullptr && port != 0) explored->note_port(port);
}

}  // namespace rondo::uv
