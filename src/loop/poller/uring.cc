#include "loop/poller/uring.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rondo {
namespace {

// A turn's submissions mostly fit; a fuller ring costs one more system call, nothing else.
constexpr uint32_t kSubmissions = 512;
// Room for a completion of every connection of a busy server before the kernel has to spill.
constexpr uint32_t kCompletions = 8192;

// The kernel polls regular files and directories as ready for ever; epoll refuses them, and so do
// we: a watch that never rests would only burn the processor.
bool is_always_ready(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

}  // namespace

Result<std::unique_ptr<Poller>> UringPoller::open() {
  std::unique_ptr<UringPoller> poller(new UringPoller);
  if (Result<void> opened = poller->ring_.open(kSubmissions, kCompletions); !opened) {
    return opened.error();
  }
  return std::unique_ptr<Poller>(std::move(poller));
}

uint32_t UringPoller::take_slot(Target& target, bool is_watch) {
  uint32_t slot = first_free_;
  if (slot == UINT32_MAX) {
    slot = static_cast<uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    first_free_ = slots_[slot].sequence;
  }
  slots_[slot] = Slot{&target, 0, is_watch, false, target.discard};
  return slot;
}

void UringPoller::free_slot(uint32_t slot) {
  slots_[slot].target = nullptr;
  slots_[slot].sequence = first_free_;
  first_free_ = slot;
}

void UringPoller::enqueue(const io_uring_sqe& entry, Slot* slot) {
  if (!backlog_.empty()) {
    send_backlog();
  }
  io_uring_sqe* place = backlog_.empty() ? ring_.claim() : nullptr;
  if (place == nullptr && backlog_.empty()) {
    ring_.enter(Nanos::zero());  // Full: hand over what is there.
    place = ring_.claim();
  }
  if (place == nullptr) {
    // The kernel takes no more until completions are taken; the next wait does that.
    backlog_.push_back(entry);
    if (slot != nullptr)
      slot->sequence = ring_.claimed() + static_cast<uint32_t>(backlog_.size()) - 1;
    return;
  }
  *place = entry;
  if (slot != nullptr) slot->sequence = ring_.claimed() - 1;
}

void UringPoller::send_backlog() {
  while (!backlog_.empty()) {
    io_uring_sqe* place = ring_.claim();
    if (place == nullptr) return;
    *place = backlog_.front();
    backlog_.pop_front();
  }
}

Result<void> UringPoller::watch(Watch& watch, uint32_t interest) {
  if (watch.interest == interest) return {};
  if (watch.interest == 0 && is_always_ready(watch.fd)) return Error{EPERM, "poll"};
  const bool is_waiting = watch.interest != 0 && (watch.slot & kWaiting) != 0;
  if (watch.interest != 0 && !is_waiting) drop(watch.slot);
  watch.interest = interest;
  if (!is_waiting) arm(watch);
  return {};
}

void UringPoller::arm_waiting() {
  for (Watch* watch : to_arm_) {
    if (watch != nullptr) arm(*watch);
  }
  to_arm_.clear();
}

void UringPoller::arm(Watch& watch) {
  watch.slot = take_slot(watch, true);
  io_uring_sqe entry{};
  entry.opcode = IORING_OP_POLL_ADD;
  entry.fd = watch.fd;
  entry.poll32_events = watch.interest & ~static_cast<uint32_t>(EPOLLET);
  // Level-triggered means asking again after each event: see to_arm_. An edge is what multishot
  // polls report.
  if ((watch.interest & EPOLLET) != 0) entry.len = IORING_POLL_ADD_MULTI;
  entry.user_data = watch.slot;
  enqueue(entry, &slots_[watch.slot]);
}

void UringPoller::unwatch(Watch& watch) {
  if (watch.interest == 0) return;
  watch.interest = 0;
  if ((watch.slot & kWaiting) != 0) {
    to_arm_[watch.slot & ~kWaiting] = nullptr;
  } else {
    drop(watch.slot);
  }
}

// Nobody is left to tell; the slot lives on until the kernel is done with it.
void UringPoller::drop(uint32_t slot) {
  slots_[slot].target = nullptr;
  give_up(slot);
}

void UringPoller::give_up(uint32_t index) {
  Slot& slot = slots_[index];
  // The kernel has not seen it, and must not: its descriptor may mean another file by then.
  io_uring_sqe* entry = ring_.unsubmitted(slot.sequence);
  if (entry == nullptr) {
    const uint32_t place = slot.sequence - ring_.claimed();
    if (place < backlog_.size()) entry = &backlog_[place];
  }
  if (entry != nullptr && entry->user_data == index) {
    *entry = io_uring_sqe{};
    entry->opcode = IORING_OP_NOP;
    entry->user_data = index;
    slot.is_cancelled = true;
    return;
  }
  io_uring_sqe cancellation{};
  cancellation.opcode = IORING_OP_ASYNC_CANCEL;
  cancellation.fd = -1;
  cancellation.addr = index;
  cancellation.user_data = kNobody;
  enqueue(cancellation, nullptr);
}

void UringPoller::submit(Op& op, const OpArgs& args) {
  RONDO_ASSERT(!op.is_in_flight());
  op.slot = take_slot(op, false);
  io_uring_sqe entry{};
  entry.opcode = args.opcode;
  entry.ioprio = args.ioprio;
  entry.fd = args.fd;
  entry.off = args.off;
  entry.addr = args.addr;
  entry.len = args.len;
  entry.rw_flags = static_cast<int>(args.op_flags);
  entry.user_data = op.slot;
  if (args.provided_buffers) {
    if (!buffers_.is_open()) {
      if (Result<void> opened = buffers_.open(ring_); !opened) {
        fatal(opened.error().message().c_str());
      }
    }
    entry.flags = IOSQE_BUFFER_SELECT;
    entry.buf_group = UringBuffers::kGroup;
  }
  enqueue(entry, &slots_[op.slot]);
}

void UringPoller::cancel(Op& op) {
  if (op.is_in_flight()) give_up(op.slot);
}

void UringPoller::detach(Op& op) {
  if (!op.is_in_flight()) return;
  drop(op.slot);
  op.slot = Op::kNoSlot;
}

std::span<std::byte> UringPoller::buffer(const Event& event) {
  RONDO_ASSERT((event.flags & IORING_CQE_F_BUFFER) != 0);
  return buffers_.at(event.flags >> IORING_CQE_BUFFER_SHIFT, static_cast<size_t>(event.result));
}

void UringPoller::recycle(uint32_t event_flags) {
  if ((event_flags & IORING_CQE_F_BUFFER) == 0) return;
  buffers_.recycle(event_flags >> IORING_CQE_BUFFER_SHIFT);
}

void UringPoller::flush() {
  send_backlog();
  if (ring_.waiting() > 0) ring_.enter(Nanos::zero());
}

void UringPoller::wait(Nanos timeout, std::vector<Event>& ready) {
  arm_waiting();
  send_backlog();
  if (ring_.next() != nullptr || !backlog_.empty()) timeout = Nanos::zero();
  // Nothing to hand over and nothing to fetch: completions are looked for in memory, for free.
  if (timeout > Nanos::zero() || ring_.waiting() > 0 || ring_.needs_enter()) ring_.enter(timeout);
  reap(ready);
  if (lacks_buffers_) {
    // Once for all that found none: their streams ask again, and find more.
    lacks_buffers_ = false;
    buffers_.grow();
  }
}

void UringPoller::reap(std::vector<Event>& ready) {
  for (size_t taken = 0; taken < kBatch; ++taken) {
    const io_uring_cqe* completion = ring_.next();
    if (completion == nullptr) return;
    const io_uring_cqe copy{completion->user_data, completion->res, completion->flags};
    ring_.advance();
    if (copy.user_data != kNobody) reap_one(copy, ready);
  }
}

void UringPoller::reap_one(const io_uring_cqe& completion, std::vector<Event>& ready) {
  const auto index = static_cast<uint32_t>(completion.user_data);
  Slot& slot = slots_[index];
  const bool is_last = (completion.flags & IORING_CQE_F_MORE) == 0;
  const int32_t result = slot.is_cancelled ? -ECANCELED : completion.res;
  Target* target = slot.target;
  if (result == -ENOBUFS && slot.discard == Discard::recycle_buffer) lacks_buffers_ = true;
  if (target == nullptr) {
    if (slot.discard == Discard::close_fd && result >= 0 && !slot.is_cancelled) ::close(result);
    if (slot.discard == Discard::recycle_buffer) recycle(completion.flags);
    if (is_last) free_slot(index);
    return;
  }
  if (!slot.is_watch) {
    if (is_last) {
      static_cast<Op*>(target)->slot = Op::kNoSlot;
      free_slot(index);
    }
    ready.push_back({target, result, completion.flags});
    return;
  }
  Watch& watch = *static_cast<Watch*>(target);
  if (is_last) {
    free_slot(index);
    // A descriptor that cannot be polled (-EBADF after a foreign close) is told once, not for ever.
    if (result >= 0) {
      watch.slot = kWaiting | static_cast<uint32_t>(to_arm_.size());
      to_arm_.push_back(&watch);
    } else {
      watch.interest = 0;
    }
  }
  const uint32_t events = result >= 0 ? static_cast<uint32_t>(result) : uint32_t{EPOLLERR};
  ready.push_back({target, result >= 0 ? 0 : result, events});
}

Result<void> UringPoller::reopen_after_fork() {
  ring_.close();
  buffers_.close();
  backlog_.clear();
  if (Result<void> opened = ring_.open(kSubmissions, kCompletions); !opened) return opened;
  std::vector<Watch*> watches;
  for (Watch* watch : to_arm_) {
    if (watch != nullptr) watches.push_back(watch);
  }
  to_arm_.clear();
  for (const Slot& slot : slots_) {
    if (slot.target == nullptr) continue;
    if (slot.is_watch) {
      watches.push_back(static_cast<Watch*>(slot.target));
    } else {
      static_cast<Op*>(slot.target)->slot = Op::kNoSlot;
    }
  }
  slots_.clear();
  first_free_ = UINT32_MAX;
  for (Watch* watch : watches) arm(*watch);
  return {};
}

}  // namespace rondo
