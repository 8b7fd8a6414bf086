// uv_fs_poll_t is an FsPoll.
#include "io/fs/poll.h"

#include "uv/core/handle.h"
#include "uv/fs/execute.h"
#include "uv/system/text.h"

using namespace rondo;
using namespace rondo::uv;

namespace {

// The callback is a field that libuv keeps in its context.
using Function = uv_fs_poll_cb;

void changed(uv_fs_poll_t* handle, const Stat& before, const Result<Stat>& now) {
  uv_stat_t last{};
  uv_stat_t current{};
  copy_stat(before, last);
  if (now) copy_stat(*now, current);
  const auto function = reinterpret_cast<Function>(handle->poll_ctx);
  const FunctionScope scope(handle->loop, behind(handle)->id(), function);
  function(handle, now ? 0 : -now.error().code, &last, &current);
}

}  // namespace

extern "C" {

int uv_fs_poll_init(uv_loop_t* loop, uv_fs_poll_t* handle) {
  init_handle(loop, handle, UV_FS_POLL, new FsPoll(loop_of(loop)));
  handle->poll_ctx = nullptr;
  return 0;
}

int uv_fs_poll_start(uv_fs_poll_t* handle, uv_fs_poll_cb poll_cb, const char* path,
                     unsigned int interval) {
  if (is_closing(handle)) return UV_EINVAL;
  if (has_flags(handle, kActive)) return 0;
  handle->poll_ctx = reinterpret_cast<void*>(poll_cb);
  behind_as<FsPoll>(handle).start(path, Millis{interval == 0 ? 1 : interval},
                                  [handle](FsPoll&, const Stat& before, const Result<Stat>& now) {
                                    changed(handle, before, now);
                                  });
  copy_state(handle);
  return 0;
}

int uv_fs_poll_stop(uv_fs_poll_t* handle) {
  if (!has_flags(handle, kActive)) return 0;
  behind_as<FsPoll>(handle).stop();
  copy_state(handle);
  return 0;
}

int uv_fs_poll_getpath(uv_fs_poll_t* handle, char* buffer, size_t* size) {
  if (buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  if (!has_flags(handle, kActive)) {
    *size = 0;
    return UV_EINVAL;
  }
  return copy_out(behind_as<FsPoll>(handle).path(), buffer, size);
}

}  // extern "C"
