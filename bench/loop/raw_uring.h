// The contestant that is bare io_uring.
#pragma once

namespace bench {

// A look at the completions, which are in our own memory, and one at the clock.
double raw_uring_turn(int turns, void (*read_clock)());

}  // namespace bench
