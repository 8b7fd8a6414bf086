// Phase 3b, prepare: runs every turn just before the loop may sleep. Does not keep it from
// sleeping.
#pragma once

#include "loop/phases/hook.h"

namespace rondo {

class Prepare final : public Hook {
 public:
  explicit Prepare(Loop& loop);
};

}  // namespace rondo
