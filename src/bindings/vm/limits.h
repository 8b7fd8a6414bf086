// ExecutionLimits ends the JavaScript that runs while they are in effect: after a time, or when
// SIGINT arrives. Limits may be nested; SIGINT ends the innermost. Thread: the isolate's only.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/threads/thread.h"
#include "runtime/engine/realm.h"

namespace rondo::bindings {

class ExecutionLimits {
 public:
  enum class Outcome : uint8_t { none, timeout, sigint };
  // `timeout_ms` is negative if there is none.
  ExecutionLimits(runtime::Realm& realm, int64_t timeout_ms, bool ends_on_sigint);
  ~ExecutionLimits();
  ExecutionLimits(const ExecutionLimits&) = delete;
  ExecutionLimits& operator=(const ExecutionLimits&) = delete;

  // Returns false if the system cannot start a thread.
  [[nodiscard]] bool start();
  // Ends the limits and the termination that they have caused, and reports which of them was
  // reached. After a request to exit, the termination stays.
  Outcome stop();
  // Throws Node's error for a limit that was reached.
  void throw_reached(Outcome outcome) const;

 private:
  friend class SigintWatch;
  void wait();
  void on_sigint();

  runtime::Realm& realm_;
  const int64_t timeout_ms_;
  const bool ends_on_sigint_;
  bool has_started_ = false;
  bool is_watching_ = false;
  Thread timer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;      // Guarded by mutex_.
  bool has_expired_ = false;  // Written by the timer's thread, read after it has ended.
  bool has_signal_ = false;   // Guarded by the mutex of SigintWatch.
};

}  // namespace rondo::bindings
