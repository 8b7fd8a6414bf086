// uv_fs_event_t is an FsWatch.
#include <cstring>
#include <string>

#include "io/fs/watch.h"
#include "uv/core/handle.h"
#include "uv/core/memory.h"

using namespace rondo;
using namespace rondo::uv;

namespace {

void deliver(uv_fs_event_t* handle, const Result<FsWatch::Change>& change) {
  copy_state(handle);
  const FunctionScope scope(handle->loop, behind(handle)->id(), handle->cb);
  if (!change) {
    // libuv does not report that the kernel's queue was full.
    if (change.error().code != EOVERFLOW) handle->cb(handle, nullptr, 0, -change.error().code);
    return;
  }
  const std::string name(change->name);
  handle->cb(handle, name.c_str(), change->kind == FsWatch::Kind::change ? UV_CHANGE : UV_RENAME,
             0);
}

}  // namespace

extern "C" {

int uv_fs_event_init(uv_loop_t* loop, uv_fs_event_t* handle) {
  init_handle(loop, handle, UV_FS_EVENT, new FsWatch(loop_of(loop)));
  handle->path = nullptr;
  handle->cb = nullptr;
  return 0;
}

int uv_fs_event_start(uv_fs_event_t* handle, uv_fs_event_cb cb, const char* path,
                      unsigned int /*flags*/) {
  if (has_flags(handle, kActive) || is_closing(handle)) return UV_EINVAL;
  const Result<void> started = behind_as<FsWatch>(handle).start(
      path, [handle](FsWatch&, const Result<FsWatch::Change>& change) { deliver(handle, change); });
  if (!started) return -started.error().code;
  handle->cb = cb;
  release(handle->path);
  handle->path = duplicate(path);
  copy_state(handle);
  return 0;
}

int uv_fs_event_stop(uv_fs_event_t* handle) {
  if (!has_flags(handle, kActive)) return 0;
  behind_as<FsWatch>(handle).stop();
  copy_state(handle);
  release(handle->path);
  handle->path = nullptr;
  return 0;
}

int uv_fs_event_getpath(uv_fs_event_t* handle, char* buffer, size_t* size) {
  if (!has_flags(handle, kActive) || handle->path == nullptr) {
    *size = 0;
    return UV_EINVAL;
  }
  const size_t length = std::strlen(handle->path);
  if (length >= *size) {
    *size = length + 1;
    return UV_ENOBUFS;
  }
  std::memcpy(buffer, handle->path, length + 1);
  *size = length;
  return 0;
}

}  // extern "C"
