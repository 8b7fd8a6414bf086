// WorkerThreads are the threads that run V8's background tasks, such as compiler jobs and parts of
// garbage collections. V8's own platform starts all threads with the process, which takes longer
// than a short program runs, and aborts if one cannot be started. This class starts one with the
// process, and the others when tasks wait for a thread.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "base/threads/thread.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

class WorkerThreads final : public v8::Platform {
 public:
  static constexpr int kMost = 16;

  // Starts at most `limit` threads. Ends the process if the first one cannot be started; if later
  // ones cannot, the running threads do the work.
  explicit WorkerThreads(int limit);
  // Frees tasks that have not begun, and waits for those that are running.
  ~WorkerThreads() override;
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  int started() const;

  int NumberOfWorkerThreads() override { return limit_; }
  double MonotonicallyIncreasingTime() override;
  double CurrentClockTimeMillis() override;
  v8::TracingController* GetTracingController() override { return &tracing_; }
  // Not implemented: `Platform` has the foreground task runners.
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner(v8::Isolate*, v8::TaskPriority) override {
    return nullptr;
  }

 protected:
  std::unique_ptr<v8::JobHandle> CreateJobImpl(v8::TaskPriority priority,
                                               std::unique_ptr<v8::JobTask> task,
                                               const v8::SourceLocation&) override;
  // Any thread. Urgent tasks run first, best-effort tasks last; tasks of equal priority in order.
  void PostTaskOnWorkerThreadImpl(v8::TaskPriority priority, std::unique_ptr<v8::Task> task,
                                  const v8::SourceLocation&) override;
  void PostDelayedTaskOnWorkerThreadImpl(v8::TaskPriority priority, std::unique_ptr<v8::Task> task,
                                         double delay_in_seconds,
                                         const v8::SourceLocation&) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Delayed {
    v8::TaskPriority priority;
    std::unique_ptr<v8::Task> task;
  };

  bool start_thread();
  void run();
  void release_due_tasks(Clock::time_point now);
  std::unique_ptr<v8::Task> take();

  const int limit_;
  v8::TracingController tracing_;
  mutable std::mutex mutex_;  // Guards the members below.
  std::condition_variable wake_;
  std::array<std::deque<std::unique_ptr<v8::Task>>, 3> queues_;  // By priority.
  std::multimap<Clock::time_point, Delayed> delayed_;
  std::array<Thread, kMost> threads_;
  int started_ = 0;
  int waiting_ = 0;  // Threads without a task.
  size_t queued_ = 0;
  bool is_ending_ = false;
};

}  // namespace rondo::runtime
