#include "loop/phases/prepare.h"

#include "loop/loop.h"

namespace rondo {

Prepare::Prepare(Loop& loop) : Hook(loop, HandleKind::prepare, loop.prepare()) {}

}  // namespace rondo
