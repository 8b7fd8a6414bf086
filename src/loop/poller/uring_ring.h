// The raw io_uring: set-up, the two rings in shared memory, and the system call. Independent of
// watches, operations and loops.
#pragma once

#include <linux/io_uring.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/fd.h"
#include "base/result.h"
#include "base/time/time.h"

namespace rondo {

class UringRing {
 public:
  UringRing() = default;
  UringRing(const UringRing&) = delete;
  UringRing& operator=(const UringRing&) = delete;
  ~UringRing() { close(); }

  // Fails if the kernel has no io_uring, refuses it, or is older than 6.1.
  Result<void> open(uint32_t submissions, uint32_t completions);
  void close();
  int fd() const { return fd_.get(); }

  // The next free submission entry, zeroed; null when the ring is full. The next enter() hands it
  // to the kernel; until then unsubmitted() finds it again by its sequence number.
  io_uring_sqe* claim();
  uint32_t claimed() const { return sq_tail_; }      // Sequence number of the next claim.
  uint32_t submitted() const { return submitted_; }  // All claims before this belong to the kernel.
  io_uring_sqe* unsubmitted(uint32_t sequence);      // Null if the kernel has it.
  uint32_t waiting() const { return sq_tail_ - submitted_; }

  // Completions wait here in user memory. next() and advance() form a loop.
  const io_uring_cqe* next() const;
  void advance() { cq_head_.store(local_cq_head_ += 1, std::memory_order_release); }
  // The kernel holds completions back until the next enter(), because the ring was full.
  bool needs_enter() const;

  // Submits the claimed entries; waits for one completion for up to `timeout` (zero: does not
  // wait). Errors that only mean "nothing completed" or "make room first" are not errors here.
  enum class Entered : uint8_t { done, full };  // full: drain the completion ring first
  Entered enter(Nanos timeout);

 private:
  Result<void> map(const io_uring_params& params);

  Fd fd_;
  void* rings_ = nullptr;
  size_t rings_size_ = 0;
  io_uring_sqe* sqes_ = nullptr;
  size_t sqes_size_ = 0;
  uint32_t sq_tail_ = 0;
  uint32_t submitted_ = 0;
  uint32_t sq_mask_ = 0;
  uint32_t sq_entries_ = 0;
  uint32_t cq_mask_ = 0;
  uint32_t local_cq_head_ = 0;
  const io_uring_cqe* cqes_ = nullptr;
  uint32_t* kernel_sq_tail_ = nullptr;
  uint32_t* kernel_sq_head_ = nullptr;
  uint32_t* kernel_sq_flags_ = nullptr;
  uint32_t* kernel_cq_tail_ = nullptr;
  // A view of a word shared with the kernel, shorter to use than atomic_ref.
  struct Word {
    uint32_t* at = nullptr;
    void store(uint32_t value, std::memory_order order) const {
      std::atomic_ref<uint32_t>(*at).store(value, order);
    }
  };
  Word cq_head_;
};

}  // namespace rondo
