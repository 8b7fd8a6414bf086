// Tests that file operations complete in the order of Node's pool.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "io/fs/fs.h"
#include "io/poll.h"
#include "loop/work.h"
#include "support/await_fs.h"
#include "support/pipes.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

LoopOptions with(ThreadPool& pool) {
  LoopOptions options;
  options.pool = &pool;
  return options;
}

class FsOrderTest : public ::testing::Test {
 protected:
  Fd open(std::string_view name, std::string_view content) {
    return Fd(::open(dir_.write(name, content).c_str(), O_RDWR | O_CLOEXEC));
  }

  TempDir dir_;
};

TEST_F(FsOrderTest, FS_01_NothingOvertakesAJobThatWaitsForAWorker) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  std::atomic<bool> is_free = false;
  Work busy(loop);
  busy.submit(
      [&] {
        while (!is_free) std::this_thread::yield();
      },
      nullptr);
  const Fd fd = open("file", "content");
  std::string text(7, '?'), order;
  FsRequest<size_t> read(loop);
  FsRequest<FileBytes> whole(loop);
  FsRequest<Stat> stat(loop);
  FsRequest<void> sync(loop);
  Fs(loop).fsync(sync, fd.get(), [&](FsRequest<void>&) { order += "sync "; });
  Fs(loop).read(read, fd.get(), room_in(text), 0, [&](FsRequest<size_t>&) { order += "read "; });
  Fs(loop).read_file(whole, dir_ / "file", O_RDONLY, SIZE_MAX,
                     [&](FsRequest<FileBytes>&) { order += "whole "; });
  Fs(loop).stat(stat, dir_ / "file", [&](FsRequest<Stat>&) { order += "stat"; });
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(order, "");
  is_free = true;
  loop.run();
  EXPECT_EQ(order, "sync read whole stat");
}

TEST_F(FsOrderTest, FS_01_APoolOfOneEndsOperationsInTheOrderOfTheirStart) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  const Fd fd = open("file", std::string(100'000, 'x'));
  constexpr int kRounds = 20;
  std::vector<std::unique_ptr<FsRequest<size_t>>> reads;
  std::vector<std::unique_ptr<FsRequest<Stat>>> stats;
  std::string text(100'000, '?');
  std::vector<int> order;
  for (int i = 0; i < kRounds; ++i) {
    reads.push_back(std::make_unique<FsRequest<size_t>>(loop));
    const std::span<std::byte> room = room_in(text);
    // Alternates reads that could run synchronously and reads that could run on the ring.
    Fs(loop).read(*reads.back(), fd.get(), i % 2 == 0 ? room.first(10) : room, 0,
                  [&order, i](FsRequest<size_t>&) { order.push_back(2 * i); });
    stats.push_back(std::make_unique<FsRequest<Stat>>(loop));
    Fs(loop).stat(*stats.back(), dir_ / "file",
                  [&order, i](FsRequest<Stat>&) { order.push_back(2 * i + 1); });
  }
  loop.run();
  ASSERT_EQ(order.size(), 2u * kRounds);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(FsOrderTest, FS_02_OthersSeeTheDirectoriesThatAreMadeSoFar) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  FsRequest<std::string> make(loop);
  FsRequest<Stat> first(loop), second(loop);
  std::string order;
  Fs(loop).mkdir_all(make, dir_ / "a/b", 0700, [&](FsRequest<std::string>&) { order += "made"; });
  const auto add = [&order](const char* name) {
    return [&order, name](FsRequest<Stat>&, Result<Stat> status) {
      order += std::string(status ? "found " : "no ") + name + ", ";
    };
  };
  Fs(loop).stat(first, dir_ / "a", add("a"));
  Fs(loop).stat(second, dir_ / "a/b", add("a/b"));
  loop.run();
  EXPECT_EQ(order, "no a, no a/b, made");
}

// The result of a synchronous read is in the mailbox when the ring closes the file, although its
// eventfd has not been written yet.
TEST_F(FsOrderTest, FS_01_TheRingDoesNotOvertakeSynchronousOperations) {
  ThreadPool pool(4);
  Loop loop(with(pool));
  loop.run_nowait();
  const int fd = ::open(dir_.write("file", "content").c_str(), O_RDONLY | O_CLOEXEC);
  std::string text(7, '?'), order;
  FsRequest<size_t> read(loop);
  FsRequest<void> close(loop);
  Fs(loop).read(read, fd, room_in(text), 0, [&](FsRequest<size_t>&) { order += "read "; });
  Fs(loop).close(close, fd, [&](FsRequest<void>&) { order += "close"; });
  // From here on the kernel determines the order.
  Pipe pipe;
  auto watched = loop.make<Poll>(pipe.out.get());
  ASSERT_TRUE(watched->start(EPOLLIN, [](Poll&, Result<uint32_t>) {}));
  watched->unref();
  loop.run();
  EXPECT_EQ(order, "read close");
}

TEST_F(FsOrderTest, FS_02_DirectoriesThatAreMadeTogetherTakeATripEach) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  FsRequest<std::string> make(loop);
  FsRequest<Stat> stat(loop);
  bool is_made = false;
  int trips = 0;
  Fs(loop).mkdir_all(make, dir_ / "a/b/c", 0700, [&](FsRequest<std::string>&) { is_made = true; });
  // A chain of other operations, one per trip.
  std::function<void()> next = [&] {
    Fs(loop).stat(stat, "/", [&](FsRequest<Stat>&) {
      if (is_made) return;
      ++trips;
      next();
    });
  };
  next();
  loop.run();
  EXPECT_TRUE(fs_sync::stat((dir_ / "a/b/c").c_str())->is_directory());
  // Three failed calls and two successful ones; the last one completes the operation.
  EXPECT_EQ(trips, 4);
}

}  // namespace
}  // namespace rondo
