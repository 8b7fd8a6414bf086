// The program `rondo`: parses the command line, creates the parts, runs the loop.
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time/clock.h"
#include "bindings/registry.h"
#include "cli/launch.h"
#include "cli/leak_check.h"
#include "cli/options.h"
#include "cli/options_table.h"
#include "cli/process_setup.h"
#include "explore/recorded_run.h"
#include "explore/run.h"
#include "explore/schedule.h"
#include "io/tty/tty.h"
#include "loop/loop.h"
#include "loop/trace/file.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/platform.h"
#include "runtime/engine/snapshot.h"
#include "runtime/export/address.h"
#include "runtime/export/otlp_exporter.h"
#include "runtime/trace/settings.h"

// The start-up snapshot, linked into the program.
extern "C" const char
    rondo_snapshot_begin[];                  // NOLINT(readability-identifier-naming): the linker's
extern "C" const char rondo_snapshot_end[];  // NOLINT(readability-identifier-naming): the linker's

namespace rondo::cli {

namespace {

constexpr int kBadOption = 9;  // As in Node.

// Ends the process without destroying V8 and the loop, which takes time. Under a sanitizer they are
// destroyed before, to detect leaks.
[[noreturn]] void leave(int code) {
  std::fflush(nullptr);
#if defined(RONDO_ASAN)
  std::exit(code);
#else
  ::_exit(code);
#endif
}

bool report_recording_failure(const std::string& path, const Error& error) {
  std::fprintf(stderr, "rondo: cannot record to '%s': %s\n", path.c_str(), error.message().c_str());
  return false;
}

// Owns the Choice that decides between legal orders: an explored run, a recorded run, a random
// choice, or none.
struct Orders {
  std::optional<ExploredRun> explored;
  std::optional<RecordedRun> recorded;
  std::unique_ptr<Choice> seeded;

  // Returns false if an error was printed.
  bool open(Options& options) {
    if (options.serves_explore) {
      explored.emplace();
      return true;
    }
    const bool writes = !options.record_path.empty();
    const bool is_recorded = writes || options.record;
    if (options.seed && (!is_recorded || options.is_random_order))
      seeded = std::make_unique<SeededChoice>(*options.seed);
    if (!is_recorded) return true;
    recorded.emplace(options.record ? std::move(*options.record) : OrderRecord(),
                     std::move(seeded));
    if (!writes) return true;
    OrderRecord head;
    head.seed = *options.seed;
    head.limits = options.choice_limits;
    head.date = options.virtual_start;
    Result<void> opened = recorded->write_to(options.record_path, head);
    return opened || report_recording_failure(options.record_path, opened.error());
  }

  Choice* choice() {
    if (explored) return &*explored;
    if (recorded) return &*recorded;
    return seeded.get();
  }
};

// The trace of a run, if enabled.
struct Tracing {
  std::unique_ptr<TraceFile> file;
  std::unique_ptr<runtime::FlightRecorder> flight;

  // Returns false if an error was printed.
  bool open(const Options& options, bool is_virtual) {
    if (!options.trace) return true;
    Result<std::unique_ptr<TraceFile>> opened = runtime::open_trace(*options.trace, is_virtual, 0);
    if (!opened) return report_recording_failure(options.trace->path, opened.error());
    file = std::move(*opened);
    if (!options.trace->flight.is_wanted()) return true;
    flight = std::make_unique<runtime::FlightRecorder>(options.trace->flight);
    flight->add(file->ring(), 0);
    return true;
  }

  // Reports on stderr if the trace file is incomplete.
  void report_damage(const Options& options) const {
    if (!file || options.trace->path.empty()) return;
    const char* const path = options.trace->path.c_str();
    const TraceRing& ring = file->ring();
    switch (ring.damage()) {
      case TraceRing::Damage::none: break;
      case TraceRing::Damage::disk_full:
        std::fprintf(stderr, "rondo: the disk was full: '%s' has only the first %.0f ms\n", path,
                     ring.last_time() / 1e6);
        break;
      case TraceRing::Damage::truncated:
        std::fprintf(stderr, "rondo: the recording '%s' is lost: another process truncated it\n",
                     path);
        break;
      case TraceRing::Damage::removed:
        std::fprintf(stderr, "rondo: the recording '%s' is lost: another process removed it\n",
                     path);
        break;
    }
  }
};

// Prints a hint if the script does not exist and its name is nearly that of a command. The error
// follows when lib cannot find the script.
void suggest_command(const Options& options) {
  if (options.mode != "run_main") return;
  const std::string& script = options.realm.args[0];
  const std::string_view command = nearest_command(script);
  if (command.empty() || ::access(script.c_str(), F_OK) == 0 ||
      ::access((script + ".js").c_str(), F_OK) == 0) {
    return;
  }
  std::fprintf(stderr, "rondo: there is no file %s; did you mean the command %s?\n", script.c_str(),
               std::string(command).c_str());
}

// Opens the socket of --metrics. Returns false if an error was printed.
bool open_metrics(const Options& options, Fd& listener) {
  if (!options.metrics) return true;
  runtime::Address address = *options.metrics;
  Result<Fd> opened = runtime::listen_on(address, &address.port);
  if (!opened) {
    std::fprintf(stderr,
                 "rondo: cannot serve metrics on %s: %s; choose another address with "
                 "--metrics=[HOST:]PORT\n",
                 runtime::to_text(*options.metrics).c_str(), opened.error().message().c_str());
    return false;
  }
  listener = std::move(*opened);
  if (options.metrics->port == 0) {
    std::fprintf(stderr, "rondo: metrics are at http://%s/metrics\n",
                 runtime::to_text(address).c_str());
  }
  return true;
}

// Sets what all engines of the process share, except for what depends on tracing and orders.
void set_commons(runtime::Commons& commons, const Options& options, Clock* clock) {
  commons.trace = options.trace;
  commons.snapshot = {rondo_snapshot_begin,
                      // cppcheck-suppress comparePointers ; both ends of one piece of memory
                      static_cast<size_t>(rondo_snapshot_end - rondo_snapshot_begin)};
  commons.bindings = bindings::all();
  commons.clock = clock;
  commons.backend = options.backend;
  commons.parse_exec_args = parse_exec_args;
  commons.parse_node_options = parse_node_options;
  commons.takes_next_argument = takes_next_argument;
}

int run(Options options, [[maybe_unused]] bool checks_leaks) {
  std::unique_ptr<VirtualClock> virtual_clock;
  Clock* clock = &RealClock::instance();
  if (options.is_virtual_time) {
    virtual_clock = std::make_unique<VirtualClock>(options.virtual_start);
    clock = virtual_clock.get();
  }
  runtime::StartTimes started{clock->now(), {}, {}};
  Orders orders;
  Tracing tracing;
  if (!orders.open(options) || !tracing.open(options, clock->is_virtual())) return kBadOption;
  Fd metrics;
  if (!open_metrics(options, metrics)) return 1;
  TraceFile* const trace = tracing.file.get();
  options.realm.trace = trace;
  started.node = clock->now();

  // V8 and the loop each need a thread.
  if (!options.serves_explore && !has_room_for_threads(2)) {
    std::fputs("rondo: cannot start threads: raise the limit of processes (ulimit -u)\n", stderr);
    return 1;
  }
  for (const std::string& flag : options.v8_flags) v8::V8::SetFlagsFromString(flag.c_str());
  started.v8 = clock->now();
  runtime::Platform platform(*clock, options.serves_explore);
  LoopOptions loop_options;
  loop_options.clock = trace != nullptr && !clock->is_virtual() ? &trace->loop_clock() : clock;
  // The start times are on the default clock, and a trace has its own clock.
  if (loop_options.clock == clock) options.realm.started = started;
  loop_options.choice = orders.choice();
  loop_options.choice_limits = options.choice_limits;
  loop_options.backend = options.backend;
  loop_options.trace = trace;
  Result<std::unique_ptr<Loop>> loop = Loop::create(std::move(loop_options));
  if (!loop) {
    std::fprintf(stderr, "rondo: cannot start the event loop: %s\n",
                 loop.error().message().c_str());
    return 1;
  }
  if (trace != nullptr) trace->attach(**loop);
  runtime::Commons commons(platform);
  set_commons(commons, options, clock);
  commons.flight = tracing.flight.get();
  commons.explored_run = orders.explored ? &*orders.explored : nullptr;
  std::optional<runtime::OtlpExporter> otlp;
  if (options.otlp) commons.otlp = &otlp.emplace(std::move(*options.otlp));
  runtime::OpenSnapshot snapshot = runtime::open_snapshot(commons.snapshot, commons.bindings);
  if (!snapshot.problem.empty()) {
    std::fprintf(stderr,
                 "rondo: %s; rondo and librondo-code.so must come from one package or build: "
                 "install or build them "
                 "again\n",
                 snapshot.problem.c_str());
    return 1;
  }
  runtime::EngineOptions engine_options;
  engine_options.snapshot = commons.snapshot;
  engine_options.bindings = commons.bindings;
  engine_options.opened = std::move(snapshot);
  engine_options.commons = &commons;
  engine_options.realm = std::move(options.realm);
  engine_options.has_control = options.has_control;
  engine_options.metrics = std::move(metrics);
  const std::unique_ptr<runtime::Engine> engine =
      std::make_unique<runtime::Engine>(platform, **loop, std::move(engine_options));
  int code = engine->run(options.mode);
  if (orders.recorded) code = orders.recorded->finish(code);
  if (otlp) otlp->finish();
  tracing.report_damage(options);
#if !defined(RONDO_ASAN)
  // The caller checks for leaks after everything has been destroyed.
  if (checks_leaks) return code;
  // Skips the engine, but restores state outside the process: a terminal in raw mode, the control
  // socket.
  engine->close_control();
  engine->realm().drop_states();
  static_cast<void>(Tty::reset_mode());  // A failure cannot be reported any more.
  leave(code);
#endif
  return code;
}

}  // namespace

}  // namespace rondo::cli

int main(int argc, char** argv) {
  using namespace rondo::cli;
  // First, because the program inherits the state of this process.
  if (const int code = launch(argc, argv); code >= 0) return code;
  set_up_process();
  // Keeps freed memory for the next file: getting new pages from the kernel takes twice as long as
  // reading the file (docs/adr/modules/0020).
  ::mallopt(M_MMAP_THRESHOLD, 8 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
  ParsedOptions parsed = parse_options(argc, argv);
  if (!parsed.options) {
    std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return parsed.exit_code;
  }
  suggest_command(*parsed.options);
  const LeakCheck leaks;
  const bool is_server = parsed.options->serves_explore;  // The runs are forks of the server.
  const int code = run(std::move(*parsed.options), leaks.is_wanted() && !is_server);
  leave(is_server ? code : leaks.finish(code));
}
