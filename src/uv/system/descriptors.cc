// Descriptors and socket options of handles of any type, and shared objects.
#include <dlfcn.h>
#include <sys/socket.h>

#include <cerrno>

#include "uv/core/handle.h"
#include "uv/core/memory.h"

namespace rondo::uv {
namespace {

int buffer_size(uv_handle_t* handle, int option, int* value) {
  if (handle == nullptr || value == nullptr) return UV_EINVAL;
  if (handle->type != UV_TCP && handle->type != UV_NAMED_PIPE && handle->type != UV_UDP) {
    return UV_ENOTSUP;
  }
  const int fd = behind_as<IoHandle>(handle).fd();
  socklen_t size = sizeof *value;
  const int done = *value == 0 ? ::getsockopt(fd, SOL_SOCKET, option, value, &size)
                               : ::setsockopt(fd, SOL_SOCKET, option, value, size);
  return done < 0 ? -errno : 0;
}

int keep_error(uv_lib_t* lib) {
  const char* const error = ::dlerror();
  release(lib->errmsg);
  lib->errmsg = error == nullptr ? nullptr : duplicate(error);
  return error == nullptr ? 0 : -1;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_fileno(const uv_handle_t* handle, uv_os_fd_t* fd) {
  switch (handle->type) {
    case UV_TCP:
    case UV_NAMED_PIPE:
    case UV_TTY:
    case UV_UDP:
    case UV_POLL: break;
    default: return UV_EINVAL;
  }
  if (is_closing(handle) || behind_as<IoHandle>(handle).fd() < 0) return UV_EBADF;
  *fd = behind_as<IoHandle>(handle).fd();
  return 0;
}

int uv_send_buffer_size(uv_handle_t* handle, int* value) {
  return buffer_size(handle, SO_SNDBUF, value);
}

int uv_recv_buffer_size(uv_handle_t* handle, int* value) {
  return buffer_size(handle, SO_RCVBUF, value);
}

uv_os_fd_t uv_get_osfhandle(int fd) { return fd; }
int uv_open_osfhandle(uv_os_fd_t os_fd) { return os_fd; }

int uv_dlopen(const char* filename, uv_lib_t* lib) {
  (void)::dlerror();  // Forget earlier errors.
  lib->errmsg = nullptr;
  lib->handle = ::dlopen(filename, RTLD_LAZY);
  return lib->handle != nullptr ? 0 : keep_error(lib);
}

void uv_dlclose(uv_lib_t* lib) {
  release(lib->errmsg);
  lib->errmsg = nullptr;
  if (lib->handle != nullptr) ::dlclose(lib->handle);
  lib->handle = nullptr;
}

int uv_dlsym(uv_lib_t* lib, const char* name, void** ptr) {
  (void)::dlerror();
  *ptr = ::dlsym(lib->handle, name);
  return *ptr != nullptr ? 0 : keep_error(lib);  // A symbol may also have the value null.
}

const char* uv_dlerror(const uv_lib_t* lib) {
  return lib->errmsg != nullptr ? lib->errmsg : "no error";
}

}  // extern "C"
