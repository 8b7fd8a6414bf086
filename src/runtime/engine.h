// An Engine is an isolate made from the snapshot, with the realm in it, on a loop: everything that
// runs JavaScript. It owns no policy: main decides what to run.
// Thread: the loop's only.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string_view>

#include "loop/async.h"
#include "loop/phases/timers.h"
#include "runtime/allocator.h"
#include "runtime/binding.h"
#include "runtime/commons.h"
#include "runtime/control.h"
#include "runtime/platform.h"
#include "runtime/realm.h"
#include "runtime/snapshot.h"
#include "runtime/threadsafe_calls.h"

namespace rondo::runtime {

class TraceMonitor;

struct EngineOptions {
  std::string_view snapshot;  // Of make_snapshot(). Must outlive the engine.
  Bindings bindings;
  std::optional<OpenSnapshot> opened;  // The snapshot, if it has been opened before.
  RealmOptions realm;
  ResourceLimits limits;
  uintptr_t stack_limit = 0;   // The lowest address for JavaScript's stack; zero: V8's default.
  Commons* commons = nullptr;  // Null: no workers, and nobody else to talk to.
  bool has_control = false;    // `rondo why` and `rondo top` may ask.
};

class Engine {
 public:
  Engine(Platform& platform, Loop& loop, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Realm& realm() { return *realm_; }

  // Runs lib's start function, which runs the program's entry point as `mode` says ("run_main",
  // "eval_string"...), then the loop until nothing is left, with beforeExit and exit. Returns the
  // exit code.
  int run(std::string_view mode);

  // Any thread, while the engine lives: ends the run with this code, whatever it is doing.
  void stop(int code);
  // Nobody may ask any more: before a process ends without freeing its engine.
  void close_control() {
    if (control_) control_->close();
  }

 private:
  void spin();
  // What V8 has posted for this thread: starts a timer for each delayed task, then runs the others,
  // each as a callback of its own. Whether there was anything.
  bool run_tasks();
  void run_task(std::unique_ptr<v8::Task> task);
  void start_delayed(ForegroundTasks::Delayed delayed);
  void on_async();

  Platform& platform_;
  OpenSnapshot snapshot_;
  v8::StartupData blob_;
  TraceFile* trace_;  // Null: nobody records.
  // Memory may outlive the isolate, in messages to others.
  std::shared_ptr<CountingAllocator> allocator_ = std::make_shared<CountingAllocator>();
  v8::Isolate* isolate_ = nullptr;
  std::unique_ptr<Realm> realm_;
  std::unique_ptr<TraceMonitor> monitor_;
  // Wakes the loop when V8 has something for its thread: finalization callbacks, mostly.
  Owned<Async> tasks_;
  std::unique_ptr<ThreadsafeCalls> threadsafe_calls_;
  // A delayed task (Atomics.waitAsync, the collector) does not keep the loop alive, as in Node.
  struct DelayedTask {
    Owned<Timer> timer;
    std::unique_ptr<v8::Task> task;
  };
  std::list<DelayedTask> delayed_;
  ForegroundTasks::Bell bell_{};
  bool is_waiting_ = false;  // Keeps the loop alive for a result of V8's threads: tasks_ has a ref.
  std::unique_ptr<Control> control_;
};

}  // namespace rondo::runtime
