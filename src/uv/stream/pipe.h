// The part of uv_close() that concerns uv_pipe_t.
// Thread: the loop's only.
#pragma once

#include <uv.h>

namespace rondo::uv {

// Removes the file of a bound Unix socket.
void before_close(uv_pipe_t* handle);

}  // namespace rondo::uv
