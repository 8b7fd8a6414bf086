// The clock of traces: real time, whatever the loop's clock shows, and cheap, since every record
// needs it. Where the kernel's clock source is the processor's counter, the counter is read
// directly and compared with the kernel's clock now and then; elsewhere each read is a call to the
// kernel's. Thread: the loop's only.
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
  int64_t now() {
#if defined(__x86_64__)
    if (speed_ > 0) [[likely]]
      return at(__rdtsc());
#endif
    return read_kernel_clock();
  }
  // Call it now and then with the current time: keeps the counter in step with the kernel's clock.
  void adjust(int64_t now) {
    if (now >= next_adjustment_ && is_counter_usable_) [[unlikely]]
      compare();
  }

  int64_t origin() const { return origin_ns_; }      // On CLOCK_MONOTONIC.
  double since_1970_ms() const { return wall_ms_; }  // At construction.
  bool reads_counter() const { return speed_ > 0; }

 private:
  // The counter's speed is measured over at least this much time, in nanoseconds: the error of two
  // clock reads is then a few millionths.
  static constexpr int64_t kLeastBaseline = 10'000'000;
  static constexpr int kSpeedBits = 32;
  __extension__ typedef __int128 Wide;  // The counter may run long between two comparisons.

  // The kernel's clock and the counter at the same moment.
  struct Reading {
    int64_t time = 0;
    uint64_t ticks = 0;
  };

  // Time for a counter value. Valid once speed_ is known.
  int64_t at(uint64_t counter) const {
    const auto ticks = static_cast<int64_t>(counter - base_ticks_);
    return base_ns_ + static_cast<int64_t>(static_cast<Wide>(ticks) * speed_ >> kSpeedBits);
  }
  static Reading read_both();
  int64_t read_kernel_clock();
  void compare();

  int64_t origin_ns_ = 0;
  double wall_ms_;
  int64_t base_ns_ = 0;
  int64_t speed_ = 0;  // Nanoseconds per tick, times 2^kSpeedBits; zero until known.
  int64_t last_ = 0;
  uint64_t origin_ticks_ = 0;
  uint64_t base_ticks_ = 0;
  int64_t next_adjustment_ = kLeastBaseline;
  bool is_counter_usable_ = false;
};

}  // namespace rondo
