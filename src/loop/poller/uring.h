// Readiness by epoll, and file operations by io_uring. An operation reaches the kernel inside
// submit(). Its completion is reported at the position of the ring's descriptor among the ready
// ones.
#pragma once

#include <deque>

#include "loop/poller/epoll.h"
#include "loop/poller/uring_ring.h"

namespace rondo {

class UringPoller final : public Poller {
 public:
  static Result<std::unique_ptr<Poller>> open();
  ~UringPoller() override;

  Backend backend() const override { return Backend::uring; }
  Result<void> watch(Watch& watch, uint32_t interest) override {
    return epoll_->watch(watch, interest);
  }
  Result<void> watch_now(Watch& watch, uint32_t interest) override {
    return epoll_->watch_now(watch, interest);
  }
  void unwatch(Watch& watch) override { epoll_->unwatch(watch); }
  Watch* watch_of(int fd) override { return epoll_->watch_of(fd); }
  void disarm(int fd) override { epoll_->disarm(fd); }
  bool has_sources() const override { return in_flight_ > 0 || epoll_->has_sources(); }
  bool has_operations() const override { return true; }
  void submit(Op& op, const OpArgs& args) override;
  void cancel(Op& op) override;
  void wait(Nanos timeout, std::vector<Event>& ready) override;
  void block_signal(int signum) override { epoll_->block_signal(signum); }
  int descriptor() const override { return epoll_->descriptor(); }
  Result<void> reopen_after_fork() override;

 private:
  // One per operation that is in the kernel or in the backlog.
  struct Slot {
    Op* op = nullptr;
    uint32_t sequence = 0;  // Of its submission; in a free slot, the index of the next free one.
    bool is_cancelled = false;  // Before it reached the kernel.
    uint8_t opcode = 0;
  };
  static constexpr uint64_t kCancellation = UINT64_MAX;  // user_data of cancellations

  explicit UringPoller(std::unique_ptr<EpollPoller> epoll);
  Result<void> open_ring();
  uint32_t take_slot(Op& op);
  void free_slot(uint32_t slot);
  void enqueue(const io_uring_sqe& entry, Slot* slot);
  void send_backlog();
  bool has_completions() const { return ring_.next() != nullptr || ring_.needs_enter(); }
  // Appends completions to `completed_`.
  void reap();

  std::unique_ptr<EpollPoller> epoll_;
  UringRing ring_;
  Watch ring_watch_;
  std::vector<Slot> slots_;
  size_t in_flight_ = 0;  // Slots in use.
  uint32_t first_free_ = UINT32_MAX;
  // Submissions that found the ring full, in order; a slot's sequence finds its entry here.
  std::deque<io_uring_sqe> backlog_;
  std::vector<Event> completed_;
};

}  // namespace rondo
