// util.setTraceSigInt(): prints where JavaScript is when SIGINT arrives, then lets the signal do
// what it would have done without it. Thread: the realm's only.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <csignal>

#include "base/thread.h"
#include "loop/async.h"
#include "runtime/realm.h"

namespace rondo::runtime {

class SigintTrace {
 public:
  explicit SigintTrace(Realm& realm) : realm_(realm) {}
  ~SigintTrace() { stop(); }
  SigintTrace(const SigintTrace&) = delete;
  SigintTrace& operator=(const SigintTrace&) = delete;

  // Both idempotent. False if the system has no thread to give.
  bool start();
  void stop();

 private:
  void install();
  void watch();
  void report();

  Realm& realm_;
  // V8 cannot be asked for an interruption in a signal handler: that wakes this thread.
  Thread watcher_;
  sem_t arrivals_{};
  std::atomic<bool> is_stopping_{false};
  std::atomic<bool> has_arrived_{false};
  Owned<Async> async_;  // Wakes the loop if no JavaScript runs.
  struct sigaction before_ {};
};

}  // namespace rondo::runtime
