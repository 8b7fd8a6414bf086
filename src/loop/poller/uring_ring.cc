#include "loop/poller/uring_ring.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/sys.h"

namespace rondo {
namespace {

uint32_t load(const uint32_t* word, std::memory_order order) {
  return std::atomic_ref<uint32_t>(*const_cast<uint32_t*>(word)).load(order);
}

}  // namespace

Result<void> UringRing::open(uint32_t submissions, uint32_t completions) {
  io_uring_params params{};
  // Without IORING_SETUP_DEFER_TASKRUN: with it a completion wakes only threads inside
  // io_uring_enter(2), and the loop waits in epoll.
  params.flags = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
  params.cq_entries = completions;
  fd_ = Fd(static_cast<int>(::syscall(SYS_io_uring_setup, submissions, &params)));
  if (!fd_) return Error::last("io_uring_setup");
  constexpr uint32_t kNeeded =
      IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG | IORING_FEAT_RW_CUR_POS;
  if ((params.features & kNeeded) != kNeeded) return Error{ENOSYS, "io_uring_setup"};
  if (Result<void> mapped = map(params); !mapped) return mapped;
  // A seccomp filter may allow only io_uring_setup(2). Entering without work has no other effect.
  if (sys::io_uring_enter(fd_.get(), 0, 0, 0, nullptr, 0) < 0) return Error::last("io_uring_enter");
  return {};
}

Result<void> UringRing::map(const io_uring_params& params) {
  rings_size_ = std::max<size_t>(params.sq_off.array + params.sq_entries * sizeof(uint32_t),
                                 params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe));
  rings_ = ::mmap(nullptr, rings_size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                  fd_.get(), IORING_OFF_SQ_RING);
  if (rings_ == MAP_FAILED) {
    rings_ = nullptr;
    return Error::last("mmap");
  }
  sqes_size_ = params.sq_entries * sizeof(io_uring_sqe);
  void* sqes = ::mmap(nullptr, sqes_size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                      fd_.get(), IORING_OFF_SQES);
  if (sqes == MAP_FAILED) return Error::last("mmap");
  sqes_ = static_cast<io_uring_sqe*>(sqes);

  auto* base = static_cast<char*>(rings_);
  const auto word = [base](uint32_t offset) { return reinterpret_cast<uint32_t*>(base + offset); };
  kernel_sq_head_ = word(params.sq_off.head);
  kernel_sq_tail_ = word(params.sq_off.tail);
  kernel_sq_flags_ = word(params.sq_off.flags);
  sq_mask_ = *word(params.sq_off.ring_mask);
  sq_entries_ = *word(params.sq_off.ring_entries);
  kernel_cq_tail_ = word(params.cq_off.tail);
  cq_head_.at = word(params.cq_off.head);
  cq_mask_ = *word(params.cq_off.ring_mask);
  cqes_ = reinterpret_cast<const io_uring_cqe*>(base + params.cq_off.cqes);
  // Entry i is always at index i: the indirection is not used.
  uint32_t* array = word(params.sq_off.array);
  for (uint32_t i = 0; i < sq_entries_; ++i) array[i] = i;
  sq_tail_ = submitted_ = local_cq_head_ = 0;
  return {};
}

void UringRing::close() {
  if (sqes_ != nullptr) ::munmap(sqes_, sqes_size_);
  if (rings_ != nullptr) ::munmap(rings_, rings_size_);
  sqes_ = nullptr;
  rings_ = nullptr;
  fd_.reset();
}

io_uring_sqe* UringRing::claim() {
  if (sq_tail_ - load(kernel_sq_head_, std::memory_order_acquire) >= sq_entries_) return nullptr;
  io_uring_sqe* sqe = &sqes_[sq_tail_ & sq_mask_];
  ++sq_tail_;
  std::memset(sqe, 0, sizeof *sqe);
  return sqe;
}

io_uring_sqe* UringRing::unsubmitted(uint32_t sequence) {
  if (sequence - submitted_ >= sq_tail_ - submitted_) return nullptr;
  return &sqes_[sequence & sq_mask_];
}

const io_uring_cqe* UringRing::next() const {
  if (local_cq_head_ == load(kernel_cq_tail_, std::memory_order_acquire)) return nullptr;
  return &cqes_[local_cq_head_ & cq_mask_];
}

bool UringRing::needs_enter() const {
  return (load(kernel_sq_flags_, std::memory_order_relaxed) & IORING_SQ_CQ_OVERFLOW) != 0;
}

UringRing::Entered UringRing::enter(Nanos timeout) {
  std::atomic_ref<uint32_t>(*kernel_sq_tail_).store(sq_tail_, std::memory_order_release);
  unsigned flags = IORING_ENTER_GETEVENTS;
  io_uring_getevents_arg argument{};
  __kernel_timespec limit{};
  const void* pointer = nullptr;
  size_t size = 0;
  if (timeout > Nanos::zero() && timeout != kForever) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    limit = {seconds.count(), (timeout - seconds).count()};
    argument.ts = reinterpret_cast<uint64_t>(&limit);
    flags |= IORING_ENTER_EXT_ARG;
    pointer = &argument;
    size = sizeof argument;
  }
  const unsigned wait = timeout > Nanos::zero() ? 1 : 0;
  const int result = sys::io_uring_enter(fd_.get(), waiting(), wait, flags, pointer, size);
  submitted_ = load(kernel_sq_head_, std::memory_order_acquire);
  if (result >= 0) return Entered::done;
  switch (errno) {
    case EINTR:
    case ETIME: return Entered::done;
    case EAGAIN:  // No memory for a request at the moment.
    case EBUSY:   // Completions have overflowed: take some first.
      return Entered::full;
    default: assertion_failed("io_uring_enter", __FILE__, __LINE__);
  }
}

}  // namespace rondo
