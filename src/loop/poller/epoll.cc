#include "loop/poller/epoll.h"

#include <sys/epoll.h>
#include <sys/syscall.h>

#include <algorithm>

#include "base/sys.h"

namespace rondo {
namespace {

// The longest sleep that epoll_wait(2) takes as an int of milliseconds; the loop sleeps again.
constexpr Nanos kLongestSleep = std::chrono::hours{24 * 14};

}  // namespace

EpollPoller::EpollPoller(Fd epoll)
    : epoll_(std::move(epoll)), events_(std::make_unique<epoll_event[]>(kBatch)) {}

EpollPoller::~EpollPoller() = default;

Result<std::unique_ptr<Poller>> EpollPoller::open() {
  Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return Error::last("epoll_create1");
  return std::unique_ptr<Poller>(new EpollPoller(std::move(epoll)));
}

Result<void> EpollPoller::watch(Watch& watch, uint32_t interest) {
  RONDO_DEBUG_ASSERT(interest != 0);
  epoll_event event{};
  event.events = interest;
  event.data.ptr = &watch;
  const bool is_new = watch.interest == 0;
  if (watch.interest == interest) return {};
  const int operation = is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  if (sys::epoll_ctl(epoll_.get(), operation, watch.fd, &event) < 0) {
    return Error::last("epoll_ctl");
  }
  watch.interest = interest;
  if (is_new) {
    watch.slot = static_cast<uint32_t>(watched_.size());
    watched_.push_back(&watch);
    if (!watch.is_waker) ++sources_;
  }
  return {};
}

void EpollPoller::unwatch(Watch& watch) {
  if (watch.interest == 0) return;
  watch.interest = 0;
  // Always told to the kernel, though close(2) mostly does it: after a fork the description stays
  // open in the child, and events would go on coming for a Watch that is long freed.
  epoll_event ignored{};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, watch.fd, &ignored);
  if (!watch.is_waker) --sources_;
  Watch* last = watched_.back();
  watched_.pop_back();
  if (last != &watch) {
    watched_[watch.slot] = last;
    last->slot = watch.slot;
  }
}

int EpollPoller::wait_kernel(Nanos timeout) {
  const int capacity = static_cast<int>(kBatch);
  if (timeout == Nanos::zero()) return sys::epoll_wait(epoll_.get(), events_.get(), capacity, 0);
  if (timeout == kForever) return sys::epoll_wait(epoll_.get(), events_.get(), capacity, -1);
  timeout = std::min(timeout, kLongestSleep);
  if (has_pwait2_) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    const timespec limit{seconds.count(), (timeout - seconds).count()};
    const int count = sys::epoll_pwait2(epoll_.get(), events_.get(), capacity, &limit);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    // Before Linux 5.11, or in a sandbox that does not know the call: milliseconds it is.
    has_pwait2_ = false;
  }
  // Rounded up: a timer never runs early, and rounding down would spin through its last part.
  const Millis rounded = std::chrono::ceil<Millis>(timeout);
  return sys::epoll_wait(epoll_.get(), events_.get(), capacity, static_cast<int>(rounded.count()));
}

void EpollPoller::wait(Nanos timeout, std::vector<Event>& ready) {
  if (timeout == Nanos::zero() && sources_ == 0) return;  // Nothing can be ready.
  const int count = wait_kernel(timeout);
  if (count < 0) {
    RONDO_ASSERT(errno == EINTR);  // Anything else is a descriptor closed behind our back.
    return;
  }
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events_[static_cast<size_t>(i)];
    ready.push_back({static_cast<Watch*>(event.data.ptr), 0, event.events});
  }
}

Result<void> EpollPoller::reopen_after_fork() {
  Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return Error::last("epoll_create1");
  epoll_ = std::move(epoll);
  for (Watch* watch : watched_) {
    epoll_event event{};
    event.events = watch->interest;
    event.data.ptr = watch;
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, watch->fd, &event) < 0) {
      return Error::last("epoll_ctl");
    }
  }
  return {};
}

}  // namespace rondo
