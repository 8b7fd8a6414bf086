// A Worker is an engine on a thread of its own, with its own isolate, realm and loop, created from
// the process's Commons. It communicates with its creator through ports only. Thread: the
// creator's, unless a function says otherwise.
#pragma once

#include <pthread.h>

#include <memory>
#include <mutex>
#include <string>

#include "base/threads/port.h"
#include "runtime/engine/engine.h"

namespace rondo::runtime {

struct WorkerOptions {
  RealmOptions realm;  // Its `worker` is set.
  ResourceLimits limits;
};

class Worker {
 public:
  enum class Failure : uint8_t { none, no_thread, no_loop, out_of_memory };

  // `on_end` is called once, on the worker's thread, as its last action.
  Worker(Commons& commons, WorkerOptions options, Port::Notifier on_end);
  // Stops it, and waits for its end.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Returns false if the system cannot start a thread.
  bool start();
  // Stops the worker as if it had called process.exit(code) without listeners. Allowed before it
  // has started and after it has ended, too.
  void stop(int code);
  // Waits for the thread; the results below are valid from then on.
  void join();
  int exit_code() const { return exit_code_; }
  Failure failure() const { return failure_; }

  // The time that the worker's loop has slept, and its clock, in ms since its realm began; false if
  // it is not running.
  struct LoopTimes {
    double idle_ms = 0;
    double now_ms = 0;
  };
  bool read_times(LoopTimes* times);

 private:
  // Marks the thread as busy to a virtual clock while it has no loop, at its beginning and end, so
  // that the clock does not jump then.
  class Between final : public ClockUser {
    bool has_news() const override { return false; }
    void wake() override {}
  };

  Clock& clock() const;
  void run();
  void run_engine(Loop& loop, TraceFile* trace);
  size_t stack_size() const;
  void leave_directory();
  static size_t on_near_heap_limit(void* self, size_t current, size_t initial);

  Commons& commons_;
  WorkerOptions options_;
  const Port::Notifier on_end_;
  pthread_t thread_{};
  bool has_thread_ = false;
  // Written by the thread before it ends, read after join().
  int exit_code_ = 0;
  Failure failure_ = Failure::none;

  Between between_;

  std::mutex mutex_;          // Guards the members below.
  Engine* engine_ = nullptr;  // Null unless the worker can be stopped.
  bool is_stopping_ = false;
};

}  // namespace rondo::runtime
