// Phase 3a, idle: every turn while active, and the loop will not sleep meanwhile.
#pragma once

#include "loop/phases/hook.h"

namespace rondo {

class Idle final : public Hook {
 public:
  explicit Idle(Loop& loop);
};

}  // namespace rondo
