// Completions from the kernel; readiness as a poll operation. Submissions of one turn go out
// together, in the same system call that waits.
#pragma once

#include <deque>

#include "loop/poller/poller.h"
#include "loop/poller/uring_buffers.h"
#include "loop/poller/uring_ring.h"

namespace rondo {

class UringPoller final : public Poller {
 public:
  static Result<std::unique_ptr<Poller>> open();

  Backend backend() const override { return Backend::uring; }
  Result<void> watch(Watch& watch, uint32_t interest) override;
  void unwatch(Watch& watch) override;
  bool has_operations() const override { return true; }
  void submit(Op& op, const OpArgs& args) override;
  void cancel(Op& op) override;
  void detach(Op& op) override;
  std::span<std::byte> buffer(const Event& event) override;
  void recycle(uint32_t event_flags) override;
  void wait(Nanos timeout, std::vector<Event>& ready) override;
  void flush() override;
  Result<void> reopen_after_fork() override;

 private:
  // One per operation the kernel knows of, from submission to its last completion. It outlives the
  // watch or op behind it, so that those can be freed at any time.
  struct Slot {
    Target* target = nullptr;  // Null: nobody is left to tell.
    uint32_t sequence = 0;     // Of its submission; also the next free slot.
    bool is_watch = false;
    bool is_cancelled = false;  // Before the kernel saw it.
    Discard discard = Discard::nothing;
  };
  // In Watch::slot: not with the kernel, but at this place of to_arm_.
  static constexpr uint32_t kWaiting = 1u << 31;
  static constexpr uint64_t kNobody = UINT64_MAX;  // user_data of cancellations

  UringPoller() = default;
  uint32_t take_slot(Target& target, bool is_watch);
  void free_slot(uint32_t slot);
  void enqueue(const io_uring_sqe& entry, Slot* slot);
  void send_backlog();
  void arm(Watch& watch);
  void arm_waiting();
  void drop(uint32_t slot);
  void give_up(uint32_t slot);
  void reap(std::vector<Event>& ready);
  void reap_one(const io_uring_cqe& completion, std::vector<Event>& ready);

  UringRing ring_;
  // Level-triggered watches that have just reported. The kernel is asked again with the next wait:
  // any earlier, and it would report what the callbacks are about to read. Null: unwatched since.
  std::vector<Watch*> to_arm_;
  UringBuffers buffers_;
  bool lacks_buffers_ = false;  // An operation of this wait's ended for want of one.
  std::vector<Slot> slots_;
  uint32_t first_free_ = UINT32_MAX;
  // Submissions that found the ring full, in order; slots keep their claim to them.
  std::deque<io_uring_sqe> backlog_;
};

}  // namespace rondo
