#include "uv/core/memory.h"

#include <cstdlib>

#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

int allocations = 0;

TEST(UvMemory, AllFourFunctionsAreReplacedTogether) {
  EXPECT_EQ(uv_replace_allocator(nullptr, std::realloc, std::calloc, std::free), UV_EINVAL);
  const auto counting = [](size_t size) {
    ++allocations;
    return std::malloc(size);
  };
  ASSERT_EQ(uv_replace_allocator(counting, std::realloc, std::calloc, std::free), 0);
  uv_fs_t req;
  EXPECT_EQ(uv_fs_realpath(nullptr, &req, "/", nullptr), 0);
  EXPECT_STREQ(static_cast<char*>(req.ptr), "/");
  uv_fs_req_cleanup(&req);
  EXPECT_EQ(allocations, 1);
  ASSERT_EQ(uv_replace_allocator(std::malloc, std::realloc, std::calloc, std::free), 0);
}

TEST(UvMemory, ReallocatingToZeroFrees) {
  void* const memory = allocate(8);
  EXPECT_NE(memory, nullptr);
  EXPECT_EQ(reallocate(memory, 0), nullptr);
  EXPECT_EQ(allocate(0), nullptr);
}

}  // namespace
}  // namespace rondo::uv
