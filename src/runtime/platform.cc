#include "runtime/platform.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace rondo::runtime {
namespace {

// V8's default is a thread per processor but one. On a machine with two, a compiler job then waits
// for the one before it, and the program runs unoptimised code meanwhile. Node has four threads.
constexpr int kFewestWorkerThreads = 4;

constexpr int kMostWorkerThreads = 16;  // V8's own limit.

}  // namespace

int Platform::worker_threads() {
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(processors - 1, kFewestWorkerThreads, kMostWorkerThreads);
}

void ForegroundTasks::set_bell(const Bell* bell) {
  const std::lock_guard lock(mutex_);
  bell_ = bell;
}

void ForegroundTasks::PostTask(std::unique_ptr<v8::Task> task) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  tasks_.push_back(std::move(task));
  if (bell_ != nullptr) bell_->ring(bell_->argument);
}

void ForegroundTasks::PostDelayedTask(std::unique_ptr<v8::Task> task, double delay) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  delayed_.push_back({std::move(task), delay});
  if (bell_ != nullptr) bell_->ring(bell_->argument);
}

std::vector<std::unique_ptr<v8::Task>> ForegroundTasks::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(tasks_, {});
}

std::vector<ForegroundTasks::Delayed> ForegroundTasks::take_delayed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(delayed_, {});
}

void ForegroundTasks::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  take();
  take_delayed();
}

Platform::Platform(Clock& clock, bool is_alone)
    : clock_(clock),
      inner_(is_alone ? v8::platform::NewSingleThreadedDefaultPlatform()
                      : v8::platform::NewDefaultPlatform(worker_threads())) {
  if (is_alone) v8::V8::SetFlagsFromString("--single-threaded");
  // On in Node, and off in the library that Debian makes of it.
  v8::V8::SetFlagsFromString("--harmony-import-assertions");
  // Off by default in this V8; without it the fast forms of bindings' functions are never called.
  v8::V8::SetFlagsFromString("--turbo-fast-api-calls");
  // Delayed tasks are timers of the loop: those of the collector would change when virtual time
  // jumps.
  if (clock.is_virtual()) {
    v8::V8::SetFlagsFromString("--no-memory-reducer");
    v8::V8::SetFlagsFromString("--no-incremental-marking-task");
  }
  v8::V8::InitializePlatform(this);
  v8::V8::Initialize();
}

Platform::~Platform() {
  v8::V8::Dispose();
  v8::V8::DisposePlatform();
}

void Platform::forget(v8::Isolate* isolate) {
  std::shared_ptr<ForegroundTasks> tasks;
  {
    const std::lock_guard lock(mutex_);
    const auto found = tasks_.find(isolate);
    if (found == tasks_.end()) return;
    tasks = std::move(found->second);
    tasks_.erase(found);
  }
  tasks->close();
}

std::shared_ptr<ForegroundTasks> Platform::tasks_of(v8::Isolate* isolate) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<ForegroundTasks>& tasks = tasks_[isolate];
  if (!tasks) tasks = std::make_shared<ForegroundTasks>();
  return tasks;
}

}  // namespace rondo::runtime
