// uv_pipe_t: Unix sockets and the ends of pipes.
#include "uv/stream/pipe.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/sys.h"
#include "uv/core/memory.h"
#include "uv/stream/stream.h"

namespace rondo::uv {
namespace {

struct PipeAddress {
  sockaddr_un address{};
  socklen_t size = 0;
};

// Like libuv, a name that is too long is cut off unless the program asks for an error.
int address_of(const char* name, size_t length, unsigned flags, PipeAddress& out) {
  if ((flags & ~unsigned{UV_PIPE_NO_TRUNCATE}) != 0) return UV_EINVAL;
  if (name == nullptr) return UV_EINVAL;
  // Without a name the kernel chooses an abstract one.
  const bool is_abstract = length == 0 || name[0] == '\0';
  // A path ends with a NUL byte and has none inside.
  if (!is_abstract && std::memchr(name, '\0', length) != nullptr) return UV_EINVAL;
  const size_t room = sizeof out.address.sun_path - (is_abstract ? 0 : 1);
  if (length > room) {
    if ((flags & UV_PIPE_NO_TRUNCATE) != 0) return UV_EINVAL;
    length = room;
  }
  out.address.sun_family = AF_UNIX;
  std::memcpy(out.address.sun_path, name, length);
  out.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  if (!is_abstract) out.size = sizeof out.address;
  return 0;
}

int new_socket() { return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

int connect_now(StreamHandle& stream, const PipeAddress& address) {
  const bool is_new = stream.fd() < 0;
  const int fd = is_new ? new_socket() : stream.fd();
  if (fd < 0) return -errno;
  stream.connects_to(reinterpret_cast<const sockaddr*>(&address.address), address.size);
  int done;
  do {
    done = sys::connect(fd, reinterpret_cast<const sockaddr*>(&address.address), address.size);
  } while (done < 0 && errno == EINTR);
  if (done < 0 && errno != EINPROGRESS) {
    const int code = errno;
    if (is_new) ::close(fd);
    return -code;
  }
  if (is_new) {
    if (const int failed = stream.open(fd, kReadable | kWritable, true); failed != 0) return failed;
  }
  return stream.watch(EPOLLIN | EPOLLOUT);
}

int name_of(const uv_pipe_t* handle, bool is_peer, char* buffer, size_t* size) {
  const int fd = stream_behind(handle).fd();
  if (buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  if (fd < 0) return UV_EBADF;
  sockaddr_un found{};
  socklen_t length = sizeof found;
  auto* const any = reinterpret_cast<sockaddr*>(&found);
  if ((is_peer ? ::getpeername(fd, any, &length) : ::getsockname(fd, any, &length)) < 0) {
    *size = 0;
    return -errno;
  }
  const size_t most = length - offsetof(sockaddr_un, sun_path);
  const bool is_abstract = most > 0 && found.sun_path[0] == '\0';
  const size_t used = is_abstract ? most : ::strnlen(found.sun_path, most);
  if (used > *size || (!is_abstract && used == *size)) {
    *size = used + (is_abstract ? 0 : 1);
    return UV_ENOBUFS;
  }
  std::memcpy(buffer, found.sun_path, used);
  *size = used;
  if (!is_abstract) buffer[used] = '\0';
  return 0;
}

}  // namespace

void before_close(uv_pipe_t* handle) {
  if (handle->pipe_fname == nullptr) return;
  // While the socket is open: afterwards another process might have created a file of this name.
  ::unlink(handle->pipe_fname);
  release(const_cast<char*>(handle->pipe_fname));
  handle->pipe_fname = nullptr;
}

}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_pipe_init(uv_loop_t* loop, uv_pipe_t* handle, int ipc) {
  init_stream(loop, handle, UV_NAMED_PIPE, HandleKind::pipe);
  handle->ipc = ipc;
  handle->pipe_fname = nullptr;
  return 0;
}

int uv_pipe_open(uv_pipe_t* handle, uv_file file) {
  if (is_watched(handle->loop, file)) return UV_EEXIST;
  const int mode = ::fcntl(file, F_GETFL);
  if (mode < 0) return -errno;
  if (const int failed = set_nonblocking(file, true); failed != 0) return failed;
  unsigned flags = 0;
  if ((mode & O_ACCMODE) != O_WRONLY) flags |= kReadable;
  if ((mode & O_ACCMODE) != O_RDONLY) flags |= kWritable;
  return stream_behind(handle).open(file, flags);
}

int uv_pipe_bind2(uv_pipe_t* handle, const char* name, size_t namelen, unsigned int flags) {
  PipeAddress address;
  if (const int refused = address_of(name, namelen, flags, address); refused != 0) return refused;
  if (is_closing(handle) || stream_behind(handle).fd() >= 0) return UV_EINVAL;
  char* path = nullptr;
  if (address.address.sun_path[0] != '\0') {
    path = duplicate(address.address.sun_path);
    if (path == nullptr) return UV_ENOMEM;
  }
  const int fd = new_socket();
  int failed = fd < 0 ? -errno : 0;
  if (failed == 0 &&
      ::bind(fd, reinterpret_cast<const sockaddr*>(&address.address), address.size) < 0) {
    failed = errno == ENOENT ? UV_EACCES : -errno;  // As on Windows.
    ::close(fd);
  }
  if (failed != 0) {
    release(path);
    return failed;
  }
  handle->flags |= kBound;
  handle->pipe_fname = path;  // Removed and freed by uv_close().
  return stream_behind(handle).open(fd, 0, true);
}

int uv_pipe_bind(uv_pipe_t* handle, const char* name) {
  return uv_pipe_bind2(handle, name, std::strlen(name), 0);
}

int uv_pipe_connect2(uv_connect_t* req, uv_pipe_t* handle, const char* name, size_t namelen,
                     unsigned int flags, uv_connect_cb cb) {
  PipeAddress address;
  if (namelen == 0) return UV_EINVAL;
  if (const int refused = address_of(name, namelen, flags, address); refused != 0) return refused;
  StreamHandle& stream = stream_behind(handle);
  handle->delayed_error = connect_now(stream, address);
  req->type = UV_CONNECT;
  req->handle = reinterpret_cast<uv_stream_t*>(handle);
  req->cb = cb;
  queue_init(req->queue);
  handle->connect_req = req;
  request_begins(handle->loop);
  if (handle->delayed_error != 0) stream.report_later();
  return 0;
}

void uv_pipe_connect(uv_connect_t* req, uv_pipe_t* handle, const char* name, uv_connect_cb cb) {
  const int refused = uv_pipe_connect2(req, handle, name, std::strlen(name), 0, cb);
  if (refused == 0) return;
  handle->delayed_error = refused;
  queue_init(req->queue);
  req->type = UV_CONNECT;
  req->handle = reinterpret_cast<uv_stream_t*>(handle);
  req->cb = cb;
  handle->connect_req = req;
  request_begins(handle->loop);
  stream_behind(handle).report_later();
}

int uv_pipe_getsockname(const uv_pipe_t* handle, char* buffer, size_t* size) {
  return name_of(handle, false, buffer, size);
}

int uv_pipe_getpeername(const uv_pipe_t* handle, char* buffer, size_t* size) {
  return name_of(handle, true, buffer, size);
}

void uv_pipe_pending_instances(uv_pipe_t* /*handle*/, int /*count*/) {}

int uv_pipe_pending_count(uv_pipe_t* handle) {
  if (handle->ipc == 0 || handle->accepted_fd < 0) return 0;
  return 1 + static_cast<int>(stream_behind(handle).queued_descriptors());
}

uv_handle_type uv_pipe_pending_type(uv_pipe_t* handle) {
  if (handle->ipc == 0 || handle->accepted_fd < 0) return UV_UNKNOWN_HANDLE;
  return uv_guess_handle(handle->accepted_fd);
}

int uv_pipe_chmod(uv_pipe_t* handle, int mode) {
  if (handle == nullptr || fd_of(handle) < 0) return UV_EBADF;
  if (mode != UV_READABLE && mode != UV_WRITABLE && mode != (UV_READABLE | UV_WRITABLE)) {
    return UV_EINVAL;
  }
  char path[sizeof(sockaddr_un::sun_path) + 1];
  size_t size = sizeof path;
  if (const int failed = uv_pipe_getsockname(handle, path, &size); failed != 0) return failed;
  struct stat info {};
  if (::stat(path, &info) < 0) return -errno;
  mode_t wanted = 0;
  if ((mode & UV_READABLE) != 0) wanted |= S_IRUSR | S_IRGRP | S_IROTH;
  if ((mode & UV_WRITABLE) != 0) wanted |= S_IWUSR | S_IWGRP | S_IWOTH;
  if ((info.st_mode & wanted) == wanted) return 0;
  return ::chmod(path, info.st_mode | wanted) < 0 ? -errno : 0;
}

int uv_pipe(uv_file fds[2], int read_flags, int write_flags) {
  int pair[2];
  if (::pipe2(pair, O_CLOEXEC) < 0) return -errno;
  int failed = (read_flags & UV_NONBLOCK_PIPE) != 0 ? set_nonblocking(pair[0], true) : 0;
  if (failed == 0 && (write_flags & UV_NONBLOCK_PIPE) != 0) {
    failed = set_nonblocking(pair[1], true);
  }
  if (failed != 0) {
    ::close(pair[0]);
    ::close(pair[1]);
    return failed;
  }
  fds[0] = pair[0];
  fds[1] = pair[1];
  return 0;
}

int uv_socketpair(int type, int protocol, uv_os_sock_t sockets[2], int flags0, int flags1) {
  int pair[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, protocol, pair) < 0) return -errno;
  int failed = (flags0 & UV_NONBLOCK_PIPE) != 0 ? set_nonblocking(pair[0], true) : 0;
  if (failed == 0 && (flags1 & UV_NONBLOCK_PIPE) != 0) failed = set_nonblocking(pair[1], true);
  if (failed != 0) {
    ::close(pair[0]);
    ::close(pair[1]);
    return failed;
  }
  sockets[0] = pair[0];
  sockets[1] = pair[1];
  return 0;
}

}  // extern "C"
