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
  // Enough that a batch of events from a thousand connections does not run dry, and small enough
  // that memory use does not show: pages are touched only when they are used.
  static constexpr uint32_t kCount = 1024;
  static constexpr uint32_t kSize = 16 * 1024;

  UringBuffers() = default;
  UringBuffers(const UringBuffers&) = delete;
  UringBuffers& operator=(const UringBuffers&) = delete;
  ~UringBuffers() { close(); }

  bool is_open() const { return ring_ != nullptr; }
  Result<void> open(UringRing& ring);
  void close();
  std::span<std::byte> at(uint32_t id, size_t size) const;
  void recycle(uint32_t id);

 private:
  void add(uint32_t id);

  io_uring_buf_ring* ring_ = nullptr;
  std::byte* memory_ = nullptr;
  uint16_t tail_ = 0;
};

}  // namespace rondo
