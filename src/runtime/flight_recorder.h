// The flight recorder: writes what was recorded last when something happens (--trace-on). One per
// process, for the loops of all its threads.
// Thread: any.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/thread.h"

namespace rondo {
class TraceRing;
}

namespace rondo::runtime {

struct FlightOptions {
  bool on_signal = false;  // SIGUSR2
  bool on_uncaught = false;
  std::chrono::milliseconds blocked{0};  // Zero: never.
  std::string folder;                    // Empty: the one it is in at the time.
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

  // Writes rondo-PID-N.rtrace and says so on stderr, with what happened. What happens again and
  // again is not written for ever, unless a user asks for it.
  void write(const std::string& what, bool is_asked_for);

 private:
  void serve_signals();

  const FlightOptions options_;
  std::mutex mutex_;
  std::vector<std::pair<const TraceRing*, uint32_t>> rings_;
  unsigned written_ = 0;
  unsigned unasked_ = 0;
  sem_t rung_{};
  std::atomic<bool> is_ending_{false};
  Thread thread_;
};

}  // namespace rondo::runtime
