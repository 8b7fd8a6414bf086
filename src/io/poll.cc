#include "io/poll.h"

#include <sys/epoll.h>

#include "loop/internals.h"

namespace rondo {
namespace {

struct Mapping {
  uint32_t ours;
  uint32_t epoll;
};
constexpr Mapping kMappings[] = {{Poll::kReadable, EPOLLIN},
                                 {Poll::kWritable, EPOLLOUT},
                                 {Poll::kDisconnected, EPOLLRDHUP},
                                 {Poll::kUrgent, EPOLLPRI}};

}  // namespace

Poll::Poll(Loop& loop, int fd) : Handle(loop, HandleKind::poll) {
  watch_.owner = this;
  watch_.source = this;
  watch_.fd = fd;
  watch_.fn = [](Target& target, int32_t result, uint32_t bits) {
    static_cast<FdWatch&>(target).owner->ready(result, bits);
  };
}

Result<void> Poll::start(uint32_t events, OnEvents on_events) {
  RONDO_ASSERT(!is_closing());
  uint32_t interest = 0;
  for (const Mapping& mapping : kMappings) {
    if ((events & mapping.ours) != 0) interest |= mapping.epoll;
  }
  if (interest == 0) return Error{EINVAL, "poll"};
  if (Result<void> watched = internals().poller().watch(watch_, interest); !watched) return watched;
  events_ = events;
  on_events_ = std::move(on_events);
  activate();
  return {};
}

void Poll::stop() {
  internals().unwatch(watch_);
  deactivate();
}

void Poll::ready(int32_t result, uint32_t bits) {
  if (result < 0) {
    deactivate();  // The poller has dropped the watch.
    CallbackScope scope(loop(), *this);
    on_events_.call_replaceable(*this, Error{-result, "poll"});
    return;
  }
  uint32_t events = 0;
  for (const Mapping& mapping : kMappings) {
    if ((bits & mapping.epoll) != 0) events |= mapping.ours;
  }
  if ((bits & (EPOLLERR | EPOLLHUP)) != 0) events |= kReadable | kWritable;
  events &= events_;  // The interest may have changed since the kernel looked.
  if (events == 0) return;
  CallbackScope scope(loop(), *this);
  on_events_.call_replaceable(*this, events);
}

}  // namespace rondo
