// Observes the program's functions that a loop calls, if the options of `rondo uv` say so: records
// them, reports those that block the loop, and tells `rondo why` and `rondo top` about them.
// Thread: the loop's only, except where stated.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "base/time/time.h"
#include "uv/trace/recording.h"

namespace rondo::uv {

class Observer {
 public:
  // Null if nothing is to be observed.
  static std::unique_ptr<Observer> make(bool is_default_loop);

  // Null if the program is not traced.
  Recording* recording() { return recording_.get(); }
  // Around a call of the program's function for a handle or request. `now` is the loop's cached
  // time. Calls do not nest.
  void begin(uint64_t id, uintptr_t function, Nanos now);
  void end(uint64_t id);

  // The function that is running; 0: none. Thread: any.
  uintptr_t running() const { return function_.load(std::memory_order_relaxed); }
  // The loop's time at its begin: not earlier than the phase that calls it. Thread: any.
  Nanos running_since() const { return Nanos(since_.load(std::memory_order_relaxed)); }

  // Functions that take at least this long are collected; zero: none. Thread: any.
  void collect(Nanos least) { least_.store(least.count(), std::memory_order_relaxed); }
  struct Slow {
    uintptr_t function;
    Nanos took;
  };
  std::vector<Slow> take_slow();  // Those since the last call. Thread: any.

 private:
  Observer(std::unique_ptr<Recording> recording, Millis limit)
      : recording_(std::move(recording)), limit_(limit) {}
  void report(uintptr_t function, Nanos took) const;

  std::unique_ptr<Recording> recording_;
  Millis limit_;  // Zero: slow functions are not reported.
  std::atomic<uintptr_t> function_{0};
  std::atomic<int64_t> since_{0};
  std::atomic<int64_t> least_{0};
  Nanos began_{-1};  // Negative: this call is not measured.

  std::mutex mutex_;
  std::vector<Slow> slow_;  // Guarded by mutex_.
};

}  // namespace rondo::uv
