// Platform implements V8's platform interface: helper threads, tasks for the loop's thread, and
// time. Time comes from Clock, so that Date follows a virtual clock.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/time/clock.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

// The queue of V8's tasks for one isolate's thread. V8 posts from any thread; the loop's thread
// takes the tasks and runs them. Delayed tasks become timers of the loop, so they follow its clock.
class ForegroundTasks final : public v8::TaskRunner {
 public:
  struct Delayed {
    std::unique_ptr<v8::Task> task;
    double delay;  // Seconds.
  };

  bool IdleTasksEnabled() override { return false; }
  // The loop never runs inside a task, so no task is ever nested.
  bool NonNestableTasksEnabled() const override { return true; }
  bool NonNestableDelayedTasksEnabled() const override { return true; }

  // Take the tasks posted since the last call, in order for each cause: all of them, or only the
  // engine's.
  std::vector<std::unique_ptr<v8::Task>> take(bool is_engine_only = false);
  std::vector<Delayed> take_delayed(bool is_engine_only = false);
  // Frees all tasks and rejects later ones.
  void close();

  // The cause of a task. The program causes those of Atomics.notify() and waitAsync(), which V8
  // posts with the highest priority, as tasks that must not be nested. V8 itself causes the others,
  // mostly those of the garbage collector.
  enum class Cause { program, engine };
  // `notifier` may be called from any thread, and wakes the loop, which then takes the tasks. Null,
  // before the loop ends.
  struct Notifier {
    void (*notify)(void*, Cause);
    void* argument;
  };
  void set_notifier(const Notifier* notifier);
  // Wakes the loop, if there is one.
  void notify();

  // The runner for tasks with a lower priority; they go to the same queue.
  v8::TaskRunner& with_lower_priority() { return lower_; }

 protected:
  void PostTaskImpl(std::unique_ptr<v8::Task> task, const v8::SourceLocation&) override {
    post(std::move(task), Cause::engine);
  }
  void PostNonNestableTaskImpl(std::unique_ptr<v8::Task> task, const v8::SourceLocation&) override {
    post(std::move(task), Cause::program);
  }
  void PostDelayedTaskImpl(std::unique_ptr<v8::Task> task, double delay,
                           const v8::SourceLocation&) override {
    post_delayed({std::move(task), delay}, Cause::engine);
  }
  void PostNonNestableDelayedTaskImpl(std::unique_ptr<v8::Task> task, double delay,
                                      const v8::SourceLocation&) override {
    post_delayed({std::move(task), delay}, Cause::program);
  }

 private:
  class LowerPriority final : public v8::TaskRunner {
   public:
    explicit LowerPriority(ForegroundTasks& tasks) : tasks_(tasks) {}
    bool IdleTasksEnabled() override { return false; }
    bool NonNestableTasksEnabled() const override { return true; }
    bool NonNestableDelayedTasksEnabled() const override { return true; }

   protected:
    void PostTaskImpl(std::unique_ptr<v8::Task> task, const v8::SourceLocation&) override {
      tasks_.post(std::move(task), Cause::engine);
    }
    void PostNonNestableTaskImpl(std::unique_ptr<v8::Task> task,
                                 const v8::SourceLocation& location) override {
      PostTaskImpl(std::move(task), location);
    }
    void PostDelayedTaskImpl(std::unique_ptr<v8::Task> task, double delay,
                             const v8::SourceLocation&) override {
      tasks_.post_delayed({std::move(task), delay}, Cause::engine);
    }
    void PostNonNestableDelayedTaskImpl(std::unique_ptr<v8::Task> task, double delay,
                                        const v8::SourceLocation& location) override {
      PostDelayedTaskImpl(std::move(task), delay, location);
    }

   private:
    ForegroundTasks& tasks_;
  };

  void post(std::unique_ptr<v8::Task> task, Cause cause);
  void post_delayed(Delayed delayed, Cause cause);

  std::mutex mutex_;
  struct Posted {
    std::vector<std::unique_ptr<v8::Task>> tasks;
    std::vector<Delayed> delayed;
  };
  Posted& posted(Cause cause) { return cause == Cause::engine ? of_engine_ : of_program_; }
  Posted of_engine_;
  Posted of_program_;
  bool is_closed_ = false;
  const Notifier* notifier_ = nullptr;
  LowerPriority lower_{*this};
};

// Counts V8's background tasks that promises of a program wait for: asynchronous compilation of
// WebAssembly, which V8 posts with the highest priority. Thread: any.
class UrgentWork {
 public:
  void begin();
  void end();
  // Returns true if tasks are in flight; then wakes the loop of `waiting` once all are done.
  bool wait_for_end(std::shared_ptr<ForegroundTasks> waiting);
  void stop_waiting(const std::shared_ptr<ForegroundTasks>& waiting);

 private:
  std::mutex mutex_;
  int count_ = 0;
  std::set<std::shared_ptr<ForegroundTasks>> waiting_;
};

class Platform final : public v8::Platform {
 public:
  // `is_alone`: V8 starts no threads, so that the process can be forked.
  explicit Platform(Clock& clock, bool is_alone = false);
  ~Platform() override;

  // V8's tasks for the thread of this isolate.
  std::shared_ptr<ForegroundTasks> tasks_of(v8::Isolate* isolate);

  // True if V8's threads work on something that a program waits for; then the isolate's notifier
  // is called when they are done. V8 posts the result before that, so a caller that gets false and
  // then runs the foreground tasks misses none.
  bool notify_when_work_ends(v8::Isolate* isolate) {
    return urgent_->wait_for_end(tasks_of(isolate));
  }

  // Called before and after the isolate is disposed of, because another isolate may get its
  // address.
  void forget(v8::Isolate* isolate);

  int NumberOfWorkerThreads() override { return workers_->NumberOfWorkerThreads(); }
  // All priorities use one queue: tasks run in the order in which V8 posts them.
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner(v8::Isolate* isolate,
                                                          v8::TaskPriority priority) override {
    std::shared_ptr<ForegroundTasks> tasks = tasks_of(isolate);
    if (priority == v8::TaskPriority::kUserBlocking) return tasks;
    v8::TaskRunner* const lower = &tasks->with_lower_priority();
    return {std::move(tasks), lower};
  }
  double MonotonicallyIncreasingTime() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  double CurrentClockTimeMillis() override {
    const int64_t whole = clock_.wall().count() / 1'000'000;
    return static_cast<double>(whole);
  }
  v8::TracingController* GetTracingController() override { return &tracing_; }

 protected:
  std::unique_ptr<v8::JobHandle> CreateJobImpl(v8::TaskPriority priority,
                                               std::unique_ptr<v8::JobTask> task,
                                               const v8::SourceLocation& location) override {
    return workers_->CreateJob(priority, std::move(task), location);
  }
  void PostTaskOnWorkerThreadImpl(v8::TaskPriority priority, std::unique_ptr<v8::Task> task,
                                  const v8::SourceLocation& location) override;
  void PostDelayedTaskOnWorkerThreadImpl(v8::TaskPriority priority, std::unique_ptr<v8::Task> task,
                                         double delay,
                                         const v8::SourceLocation& location) override {
    workers_->PostDelayedTaskOnWorkerThread(priority, std::move(task), delay, location);
  }

 private:
  Clock& clock_;
  v8::TracingController tracing_;
  std::shared_ptr<UrgentWork> urgent_ = std::make_shared<UrgentWork>();
  std::unique_ptr<v8::Platform> workers_;  // Runs V8's background tasks.
  std::mutex mutex_;
  std::map<v8::Isolate*, std::shared_ptr<ForegroundTasks>> tasks_;
};

}  // namespace rondo::runtime
