#include "runtime/platform.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/worker_threads.h"

// Of Abseil, which V8's host contains without its headers. Another V8 may be built without it.
namespace absl {
enum class OnDeadlockCycle { kIgnore };
[[gnu::weak]] void SetMutexDeadlockDetectionMode(OnDeadlockCycle);
}  // namespace absl

namespace rondo::runtime {
namespace {

// V8's default is a thread per processor but one. On a machine with two, a compiler job then waits
// for the one before it, and the program runs unoptimised code meanwhile. Node has four threads.
constexpr int kFewestWorkerThreads = 4;

// A task that is counted until it has run, or was dropped.
class UrgentTask final : public v8::Task {
 public:
  UrgentTask(std::shared_ptr<UrgentWork> work, std::unique_ptr<v8::Task> task)
      : work_(std::move(work)), task_(std::move(task)) {
    work_->begin();
  }
  ~UrgentTask() override {
    task_.reset();
    work_->end();
  }
  void Run() override { task_->Run(); }

 private:
  std::shared_ptr<UrgentWork> work_;
  std::unique_ptr<v8::Task> task_;
};

// The host's Abseil is built to look for deadlocks: it looks up each lock of V8 in a graph, and the
// first one fills a table of a megabyte.
void stop_looking_for_deadlocks() {
  if (absl::SetMutexDeadlockDetectionMode == nullptr) return;
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

std::unique_ptr<v8::Platform> make_workers(bool is_alone) {
  if (is_alone) return v8::platform::NewSingleThreadedDefaultPlatform();
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  return std::make_unique<WorkerThreads>(std::max(processors - 1, kFewestWorkerThreads));
}

}  // namespace

void ForegroundTasks::set_bell(const Bell* bell) {
  const std::lock_guard lock(mutex_);
  bell_ = bell;
}

void ForegroundTasks::PostTaskImpl(std::unique_ptr<v8::Task> task, const v8::SourceLocation&) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  tasks_.push_back(std::move(task));
  if (bell_ != nullptr) bell_->ring(bell_->argument);
}

void ForegroundTasks::PostDelayedTaskImpl(std::unique_ptr<v8::Task> task, double delay,
                                          const v8::SourceLocation&) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  delayed_.push_back({std::move(task), delay});
  if (bell_ != nullptr) bell_->ring(bell_->argument);
}

void ForegroundTasks::ring() {
  const std::lock_guard lock(mutex_);
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

void UrgentWork::begin() {
  const std::lock_guard lock(mutex_);
  ++count_;
}

void UrgentWork::end() {
  std::set<std::shared_ptr<ForegroundTasks>> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0) waiting.swap(waiting_);
  }
  for (const std::shared_ptr<ForegroundTasks>& tasks : waiting) tasks->ring();
}

bool UrgentWork::wait_for_end(std::shared_ptr<ForegroundTasks> waiting) {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return false;
  waiting_.insert(std::move(waiting));
  return true;
}

void UrgentWork::stop_waiting(const std::shared_ptr<ForegroundTasks>& waiting) {
  const std::lock_guard lock(mutex_);
  waiting_.erase(waiting);
}

Platform::Platform(Clock& clock, bool is_alone) : clock_(clock), workers_(make_workers(is_alone)) {
  stop_looking_for_deadlocks();
  if (is_alone) v8::V8::SetFlagsFromString("--single-threaded");
  // A start compiles a few functions with V8's baseline compiler. On another thread that takes
  // milliseconds longer than here: the thread starts, and the first one to lock sets up a table.
  v8::V8::SetFlagsFromString("--no-concurrent-sparkplug");
  // v8.setFlagsFromString() works at any time in Node.
  v8::V8::SetFlagsFromString("--no-freeze-flags-after-init");
  // `import source` is on in Node, too.
  v8::V8::SetFlagsFromString("--js-source-phase-imports");
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
  urgent_->stop_waiting(tasks);
  tasks->close();
}

void Platform::PostTaskOnWorkerThreadImpl(v8::TaskPriority priority, std::unique_ptr<v8::Task> task,
                                          const v8::SourceLocation& location) {
  if (priority == v8::TaskPriority::kUserBlocking) {
    task = std::make_unique<UrgentTask>(urgent_, std::move(task));
  }
  workers_->PostTaskOnWorkerThread(priority, std::move(task), location);
}

std::shared_ptr<ForegroundTasks> Platform::tasks_of(v8::Isolate* isolate) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<ForegroundTasks>& tasks = tasks_[isolate];
  if (!tasks) tasks = std::make_shared<ForegroundTasks>();
  return tasks;
}

}  // namespace rondo::runtime
