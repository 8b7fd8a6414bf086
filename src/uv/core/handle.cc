#include "uv/core/handle.h"

#include <fcntl.h>
#include <sys/epoll.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "uv/events/async.h"
#include "uv/run/orders.h"
#include "uv/stream/pipe.h"

namespace rondo::uv {

void init_handle(uv_loop_t* loop, void* handle, uv_handle_type type, Handle* implementation) {
  auto* const self = static_cast<uv_handle_t*>(handle);
  self->loop = loop;
  self->type = type;
  self->close_cb = nullptr;
  self->next_closing = nullptr;
  self->flags = kRef;
  std::memset(self->u.reserved, 0, sizeof self->u.reserved);
  self->u.reserved[3] = implementation;
  queue_push_back(loop->handle_queue, self->handle_queue);
  copy_state(handle);
  note_handle(*implementation);
}

namespace {

void change_flags(uv_handle_t* handle, unsigned flags) {
  constexpr unsigned kCounted = kActive | kRef;
  const bool was_counted = (handle->flags & kCounted) == kCounted;
  const bool is_counted = (flags & kCounted) == kCounted;
  handle->flags = flags;
  if (is_counted == was_counted) return;
  const unsigned difference = is_counted ? 1 : ~0U;
  handle->loop->active_handles += difference;
  data_of(handle->loop).counted_handles += difference;
  const bool runs_each_turn = handle->type == UV_CHECK || handle->type == UV_IDLE;
  if (runs_each_turn) data_of(handle->loop).counted_hooks += difference;
}

}  // namespace

void copy_state(void* handle) {
  auto* const self = static_cast<uv_handle_t*>(handle);
  const bool is_active = behind(handle)->is_active();
  change_flags(self, is_active ? self->flags | kActive : self->flags & ~unsigned{kActive});
}

const uv_handle_t* handle_of(const Handle& handle) {
  uv_loop_t* const loop = ordered_loop();
  if (loop == nullptr) return nullptr;
  uv__queue& queue = loop->handle_queue;
  for (uv__queue* link = queue.next; link != &queue; link = link->next) {
    const uv_handle_t* const each = queue_owner(link, &uv_handle_t::handle_queue);
    if (behind(each) == &handle) return each;
  }
  return nullptr;
}

IoHandle::IoHandle(uv_loop_t* loop, void* handle, HandleKind kind)
    : Handle(loop_of(loop), kind), handle_(static_cast<uv_handle_t*>(handle)) {
  watch_.source = this;
  watch_.fn = [](Target& target, int32_t result, uint32_t bits) {
    auto& watch = static_cast<Watch&>(target);
    auto* const owner = static_cast<IoHandle*>(const_cast<void*>(watch.source));
    bits &= watch.interest | EPOLLERR | EPOLLHUP;
    // An error alone goes to each direction that waits: its next system call returns it.
    if (bits == EPOLLERR || bits == EPOLLHUP) {
      bits |= watch.interest & (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI);
    }
    owner->ready(bits, result < 0 ? -result : 0);
  };
}

int IoHandle::watch(uint32_t bits) {
  return code_of(internals().poller().watch(watch_, watch_.interest | bits));
}

void IoHandle::ignore(uint32_t bits) {
  if (watch_.fd < 0) return;
  (void)internals().poller().watch(watch_, watch_.interest & ~bits);
}

bool is_watched(uv_loop_t* loop, int fd) {
  const Watch* const watch = loop_of(loop).internals().poller().watch_of(fd);
  return watch != nullptr && watch->interest != 0;
}

int set_nonblocking(int fd, bool on) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) return -errno;
  const int wanted = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
  return wanted == flags || ::fcntl(fd, F_SETFL, wanted) == 0 ? 0 : -errno;
}

}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

void uv_ref(uv_handle_t* handle) {
  if (rondo::Handle* const open = behind(handle); open != nullptr) open->ref();
  if (handle->type == UV_ASYNC) after_ref_change(reinterpret_cast<uv_async_t*>(handle), true);
  change_flags(handle, handle->flags | kRef);
}

void uv_unref(uv_handle_t* handle) {
  if (rondo::Handle* const open = behind(handle); open != nullptr) open->unref();
  if (handle->type == UV_ASYNC) after_ref_change(reinterpret_cast<uv_async_t*>(handle), false);
  change_flags(handle, handle->flags & ~unsigned{kRef});
}

int uv_has_ref(const uv_handle_t* handle) { return has_flags(handle, kRef) ? 1 : 0; }
int uv_is_active(const uv_handle_t* handle) { return has_flags(handle, kActive) ? 1 : 0; }
int uv_is_closing(const uv_handle_t* handle) { return is_closing(handle) ? 1 : 0; }

void uv_close(uv_handle_t* handle, uv_close_cb close_cb) {
  RONDO_ASSERT(!is_closing(handle));
  handle->flags |= kClosing;
  handle->close_cb = close_cb;
  if (handle->type == UV_ASYNC) before_close(reinterpret_cast<uv_async_t*>(handle));
  if (handle->type == UV_FS_EVENT) (void)uv_fs_event_stop(reinterpret_cast<uv_fs_event_t*>(handle));
  if (handle->type == UV_NAMED_PIPE) before_close(reinterpret_cast<uv_pipe_t*>(handle));
  rondo::Handle* const implementation = behind(handle);
  if (Recording* const recording = data_of(handle->loop).recording(); recording != nullptr) {
    recording->closed(implementation->id(), implementation->label(),
                      reinterpret_cast<uintptr_t>(close_cb));
  }
  implementation->close([handle](rondo::Handle& closed) {
    handle->flags = (handle->flags | kClosed) & ~unsigned{kRef};
    queue_remove(handle->handle_queue);
    handle->u.reserved[3] = nullptr;
    if (handle->close_cb == nullptr) return;
    const FunctionScope scope(handle->loop, closed.id(), handle->close_cb);
    handle->close_cb(handle);
  });
  copy_state(handle);
  implementation->close_then_free();
}

void uv_walk(uv_loop_t* loop, uv_walk_cb walk_cb, void* arg) {
  // The function may close any handle, and init new ones, which are not visited.
  uv__queue left;
  queue_move(loop->handle_queue, left);
  while (!queue_is_empty(left)) {
    uv__queue& link = *left.next;
    queue_remove(link);
    queue_push_back(loop->handle_queue, link);
    uv_handle_t* const handle = queue_owner(&link, &uv_handle_t::handle_queue);
    if (!has_flags(handle, kInternal)) walk_cb(handle, arg);
  }
}

}  // extern "C"
