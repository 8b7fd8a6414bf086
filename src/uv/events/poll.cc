// uv_poll_t.
#include <sys/epoll.h>

#include <cerrno>

#include "uv/core/handle.h"

namespace rondo::uv {
namespace {

struct Mapping {
  int uv;
  uint32_t epoll;
};
constexpr Mapping kMappings[] = {{UV_READABLE, EPOLLIN},
                                 {UV_WRITABLE, EPOLLOUT},
                                 {UV_DISCONNECT, EPOLLRDHUP},
                                 {UV_PRIORITIZED, EPOLLPRI}};

class PollHandle final : public IoHandle {
 public:
  PollHandle(uv_loop_t* loop, uv_poll_t* handle, int fd)
      : IoHandle(loop, handle, HandleKind::poll) {
    set_fd(fd);
  }

  // The other end of the descriptor is unknown.
  Awaits awaits() const override {
    return is_active() && has_ref() ? Awaits::outside : Awaits::nothing;
  }

  void stop_polling() {
    unwatch();  // Also drops its events of the current batch.
    stop();
  }

 private:
  void on_closing() override { unwatch(); }

  void ready(uint32_t bits, int error) override {
    auto* const poll = reinterpret_cast<uv_poll_t*>(handle());
    // An error of the descriptor is reported once: the program must close the handle.
    if (error != 0 || ((bits & EPOLLERR) != 0 && (bits & EPOLLPRI) == 0)) {
      ignore(EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI);
      stop();
      Call call(uv_loop(), *this, poll->poll_cb);
      poll->poll_cb(poll, UV_EBADF, 0);
      return;
    }
    int events = 0;
    for (const Mapping& mapping : kMappings) {
      if ((bits & mapping.epoll) != 0) events |= mapping.uv;
    }
    Call call(uv_loop(), *this, poll->poll_cb);
    poll->poll_cb(poll, 0, events);
  }
};

// epoll refuses files that are always ready, such as regular ones.
int check_pollable(uv_loop_t* loop, int fd) {
  const int epoll = loop_of(loop).internals().poller().descriptor();
  epoll_event event{};
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) return errno == EEXIST ? 0 : -errno;
  ::epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event);
  return 0;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_poll_init(uv_loop_t* loop, uv_poll_t* handle, int fd) {
  if (is_watched(loop, fd)) return UV_EEXIST;
  if (const int refused = check_pollable(loop, fd); refused != 0) return refused;
  if (const int failed = set_nonblocking(fd, true); failed != 0) return failed;
  init_handle(loop, handle, UV_POLL, new PollHandle(loop, handle, fd));
  handle->poll_cb = nullptr;
  handle->io_watcher = {};
  handle->io_watcher.fd = fd;
  return 0;
}

int uv_poll_init_socket(uv_loop_t* loop, uv_poll_t* handle, uv_os_sock_t socket) {
  return uv_poll_init(loop, handle, socket);
}

int uv_poll_start(uv_poll_t* handle, int events, uv_poll_cb cb) {
  RONDO_ASSERT(!is_closing(handle));
  auto& poll = behind_as<PollHandle>(handle);
  if (!poll.is_active() && is_watched(handle->loop, poll.fd())) return UV_EEXIST;
  poll.stop_polling();
  if (events == 0) return 0;
  uint32_t bits = 0;
  for (const Mapping& mapping : kMappings) {
    if ((events & mapping.uv) != 0) bits |= mapping.epoll;
  }
  if (const int failed = poll.watch(bits); failed != 0) return failed;
  poll.start();
  handle->poll_cb = cb;
  return 0;
}

int uv_poll_stop(uv_poll_t* handle) {
  RONDO_ASSERT(!is_closing(handle));
  behind_as<PollHandle>(handle).stop_polling();
  return 0;
}

}  // extern "C"
