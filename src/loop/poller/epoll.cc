#include "loop/poller/epoll.h"

#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>

#include "base/sys.h"

namespace rondo {
namespace {

// The longest sleep that fits epoll_wait(2)'s int of milliseconds; the loop sleeps again.
constexpr Nanos kLongestSleep = std::chrono::hours{24 * 14};

}  // namespace

EpollPoller::EpollPoller(Fd epoll)
    : epoll_(std::move(epoll)), events_(std::make_unique<epoll_event[]>(kBatch)) {}

EpollPoller::~EpollPoller() = default;

Result<std::unique_ptr<EpollPoller>> EpollPoller::open() {
  Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return Error::last("epoll_create1");
  return std::unique_ptr<EpollPoller>(new EpollPoller(std::move(epoll)));
}

EpollPoller::Entry& EpollPoller::entry(int fd) {
  RONDO_ASSERT(fd >= 0);
  const auto index = static_cast<size_t>(fd);
  if (index >= entries_.size()) entries_.resize(std::max(index + 1, 2 * entries_.size()));
  return entries_[index];
}

Watch* EpollPoller::watch_of(int fd) {
  const auto index = static_cast<size_t>(fd);
  return fd >= 0 && index < entries_.size() ? entries_[index].watch : nullptr;
}

// epoll refuses some kinds of files, such as regular ones. Callers expect that error at once,
// although the interest is registered later. Sockets and pipes are never refused.
Result<void> EpollPoller::check_pollable(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) < 0) return Error::last("epoll_ctl");
  if (S_ISSOCK(info.st_mode) || S_ISFIFO(info.st_mode)) return {};
  epoll_event event{};
  if (sys::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) < 0) return Error::last("epoll_ctl");
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, &event);
  return {};
}

Result<void> EpollPoller::watch(Watch& watch, uint32_t interest) {
  if (watch.interest == interest) return {};
  if (interest == 0) {
    count(watch, -1);
    watch.interest = 0;
    unqueue_change(watch);
    return {};
  }
  Entry& known = entry(watch.fd);
  if (known.watch != &watch) {
    if (known.watch != nullptr && known.watch->interest != 0) return Error{EEXIST, "epoll_ctl"};
    if (known.registered == 0 && !watch.is_socket) {
      if (Result<void> pollable = check_pollable(watch.fd); !pollable) return pollable;
    }
    known.watch = &watch;
  }
  if (watch.interest == 0) count(watch, 1);
  watch.interest = interest;
  queue_change(watch);
  return {};
}

Result<void> EpollPoller::watch_now(Watch& watch, uint32_t interest) {
  if (Result<void> queued = this->watch(watch, interest); !queued) return queued;
  unqueue_change(watch);
  Entry& known = entry(watch.fd);
  if (interest == known.registered || register_interest(watch.fd, known)) return {};
  const Error error = Error::last("epoll_ctl");
  unwatch(watch);
  return error;
}

void EpollPoller::count(const Watch& watch, int difference) {
  (watch.is_waker ? wakers_ : sources_) += static_cast<size_t>(difference);
}

void EpollPoller::queue_change(Watch& watch) {
  if (watch.slot != 0) return;
  changes_.push_back(&watch);
  watch.slot = static_cast<uint32_t>(changes_.size());
}

void EpollPoller::unqueue_change(Watch& watch) {
  if (watch.slot == 0) return;
  changes_[watch.slot - 1] = nullptr;
  watch.slot = 0;
}

void EpollPoller::unwatch(Watch& watch) {
  if (watch.fd < 0) return;
  Entry& known = entry(watch.fd);
  if (known.watch != &watch) return;
  if (watch.interest != 0) count(watch, -1);
  watch.interest = 0;
  unqueue_change(watch);
  known.watch = nullptr;
  disarm(watch.fd);
}

// Always tells the kernel, although close(2) usually does so: after a fork the description stays
// open in the child, and its events would continue.
void EpollPoller::disarm(int fd) {
  Entry& known = entry(fd);
  if (known.registered == 0) return;
  known.registered = 0;
  --registered_;
  epoll_event ignored{};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, &ignored);
}

void EpollPoller::apply_changes(std::vector<Event>& ready) {
  for (Watch* watch : changes_) {
    if (watch == nullptr) continue;
    watch->slot = 0;
    Entry& known = entry(watch->fd);
    if (watch->interest == known.registered) continue;
    if (register_interest(watch->fd, known)) continue;
    const int code = errno;
    count(*watch, -1);
    watch->interest = 0;
    ready.push_back({watch, -code, EPOLLERR});
  }
  changes_.clear();
}

bool EpollPoller::register_interest(int fd, Entry& entry) {
  epoll_event event{};
  event.events = entry.watch->interest;
  event.data.fd = fd;
  const int operation = entry.registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  int done = sys::epoll_ctl(epoll_.get(), operation, fd, &event);
  // The descriptor was closed without unwatching it, and its number was reused.
  if (done < 0 && operation == EPOLL_CTL_MOD && errno == ENOENT) {
    done = sys::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
  }
  if (entry.registered != 0) --registered_;
  if (done < 0 && entry.registered != 0) {
    // The old interest is still there, and would make the next EPOLL_CTL_ADD fail.
    const int code = errno;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, &event);
    errno = code;
  }
  entry.registered = done < 0 ? 0 : entry.watch->interest;
  if (entry.registered != 0) ++registered_;
  return done >= 0;
}

void EpollPoller::block_signal(int signum) {
  if (!blocks_signals_) ::sigemptyset(&blocked_);
  ::sigaddset(&blocked_, signum);
  blocks_signals_ = true;
}

int EpollPoller::wait_kernel(Nanos timeout) {
  if (!blocks_signals_ || timeout == Nanos::zero()) return wait_unblocked(timeout);
  // Not epoll_pwait(2), whose mask would replace the thread's.
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, &blocked_, &before);
  const int count = wait_unblocked(timeout);
  const int code = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = code;
  return count;
}

int EpollPoller::wait_unblocked(Nanos timeout) {
  const int capacity = static_cast<int>(kBatch);
  if (timeout == Nanos::zero()) return sys::epoll_wait(epoll_.get(), events_.get(), capacity, 0);
  if (timeout == kForever) return sys::epoll_wait(epoll_.get(), events_.get(), capacity, -1);
  timeout = std::min(timeout, kLongestSleep);
  if (has_pwait2_) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    const timespec limit{seconds.count(), (timeout - seconds).count()};
    const int count = sys::epoll_pwait2(epoll_.get(), events_.get(), capacity, &limit);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    // Before Linux 5.11, or in a sandbox that refuses the call: use milliseconds.
    has_pwait2_ = false;
  }
  // Rounded up: a timer never runs early, and rounding down would spin through the last part.
  const Millis rounded = std::chrono::ceil<Millis>(timeout);
  return sys::epoll_wait(epoll_.get(), events_.get(), capacity, static_cast<int>(rounded.count()));
}

void EpollPoller::wait(Nanos timeout, std::vector<Event>& ready) {
  if (!changes_.empty()) {
    const size_t before = ready.size();
    apply_changes(ready);
    if (ready.size() > before) timeout = Nanos::zero();
  }
  // Only the mailbox could be ready, and the loop checks that itself. A stopped watch loses its
  // position here if it is ready (POL-10).
  if (timeout == Nanos::zero() && !has_sources()) return;
  const int count = wait_kernel(timeout);
  if (count < 0) {
    // Any other error means the epoll descriptor was closed by other code.
    RONDO_ASSERT(errno == EINTR);
    return;
  }
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events_[static_cast<size_t>(i)];
    ready.push_back({watch_of(event.data.fd), event.data.fd, event.events});
  }
}

Result<void> EpollPoller::reopen_after_fork() {
  Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return Error::last("epoll_create1");
  epoll_ = std::move(epoll);
  registered_ = 0;
  for (size_t fd = 0; fd < entries_.size(); ++fd) {
    Entry& known = entries_[fd];
    known.registered = 0;
    if (known.watch == nullptr || known.watch->interest == 0) continue;
    if (!register_interest(static_cast<int>(fd), known)) return Error::last("epoll_ctl");
  }
  return {};
}

}  // namespace rondo
