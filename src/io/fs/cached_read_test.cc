// Tests reads of data in the page cache, which run synchronously, without a worker.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/fd.h"
#include "io/fs/fs.h"
#include "io/fs/request.h"
#include "loop/internals.h"
#include "support/await_fs.h"
#include "support/faults.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

class CachedReadTest : public ::testing::Test {
 protected:
  Fd open(std::string_view name, std::string_view content) {
    return Fd(::open(dir_.write(name, content).c_str(), O_RDWR | O_CLOEXEC));
  }
  // The expected number of reads by workers of uncached data: none if there is a ring.
  size_t workers_reads() { return loop_.internals().poller().has_operations() ? 0 : 1; }

  TempDir dir_;
  Loop loop_;
};

TEST_F(CachedReadTest, NeedsNoWorker) {
  const Fd fd = open("file", "content");
  FaultPlan faults;
  std::string text(7, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 0), 7u);
  EXPECT_EQ(faults.calls("read_cached"), 1u);
  EXPECT_EQ(faults.calls("read"), 0u);
}

TEST_F(CachedReadTest, UncachedDataIsReadElsewhere) {
  const Fd fd = open("file", "content");
  for (int code : {EAGAIN, EOPNOTSUPP}) {
    FaultPlan faults;
    faults.fail("read_cached", code);
    std::string text(7, '?');
    EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 0), 7u);
    EXPECT_EQ(text, "content");
    EXPECT_EQ(faults.calls("read"), workers_reads());
  }
}

TEST_F(CachedReadTest, APartInMemoryIsCompletedElsewhere) {
  const Fd fd = open("file", "content and more");
  for (int64_t offset : {int64_t{0}, int64_t{-1}}) {
    FaultPlan faults;
    faults.shorten("read_cached", 3);
    faults.fail("read_cached", EAGAIN, {.skip = 2});
    std::string text(20, '?');
    EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), offset), 16u);
    EXPECT_EQ(text, "content and more????");
    EXPECT_EQ(faults.calls("read"), workers_reads());
    ASSERT_EQ(::lseek(fd.get(), 0, SEEK_SET), 0);
  }
}

TEST_F(CachedReadTest, ACachedPartIsReportedEvenIfTheRestFails) {
  if (loop_.internals().poller().has_operations())
    GTEST_SKIP() << "the kernel does not fail on demand";
  const Fd fd = open("file", "content and more");
  FaultPlan faults;
  faults.shorten("read_cached", 3);
  faults.fail("read_cached", EAGAIN, {.skip = 1});
  faults.fail("read", EIO);
  std::string text(16, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 0), 3u);
  faults.fail("read_cached", EIO);
  expect_error(await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 0), EIO, "read");
}

TEST_F(CachedReadTest, SeveralReadsTogetherNeedNoWorker) {
  const Fd fd = open("file", "content");
  FaultPlan faults;
  std::string first(7, '?'), second(7, '?');
  FsRequest<size_t> one(loop_), two(loop_);
  Fs(loop_).read(one, fd.get(), room_in(first), 0, nullptr);
  Fs(loop_).read(two, fd.get(), room_in(second), 0, nullptr);
  loop_.run();
  EXPECT_EQ(first + second, "contentcontent");
  EXPECT_EQ(faults.calls("read_cached"), 2u);
}

TEST_F(CachedReadTest, BigReadsAreLeftToOthers) {
  const Fd fd = open("file", std::string(100'000, 'x'));
  FaultPlan faults;
  std::string text(100'000, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 0), 100'000u);
  EXPECT_EQ(faults.calls("read_cached"), 0u);
}

}  // namespace
}  // namespace rondo
