#include "loop/poller/uring.h"

#include <sys/epoll.h>

#include <algorithm>

#include "base/sys.h"

namespace rondo {
namespace {

// Operations are submitted one by one; more than this wait only while the kernel is short of
// memory.
constexpr uint32_t kSubmissions = 64;
// The kernel keeps completions beyond this until some are taken.
constexpr uint32_t kCompletions = 1024;

// The name by which fault plans refer to completions of an operation.
const char* completion_name(uint8_t opcode) {
  switch (opcode) {
    case IORING_OP_READ:
    case IORING_OP_READV: return "completion_read";
    case IORING_OP_WRITE:
    case IORING_OP_WRITEV: return "completion_write";
    case IORING_OP_FSYNC: return "completion_fsync";
    case IORING_OP_CLOSE: return "completion_close";
    default: return "completion";
  }
}

}  // namespace

UringPoller::UringPoller(std::unique_ptr<EpollPoller> epoll) : epoll_(std::move(epoll)) {
  ring_watch_.is_waker = true;  // Completions are visible in memory without calling epoll.
}

UringPoller::~UringPoller() { epoll_->unwatch(ring_watch_); }

Result<std::unique_ptr<Poller>> UringPoller::open() {
  Result<std::unique_ptr<EpollPoller>> epoll = EpollPoller::open();
  if (!epoll) return epoll.error();
  std::unique_ptr<UringPoller> poller(new UringPoller(std::move(*epoll)));
  if (Result<void> opened = poller->open_ring(); !opened) return opened.error();
  return std::unique_ptr<Poller>(std::move(poller));
}

Result<void> UringPoller::open_ring() {
  if (Result<void> opened = ring_.open(kSubmissions, kCompletions); !opened) return opened;
  ring_watch_.fd = ring_.fd();
  // Before the first operation: submit() could not report a failure.
  return epoll_->watch_now(ring_watch_, EPOLLIN);
}

uint32_t UringPoller::take_slot(Op& op) {
  uint32_t slot = first_free_;
  if (slot == UINT32_MAX) {
    slot = static_cast<uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    first_free_ = slots_[slot].sequence;
  }
  slots_[slot] = Slot{.op = &op};
  ++in_flight_;
  return slot;
}

void UringPoller::free_slot(uint32_t slot) {
  slots_[slot].op = nullptr;
  slots_[slot].sequence = first_free_;
  first_free_ = slot;
  --in_flight_;
}

void UringPoller::enqueue(const io_uring_sqe& entry, Slot* slot) {
  send_backlog();
  io_uring_sqe* const place = backlog_.empty() ? ring_.claim() : nullptr;
  if (place == nullptr) {
    // The kernel accepts no more until completions are taken; the next wait does that.
    backlog_.push_back(entry);
    if (slot != nullptr) {
      slot->sequence = ring_.claimed() + static_cast<uint32_t>(backlog_.size()) - 1;
    }
    return;
  }
  *place = entry;
  if (slot != nullptr) slot->sequence = ring_.claimed() - 1;
  ring_.enter(Nanos::zero());
}

void UringPoller::send_backlog() {
  while (!backlog_.empty()) {
    io_uring_sqe* place = ring_.claim();
    if (place == nullptr) return;
    *place = backlog_.front();
    backlog_.pop_front();
  }
}

void UringPoller::submit(Op& op, const OpArgs& args) {
  RONDO_ASSERT(!op.is_in_flight());
  op.slot = take_slot(op);
  slots_[op.slot].opcode = args.opcode;
  io_uring_sqe entry{};
  entry.opcode = args.opcode;
  entry.fd = args.fd;
  entry.off = args.off;
  entry.addr = args.addr;
  entry.len = args.len;
  entry.rw_flags = static_cast<int>(args.op_flags);
  entry.user_data = op.slot;
  enqueue(entry, &slots_[op.slot]);
}

void UringPoller::cancel(Op& op) {
  if (!op.is_in_flight()) return;
  const uint32_t index = op.slot;
  Slot& slot = slots_[index];
  // The kernel has not seen it, and must not: its descriptor may refer to another file by then.
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
  cancellation.user_data = kCancellation;
  enqueue(cancellation, nullptr);
}

void UringPoller::wait(Nanos timeout, std::vector<Event>& ready) {
  send_backlog();
  if (ring_.waiting() > 0) ring_.enter(Nanos::zero());
  const size_t first_new = ready.size();
  if (has_completions() || !backlog_.empty()) timeout = Nanos::zero();
  epoll_->wait(timeout, ready);
  const auto first = ready.begin() + static_cast<std::ptrdiff_t>(first_new);
  auto place = std::find_if(first, ready.end(),
                            [this](const Event& event) { return event.target == &ring_watch_; });
  if (place == ready.end()) {
    // Without other descriptors epoll is not called.
    if (!has_completions()) return;
    place = ready.insert(first, Event{});
  }
  reap();
  // The completions replace the ring's own event.
  place = ready.erase(place);
  ready.insert(place, completed_.begin(), completed_.end());
}

void UringPoller::reap() {
  completed_.clear();
  if (ring_.needs_enter()) ring_.enter(Nanos::zero());
  while (completed_.size() < kBatch) {
    const io_uring_cqe* completion = ring_.next();
    if (completion == nullptr) return;
    const uint64_t user_data = completion->user_data;
    const int32_t reported = completion->res;
    ring_.advance();
    if (user_data == kCancellation) continue;
    const auto index = static_cast<uint32_t>(user_data);
    Slot& slot = slots_[index];
    const int32_t result = sys::completed(completion_name(slot.opcode), reported);
    slot.op->slot = Op::kNoSlot;
    completed_.push_back({slot.op, slot.is_cancelled ? -ECANCELED : result, 0});
    free_slot(index);
  }
}

Result<void> UringPoller::reopen_after_fork() {
  // First: while the epoll is shared, unwatching would affect the parent.
  if (Result<void> reopened = epoll_->reopen_after_fork(); !reopened) return reopened;
  epoll_->unwatch(ring_watch_);
  ring_.close();
  backlog_.clear();
  for (const Slot& slot : slots_) {
    if (slot.op != nullptr) slot.op->slot = Op::kNoSlot;
  }
  slots_.clear();
  in_flight_ = 0;
  first_free_ = UINT32_MAX;
  return open_ring();
}

}  // namespace rondo
