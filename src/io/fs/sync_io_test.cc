#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "base/fd.h"
#include "io/fs/sync.h"
#include "support/await_fs.h"
#include "support/faults.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

class FsSyncIo : public ::testing::Test {
 protected:
  Fd open(std::string_view name, std::string_view content) {
    return Fd(::open(dir_.write(name, content).c_str(), O_RDWR | O_CLOEXEC));
  }
  TempDir dir_;
};

TEST_F(FsSyncIo, InterruptedCallsAreRepeated) {
  const Fd fd = open("file", "content");
  FaultPlan faults;
  for (const char* call : {"read", "write", "readv", "writev"}) {
    faults.fail(call, EINTR, {.times = 3});
  }
  std::string text(7, '?');
  const iovec part{text.data(), text.size()};
  EXPECT_EQ(*fs_sync::read(fd.get(), room_in(text), 0), 7u);
  EXPECT_EQ(*fs_sync::write(fd.get(), bytes_of("CONTENT"), 0), 7u);
  EXPECT_EQ(*fs_sync::readv(fd.get(), {&part, 1}, 0), 7u);
  EXPECT_EQ(text, "CONTENT");
  EXPECT_EQ(*fs_sync::writev(fd.get(), {&part, 1}, 0), 7u);
  EXPECT_EQ(faults.injected("read") + faults.injected("write"), 6u);
}

TEST_F(FsSyncIo, WriteIsShortWhereTheKernelIs) {
  const Fd fd = open("file", "");
  FaultPlan faults;
  faults.shorten("write", 3);
  EXPECT_EQ(*fs_sync::write(fd.get(), bytes_of("content"), 0), 3u);
}

TEST_F(FsSyncIo, WriteAllGoesOnAfterShortWrites) {
  const Fd fd = open("file", "");
  FaultPlan faults;
  faults.shorten("write", 3);
  EXPECT_EQ(*fs_sync::write_all(fd.get(), bytes_of("content"), 2), 7u);
  EXPECT_EQ(*fs_sync::write_all(fd.get(), bytes_of("CON"), -1), 3u);
  EXPECT_EQ(read_whole(dir_ / "file"), "CONontent");
}

TEST_F(FsSyncIo, WriteAllReportsTheErrorThatStoppedIt) {
  const Fd fd = open("file", "");
  FaultPlan faults;
  faults.shorten("write", 3);
  faults.fail("write", ENOSPC, {.skip = 1});
  expect_error(fs_sync::write_all(fd.get(), bytes_of("content"), 0), ENOSPC, "write");
  faults.clear();
  faults.answer("write", 0);
  expect_error(fs_sync::write_all(fd.get(), bytes_of("content"), 0), EIO, "write");
}

// Sizes around those of pages and of the first, small read.
TEST_F(FsSyncIo, ReadFileCachedReadsFilesOfAnySize) {
  for (const size_t size : {1, 4095, 4096, 4097, 8191, 8192, 8193, 12'288, 20'000}) {
    std::string text;
    for (size_t i = 0; text.size() < size; ++i) text += std::to_string(i) + ' ';
    text.resize(size);
    const std::string path = dir_.write("file", text);
    int fd = -1;
    FileBytes room;
    Result<FileBytes> content = fs_sync::read_file_cached(path.c_str(), 16'384, &fd, &room);
    // Larger than allowed, or on a file system without non-blocking reads.
    if (!content) {
      EXPECT_EQ(content.error().code, EAGAIN);
      content = fs_sync::read_opened(fd, SIZE_MAX, std::move(room));
    }
    ASSERT_TRUE(content);
    EXPECT_TRUE(std::ranges::equal(*content, bytes_of(text))) << size;
  }
}

TEST_F(FsSyncIo, ReadFileCachedReadsNoMoreThanIsAllowed) {
  const std::string path = dir_.write("file", "content");
  int fd = -1;
  FileBytes room;
  expect_error(fs_sync::read_file_cached(path.c_str(), 6, &fd, &room), EAGAIN, "open");
  ASSERT_GE(fd, 0);
  EXPECT_EQ(fs_sync::read_opened(fd, SIZE_MAX, std::move(room))->size(), 7u);
}

TEST_F(FsSyncIo, ReadCachedGoesOnUntilTheEnd) {
  const Fd fd = open("file", "content");
  FaultPlan faults;
  faults.shorten("read_cached", 2);
  std::string text(10, '?');
  size_t done = 0;
  EXPECT_EQ(*fs_sync::read_cached(fd.get(), room_in(text), 0, &done), 7u);
  EXPECT_EQ(text, "content???");
  EXPECT_EQ(*fs_sync::read_cached(fd.get(), room_in(text), 100, &done), 0u);
}

TEST_F(FsSyncIo, ReadCachedReportsItsProgress) {
  const Fd fd = open("file", "content");
  FaultPlan faults;
  faults.shorten("read_cached", 2);
  faults.fail("read_cached", EAGAIN, {.skip = 2});
  std::string text(10, '?');
  size_t done = 0;
  expect_error(fs_sync::read_cached(fd.get(), room_in(text), 0, &done), EAGAIN, "read");
  EXPECT_EQ(done, 4u);
}

TEST_F(FsSyncIo, ReadCachedReturnsTheBytesInAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd in(ends[0]), out(ends[1]);
  std::string text(10, '?');
  size_t done = 0;
  expect_error(fs_sync::read_cached(in.get(), room_in(text), -1, &done), EAGAIN, "read");
  ASSERT_EQ(::write(out.get(), "abc", 3), 3);
  EXPECT_EQ(*fs_sync::read_cached(in.get(), room_in(text), -1, &done), 3u);
}

TEST_F(FsSyncIo, SendfileRepeatsShortAndInterruptedCalls) {
  const Fd in = open("in", "content"), out = open("out", "");
  FaultPlan faults;
  faults.shorten("sendfile", 2);
  faults.fail("sendfile", EINTR, {.skip = 1});
  EXPECT_EQ(*fs_sync::sendfile(out.get(), in.get(), 1, 100), 6u);
  EXPECT_EQ(read_whole(dir_ / "out"), "ontent");
  EXPECT_EQ(*fs_sync::sendfile(out.get(), in.get(), -1, 3), 3u);
  EXPECT_EQ(::lseek(in.get(), 0, SEEK_CUR), 3);
}

TEST_F(FsSyncIo, SendfileReturnsTheBytesSentBeforeAnError) {
  const Fd in = open("in", "content"), out = open("out", "");
  FaultPlan faults;
  faults.shorten("sendfile", 2);
  faults.fail("sendfile", EIO, {.skip = 1});
  EXPECT_EQ(*fs_sync::sendfile(out.get(), in.get(), 0, 100), 2u);
  faults.clear();
  faults.fail("sendfile", EIO);
  expect_error(fs_sync::sendfile(out.get(), in.get(), 0, 100), EIO, "sendfile");
}

TEST_F(FsSyncIo, SendfileDoesByHandWhatTheKernelCannot) {
  const Fd in = open("in", "content"), out = open("out", "");
  FaultPlan faults;
  faults.fail("sendfile", EINVAL, {.times = FaultPlan::kAlways});
  faults.shorten("write", 2);
  EXPECT_EQ(*fs_sync::sendfile(out.get(), in.get(), 1, 5), 5u);
  EXPECT_EQ(*fs_sync::sendfile(out.get(), in.get(), -1, 100), 7u);
  EXPECT_EQ(read_whole(dir_ / "out"), "ontencontent");
  expect_error(fs_sync::sendfile(out.get(), -1, 0, 5), EBADF, "sendfile");
}

TEST_F(FsSyncIo, SendfileByHandLosesNothingThatWasNotWritten) {
  const Fd in = open("in", "content"), out = open("out", "");
  FaultPlan faults;
  faults.fail("sendfile", EINVAL, {.times = FaultPlan::kAlways});
  faults.shorten("write", 2);
  faults.fail("write", EAGAIN, {.skip = 2});
  EXPECT_EQ(*fs_sync::sendfile(out.get(), in.get(), -1, 100), 4u);
  EXPECT_EQ(*fs_sync::sendfile(out.get(), in.get(), -1, 100), 3u);
  EXPECT_EQ(read_whole(dir_ / "out"), "content");
}

// Runs a function between fstat() and the first read. The file is not cached: small cached files
// are read without fstat().
class BeforeFirstRead final : public sys::Faults {
 public:
  explicit BeforeFirstRead(std::function<void()> action) : action_(std::move(action)) {
    sys::fault_plan.store(this);
  }
  ~BeforeFirstRead() override { sys::fault_plan.store(nullptr); }
  bool inject(const char* call, int, long& result) override {
    if (std::string_view(call) == "read_cached") {
      errno = EAGAIN;
      result = -1;
      return true;
    }
    if (std::string_view(call) == "read" && action_) std::exchange(action_, nullptr)();
    return false;
  }

 private:
  std::function<void()> action_;
};

TEST_F(FsSyncIo, ReadFileTakesAFileThatGrewAsFarAsItWasAndOneThatShrankAsItIs) {
  const std::string path = dir_.write("file", "content");
  {
    BeforeFirstRead grow([this] { dir_.write("file", std::string(100'000, 'g')); });
    const Result<FileBytes> content = fs_sync::read_file(path.c_str(), 0, fs_sync::kMostOfFile);
    ASSERT_TRUE(content);
    EXPECT_EQ(content->size(), 7u);
    EXPECT_TRUE(std::ranges::all_of(*content, [](std::byte b) { return b == std::byte{'g'}; }));
  }
  {
    BeforeFirstRead shrink([this] { dir_.write("file", "s"); });
    EXPECT_EQ(fs_sync::read_file(path.c_str(), 0, fs_sync::kMostOfFile)->size(), 1u);
  }
  {
    BeforeFirstRead empty([this] { dir_.write("file", ""); });
    EXPECT_EQ(fs_sync::read_file(path.c_str(), 0, fs_sync::kMostOfFile)->size(), 0u);
  }
  {
    dir_.write("file", "");
    BeforeFirstRead grow([this] { dir_.write("file", std::string(100'000, 'g')); });
    expect_error(fs_sync::read_file(path.c_str(), 0, 99'999), EFBIG, "read");
  }
  {
    dir_.write("file", "");
    BeforeFirstRead grow([this] { dir_.write("file", std::string(100'000, 'g')); });
    EXPECT_EQ(fs_sync::read_file(path.c_str(), 0, 100'000)->size(), 100'000u);
  }
}

TEST_F(FsSyncIo, ReadFileGoesOnAfterShortReadsAndStopsAtErrors) {
  const std::string path = dir_.write("file", "content");
  FaultPlan faults;
  faults.fail("read_cached", EAGAIN, {.times = FaultPlan::kAlways});
  faults.shorten("read", 2);
  EXPECT_EQ(fs_sync::read_file(path.c_str(), 0, fs_sync::kMostOfFile)->size(), 7u);
  faults.fail("read", EIO, {.skip = 1});
  expect_error(fs_sync::read_file(path.c_str(), 0, fs_sync::kMostOfFile), EIO, "read");
}

TEST_F(FsSyncIo, ReadFileCreatesReadableFiles) {
  const std::string path = dir_ / "made";
  EXPECT_EQ(fs_sync::read_file(path.c_str(), O_CREAT, fs_sync::kMostOfFile)->size(), 0u);
  EXPECT_NE(fs_sync::stat(path.c_str())->mode & 0400, 0u);
}

TEST_F(FsSyncIo, WriteFileReportsWhatCloseFound) {
  FaultPlan faults;
  faults.fail("close", EDQUOT);
  const std::string path = dir_ / "file";
  expect_error(fs_sync::write_file(path.c_str(), bytes_of("x"), O_WRONLY | O_CREAT, 0600), EDQUOT,
               "close");
}

}  // namespace
}  // namespace rondo
