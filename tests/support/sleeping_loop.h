// For tests in which another thread acts while a loop waits: under virtual time only real time that
// passes then counts, and it is unknown how long the loop takes to get there.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "base/time/clock.h"
#include "loop/loop.h"
#include "loop/phases/prepare.h"

namespace rondo {

// In another thread: returns when the loop has begun to wait, however late.
inline void await_idle(const Loop& loop) {
  while (loop.idle_time(RealClock::instance().now()) == Nanos{0}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Made in the loop's thread, before it runs.
class SleepingLoop {
 public:
  explicit SleepingLoop(Loop& loop) : prepare_(loop.make<Prepare>()) {
    prepare_->unref();
    prepare_->start([this](Hook&) { polls_ = true; });
  }

  // In another thread: returns when the loop sleeps in the kernel.
  void await() const {
    while (!polls_) std::this_thread::yield();
    const std::string path = "/proc/self/task/" + std::to_string(thread_) + "/stat";
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      std::string line;
      std::getline(std::ifstream(path), line);
      const size_t name_end = line.rfind(") ");
      if (name_end != line.npos && line[name_end + 2] == 'S') return;
    }
  }

 private:
  Owned<Prepare> prepare_;
  std::atomic<bool> polls_ = false;
  const pid_t thread_ = ::gettid();
};

}  // namespace rondo
