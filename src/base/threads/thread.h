// Thread runs a function in parallel. Unlike std::thread it returns an error if the system cannot
// start one: the number of processes (ulimit -u) and memory are limited. Thread: the owner's only.
#pragma once

#include <pthread.h>

#include <utility>

#include "base/assert.h"
#include "base/callback.h"

namespace rondo {

class Thread {
 public:
  Thread() = default;
  ~Thread() { RONDO_ASSERT(!is_started_); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // Returns false if the system cannot start another thread.
  [[nodiscard]] bool start(Callback<void()> body) {
    RONDO_ASSERT(!is_started_);
    body_ = std::move(body);
    const auto run = [](void* self) -> void* {
      static_cast<Thread*>(self)->body_();
      return nullptr;
    };
    is_started_ = ::pthread_create(&thread_, nullptr, run, this) == 0;
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
