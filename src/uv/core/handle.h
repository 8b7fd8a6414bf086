// The handle of Rondo behind a uv_handle_t. The uv_handle_t is the program's memory; its
// `u.reserved[3]` points to the Handle, which init_handle() takes over and the closing phase frees.
// Thread: the loop's only.
#pragma once

#include <uv.h>

#include "loop/target.h"
#include "uv/core/loop.h"

namespace rondo::uv {

// Bits of uv_handle_t::flags. The first row has libuv's values, which programs and debuggers know.
enum HandleFlags : unsigned {
  kClosing = 0x01,
  kClosed = 0x02,
  kActive = 0x04,
  kRef = 0x08,
  kInternal = 0x10,
  kListening = 0x40,
  kConnection = 0x80,
  kShut = 0x200,
  kReadEof = 0x800,
  kReading = 0x1000,
  kBound = 0x2000,
  kReadable = 0x4000,
  kWritable = 0x8000,
  kBlockingWrites = 0x100000,
  kIp6 = 0x400000,
  kNoDelay = 0x1000000,
  kKeepAlive = 0x2000000,  // TCP.
  kProcessing = 0x1000000,
  kConnected = 0x2000000,
  kReceivesMany = 0x4000000,  // UDP.
};

inline bool has_flags(const void* handle, unsigned flags) {
  return (static_cast<const uv_handle_t*>(handle)->flags & flags) == flags;
}
inline bool is_closing(const void* handle) {
  return (static_cast<const uv_handle_t*>(handle)->flags & (kClosing | kClosed)) != 0;
}

inline Handle* behind(const void* handle) {
  return static_cast<Handle*>(static_cast<const uv_handle_t*>(handle)->u.reserved[3]);
}
template <class T>
T& behind_as(const void* handle) {
  return *static_cast<T*>(behind(handle));
}

// The uv_handle_t of a handle of the loop that runs now, if its order is chosen; null if there is
// none.
const uv_handle_t* handle_of(const Handle& handle);

// Fills the common fields, appends the handle to the loop's list and owns `implementation`. From
// then on only uv_close() releases the program's memory: call it when nothing can fail any more.
void init_handle(uv_loop_t* loop, void* handle, uv_handle_type type, Handle* implementation);

// Copies the state of the Handle to the flags and to the loop's count. Call it after each change.
void copy_state(void* handle);

// A handle of libuv that watches a descriptor.
class IoHandle : public Handle {
 public:
  uv_handle_t* handle() const { return handle_; }
  uv_loop_t* uv_loop() const { return handle_->loop; }
  int fd() const { return watch_.fd; }
  // `is_socket` if that is certain: system calls for sockets are cheaper than those for any file.
  void set_fd(int fd, bool is_socket = false) {
    watch_.fd = fd;
    watch_.is_socket = is_socket;
  }
  bool is_socket() const { return watch_.is_socket; }

  // Adds and removes EPOLL* bits. Removing cannot fail.
  int watch(uint32_t bits);
  void ignore(uint32_t bits);
  bool watches(uint32_t bits) const { return (watch_.interest & bits) != 0; }
  void unwatch() { internals().unwatch(watch_); }

  void start() {
    activate();
    copy_state(handle_);
  }
  void stop() {
    deactivate();
    copy_state(handle_);
  }

 protected:
  IoHandle(uv_loop_t* loop, void* handle, HandleKind kind);
  ~IoHandle() override = default;
  // Events that the watch asked for, or EPOLLERR and EPOLLHUP. `error` is not 0 if the kernel has
  // refused to watch the descriptor.
  virtual void ready(uint32_t bits, int error) = 0;

 private:
  Watch watch_;  // Its source is this handle.
  uv_handle_t* handle_;
};

// The descriptor of a handle that has one; -1 once the handle is closed. Programs may ask a closed
// handle for it, and may write to a closed stream: both fail with UV_EBADF.
inline int fd_of(const void* handle) {
  const Handle* const implementation = behind(handle);
  return implementation == nullptr ? -1 : static_cast<const IoHandle*>(implementation)->fd();
}

// True if another handle of the loop watches the descriptor.
bool is_watched(uv_loop_t* loop, int fd);
// Sets or clears O_NONBLOCK. Returns 0 or a negative errno, as all functions of this layer do.
int set_nonblocking(int fd, bool on);

inline int code_of(const Result<void>& result) { return result ? 0 : -result.error().code; }

}  // namespace rondo::uv
