// An Engine runs JavaScript: an isolate created from the snapshot, with its realm, on a loop. main
// decides which program to run. Thread: the loop's only.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string_view>

#include "loop/async.h"
#include "loop/phases/idle.h"
#include "loop/phases/timers.h"
#include "runtime/control/control.h"
#include "runtime/control/loop_query.h"
#include "runtime/engine/allocator.h"
#include "runtime/engine/commons.h"
#include "runtime/engine/platform.h"
#include "runtime/engine/realm.h"
#include "runtime/engine/snapshot.h"
#include "runtime/export/metrics_server.h"
#include "runtime/values/binding.h"
#include "runtime/worker/threadsafe_calls.h"

namespace rondo::runtime {

class TraceMonitor;

struct EngineOptions {
  std::string_view snapshot;  // From make_snapshot(). Must outlive the engine.
  Bindings bindings;
  std::optional<OpenSnapshot> opened;  // The snapshot, if it has been opened before.
  RealmOptions realm;
  ResourceLimits limits;
  uintptr_t stack_limit = 0;   // The lowest address for JavaScript's stack; zero: V8's default.
  Commons* commons = nullptr;  // Null: no workers and no messages between threads.
  bool has_control = false;    // Answers `rondo why` and `rondo top`.
  Fd metrics;                  // A listening socket, to serve metrics on.
};

class Engine {
 public:
  Engine(Platform& platform, Loop& loop, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Realm& realm() { return *realm_; }

  // Runs lib's start function, which runs the program's entry point according to `mode`
  // ("run_main", "eval_string"...), then the loop until no handle keeps it alive, and emits
  // beforeExit and exit. Returns the exit code.
  int run(std::string_view mode);

  // Ends the run with this exit code, even while JavaScript runs. Thread: any, while the engine
  // exists.
  void stop(int code);
  // Stops accepting queries. Call it before a process ends without freeing its engine.
  void close_control() {
    queries_->close();
    if (metrics_) metrics_->close();
    if (control_) control_->close();
  }

 private:
  void spin();
  // Takes the tasks that V8 has posted for this thread: starts a timer for each delayed task, then
  // runs each of the others as a callback of its own. Returns false if there were none.
  bool run_tasks(bool is_engine_only = false);
  void run_task(std::unique_ptr<v8::Task> task);
  void start_delayed(ForegroundTasks::Delayed delayed);
  void on_async();
  // Makes the loop take V8's tasks. Thread: any.
  void on_task_posted(ForegroundTasks::Cause cause);

  Platform& platform_;
  OpenSnapshot snapshot_;
  v8::StartupData blob_;
  TraceFile* trace_;  // Null: not traced.
  // Shared, because memory may outlive the isolate, in messages to other threads.
  std::shared_ptr<CountingAllocator> allocator_ = std::make_shared<CountingAllocator>();
  v8::Isolate* isolate_ = nullptr;
  std::unique_ptr<Realm> realm_;
  std::unique_ptr<TraceMonitor> monitor_;
  // Wakes the loop when the program has caused a task, or another thread has posted one, such as
  // the end of a WebAssembly compilation.
  Owned<Async> tasks_;
  // Active while there are other tasks, which V8 posts from this thread. An Async would write to
  // the descriptor of the pool's results and change its position among the ready descriptors, so
  // that the order of callbacks would depend on the garbage collector (POL-08).
  Owned<Idle> engine_tasks_;
  std::unique_ptr<ThreadsafeCalls> threadsafe_calls_;
  // A delayed task (Atomics.waitAsync, the collector) does not keep the loop alive, as in Node.
  struct DelayedTask {
    Owned<Timer> timer;
    std::unique_ptr<v8::Task> task;
  };
  std::list<DelayedTask> delayed_;
  ForegroundTasks::Notifier notifier_{};
  bool is_waiting_ = false;  // Keeps the loop alive for a result of V8's threads: tasks_ has a ref.
  std::unique_ptr<LoopQuery> queries_;
  std::unique_ptr<Control> control_;
  std::unique_ptr<MetricsServer> metrics_;
};

}  // namespace rondo::runtime
