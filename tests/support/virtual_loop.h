// A loop in virtual time: sleeping for hours takes no real time, and is exact.
#pragma once

#include "base/time/clock.h"
#include "loop/loop.h"

namespace rondo {

struct VirtualLoop {
  VirtualClock clock;
  Loop loop{LoopOptions{.clock = &clock}};
};

}  // namespace rondo
