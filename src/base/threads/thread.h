// Thread runs a function in parallel. Unlike std::thread it returns an error if the system cannot
// start one: the number of processes (ulimit -u) and memory are limited. Thread: the owner's only.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <cstddef>
#include <utility>

#include "base/assert.h"
#include "base/callback.h"

namespace rondo {

// Blocks all signals in the calling thread while it exists. A thread that is started meanwhile
// inherits the mask, so that the program's main thread handles signals.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

class Thread {
 public:
  Thread() = default;
  ~Thread() { RONDO_ASSERT(!is_started_); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // Returns false if the system cannot start another thread. A stack size of 0 is the default.
  [[nodiscard]] bool start(Callback<void()> body, size_t stack_size = 0) {
    RONDO_ASSERT(!is_started_);
    body_ = std::move(body);
    const auto run = [](void* self) -> void* {
      static_cast<Thread*>(self)->body_();
      return nullptr;
    };
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    if (stack_size != 0) ::pthread_attr_setstacksize(&attributes, stack_size);
    is_started_ = ::pthread_create(&thread_, &attributes, run, this) == 0;
    ::pthread_attr_destroy(&attributes);
    return is_started_;
  }
  bool is_started() const { return is_started_; }
  // Waits for the thread to end. Does nothing if it was not started.
  void join() {
    if (!is_started_) return;
    ::pthread_join(thread_, nullptr);
    is_started_ = false;
  }

 private:
  pthread_t thread_{};
  Callback<void()> body_;
  bool is_started_ = false;
};

}  // namespace rondo
