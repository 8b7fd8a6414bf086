#include "runtime/worker/worker.h"

#include <sys/prctl.h>

#include <algorithm>

#include "loop/trace/file.h"

namespace rondo::runtime {

namespace {

constexpr size_t kMegabyte = size_t{1} << 20;
// The stack below JavaScript's limit that V8's native code needs.
constexpr size_t kStackForNativeCode = 192 * 1024;
// V8 cannot start with a smaller stack.
constexpr size_t kLeastStack = kMegabyte;
// With a smaller heap V8 would abort the process while reading the snapshot.
constexpr double kLeastHeapMb = 4;
// Extra heap for an isolate that is full, while its JavaScript is terminated.
constexpr size_t kHeapToEndWith = 16 * kMegabyte;

}  // namespace

Worker::Worker(Commons& commons, WorkerOptions options, Port::Notifier on_end)
    : commons_(commons), options_(std::move(options)), on_end_(on_end) {}

Worker::~Worker() {
  stop(1);
  join();
  leave_directory();
}

void Worker::leave_directory() {
  if (options_.realm.worker) commons_.threads.remove(options_.realm.worker->thread_id);
}

size_t Worker::stack_size() const {
  const auto size = static_cast<size_t>(options_.limits.stack_mb * kMegabyte);
  return std::max(size, kLeastStack);
}

Clock& Worker::clock() const {
  if (commons_.clock != nullptr) return *commons_.clock;
  return RealClock::instance();
}

bool Worker::start() {
  clock().join(between_);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, stack_size());
  has_thread_ = ::pthread_create(
                    &thread_, &attributes,
                    [](void* self) -> void* {
                      static_cast<Worker*>(self)->run();
                      return nullptr;
                    },
                    this) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!has_thread_) {
    failure_ = Failure::no_thread;
    clock().leave(between_);
  }
  return has_thread_;
}

void Worker::stop(int code) {
  const std::lock_guard lock(mutex_);
  is_stopping_ = true;
  // As in Node, a worker that has not begun ends as if it had nothing to do.
  if (engine_ != nullptr) engine_->stop(code);
}

void Worker::join() {
  if (!has_thread_) return;
  ::pthread_join(thread_, nullptr);
  has_thread_ = false;
}

bool Worker::read_times(LoopTimes* times) {
  const std::lock_guard lock(mutex_);
  if (engine_ == nullptr) return false;
  const Loop& loop = engine_->realm().loop();
  const Nanos idle = loop.idle_time(engine_->realm().loop().clock().now());
  times->idle_ms = static_cast<double>(idle.count()) / 1e6;
  times->now_ms = engine_->realm().now_ms() - engine_->realm().to_ms(engine_->realm().made_at());
  return true;
}

void Worker::run() {
  const std::string name = "worker " + std::to_string(options_.realm.worker->thread_id);
  ::prctl(PR_SET_NAME, name.c_str());
  LoopOptions loop_options;
  loop_options.clock = commons_.clock;
  loop_options.backend = commons_.backend;
  // If the trace cannot be opened, the worker runs without it.
  std::unique_ptr<TraceFile> trace;
  if (commons_.trace) {
    Result<std::unique_ptr<TraceFile>> file =
        open_trace(*commons_.trace, clock().is_virtual(), options_.realm.worker->thread_id);
    if (file) trace = std::move(*file);
  }
  loop_options.trace = trace.get();
  {
    Result<std::unique_ptr<Loop>> loop = Loop::create(std::move(loop_options));
    if (loop) {
      if (trace) trace->attach(**loop);
      clock().leave(between_);
      FlightRecorder* const flight = trace ? commons_.flight : nullptr;
      if (flight != nullptr) flight->add(trace->ring(), options_.realm.worker->thread_id);
      run_engine(**loop, trace.get());
      if (flight != nullptr) flight->remove(trace->ring());
      clock().join(between_);
    } else {
      failure_ = Failure::no_loop;
      exit_code_ = 1;
    }
  }
  on_end_.notify(on_end_.argument);
  clock().leave(between_);
}

void Worker::run_engine(Loop& loop, TraceFile* trace) {
  if (options_.limits.old_mb > 0 && options_.limits.old_mb < kLeastHeapMb) {
    failure_ = Failure::out_of_memory;
    exit_code_ = 1;
    return;
  }
  EngineOptions options;
  options.snapshot = commons_.snapshot;
  options.bindings = commons_.bindings;
  options.realm = options_.realm;
  // The engine owns the port from now on, so that it is closed on this thread when the engine ends.
  options_.realm.worker->port.reset();
  options.realm.trace = trace;
  options.limits = options_.limits;
  options.commons = &commons_;
  // Stacks grow downwards, and this frame is near the upper end.
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  options.stack_limit = here - (stack_size() - kStackForNativeCode);
  Engine engine(commons_.platform, loop, std::move(options));
  v8::Isolate* const isolate = engine.realm().isolate();
  isolate->AddNearHeapLimitCallback(on_near_heap_limit, this);
  bool is_wanted = true;
  {
    const std::lock_guard lock(mutex_);
    engine_ = &engine;
    is_wanted = !is_stopping_;
  }
  if (is_wanted) exit_code_ = engine.run("worker_thread");
  isolate->RemoveNearHeapLimitCallback(on_near_heap_limit, 0);
  leave_directory();
  const std::lock_guard lock(mutex_);
  engine_ = nullptr;
}

size_t Worker::on_near_heap_limit(void* self, size_t current, size_t) {
  auto* const worker = static_cast<Worker*>(self);
  worker->failure_ = Failure::out_of_memory;
  worker->stop(1);
  return current + kHeapToEndWith;
}

}  // namespace rondo::runtime
