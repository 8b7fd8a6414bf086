// Memory that the kernel picks from when data arrives, so that an idle connection needs none. One
// group per loop, registered on first use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

struct io_uring_buf_ring;

namespace rondo {

class UringRing;

class UringBuffers {
 public:
  static constexpr uint16_t kGroup = 0;
  // Enough that a batch of events from a thousand connections does not run dry.
  static constexpr uint32_t kCount = 1024;
  static constexpr uint32_t kSize = 16 * 1024;
  // The kernel takes them in turn, so that every one it knows of is soon touched and takes memory.
  // It is therefore told of few at first, and of more when these were not enough.
  static constexpr uint32_t kAtFirst = 32;

  UringBuffers() = default;
  UringBuffers(const UringBuffers&) = delete;
  UringBuffers& operator=(const UringBuffers&) = delete;
  ~UringBuffers() { close(); }

  bool is_open() const { return ring_ != nullptr; }
  Result<void> open(UringRing& ring);
  void close();
  std::span<std::byte> at(uint32_t id, size_t size) const;
  void recycle(uint32_t id);
  // The kernel has run out: from now on it knows of twice as many, up to all.
  void grow();

 private:
  void add(uint32_t id);

  io_uring_buf_ring* ring_ = nullptr;
  std::byte* memory_ = nullptr;
  uint32_t known_ = 0;  // To the kernel, or with us to be recycled: the first so many.
  uint16_t tail_ = 0;
};

}  // namespace rondo
