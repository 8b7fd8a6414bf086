// V8's view of the machine: its helper threads, its tasks for our thread, and time. Time comes from
// the Clock seam, so that Date follows a virtual clock.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "runtime/v8.h"

namespace rondo::runtime {

// The queue of V8's tasks for one isolate's thread. V8 posts from any thread; the loop's thread
// takes the tasks and runs them. Delayed tasks become timers of the loop, so they follow its clock.
class ForegroundTasks final : public v8::TaskRunner {
 public:
  struct Delayed {
    std::unique_ptr<v8::Task> task;
    double delay;  // Seconds.
  };

  void PostTask(std::unique_ptr<v8::Task> task) override;
  void PostNonNestableTask(std::unique_ptr<v8::Task> task) override { PostTask(std::move(task)); }
  void PostDelayedTask(std::unique_ptr<v8::Task> task, double delay) override;
  void PostNonNestableDelayedTask(std::unique_ptr<v8::Task> task, double delay) override {
    PostDelayedTask(std::move(task), delay);
  }
  void PostIdleTask(std::unique_ptr<v8::IdleTask>) override {}
  bool IdleTasksEnabled() override { return false; }
  // The loop never runs inside a task, so no task is ever nested.
  bool NonNestableTasksEnabled() const override { return true; }
  bool NonNestableDelayedTasksEnabled() const override { return true; }

  // What was posted since the last call, in order.
  std::vector<std::unique_ptr<v8::Task>> take();
  std::vector<Delayed> take_delayed();
  // Frees all tasks; later ones are refused.
  void close();

  // `bell` may be rung from any thread, and wakes the loop, which then takes the tasks. Null,
  // before the loop ends.
  struct Bell {
    void (*ring)(void*);
    void* argument;
  };
  void set_bell(const Bell* bell);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<v8::Task>> tasks_;
  std::vector<Delayed> delayed_;
  bool is_closed_ = false;
  const Bell* bell_ = nullptr;
};

class Platform final : public v8::Platform {
 public:
  // How many threads V8 is given.
  static int worker_threads();
  // Alone: V8 starts no threads, so that the process can be forked.
  explicit Platform(Clock& clock, bool is_alone = false);
  ~Platform() override;

  // What V8 wants done on the thread of this isolate.
  std::shared_ptr<ForegroundTasks> tasks_of(v8::Isolate* isolate);

  // Before and after the isolate is disposed of: another may get its address.
  void forget(v8::Isolate* isolate);

  v8::PageAllocator* GetPageAllocator() override { return inner_->GetPageAllocator(); }
  v8::ZoneBackingAllocator* GetZoneBackingAllocator() override {
    return inner_->GetZoneBackingAllocator();
  }
  int NumberOfWorkerThreads() override { return inner_->NumberOfWorkerThreads(); }
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner(v8::Isolate* isolate) override {
    return tasks_of(isolate);
  }
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
  Clock& clock_;
  std::unique_ptr<v8::Platform> inner_;
  std::mutex mutex_;
  std::map<v8::Isolate*, std::shared_ptr<ForegroundTasks>> tasks_;
};

}  // namespace rondo::runtime
