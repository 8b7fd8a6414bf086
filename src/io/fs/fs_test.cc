#include "io/fs/fs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/fd.h"
#include "loop/internals.h"
#include "support/await_fs.h"
#include "support/faults.h"
#include "support/temp_dir.h"

// Success and failure of every operation, on the backend given by the environment.
namespace rondo {
namespace {

using namespace std::string_view_literals;

class FsTest : public ::testing::Test {
 protected:
  // Opens a file in the test's directory.
  Fd file(std::string_view name, int flags = O_RDWR | O_CREAT, mode_t mode = 0600) {
    const Result<int> fd = await_fs<int>(loop_, &Fs::open, dir_ / name, flags, mode);
    EXPECT_TRUE(fd);
    return Fd(fd.value_or(-1));
  }
  static mode_t mode_of(const std::string& path) {
    struct ::stat status {};
    EXPECT_EQ(::lstat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  TempDir dir_;
  Loop loop_;
};

TEST_F(FsTest, OpenMakesADescriptorThatIsClosedOnExec) {
  const Result<int> fd =
      await_fs<int>(loop_, &Fs::open, dir_ / "new", O_RDWR | O_CREAT | O_EXCL, mode_t{0640});
  ASSERT_TRUE(fd);
  EXPECT_NE(::fcntl(*fd, F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(mode_of(dir_ / "new"), 0640u);
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::close, *fd));
  EXPECT_EQ(::fcntl(*fd, F_GETFD), -1);
  expect_error(
      await_fs<int>(loop_, &Fs::open, dir_ / "new", O_RDWR | O_CREAT | O_EXCL, mode_t{0640}),
      EEXIST, "open");
}

TEST_F(FsTest, OpenReportsErrorsOfThePath) {
  dir_.write("file", "");
  const auto open = [this](std::string_view path, int flags) {
    return await_fs<int>(loop_, &Fs::open, path, flags, mode_t{0});
  };
  expect_error(open(dir_ / "none", O_RDONLY), ENOENT, "open");
  expect_error(open("", O_RDONLY), ENOENT, "open");
  expect_error(open(dir_ / "file/below", O_RDONLY), ENOTDIR, "open");
  expect_error(open(dir_.path(), O_WRONLY), EISDIR, "open");
  expect_error(open(dir_ / std::string(300, 'x'), O_RDONLY), ENAMETOOLONG, "open");
  expect_error(open("/etc/passwd\0.png"sv, O_RDONLY), EINVAL, "open");
}

TEST_F(FsTest, OpenReportsThatNoDescriptorsAreLeft) {
  const std::string path = dir_.write("file", "");
  const Fd next(::open(path.c_str(), O_RDONLY | O_CLOEXEC));  // For a limit at this number.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = static_cast<rlim_t>(next.get()) + 1;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
  const Result<int> fd = await_fs<int>(loop_, &Fs::open, path, O_RDONLY, mode_t{0});
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  expect_error(fd, EMFILE, "open");
}

TEST_F(FsTest, OpenReportsMissingPermission) {
  const std::string path = dir_.write("secret", "x");
  ::chmod(path.c_str(), 0);
  // Root may read everything, so become another user without access to the directory.
  const bool is_root = ::geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const Result<int> fd = await_fs<int>(loop_, &Fs::open, path, O_RDONLY, mode_t{0});
  const Result<void> access = await_fs<void>(loop_, &Fs::access, path, R_OK);
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  expect_error(fd, EACCES, "open");
  if (!is_root) expect_error(access, EACCES, "access");  // access() checks the real user id.
}

TEST_F(FsTest, OpenOfAFifoWaitsForItsOtherSide) {
  const std::string path = dir_ / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  FsRequest<int> reader(loop_), writer(loop_);
  std::vector<Fd> fds;
  Fs fs(loop_);
  fs.open(reader, path, O_RDONLY, 0,
          [&](FsRequest<int>&, Result<int> fd) { fds.emplace_back(*fd); });
  loop_.run_nowait();
  EXPECT_TRUE(fds.empty());
  fs.open(writer, path, O_WRONLY, 0,
          [&](FsRequest<int>&, Result<int> fd) { fds.emplace_back(*fd); });
  loop_.run();
  EXPECT_EQ(fds.size(), 2u);
}

TEST_F(FsTest, CloseOfNoDescriptorIsAnError) {
  expect_error(await_fs<void>(loop_, &Fs::close, -1), EBADF, "close");
  expect_error(await_fs<void>(loop_, &Fs::close, 1'000'000), EBADF, "close");
}

TEST_F(FsTest, ReadAndWriteAtAnOffset) {
  const Fd fd = file("data");
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write, fd.get(), bytes_of("hello world"), 0), 11u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write, fd.get(), bytes_of("J"), 0), 1u);
  std::string text(5, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 6), 5u);
  EXPECT_EQ(text, "world");
  EXPECT_EQ(read_whole(dir_ / "data"), "Jello world");
  EXPECT_EQ(::lseek(fd.get(), 0, SEEK_CUR), 0);  // An offset does not move the position.
}

TEST_F(FsTest, ReadAndWriteAtTheCurrentPosition) {
  const Fd fd = file("data");
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write, fd.get(), bytes_of("one "), -1), 4u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write, fd.get(), bytes_of("two"), -1), 3u);
  EXPECT_EQ(::lseek(fd.get(), 1, SEEK_SET), 1);
  std::string text(3, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), -1), 3u);
  EXPECT_EQ(text, "ne ");
  text.assign(10, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), -1), 3u);
  EXPECT_EQ(text.substr(0, 3), "two");
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), -1), 0u);
}

TEST_F(FsTest, ReadEndsAtTheEndOfTheFileAndZeroBytesAreAllowed) {
  const Fd fd = file("data");
  std::string text(100, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 0), 0u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write, fd.get(), bytes_of("abc"), 0), 3u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 1), 2u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), 1000), 0u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), std::span<std::byte>(), 0), 0u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write, fd.get(), std::span<const std::byte>(), 0), 0u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write_all, fd.get(), std::span<const std::byte>(), 0),
            0u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::readv, fd.get(), std::span<const iovec>(), 0), 0u);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::writev, fd.get(), std::span<const iovec>(), 0), 0u);
}

TEST_F(FsTest, ReadAndWriteReportErrorsOfTheDescriptor) {
  std::string text(10, '?');
  expect_error(await_fs<size_t>(loop_, &Fs::read, -1, room_in(text), 0), EBADF, "read");
  expect_error(await_fs<size_t>(loop_, &Fs::write, -1, bytes_of("x"), 0), EBADF, "write");
  const Fd directory(::open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  expect_error(await_fs<size_t>(loop_, &Fs::read, directory.get(), room_in(text), 0), EISDIR,
               "read");
  const Fd read_only = file("data", O_RDONLY | O_CREAT);
  expect_error(await_fs<size_t>(loop_, &Fs::write, read_only.get(), bytes_of("x"), 0), EBADF,
               "write");
  expect_error(await_fs<size_t>(loop_, &Fs::write_all, read_only.get(), bytes_of("x"), 0), EBADF,
               "write");
  expect_error(await_fs<size_t>(loop_, &Fs::read, read_only.get(), room_in(text), -2), EINVAL,
               "read");
}

TEST_F(FsTest, VectorsAreReadAndWrittenInOrder) {
  const Fd fd = file("data");
  std::string first = "first ", second = "second";
  const iovec out[] = {{first.data(), 6}, {nullptr, 0}, {second.data(), 6}};
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::writev, fd.get(), std::span(out), 2), 12u);
  EXPECT_EQ(read_whole(dir_ / "data"), "\0\0first second"sv);
  std::string left(5, '?'), right(20, '?');
  const iovec in[] = {{left.data(), 5}, {right.data(), 20}};
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::readv, fd.get(), std::span(in), 2), 12u);
  EXPECT_EQ(left, "first");
  EXPECT_EQ(right.substr(0, 7), " second");
  expect_error(await_fs<size_t>(loop_, &Fs::readv, -1, std::span(in), 0), EBADF, "read");
  expect_error(await_fs<size_t>(loop_, &Fs::writev, -1, std::span(out), 0), EBADF, "write");
}

TEST_F(FsTest, MorePartsThanTheKernelTakesAreAllWrittenAndReadInPart) {
  const Fd fd = file("data");
  std::string text(2000, 'x');
  std::vector<iovec> parts;
  for (char& letter : text) parts.push_back({&letter, 1});
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::writev, fd.get(), std::span<const iovec>(parts), 0),
            text.size());
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::readv, fd.get(), std::span<const iovec>(parts), 0),
            fs_sync::kMostParts);
}

TEST_F(FsTest, HugeReadsAreCutToWhatTheFileHas) {
  const Fd fd = file("data");
  ASSERT_EQ(::pwrite(fd.get(), "abc", 3, 0), 3);
  // Untouched address space takes no memory.
  constexpr size_t kHuge = size_t{3} << 30;
  void* space = ::mmap(nullptr, kHuge, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(space, MAP_FAILED);
  const std::span<std::byte> huge(static_cast<std::byte*>(space), kHuge);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), huge, 0), 3u);
  EXPECT_EQ(std::string_view(static_cast<const char*>(space), 3), "abc");
  ::munmap(space, kHuge);
}

TEST_F(FsTest, BigReadsAndWritesAreWhole) {
  const Fd fd = file("data");
  std::string out(size_t{3} << 20, '\0'), in(out.size(), '?');
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(i * 2654435761u >> 24);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write_all, fd.get(), bytes_of(out), 0), out.size());
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(in), 0), in.size());
  EXPECT_TRUE(in == out);
  // Sizes around those where the code path changes.
  for (size_t size :
       {size_t{64} << 10, (size_t{64} << 10) + 1, size_t{128} << 10, (size_t{128} << 10) + 1}) {
    in.assign(size, '?');
    EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(in), 7), size);
    EXPECT_TRUE(in == out.substr(7, size));
  }
}

TEST_F(FsTest, OffsetsBeyondTwoGibibytes) {
  const Fd fd = file("sparse");
  constexpr int64_t kFar = int64_t{5} << 30;
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write, fd.get(), bytes_of("far"), kFar), 3u);
  std::string text(5, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, fd.get(), room_in(text), kFar - 2), 5u);
  EXPECT_EQ(text, "\0\0far"sv);
  EXPECT_EQ(await_fs<Stat>(loop_, &Fs::fstat, fd.get())->size, static_cast<uint64_t>(kFar) + 3);
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::ftruncate, fd.get(), kFar + 1));
  EXPECT_EQ(await_fs<Stat>(loop_, &Fs::stat, dir_ / "sparse")->size,
            static_cast<uint64_t>(kFar) + 1);
}

TEST_F(FsTest, PipesAreReadAsFarAsTheyAreFilled) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd in(ends[0]);
  Fd out(ends[1]);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::write, out.get(), bytes_of("pipe"), -1), 4u);
  std::string text(100, '?');
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, in.get(), room_in(text), -1), 4u);
  EXPECT_EQ(text.substr(0, 4), "pipe");
  if (!loop_.internals().poller().has_operations()) {
    expect_error(await_fs<size_t>(loop_, &Fs::read, in.get(), room_in(text), 0), ESPIPE, "read");
  }
  // A read of an empty pipe waits for data.
  FsRequest<size_t> reader(loop_), writer(loop_);
  size_t got = 0;
  Fs(loop_).read(reader, in.get(), room_in(text), -1,
                 [&](FsRequest<size_t>&, Result<size_t> count) { got = *count; });
  loop_.run_nowait();
  EXPECT_EQ(got, 0u);
  Fs(loop_).write(writer, out.get(), bytes_of("late"), -1, nullptr);
  loop_.run();
  EXPECT_EQ(got, 4u);
  out.reset();
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::read, in.get(), room_in(text), -1), 0u);
}

TEST_F(FsTest, SendfileGoesOnUntilTheEnd) {
  const std::string content(size_t{1} << 20, 'z');
  const Fd in(::open(dir_.write("in", content).c_str(), O_RDONLY | O_CLOEXEC));
  const Fd out = file("out");
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::sendfile, out.get(), in.get(), 1, size_t{2} << 20),
            content.size() - 1);
  EXPECT_EQ(read_whole(dir_ / "out").size(), content.size() - 1);
  EXPECT_EQ(*await_fs<size_t>(loop_, &Fs::sendfile, out.get(), in.get(), 0, size_t{0}), 0u);
  // The destination is a pipe, which accepts far less at a time.
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd pipe_in(ends[0]), pipe_out(ends[1]);
  FsRequest<size_t> sending(loop_), reading(loop_);
  size_t sent = 0, received = 0;
  std::string text(10'000, '?');
  Fs fs(loop_);
  fs.sendfile(sending, pipe_out.get(), in.get(), 0, content.size(),
              [&](FsRequest<size_t>&, Result<size_t> count) { sent = *count; });
  struct Drain {
    Fs fs;
    FsRequest<size_t>& request;
    int fd;
    std::string& text;
    size_t& received;
    size_t wanted;
    void next() {
      fs.read(request, fd, room_in(text), -1, [this](FsRequest<size_t>&, Result<size_t> count) {
        received += *count;
        if (received < wanted) next();
      });
    }
  } drain{fs, reading, pipe_in.get(), text, received, content.size()};
  drain.next();
  loop_.run();
  EXPECT_EQ(sent, content.size());
  EXPECT_EQ(received, content.size());
  expect_error(await_fs<size_t>(loop_, &Fs::sendfile, -1, in.get(), 0, size_t{1}), EBADF,
               "sendfile");
}

TEST_F(FsTest, SendfileReportsANonBlockingSocketThatTakesNothing) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
  const Fd left(ends[0]), right(ends[1]);
  const std::string content(size_t{8} << 20, 'z');
  const Fd in(::open(dir_.write("in", content).c_str(), O_RDONLY | O_CLOEXEC));
  const Result<size_t> some =
      await_fs<size_t>(loop_, &Fs::sendfile, left.get(), in.get(), 0, content.size());
  ASSERT_TRUE(some);
  EXPECT_GT(*some, 0u);
  EXPECT_LT(*some, content.size());
  expect_error(await_fs<size_t>(loop_, &Fs::sendfile, left.get(), in.get(), 0, content.size()),
               EAGAIN, "sendfile");
}

TEST_F(FsTest, WholeFilesAreReadWhereverThatIsPossible) {
  const std::string text(5000, 't');
  const std::string path = dir_.write("small", text);
  for (const char* call : {"none", "openat2", "read_cached"}) {
    FaultPlan faults;
    faults.fail(call, call == std::string_view("openat2") ? ENOSYS : EAGAIN,
                {.times = FaultPlan::kAlways});
    const Result<FileBytes> content =
        await_fs<FileBytes>(loop_, &Fs::read_file, path, 0, fs_sync::kMostOfFile);
    ASSERT_TRUE(content) << call;
    EXPECT_TRUE(std::ranges::equal(*content, bytes_of(text))) << call;
    EXPECT_EQ(await_fs<Stat>(loop_, &Fs::stat, path)->size, text.size());
    EXPECT_EQ(await_fs<Stat>(loop_, &Fs::lstat, path)->size, text.size());
  }
  const std::string large(300'000, 'l');
  EXPECT_EQ(await_fs<FileBytes>(loop_, &Fs::read_file, dir_.write("large", large), 0,
                                fs_sync::kMostOfFile)
                ->size(),
            large.size());
}

TEST_F(FsTest, ReadingAFifoWholeWaitsForItsWriter) {
  const std::string path = dir_ / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  FsRequest<FileBytes> reading(loop_);
  std::string got;
  Fs(loop_).read_file(reading, path, 0, fs_sync::kMostOfFile,
                      [&](FsRequest<FileBytes>&, Result<FileBytes> content) {
                        if (content) {
                          got.assign(reinterpret_cast<const char*>(content->data()),
                                     content->size());
                        }
                      });
  EXPECT_TRUE(loop_.run_nowait());
  {
    const Fd writer(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_TRUE(writer);
    EXPECT_EQ(::write(writer.get(), "one", 3), 3);
    EXPECT_EQ(::write(writer.get(), "two", 3), 3);
  }
  loop_.run();
  EXPECT_EQ(got, "onetwo");
}

TEST_F(FsTest, WholeFilesAreReadAndWritten) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  const std::string path = dir_ / "whole";
  const std::string text = "all of it";
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::write_file, path, bytes_of("something longer than that"),
                             flags, mode_t{0600}));
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::write_file, path, bytes_of(text), flags, mode_t{0600}));
  const auto read = [this](const std::string& from, size_t limit = fs_sync::kMostOfFile) {
    return await_fs<FileBytes>(loop_, &Fs::read_file, from, 0, limit);
  };
  const Result<FileBytes> content = read(path);
  ASSERT_TRUE(content);
  EXPECT_TRUE(std::ranges::equal(*content, bytes_of(text)));
  EXPECT_TRUE(read(path, text.size()));
  expect_error(read(path, text.size() - 1), EFBIG, "read");
  // Files that report a size of 0.
  const Result<FileBytes> mounts = read("/proc/self/status");
  ASSERT_TRUE(mounts);
  EXPECT_GT(mounts->size(), 100u);
  expect_error(read("/proc/self/status", 10), EFBIG, "read");
  EXPECT_TRUE(read("/dev/null")->empty());
  expect_error(read(dir_.path()), EISDIR, "read");
  expect_error(read(dir_ / "none"), ENOENT, "open");
  expect_error(
      await_fs<void>(loop_, &Fs::write_file, dir_ / "no/file", bytes_of(""), flags, mode_t{0600}),
      ENOENT, "open");
  expect_error(await_fs<void>(loop_, &Fs::write_file, std::string("/dev/full"), bytes_of("x"),
                              O_WRONLY, mode_t{0}),
               ENOSPC, "write");
}

TEST_F(FsTest, StatDescribesTheFileLstatTheLink) {
  const std::string path = dir_.write("file", "12345");
  ::chmod(path.c_str(), 0640);
  ASSERT_EQ(::symlink("file", (dir_ / "link").c_str()), 0);
  struct ::stat plain {};
  ASSERT_EQ(::stat(path.c_str(), &plain), 0);
  const Result<Stat> status = await_fs<Stat>(loop_, &Fs::stat, dir_ / "link");
  ASSERT_TRUE(status);
  EXPECT_TRUE(status->is_file());
  EXPECT_EQ(status->size, 5u);
  EXPECT_EQ(status->mode, plain.st_mode);
  EXPECT_EQ(status->ino, plain.st_ino);
  EXPECT_EQ(status->dev, plain.st_dev);
  EXPECT_EQ(status->nlink, 1u);
  EXPECT_EQ(status->uid, ::geteuid());
  EXPECT_EQ(status->gid, plain.st_gid);
  EXPECT_EQ(status->blocks, static_cast<uint64_t>(plain.st_blocks));
  EXPECT_EQ(status->block_size, static_cast<uint32_t>(plain.st_blksize));
  EXPECT_EQ(status->mtime.tv_sec, plain.st_mtim.tv_sec);
  EXPECT_EQ(status->mtime.tv_nsec, plain.st_mtim.tv_nsec);
  EXPECT_GT(status->birthtime.tv_sec, 0);
  EXPECT_TRUE(await_fs<Stat>(loop_, &Fs::lstat, dir_ / "link")->is_symlink());
  EXPECT_TRUE(await_fs<Stat>(loop_, &Fs::stat, dir_.path())->is_directory());
  const Result<Stat> device = await_fs<Stat>(loop_, &Fs::stat, "/dev/null");
  EXPECT_EQ(device->type(), FileType::character_device);
  EXPECT_NE(device->rdev, 0u);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(await_fs<Stat>(loop_, &Fs::fstat, fd.get())->ino, plain.st_ino);
  expect_error(await_fs<Stat>(loop_, &Fs::stat, dir_ / "none"), ENOENT, "stat");
  expect_error(await_fs<Stat>(loop_, &Fs::lstat, dir_ / "none"), ENOENT, "lstat");
  expect_error(await_fs<Stat>(loop_, &Fs::fstat, -1), EBADF, "fstat");
  expect_error(await_fs<Stat>(loop_, &Fs::fstat, AT_FDCWD), EBADF, "fstat");
}

TEST_F(FsTest, StatfsDescribesTheFileSystem) {
  const Result<StatFs> status = await_fs<StatFs>(loop_, &Fs::statfs, "/proc");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->type, 0x9fa0u);
  EXPECT_GT(await_fs<StatFs>(loop_, &Fs::statfs, dir_.path())->blocks, 0u);
  expect_error(await_fs<StatFs>(loop_, &Fs::statfs, dir_ / "none"), ENOENT, "statfs");
}

TEST_F(FsTest, AccessChecksWithoutOpening) {
  const std::string path = dir_.write("file", "");
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::access, path, F_OK));
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::access, path, R_OK | W_OK));
  expect_error(await_fs<void>(loop_, &Fs::access, path, X_OK), EACCES, "access");
  expect_error(await_fs<void>(loop_, &Fs::access, dir_ / "none", F_OK), ENOENT, "access");
}

}  // namespace
}  // namespace rondo
