// The FlightRecorder writes the most recent trace records to a file when a trigger of --trace-on
// fires. One per process, for the loops of all its threads. Thread: any.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/threads/thread.h"

namespace rondo {
class TraceRing;
}

namespace rondo::runtime {

struct FlightOptions {
  bool on_signal = false;  // SIGUSR2
  bool on_uncaught = false;
  std::chrono::milliseconds blocked{0};  // Zero: never.
  std::string folder;                    // Empty: the current folder when the file is written.
  bool is_wanted() const { return on_signal || on_uncaught || blocked.count() > 0; }
};

class FlightRecorder {
 public:
  explicit FlightRecorder(FlightOptions options);
  ~FlightRecorder();
  FlightRecorder(const FlightRecorder&) = delete;
  FlightRecorder& operator=(const FlightRecorder&) = delete;

  const FlightOptions& options() const { return options_; }
  void add(const TraceRing& ring, uint32_t thread_id);
  void remove(const TraceRing& ring);

  // Writes rondo-PID-N.rtrace and reports the file, with the reason, on stderr. The number of files
  // is limited, except for those that a user requests.
  void write(const std::string& what, bool is_requested);

 private:
  void serve_signals();

  const FlightOptions options_;
  std::mutex mutex_;
  std::vector<std::pair<const TraceRing*, uint32_t>> rings_;
  unsigned written_ = 0;
  unsigned unrequested_ = 0;
  sem_t semaphore_{};
  std::atomic<bool> is_ending_{false};
  Thread thread_;
};

}  // namespace rondo::runtime
