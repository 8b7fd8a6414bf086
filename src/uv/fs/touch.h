// The files that a uv_fs_t touches, and its name in explanations, for loops whose order is chosen.
// Thread: the loop's only.
#pragma once

#include <uv.h>

#include "loop/touch.h"

namespace rondo::uv {

// "fs.stat": the name that Rondo's runtime has for the operation.
const char* label_of(const uv_fs_t& operation);
Touch touch_of(const uv_fs_t& operation);

}  // namespace rondo::uv
