#include "bindings/vm/limits.h"

#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "runtime/values/text.h"

namespace rondo::bindings {

namespace {

sem_t arrivals;  // Never destroyed: a signal handler may still be about to post.

void on_signal(int) {
  const int saved = errno;
  ::sem_post(&arrivals);
  errno = saved;
}

}  // namespace

// The process's handler of SIGINT while limits with ends_on_sigint exist, in any thread. A signal
// handler cannot terminate JavaScript, so it wakes a thread.
class SigintWatch {
 public:
  static SigintWatch& instance() {
    static SigintWatch watch;
    return watch;
  }

  bool add(ExecutionLimits& limits) {
    const std::lock_guard<std::mutex> changing(change_);
    if (!watcher_.is_started()) {
      ::sem_init(&arrivals, 0, 0);
      is_stopping_ = false;
      if (!watcher_.start([this] { watch(); })) return false;
      struct sigaction action {};
      action.sa_handler = on_signal;
      action.sa_flags = SA_RESTART;
      ::sigfillset(&action.sa_mask);
      ::sigaction(SIGINT, &action, &before_);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    limits_.push_back(&limits);
    return true;
  }

  void remove(ExecutionLimits& limits) {
    const std::lock_guard<std::mutex> changing(change_);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      limits_.erase(std::remove(limits_.begin(), limits_.end(), &limits), limits_.end());
      if (!limits_.empty()) return;
    }
    struct sigaction now {};
    ::sigaction(SIGINT, nullptr, &now);
    // Code that ran meanwhile may have replaced the handler.
    if (now.sa_handler == on_signal) ::sigaction(SIGINT, &before_, nullptr);
    is_stopping_ = true;
    ::sem_post(&arrivals);
    watcher_.join();
  }

  bool has_signal(const ExecutionLimits& limits) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return limits.has_signal_;
  }

 private:
  void watch() {
    for (;;) {
      while (::sem_wait(&arrivals) != 0 && errno == EINTR) {
      }
      if (is_stopping_) return;
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!limits_.empty()) limits_.back()->on_sigint();
    }
  }

  std::mutex change_;  // Held by add() and remove().
  std::mutex mutex_;   // Guards limits_, and has_signal_ of each.
  std::vector<ExecutionLimits*> limits_;
  Thread watcher_;
  std::atomic<bool> is_stopping_{false};
  struct sigaction before_ {};
};

ExecutionLimits::ExecutionLimits(runtime::Realm& realm, int64_t timeout_ms, bool ends_on_sigint)
    : realm_(realm), timeout_ms_(timeout_ms), ends_on_sigint_(ends_on_sigint) {}

ExecutionLimits::~ExecutionLimits() { RONDO_ASSERT(!has_started_); }

bool ExecutionLimits::start() {
  if (timeout_ms_ >= 0 && !timer_.start([this] { wait(); })) return false;
  has_started_ = true;
  if (ends_on_sigint_) {
    is_watching_ = SigintWatch::instance().add(*this);
    if (!is_watching_) static_cast<void>(stop());
  }
  return has_started_;
}

ExecutionLimits::Outcome ExecutionLimits::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  timer_.join();
  bool has_signal = false;
  if (is_watching_) {
    SigintWatch::instance().remove(*this);
    has_signal = SigintWatch::instance().has_signal(*this);
  }
  has_started_ = false;
  if (!has_expired_ && !has_signal) return Outcome::none;
  realm_.exit_if_requested();
  if (realm_.is_exiting()) return Outcome::none;
  realm_.isolate()->CancelTerminateExecution();
  return has_expired_ ? Outcome::timeout : Outcome::sigint;
}

void ExecutionLimits::throw_reached(Outcome outcome) const {
  using runtime::ErrorClass;
  RONDO_ASSERT(outcome != Outcome::none);
  v8::Isolate* const isolate = realm_.isolate();
  if (outcome == Outcome::sigint) {
    runtime::throw_coded(isolate, ErrorClass::error, "ERR_SCRIPT_EXECUTION_INTERRUPTED",
                         "Script execution was interrupted by `SIGINT`");
    return;
  }
  runtime::throw_coded(isolate, ErrorClass::error, "ERR_SCRIPT_EXECUTION_TIMEOUT",
                       "Script execution timed out after " + std::to_string(timeout_ms_) + "ms");
}

void ExecutionLimits::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms_), [this] { return is_over_; }))
    return;
  has_expired_ = true;
  realm_.isolate()->TerminateExecution();
}

void ExecutionLimits::on_sigint() {
  has_signal_ = true;
  realm_.isolate()->TerminateExecution();
}

}  // namespace rondo::bindings
