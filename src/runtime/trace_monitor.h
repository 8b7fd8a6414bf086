// A thread that looks at a loop which is recorded, and samples the stack of a callback that takes
// long; the flight recorder writes from here, even while JavaScript is stuck.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/thread.h"
#include "loop/trace_file.h"
#include "runtime/flight_recorder.h"
#include "runtime/realm.h"

namespace rondo::runtime {

class TraceMonitor {
 public:
  // `limit`: what takes longer is sampled; `flight` may be null.
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

  std::atomic<double> seen_{0};  // When what was last found busy began.
  double next_sample_ = 0;       // At which age it is sampled again.
  bool is_written_ = false;
  std::atomic<bool> is_asked_{false};
  std::atomic<double> age_{0};

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_ending_ = false;
  Thread thread_;
};

}  // namespace rondo::runtime
