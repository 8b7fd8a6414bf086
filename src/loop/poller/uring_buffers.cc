#include "loop/poller/uring_buffers.h"

#include <linux/io_uring.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include "loop/poller/uring_ring.h"

namespace rondo {
namespace {

constexpr size_t kRingSize = UringBuffers::kCount * sizeof(io_uring_buf);
constexpr size_t kMemorySize = size_t{UringBuffers::kCount} * UringBuffers::kSize;

void* map(size_t size) {
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

Result<void> UringBuffers::open(UringRing& ring) {
  auto* entries = static_cast<io_uring_buf_ring*>(map(kRingSize));
  auto* memory = static_cast<std::byte*>(map(kMemorySize));
  io_uring_buf_reg registration{};
  registration.ring_addr = reinterpret_cast<uint64_t>(entries);
  registration.ring_entries = kCount;
  registration.bgid = kGroup;
  if (entries == nullptr || memory == nullptr ||
      ring.register_call(IORING_REGISTER_PBUF_RING, &registration, 1) < 0) {
    const Error error = Error::last("io_uring_register");
    if (entries != nullptr) ::munmap(entries, kRingSize);
    if (memory != nullptr) ::munmap(memory, kMemorySize);
    return error;
  }
  ring_ = entries;
  memory_ = memory;
  tail_ = 0;
  for (known_ = 0; known_ < kAtFirst; ++known_) add(known_);
  return {};
}

void UringBuffers::grow() {
  const uint32_t wanted = std::min(2 * known_, kCount);
  for (; known_ < wanted; ++known_) add(known_);
}

void UringBuffers::close() {
  if (ring_ == nullptr) return;
  ::munmap(ring_, kRingSize);
  ::munmap(memory_, kMemorySize);
  ring_ = nullptr;
}

std::span<std::byte> UringBuffers::at(uint32_t id, size_t size) const {
  RONDO_ASSERT(id < known_);
  RONDO_ASSERT(size <= kSize);
  return {memory_ + size_t{id} * kSize, size};
}

void UringBuffers::recycle(uint32_t id) {
  RONDO_ASSERT(id < known_);
  add(id);
}

void UringBuffers::add(uint32_t id) {
  // The ring's tail shares its bytes with a reserved field of the first entry, hence field by
  // field. Through the start of the ring: the kernel's header declares the entries as a flexible
  // array.
  auto* entries = reinterpret_cast<io_uring_buf*>(ring_);
  io_uring_buf& entry = entries[tail_ & (kCount - 1)];
  entry.addr = reinterpret_cast<uint64_t>(memory_ + size_t{id} * kSize);
  entry.len = kSize;
  entry.bid = static_cast<uint16_t>(id);
  ++tail_;
  std::atomic_ref<uint16_t>(ring_->tail).store(tail_, std::memory_order_release);
}

}  // namespace rondo
