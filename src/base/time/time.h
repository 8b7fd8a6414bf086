// Types and helpers for time: std::chrono durations, in nanoseconds inside the loop. An instant is
// the time since a clock's origin.
#pragma once

#include <chrono>
#include <cstdint>

namespace rondo {

using Nanos = std::chrono::nanoseconds;
using Millis = std::chrono::milliseconds;

// No deadline: later than any instant of a clock.
inline constexpr Nanos kForever = Nanos::max();

// The sum, or kForever if it would overflow: users pass delays like hours::max().
constexpr Nanos saturating_add(Nanos instant, Nanos delay) {
  Nanos::rep sum = 0;
  if (__builtin_add_overflow(instant.count(), delay.count(), &sum)) return kForever;
  return Nanos{sum};
}

}  // namespace rondo
