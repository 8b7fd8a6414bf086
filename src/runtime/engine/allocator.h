// Allocates the memory of ArrayBuffers and counts it for process.memoryUsage(). Thread: any; V8
// frees on its own threads.
#pragma once

#include <atomic>
#include <cstdlib>

#include "runtime/values/v8.h"

namespace rondo::runtime {

// The number of bytes in use. Reference-counted, because a buffer may outlive its realm.
class MemoryCount {
 public:
  MemoryCount() = default;
  MemoryCount(const MemoryCount&) = delete;
  MemoryCount& operator=(const MemoryCount&) = delete;

  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  void add(size_t size) { bytes_.fetch_add(size, std::memory_order_relaxed); }
  void subtract(size_t size) { bytes_.fetch_sub(size, std::memory_order_relaxed); }

  // For a BackingStore of memory that this allocator did not allocate: call begin() when the store
  // is created, and pass the result to its deleter, which calls end().
  MemoryCount* begin(size_t size) {
    add(size);
    holders_.fetch_add(1, std::memory_order_relaxed);
    return this;
  }
  static void end(void* count, size_t size) {
    if (count == nullptr) return;
    static_cast<MemoryCount*>(count)->subtract(size);
    static_cast<MemoryCount*>(count)->release();
  }
  void release() {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  ~MemoryCount() = default;

  std::atomic<size_t> bytes_{0};
  std::atomic<size_t> holders_{1};  // The first is the creator.
};

class CountingAllocator final : public v8::ArrayBuffer::Allocator {
 public:
  CountingAllocator() = default;
  CountingAllocator(const CountingAllocator&) = delete;
  CountingAllocator& operator=(const CountingAllocator&) = delete;
  ~CountingAllocator() override { count_->release(); }

  void* Allocate(size_t length) override { return note(std::calloc(length, 1), length); }
  void* AllocateUninitialized(size_t length) override { return note(std::malloc(length), length); }
  void Free(void* data, size_t length) override {
    std::free(data);
    count_->subtract(length);
  }

  // Bytes in use now, including those that other code adds to count().
  size_t bytes() const { return count_->bytes(); }
  MemoryCount& count() const { return *count_; }

 private:
  void* note(void* data, size_t length) {
    if (data != nullptr) count_->add(length);
    return data;
  }

  MemoryCount* const count_ = new MemoryCount;
};

}  // namespace rondo::runtime
