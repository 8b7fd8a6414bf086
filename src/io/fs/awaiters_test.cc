#include "io/fs/awaiters.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <string>

#include "base/co/when.h"
#include "io/net/awaiters.h"
#include "loop/co/awaiters.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

std::string_view text(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

TEST(CoFs, WritesAndReadsAFile) {
  Loop loop;
  TempDir dir;
  auto main = [](Loop& on, std::string path) -> Task<std::string> {
    CoFs fs(on);
    Result<Fd> file = co_await fs.open(path, O_RDWR | O_CREAT);
    if (!file) co_return file.error().message();
    Result<size_t> written = co_await fs.write_all(file->get(), bytes("hello there"), 0);
    EXPECT_EQ(*written, 11u);
    std::byte buffer[5];
    Result<size_t> first = co_await fs.read(file->get(), buffer, 6);
    EXPECT_EQ(*first, 5u);
    Result<size_t> end = co_await fs.read(file->get(), buffer, 11);
    EXPECT_EQ(*end, 0u);
    EXPECT_TRUE(co_await fs.close(std::move(*file)));
    Result<FileBytes> all = co_await fs.read_file(path);
    co_return std::string(text(buffer)) + "|" + std::string(text(*all));
  };
  EXPECT_EQ(loop.run_task(main(loop, dir.path() + "/file")), "there|hello there");
}

TEST(CoFs, NamesAndTypesOfEntries) {
  Loop loop;
  TempDir dir;
  auto main = [](Loop& on, std::string at) -> Task<std::string> {
    CoFs fs(on);
    EXPECT_TRUE(co_await fs.mkdir(at + "/sub"));
    EXPECT_TRUE(co_await fs.write_file(at + "/a", bytes("12345")));
    EXPECT_TRUE(co_await fs.rename(at + "/a", at + "/b"));
    EXPECT_TRUE(co_await fs.symlink("b", at + "/c"));
    Result<std::vector<Dirent>> entries = co_await fs.readdir(at);
    std::string seen;
    for (const Dirent& entry : *entries) seen += entry.name + " ";
    Result<Stat> stat = co_await fs.stat(at + "/c");
    seen += std::to_string(stat->size);
    Result<std::string> target = co_await fs.readlink(at + "/c");
    seen += " " + *target;
    co_return seen;
  };
  EXPECT_EQ(loop.run_task(main(loop, dir.path())), "b c sub 5 b");
}

TEST(CoFs, ErrorsNameTheCall) {
  Loop loop;
  TempDir dir;
  auto main = [](Loop& on, std::string at) -> Task<std::string> {
    CoFs fs(on);
    Result<Fd> file = co_await fs.open(at + "/missing", O_RDONLY);
    co_return std::string(file.error().syscall) + " " + file.error().name();
  };
  EXPECT_EQ(loop.run_task(main(loop, dir.path())), "open ENOENT");
}

TEST(CoFs, OperationsRunSideBySide) {
  Loop loop;
  TempDir dir;
  auto write = [](CoFs fs, std::string path, std::string content) -> Task<bool> {
    Result<void> written = co_await fs.write_file(path, bytes(content));
    co_return written.has_value();
  };
  auto main = [&](Loop& on, std::string at) -> Task<size_t> {
    std::vector<Task<bool>> tasks;
    for (int i = 0; i < 100; ++i) {
      tasks.push_back(write(CoFs(on), at + "/" + std::to_string(i), std::to_string(i)));
    }
    size_t good = 0;
    for (const bool is_written : co_await when_all(std::move(tasks))) good += is_written;
    Result<std::vector<Dirent>> entries = co_await CoFs(on).readdir(at);
    co_return good + entries->size();
  };
  EXPECT_EQ(loop.run_task(main(loop, dir.path())), 200u);
}

TEST(CoFs, CancelledBeforehandNothingIsDone) {
  Loop loop;
  TempDir dir;
  CancelSource source;
  source.cancel();
  auto main = [](Loop& on, std::string path) -> Task<std::string> {
    Result<Fd> file = co_await CoFs(on).open(path, O_RDWR | O_CREAT);
    co_return file.error().name();
  };
  EXPECT_EQ(loop.run_task(main(loop, dir.path() + "/file"), source.token()), "ECANCELED");
  EXPECT_EQ(::access((dir.path() + "/file").c_str(), F_OK), -1);
}

TEST(CoFs, AReadThatWaitsCanBeCancelled) {
  // A pipe without data: the kernel or a worker uses the buffer until the read ends.
  Loop loop;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Fd reading(ends[0]), writing(ends[1]);
  CancelSource source;
  auto main = [](Loop& on, int fd) -> Task<std::string> {
    std::byte buffer[16];
    Result<size_t> size = co_await CoFs(on).read(fd, buffer);
    co_return size ? std::string(text(std::span(buffer).first(*size))) : size.error().name();
  };
  auto timer = loop.make<Timer>();
  timer->start(Millis{1}, [&](Timer&) {
    source.cancel();
    // If a worker is already blocked in read(2), only data ends the call; the data is not lost
    // then.
    EXPECT_EQ(::write(writing.get(), "late", 4), 4);
  });
  const std::string seen = loop.run_task(main(loop, reading.get()), source.token());
  EXPECT_TRUE(seen == "ECANCELED" || seen == "late") << seen;
}

TEST(CoFs, ACancelledTaskStillClosesItsFiles) {
  Loop loop;
  CancelSource source;
  source.cancel();
  Fd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int number = file.get();
  auto main = [](Loop& on, Fd to_close) -> Task<bool> {
    Result<void> closed = co_await CoFs(on).close(std::move(to_close));
    co_return closed.has_value();
  };
  EXPECT_TRUE(loop.run_task(main(loop, std::move(file)), source.token()));
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

}  // namespace
}  // namespace rondo
