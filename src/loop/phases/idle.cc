#include "loop/phases/idle.h"

#include "loop/loop.h"

namespace rondo {

Idle::Idle(Loop& loop) : Hook(loop, "idle", loop.idle()) {}

}  // namespace rondo
