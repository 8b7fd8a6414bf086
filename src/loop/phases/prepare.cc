#include "loop/phases/prepare.h"

#include "loop/internals.h"

namespace rondo {

Prepare::Prepare(Loop& loop) : Hook(loop, HandleKind::prepare, LoopState::of(loop).prepare) {}

}  // namespace rondo
