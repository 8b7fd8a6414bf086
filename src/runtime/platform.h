// V8's view of the machine: its helper threads, its tasks for our thread, and time. Time comes from
// the Clock seam, so that Date follows a virtual clock.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "base/clock.h"
#include "runtime/v8.h"

namespace rondo::runtime {

// Passes V8's tasks for the loop's thread on, and rings a bell for each. Any thread.
class ForegroundTasks final : public v8::TaskRunner {
 public:
  explicit ForegroundTasks(std::shared_ptr<v8::TaskRunner> inner) : inner_(std::move(inner)) {}

  void PostTask(std::unique_ptr<v8::Task> task) override {
    inner_->PostTask(std::move(task));
    ring();
  }
  void PostNonNestableTask(std::unique_ptr<v8::Task> task) override {
    inner_->PostNonNestableTask(std::move(task));
    ring();
  }
  // Late is as good: the bell rings at once, and again with whatever comes next.
  void PostDelayedTask(std::unique_ptr<v8::Task> task, double delay) override {
    inner_->PostDelayedTask(std::move(task), delay);
    ring();
  }
  void PostNonNestableDelayedTask(std::unique_ptr<v8::Task> task, double delay) override {
    inner_->PostNonNestableDelayedTask(std::move(task), delay);
    ring();
  }
  void PostIdleTask(std::unique_ptr<v8::IdleTask>) override {}
  bool IdleTasksEnabled() override { return false; }
  bool NonNestableTasksEnabled() const override { return inner_->NonNestableTasksEnabled(); }
  bool NonNestableDelayedTasksEnabled() const override {
    return inner_->NonNestableDelayedTasksEnabled();
  }

  // `bell` may be rung from any thread, and wakes the loop, which then runs the tasks. Null, before
  // the loop ends.
  struct Bell {
    void (*ring)(void*);
    void* argument;
  };
  void set_bell(const Bell* bell);

 private:
  void ring();

  std::shared_ptr<v8::TaskRunner> inner_;
  std::mutex mutex_;  // Between ringing and taking the bell away.
  const Bell* bell_ = nullptr;
};

class Platform final : public v8::Platform {
 public:
  // Alone: V8 starts no threads, so that the process can be forked.
  explicit Platform(Clock& clock, bool is_alone = false);
  ~Platform() override;

  // Runs what V8 wants done on this thread; whether there was anything.
  bool run_tasks(v8::Isolate* isolate);
  // See ForegroundTasks. One isolate has a bell at a time: the one whose loop this is.
  void set_bell(v8::Isolate* isolate, const ForegroundTasks::Bell* bell);

  // Before and after the isolate is disposed of: another may get its address.
  void forget(v8::Isolate* isolate);

  v8::PageAllocator* GetPageAllocator() override { return inner_->GetPageAllocator(); }
  v8::ZoneBackingAllocator* GetZoneBackingAllocator() override {
    return inner_->GetZoneBackingAllocator();
  }
  int NumberOfWorkerThreads() override { return inner_->NumberOfWorkerThreads(); }
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner(v8::Isolate* isolate) override;
  void CallOnWorkerThread(std::unique_ptr<v8::Task> task) override {
    inner_->CallOnWorkerThread(std::move(task));
  }
  void CallBlockingTaskOnWorkerThread(std::unique_ptr<v8::Task> task) override {
    inner_->CallBlockingTaskOnWorkerThread(std::move(task));
  }
  void CallLowPriorityTaskOnWorkerThread(std::unique_ptr<v8::Task> task) override {
    inner_->CallLowPriorityTaskOnWorkerThread(std::move(task));
  }
  void CallDelayedOnWorkerThread(std::unique_ptr<v8::Task> task, double delay) override {
    inner_->CallDelayedOnWorkerThread(std::move(task), delay);
  }
  std::unique_ptr<v8::JobHandle> PostJob(v8::TaskPriority priority,
                                         std::unique_ptr<v8::JobTask> task) override {
    return inner_->PostJob(priority, std::move(task));
  }
  double MonotonicallyIncreasingTime() override { return inner_->MonotonicallyIncreasingTime(); }
  double CurrentClockTimeMillis() override {
    const int64_t whole = clock_.wall().count() / 1'000'000;
    return static_cast<double>(whole);
  }
  v8::TracingController* GetTracingController() override { return inner_->GetTracingController(); }

 private:
  std::shared_ptr<ForegroundTasks> tasks_of(v8::Isolate* isolate);

  Clock& clock_;
  std::unique_ptr<v8::Platform> inner_;
  std::mutex mutex_;
  std::map<v8::Isolate*, std::shared_ptr<ForegroundTasks>> tasks_;
};

}  // namespace rondo::runtime
