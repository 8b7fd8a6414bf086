#include "runtime/engine/allocator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

namespace rondo::runtime {

namespace {

TEST(CountingAllocator, CountsTheMemoryInUse) {
  CountingAllocator allocator;
  void* const zeroed = allocator.Allocate(100);
  void* const raw = allocator.AllocateUninitialized(50);
  EXPECT_EQ(allocator.bytes(), 150u);
  EXPECT_EQ(static_cast<char*>(zeroed)[99], 0);
  allocator.Free(zeroed, 100);
  EXPECT_EQ(allocator.bytes(), 50u);
  allocator.Free(raw, 50);
  EXPECT_EQ(allocator.bytes(), 0u);
}

TEST(CountingAllocator, OthersCountAsWellAndMayEndLater) {
  auto allocator = std::make_unique<CountingAllocator>();
  MemoryCount* const count = allocator->count().begin(30);
  EXPECT_EQ(allocator->bytes(), 30u);
  void* const own = allocator->Allocate(5);
  EXPECT_EQ(allocator->bytes(), 35u);
  allocator->Free(own, 5);
  allocator.reset();
  // The count stays valid while a buffer refers to it.
  EXPECT_EQ(count->bytes(), 30u);
  MemoryCount::end(count, 30);
  MemoryCount::end(nullptr, 30);
}

TEST(CountingAllocator, FailedAllocationsAreNotCounted) {
#if defined(RONDO_ASAN)
  GTEST_SKIP() << "AddressSanitizer ends the program where malloc would answer with null";
#endif
  CountingAllocator allocator;
  // A variable, because the compiler warns about such a constant.
  const volatile size_t huge = SIZE_MAX / 2;
  EXPECT_EQ(allocator.Allocate(huge), nullptr);
  EXPECT_EQ(allocator.bytes(), 0u);
}

}  // namespace

}  // namespace rondo::runtime
