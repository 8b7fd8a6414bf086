// The memory of ArrayBuffers, counted for process.memoryUsage().
// Thread: any; V8 frees on its own threads.
#pragma once

#include <atomic>
#include <cstdlib>

#include "runtime/v8.h"

namespace rondo::runtime {

class CountingAllocator final : public v8::ArrayBuffer::Allocator {
 public:
  void* Allocate(size_t length) override { return count(std::calloc(length, 1), length); }
  void* AllocateUninitialized(size_t length) override { return count(std::malloc(length), length); }
  void Free(void* data, size_t length) override {
    std::free(data);
    bytes_.fetch_sub(length, std::memory_order_relaxed);
  }

  // What is in use now.
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  void* count(void* data, size_t length) {
    if (data != nullptr) bytes_.fetch_add(length, std::memory_order_relaxed);
    return data;
  }

  std::atomic<size_t> bytes_{0};
};

}  // namespace rondo::runtime
