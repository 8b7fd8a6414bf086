// V8's view of the machine: its helper threads, its tasks for our thread, and time. Time comes from
// the Clock seam, so that Date follows a virtual clock.
#pragma once

#include <memory>

#include "base/clock.h"
#include "runtime/v8.h"

namespace rondo::runtime {

class Platform final : public v8::Platform {
 public:
  explicit Platform(Clock& clock);
  ~Platform() override;

  // Runs what V8 wants done on this thread; whether there was anything.
  bool run_tasks(v8::Isolate* isolate);

  v8::PageAllocator* GetPageAllocator() override { return inner_->GetPageAllocator(); }
  v8::ZoneBackingAllocator* GetZoneBackingAllocator() override {
    return inner_->GetZoneBackingAllocator();
  }
  int NumberOfWorkerThreads() override { return inner_->NumberOfWorkerThreads(); }
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner(v8::Isolate* isolate) override {
    return inner_->GetForegroundTaskRunner(isolate);
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
    return static_cast<double>(clock_.wall().count() / 1'000'000);
  }
  v8::TracingController* GetTracingController() override {
    return inner_->GetTracingController();
  }

 private:
  Clock& clock_;
  std::unique_ptr<v8::Platform> inner_;
};

}  // namespace rondo::runtime
