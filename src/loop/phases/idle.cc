#include "loop/phases/idle.h"

#include "loop/loop.h"

namespace rondo {

Idle::Idle(Loop& loop) : Hook(loop, HandleKind::idle, loop.idle()) {}

}  // namespace rondo
