// The time of traces: real, whatever the loop's clock shows, and cheap, as every record has it.
// Where the processor's counter is the kernel's own clock, it is read directly and compared with
// the kernel's now and then; elsewhere the kernel is asked each time. Thread: the loop's only.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace rondo {

class TraceClock {
 public:
  TraceClock();

  // Nanoseconds since the clock was made; never less than before.
  double now() {
#if defined(__x86_64__)
    if (ns_per_tick_ > 0) [[likely]] {
      return base_ns_ +
             static_cast<double>(static_cast<int64_t>(__rdtsc() - base_ticks_)) * ns_per_tick_;
    }
#endif
    return ask_kernel();
  }
  // To be called now and then, with the time: keeps the counter and the kernel's clock together.
  void adjust(double now) {
    if (now >= next_adjustment_ && is_counter_usable_) [[unlikely]]
      compare();
  }

  int64_t origin() const { return origin_ns_; }      // On CLOCK_MONOTONIC.
  double since_1970_ms() const { return wall_ms_; }  // When it was made.
  bool reads_counter() const { return ns_per_tick_ > 0; }

 private:
  // The counter's speed is taken from at least this much time, in nanoseconds: an error of two
  // reads of the clock in it is some millionths.
  static constexpr double kLeastBaseline = 10e6;

  double ask_kernel();
  void compare();

  int64_t origin_ns_;
  double wall_ms_;
  double base_ns_ = 0;
  double ns_per_tick_ = 0;  // Zero until the counter's speed is known.
  double last_ = 0;
  uint64_t origin_ticks_ = 0;
  uint64_t base_ticks_ = 0;
  double next_adjustment_ = kLeastBaseline;
  bool is_counter_usable_ = false;
};

}  // namespace rondo
