#include "loop/trace/mapping_guard.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>

#include "base/fd.h"

namespace rondo {
namespace {

class MappingGuardTest : public ::testing::Test {
 protected:
  MappingGuardTest() : file_(::memfd_create("guarded", MFD_CLOEXEC)) {
    EXPECT_EQ(::ftruncate(file_.get(), kSize), 0);
    memory_ = static_cast<char*>(
        ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0));
  }
  ~MappingGuardTest() override { ::munmap(memory_, kSize); }

  static constexpr size_t kPage = 4096;
  static constexpr size_t kSize = 16 * kPage;
  Fd file_;
  char* memory_;
};

TEST_F(MappingGuardTest, WritingBehindTheEndOfTheFileIsSurvived) {
  const MappingGuard guard(memory_, kSize);
  memory_[0] = 'a';
  EXPECT_FALSE(guard.was_hit());
  ASSERT_EQ(::ftruncate(file_.get(), kPage), 0);
  memory_[5 * kPage] = 'b';
  EXPECT_TRUE(guard.was_hit());
  EXPECT_EQ(memory_[5 * kPage], 'b');
  EXPECT_EQ(memory_[0], 'a');  // The remaining part is kept.
  memory_[2 * kPage] = 'c';    // Before the page that was accessed first.
  EXPECT_EQ(memory_[2 * kPage], 'c');
}

TEST_F(MappingGuardTest, AnEmptyFileIsSurvived) {
  const MappingGuard guard(memory_, kSize);
  ASSERT_EQ(::ftruncate(file_.get(), 0), 0);
  memory_[0] = 'a';
  EXPECT_TRUE(guard.was_hit());
}

TEST_F(MappingGuardTest, OtherMappingsStillEndTheProcess) {
  EXPECT_EXIT(
      {
        { const MappingGuard guard(memory_, kSize); }
        if (::ftruncate(file_.get(), 0) == 0) *static_cast<volatile char*>(memory_) = 'a';
        ::_exit(0);
      },
      [](int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; }, "");
}

}  // namespace
}  // namespace rondo
