// The functions that librondo-clock.so calls for the program's clock, instead of those of the
// system. librondo-clock.so is preloaded beside libuv.so.1 for --clock=virtual and defines
// clock_gettime() and similar functions.
// Thread: any.
#pragma once

#include <cstdint>

struct RondoClockHooks {
  int64_t (*now)();                    // The monotonic clock, in nanoseconds.
  int64_t (*wall)();                   // The same since 1970.
  void (*sleep)(int64_t nanoseconds);  // Returns when the clock has advanced by that much.
  void (*timed_out)(int64_t now);      // A wait has ended whose limit was this monotonic time.
};

extern "C" {
// Before main(). Without a call, all functions behave as those of the system.
using RondoInstallClock = void(const RondoClockHooks& hooks);
inline constexpr const char* kRondoInstallClock = "rondo_install_clock";
}
