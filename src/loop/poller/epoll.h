// Readiness by epoll, in libuv's order. Works on every Linux; file operations run on the pool.
#pragma once

#include <csignal>

#include "base/fd.h"
#include "loop/poller/poller.h"

struct epoll_event;

namespace rondo {

class EpollPoller final : public Poller {
 public:
  static Result<std::unique_ptr<EpollPoller>> open();
  ~EpollPoller() override;

  Backend backend() const override { return Backend::epoll; }
  Result<void> watch(Watch& watch, uint32_t interest) override;
  Result<void> watch_now(Watch& watch, uint32_t interest) override;
  void unwatch(Watch& watch) override;
  Watch* watch_of(int fd) override;
  void disarm(int fd) override;
  bool has_sources() const override { return sources_ > 0 || registered_ > wakers_; }
  void wait(Nanos timeout, std::vector<Event>& ready) override;
  void block_signal(int signum) override;
  int descriptor() const override { return epoll_.get(); }
  Result<void> reopen_after_fork() override;

 private:
  // The state of one descriptor number.
  struct Entry {
    Watch* watch = nullptr;   // Started or stopped, until unwatch().
    uint32_t registered = 0;  // The interest registered with the kernel; 0: none.
  };
  explicit EpollPoller(Fd epoll);
  Entry& entry(int fd);
  Result<void> check_pollable(int fd);
  void queue_change(Watch& watch);
  void unqueue_change(Watch& watch);
  void count(const Watch& watch, int difference);
  void apply_changes(std::vector<Event>& ready);
  bool register_interest(int fd, Entry& entry);
  int wait_kernel(Nanos timeout);
  int wait_unblocked(Nanos timeout);

  Fd epoll_;
  std::unique_ptr<epoll_event[]> events_;
  std::vector<Entry> entries_;  // By descriptor.
  // Watches whose interest is not yet registered with the kernel, in order; null: stopped since.
  // The slot of a queued watch is its position here plus one.
  std::vector<Watch*> changes_;
  size_t sources_ = 0;  // Started watches that are not wakers.
  size_t wakers_ = 0;   // Started watches that only end a sleep.
  // Descriptors registered with the kernel, of started and stopped watches.
  size_t registered_ = 0;
  bool has_pwait2_ = true;
  sigset_t blocked_{};  // During waits; used if blocks_signals_.
  bool blocks_signals_ = false;
};

}  // namespace rondo
