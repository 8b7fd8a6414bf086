// TraceMonitor is a thread that monitors a traced loop and samples the stack of a slow callback.
// The flight recorder writes from this thread, even while JavaScript blocks the loop.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/threads/thread.h"
#include "loop/trace/file.h"
#include "runtime/engine/realm.h"
#include "runtime/trace/flight_recorder.h"

namespace rondo::runtime {

class TraceMonitor {
 public:
  // The stacks of callbacks that take longer than `limit` are sampled; `flight` may be null.
  TraceMonitor(Realm& realm, TraceFile& trace, std::chrono::milliseconds limit,
               FlightRecorder* flight);
  ~TraceMonitor();
  TraceMonitor(const TraceMonitor&) = delete;
  TraceMonitor& operator=(const TraceMonitor&) = delete;

 private:
  void run();
  void look();
  void sample(double age);
  static void on_interrupt(v8::Isolate* isolate, void* self);

  Realm& realm_;
  v8::Isolate* const isolate_;
  TraceFile& trace_;
  const std::chrono::milliseconds limit_;
  FlightRecorder* const flight_;

  std::atomic<double> seen_{0};  // Start of the callback that was last found running.
  double next_sample_ = 0;       // The age of that callback at the next sample.
  bool is_written_ = false;
  std::atomic<bool> is_sample_requested_{false};
  std::atomic<double> age_{0};

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_ending_ = false;
  Thread thread_;
};

}  // namespace rondo::runtime
