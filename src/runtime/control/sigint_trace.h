// SigintTrace implements util.setTraceSigInt(): prints the JavaScript stack when SIGINT arrives,
// then raises the signal again for its normal effect. Thread: the realm's only.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <csignal>

#include "base/threads/thread.h"
#include "loop/async.h"
#include "runtime/engine/realm.h"

namespace rondo::runtime {

class SigintTrace {
 public:
  explicit SigintTrace(Realm& realm) : realm_(realm) {}
  ~SigintTrace() { stop(); }
  SigintTrace(const SigintTrace&) = delete;
  SigintTrace& operator=(const SigintTrace&) = delete;

  // Both are idempotent. start() returns false if the system cannot start a thread.
  bool start();
  void stop();

 private:
  void install();
  void watch();
  void report();

  Realm& realm_;
  // A signal handler cannot request an interrupt from V8, so it wakes this thread.
  Thread watcher_;
  sem_t arrivals_{};
  std::atomic<bool> is_stopping_{false};
  std::atomic<bool> has_arrived_{false};
  Owned<Async> async_;  // Wakes the loop if no JavaScript runs.
  struct sigaction before_ {};
};

}  // namespace rondo::runtime
