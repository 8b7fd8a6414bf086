// The contestant that uses plain io_uring.
#pragma once

namespace bench {

// A check for completions, which are in our own memory, and one read of the clock.
double raw_uring_turn(int turns, void (*read_clock)());

}  // namespace bench
