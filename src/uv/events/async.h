// The part of uv_close() that concerns uv_async_t.
// Thread: the loop's only.
#pragma once

#include <uv.h>

namespace rondo::uv {

// No uv_async_send() uses the handle any more when this returns.
void before_close(uv_async_t* handle);
// After uv_ref() or uv_unref().
void after_ref_change(uv_async_t* handle, bool has_ref);

}  // namespace rondo::uv
