#include "runtime/engine/platform.h"

#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/engine/worker_threads.h"

// Declared here because V8's host contains Abseil without its headers. Weak: another V8 may be
// built without Abseil.
namespace absl {
enum class OnDeadlockCycle { kIgnore };
// NOLINTNEXTLINE(readability-identifier-naming): the name is Abseil's
[[gnu::weak]] void SetMutexDeadlockDetectionMode(OnDeadlockCycle);
}  // namespace absl

namespace rondo::runtime {
namespace {

// V8's default is one thread less than there are processors. With two processors, a compiler job
// then waits for the previous one, and the program runs unoptimised code meanwhile. Node has four
// threads.
constexpr int kFewestWorkerThreads = 4;

// Replaces V8's entropy source, which opens /dev/urandom and reads 4 KiB for each of five
// generators, 0.1 ms of a start. If this fails, V8 falls back to its own source.
bool read_entropy(unsigned char* buffer, size_t length) {
  constexpr size_t kMost = 256;  // The limit of getentropy(3).
  return length <= kMost && ::getentropy(buffer, length) == 0;
}

// A task that is counted until it has run or was dropped.
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

// The host's Abseil is built with deadlock detection, which looks up each lock of V8 in a graph;
// the first lock fills a table of a megabyte.
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

void ForegroundTasks::set_notifier(const Notifier* notifier) {
  const std::lock_guard lock(mutex_);
  notifier_ = notifier;
}

void ForegroundTasks::post(std::unique_ptr<v8::Task> task, Cause cause) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  posted(cause).tasks.push_back(std::move(task));
  if (notifier_ != nullptr) notifier_->notify(notifier_->argument, cause);
}

void ForegroundTasks::post_delayed(Delayed delayed, Cause cause) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  posted(cause).delayed.push_back(std::move(delayed));
  if (notifier_ != nullptr) notifier_->notify(notifier_->argument, cause);
}

void ForegroundTasks::notify() {
  const std::lock_guard lock(mutex_);
  if (notifier_ != nullptr) notifier_->notify(notifier_->argument, Cause::program);
}

std::vector<std::unique_ptr<v8::Task>> ForegroundTasks::take(bool is_engine_only) {
  const std::lock_guard lock(mutex_);
  std::vector<std::unique_ptr<v8::Task>> taken = std::exchange(of_engine_.tasks, {});
  if (is_engine_only) return taken;
  for (std::unique_ptr<v8::Task>& task : of_program_.tasks) taken.push_back(std::move(task));
  of_program_.tasks.clear();
  return taken;
}

std::vector<ForegroundTasks::Delayed> ForegroundTasks::take_delayed(bool is_engine_only) {
  const std::lock_guard lock(mutex_);
  std::vector<Delayed> taken = std::exchange(of_engine_.delayed, {});
  if (is_engine_only) return taken;
  for (Delayed& one : of_program_.delayed) taken.push_back(std::move(one));
  of_program_.delayed.clear();
  return taken;
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
  for (const std::shared_ptr<ForegroundTasks>& tasks : waiting) tasks->notify();
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
  v8::V8::SetEntropySource(read_entropy);
  if (is_alone) v8::V8::SetFlagsFromString("--single-threaded");
  // A start compiles a few functions with V8's baseline compiler. A background thread would take
  // milliseconds longer: the thread must start, and the first lock sets up a table.
  v8::V8::SetFlagsFromString("--no-concurrent-sparkplug");
  // Functions that have run a few times wait until this much baseline code can be compiled at once.
  // With V8's 4,096 a start compiles 35 functions, most of which then never run again.
  v8::V8::SetFlagsFromString("--baseline-batch-compilation-threshold=32768");
  // As in Node, v8.setFlagsFromString() may be called at any time.
  v8::V8::SetFlagsFromString("--no-freeze-flags-after-init");
  // Node enables `import source`, too.
  v8::V8::SetFlagsFromString("--js-source-phase-imports");
  // Delayed tasks are timers of the loop, so those of the garbage collector would change when
  // virtual time jumps.
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
