#include "loop/phases/idle.h"

#include "loop/internals.h"

namespace rondo {

Idle::Idle(Loop& loop) : Hook(loop, HandleKind::idle, LoopState::of(loop).idle) {}

}  // namespace rondo
