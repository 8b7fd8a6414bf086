// Readiness from the kernel; completions come by way of the pool. Works on every Linux.
#pragma once

#include "base/fd.h"
#include "loop/poller/poller.h"

struct epoll_event;

namespace rondo {

class EpollPoller final : public Poller {
 public:
  static Result<std::unique_ptr<Poller>> open();
  ~EpollPoller() override;

  Backend backend() const override { return Backend::epoll; }
  Result<void> watch(Watch& watch, uint32_t interest) override;
  void unwatch(Watch& watch) override;
  void wait(Nanos timeout, std::vector<Event>& ready) override;
  Result<void> reopen_after_fork() override;

 private:
  explicit EpollPoller(Fd epoll);
  int wait_kernel(Nanos timeout);

  Fd epoll_;
  std::unique_ptr<epoll_event[]> events_;
  // All that is watched, found by Watch::slot: only fork needs it, and it costs two stores.
  std::vector<Watch*> watched_;
  size_t sources_ = 0;  // Watched, and not a mere waker.
  bool has_pwait2_ = true;
};

}  // namespace rondo
