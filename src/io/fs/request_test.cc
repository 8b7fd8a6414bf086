#include "io/fs/request.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/time/clock.h"
#include "explore/schedule.h"
#include "io/fs/fs.h"
#include "loop/internals.h"
#include "loop/phases/timers.h"
#include "support/await_fs.h"
#include "support/faults.h"
#include "support/temp_dir.h"

// The behaviour of requests, for any operation.
namespace rondo {
namespace {

using namespace std::chrono_literals;

// Such a request is part of the frame of each coroutine that awaits a read or write.
static_assert(sizeof(FsRequest<size_t>) <= 328);
static_assert(sizeof(FsRequest<void>) <= 440);  // The size of libuv's request.

LoopOptions with(ThreadPool& pool) {
  LoopOptions options;
  options.pool = &pool;
  return options;
}
LoopOptions with(Clock& clock) {
  LoopOptions options;
  options.clock = &clock;
  return options;
}

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    in = Fd(ends[0]);
    out = Fd(ends[1]);
  }
  Fd in, out;
};

class FsRequestTest : public ::testing::Test {
 protected:
  Fd open(std::string_view name, std::string_view content) {
    return Fd(::open(dir_.write(name, content).c_str(), O_RDWR | O_CLOEXEC));
  }

  TempDir dir_;
};

TEST_F(FsRequestTest, API_01_TheCallbackNeverComesFromInsideTheCall) {
  Loop loop;
  Fs fs(loop);
  const Fd fd = open("file", "content");
  std::string text(7, '?');
  int calls = 0;
  FsRequest<size_t> cached(loop), invalid(loop);
  FsRequest<int> nul(loop);
  FsRequest<Stat> stat(loop);
  fs.read(cached, fd.get(), room_in(text), 0, [&](FsRequest<size_t>&) { ++calls; });
  fs.read(invalid, -1, room_in(text), 0, [&](FsRequest<size_t>&) { ++calls; });
  fs.open(nul, std::string_view("a\0b", 3), O_RDONLY, 0, [&](FsRequest<int>&) { ++calls; });
  fs.stat(stat, "/", [&](FsRequest<Stat>&) { ++calls; });
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(loop.active_requests(), 4u);
  loop.run();
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(*cached.result(), 7u);
  EXPECT_EQ(invalid.result().error().code, EBADF);
  EXPECT_EQ(nul.result().error().code, EINVAL);
  EXPECT_TRUE(stat.take_result()->is_directory());
}

TEST_F(FsRequestTest, ARequestIsUsedAgainFromItsOwnCallback) {
  Loop loop;
  const Fd fd = open("file", "abcdef");
  struct Reader {
    Fs fs;
    FsRequest<size_t> request;
    int fd;
    char letter = '?';
    std::string seen;
    explicit Reader(Loop& on, int from) : fs(on), request(on), fd(from) {}
    void next() {
      fs.read(request, fd, std::as_writable_bytes(std::span(&letter, 1)),
              static_cast<int64_t>(seen.size()), [this](auto&, Result<size_t> count) {
                EXPECT_FALSE(request.is_pending());
                if (*count == 0) return;
                seen += letter;
                next();
              });
    }
  } reader(loop, fd.get());
  reader.next();
  loop.run();
  EXPECT_EQ(reader.seen, "abcdef");
}

TEST_F(FsRequestTest, ARequestServesAnyOperationOfItsKind) {
  Loop loop;
  Fs fs(loop);
  FsRequest<void> request(loop);
  std::vector<int> codes;
  const auto note = [&](FsRequest<void>&, Result<void> done) {
    codes.push_back(done ? 0 : done.error().code);
  };
  fs.mkdir(request, std::string_view("a\0b", 3), 0700, note);
  loop.run();
  fs.fsync(request, -1, note);  // The invalid path of the last use has no effect.
  loop.run();
  fs.mkdir(request, dir_ / "sub", 0700, note);
  loop.run();
  fs.rename(request, dir_ / "sub", dir_ / "new", note);
  loop.run();
  fs.rmdir(request, dir_ / "new", note);
  loop.run();
  EXPECT_EQ(codes, (std::vector<int>{EINVAL, EBADF, 0, 0, 0}));
}

TEST_F(FsRequestTest, ARequestMayBeFreedInItsCallback) {
  Loop loop;
  const Fd fd = open("file", "x");
  std::string text(1, '?');
  auto read = std::make_unique<FsRequest<size_t>>(loop);
  auto stat = std::make_unique<FsRequest<Stat>>(loop);
  Fs(loop).read(*read, fd.get(), room_in(text), 0, [&](FsRequest<size_t>&) { read.reset(); });
  Fs(loop).stat(*stat, dir_.path(), [&](FsRequest<Stat>&, Result<Stat>) { stat.reset(); });
  loop.run();
  EXPECT_EQ(read, nullptr);
  EXPECT_EQ(stat, nullptr);
}

TEST_F(FsRequestTest, APathMayBeGoneWhenTheCallReturns) {
  Loop loop;
  FsRequest<void> request(loop);
  std::string from = dir_.write("from-a-name-too-long-to-be-kept-inside", ""), to = dir_ / "to";
  Fs(loop).rename(request, from, to, nullptr);
  from.assign(from.size(), '!');
  to.assign(to.size(), '!');
  loop.run();
  EXPECT_TRUE(request.result());
  EXPECT_EQ(::access((dir_ / "to").c_str(), F_OK), 0);
}

TEST_F(FsRequestTest, ThousandReadsAtOnceAllCome) {
  Loop loop;
  Fs fs(loop);
  std::string content;
  for (int i = 0; i < 1000; ++i) content += std::to_string(1'000'000 + i);
  const Fd fd = open("file", content);
  std::vector<std::unique_ptr<FsRequest<size_t>>> requests;
  std::vector<std::string> texts(1000, std::string(7, '?'));
  int done = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    requests.push_back(std::make_unique<FsRequest<size_t>>(loop));
    fs.read(*requests[i], fd.get(), room_in(texts[i]), static_cast<int64_t>(7 * i),
            [&](FsRequest<size_t>&, Result<size_t> count) { done += count.value_or(0) == 7; });
  }
  loop.run();
  EXPECT_EQ(done, 1000);
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(texts[i], std::to_string(1'000'000 + i));
}

TEST_F(FsRequestTest, OneWorkerIsEnough) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  Fs fs(loop);
  std::vector<std::unique_ptr<FsRequest<int>>> opens;
  std::vector<int> fds;
  for (int i = 0; i < 100; ++i) {
    opens.push_back(std::make_unique<FsRequest<int>>(loop));
    fs.open(*opens.back(), dir_ / std::to_string(i), O_RDWR | O_CREAT, 0600,
            [&](FsRequest<int>&, Result<int> fd) { fds.push_back(*fd); });
  }
  loop.run();
  EXPECT_EQ(fds.size(), 100u);
  std::string text(3, '?');
  EXPECT_EQ(*await_fs<size_t>(loop, &Fs::write, fds[7], bytes_of("abc"), 0), 3u);
  EXPECT_EQ(*await_fs<size_t>(loop, &Fs::read, fds[7], room_in(text), 0), 3u);
  EXPECT_EQ(text, "abc");
  for (int fd : fds) ::close(fd);
}

TEST_F(FsRequestTest, VirtualTimeStandsStillWhileAReadIsInFlight) {
  VirtualClock clock;
  Loop loop(with(clock));
  Pipe pipe;
  std::string text(4, '?');
  std::string order;
  FsRequest<size_t> request(loop);
  Fs(loop).read(request, pipe.in.get(), room_in(text), -1, [&](FsRequest<size_t>&) {
    order += "read ";
    EXPECT_EQ(loop.now(), 0ns);
  });
  auto timer = loop.make<Timer>();
  timer->start(1ms, [&](Timer&) { order += "timer "; });
  std::thread writer([&] {
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(::write(pipe.out.get(), "late", 4), 4);
  });
  loop.run();
  writer.join();
  EXPECT_EQ(order, "read timer ");
  EXPECT_EQ(loop.now(), 1ms);
}

TEST_F(FsRequestTest, ThreeRacingReadsEndInAllSixOrders) {
  const Fd fd = open("file", "content");
  std::set<std::string> orders;
  for (uint64_t seed = 0; seed < 200 && orders.size() < 6; ++seed) {
    SeededChoice choice(seed);
    VirtualClock clock;
    LoopOptions options = with(clock);
    options.choice = &choice;
    Loop loop(std::move(options));
    std::string order, text(3, '?');
    FsRequest<size_t> a(loop), b(loop), c(loop);
    Fs fs(loop);
    fs.read(a, fd.get(), room_in(text), 0, [&](FsRequest<size_t>&) { order += 'a'; });
    fs.read(b, fd.get(), room_in(text), 0, [&](FsRequest<size_t>&) { order += 'b'; });
    fs.read(c, fd.get(), room_in(text), 0, [&](FsRequest<size_t>&) { order += 'c'; });
    loop.run();
    EXPECT_EQ(order.size(), 3u);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 6u);
}

// ---- Cancelling

// Keeps the one worker of a pool busy: opening a FIFO waits for its other side.
class BusyPool {
 public:
  BusyPool(Loop& loop, ThreadPool& pool, const TempDir& dir) : request_(loop) {
    path_ = dir / "busy";
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    Fs(loop).open(request_, path_, O_RDONLY, 0,
                  [this](FsRequest<int>&, Result<int> fd) { reader_ = Fd(*fd); });
    while (pool.queued() > 0 || pool.running() == 0) std::this_thread::yield();
  }
  FsRequest<int>& request() { return request_; }
  bool is_free() const { return static_cast<bool>(reader_); }
  void release() { writer_ = Fd(::open(path_.c_str(), O_WRONLY | O_CLOEXEC)); }

 private:
  std::string path_;
  FsRequest<int> request_;
  Fd reader_, writer_;
};

TEST_F(FsRequestTest, QueuedOperationsCanBeCancelled) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  BusyPool busy(loop, pool, dir_);
  FsRequest<int> open(loop);
  bool is_called = false;
  Fs(loop).open(open, dir_ / "never", O_WRONLY | O_CREAT, 0600,
                [&](FsRequest<int>&, Result<int> fd) {
                  is_called = true;
                  EXPECT_FALSE(busy.is_free());
                  expect_error(fd, ECANCELED, "open");
                  busy.release();
                });
  EXPECT_TRUE(open.cancel());
  EXPECT_FALSE(is_called);
  EXPECT_EQ(open.cancel().error().code, EBUSY);
  loop.run();
  EXPECT_TRUE(is_called);
  EXPECT_EQ(::access((dir_ / "never").c_str(), F_OK), -1);
}

TEST_F(FsRequestTest, StartedOperationsCannotBeCancelled) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  BusyPool busy(loop, pool, dir_);
  EXPECT_EQ(busy.request().cancel().error().code, EBUSY);
  busy.release();
  loop.run();
  EXPECT_TRUE(busy.request().result());
  EXPECT_EQ(busy.request().cancel().error().code, EINVAL);  // Nothing is in flight.
}

TEST_F(FsRequestTest, AReadThatIsWaitedForCanBeCancelledOnTheRing) {
  Loop loop;
  if (!loop.internals().poller().has_operations())
    GTEST_SKIP() << "a worker that reads cannot be stopped";
  Pipe pipe;
  std::string waited(7, '?');
  FsRequest<size_t> waiting(loop);
  Fs(loop).read(waiting, pipe.in.get(), room_in(waited), -1, nullptr);
  EXPECT_TRUE(waiting.cancel());
  EXPECT_EQ(waiting.cancel().error().code, EBUSY);
  loop.run();
  expect_error(waiting.result(), ECANCELED, "read");
}

TEST_F(FsRequestTest, FinishedOperationsCannotBeCancelled) {
  Loop loop;
  const Fd fd = open("file", "content");
  std::string text(7, '?');
  FsRequest<size_t> request(loop);
  EXPECT_EQ(request.cancel().error().code, EINVAL);
  Fs(loop).read(request, fd.get(), room_in(text), 0, nullptr);
  EXPECT_EQ(request.cancel().error().code, EBUSY);
  loop.run();
  EXPECT_EQ(*request.result(), 7u);
  EXPECT_EQ(text, "content");
}

TEST_F(FsRequestTest, WorkersWriteToFilesWhateverThePollerCanDo) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  BusyPool busy(loop, pool, dir_);
  const Fd fd = open("file", "");
  const std::string text = "never";
  const iovec part{const_cast<char*>(text.data()), text.size()};
  FsRequest<size_t> write(loop), writev(loop), write_all(loop);
  Fs(loop).write(write, fd.get(), std::as_bytes(std::span(text)), 0, nullptr);
  Fs(loop).writev(writev, fd.get(), std::span(&part, 1), 0, nullptr);
  Fs(loop).write_all(write_all, fd.get(), std::as_bytes(std::span(text)), 0, nullptr);
  EXPECT_EQ(pool.queued(), 3u);  // None of them is on the ring.
  for (FsRequest<size_t>* request : {&write, &writev, &write_all}) EXPECT_TRUE(request->cancel());
  busy.release();
  loop.run();
  for (FsRequest<size_t>* request : {&write, &writev, &write_all}) {
    expect_error(request->result(), ECANCELED, "write");
  }
  EXPECT_EQ(::lseek(fd.get(), 0, SEEK_END), 0);
}

TEST_F(FsRequestTest, AWriteDoesNotOvertakeAnEarlierRead) {
  for (int i = 0; i < 50; ++i) {
    Loop loop;
    const Fd fd = open("file", "before");
    std::string first(6, '?'), second(6, '?');
    const std::string text = "behind";
    FsRequest<size_t> one(loop), two(loop), write(loop);
    Fs(loop).read(one, fd.get(), room_in(first), 0, nullptr);
    Fs(loop).read(two, fd.get(), room_in(second), 0, nullptr);
    Fs(loop).write(write, fd.get(), std::as_bytes(std::span(text)), 0, nullptr);
    std::this_thread::sleep_for(1ms);  // Long enough for a worker, if one had been woken.
    loop.run();
    EXPECT_EQ(first, "before");
    EXPECT_EQ(second, "before");
    EXPECT_EQ(*write.result(), 6u);
  }
}

TEST_F(FsRequestTest, ClosingWaitsForAnEarlierWrite) {
  ThreadPool pool(1);
  Loop loop(with(pool));
  BusyPool busy(loop, pool, dir_);
  Fd fd = open("file", "");
  const std::string text = "content";
  FsRequest<size_t> write(loop);
  FsRequest<void> sync(loop), close(loop);
  Fs(loop).write(write, fd.get(), std::as_bytes(std::span(text)), 0, nullptr);
  Fs(loop).fsync(sync, fd.get(), nullptr);
  Fs(loop).close(close, fd.release(), nullptr);
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_TRUE(sync.is_pending());
  EXPECT_TRUE(close.is_pending());
  busy.release();
  loop.run();
  EXPECT_EQ(*write.result(), text.size());
  EXPECT_TRUE(sync.result());
  EXPECT_TRUE(close.result());
}

// ext4 may start to write the file to the disk on close, which must not block the loop.
TEST_F(FsRequestTest, FilesOpenForWritingAreClosedByAWorker) {
  Loop loop;
  const std::string path = dir_.write("file", "content");
  for (const int flags : {O_RDWR, O_WRONLY, O_RDONLY}) {
    FaultPlan faults;
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
    EXPECT_TRUE(await_fs<void>(loop, &Fs::close, fd));
    const bool is_on_ring = flags == O_RDONLY && loop.internals().poller().has_operations();
    EXPECT_EQ(faults.calls("close"), is_on_ring ? 0u : 1u) << flags;
  }
}

TEST_F(FsRequestTest, OfManyWholeFilesWorkersReadSome) {
  constexpr size_t kFiles = 100;
  ThreadPool pool(2);
  Loop loop(with(pool));
  std::vector<std::unique_ptr<FsRequest<FileBytes>>> requests;
  for (size_t i = 0; i < kFiles; ++i) {
    requests.push_back(std::make_unique<FsRequest<FileBytes>>(loop));
    const std::string path = dir_.write(std::to_string(i), std::string(i, 'x'));
    Fs(loop).read_file(*requests.back(), path, O_RDONLY, SIZE_MAX, nullptr);
  }
  loop.run();
  for (size_t i = 0; i < kFiles; ++i) EXPECT_EQ(requests[i]->take_result()->size(), i);
}

TEST_F(FsRequestTest, OperationsOfWorkersAreCountedUntilTheyEnd) {
  if (usable_processors() == 1) GTEST_SKIP() << "SKIPPED: workers would be of no help";
  ThreadPool pool(2);
  // Another loop's jobs keep the workers busy.
  Loop other(with(pool));
  TempDir second;
  BusyPool busy(other, pool, dir_), also_busy(other, pool, second);
  Loop loop(with(pool));
  const std::string path = dir_.write("file", "content");
  std::vector<std::unique_ptr<FsRequest<FileBytes>>> requests;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 40; ++i) {
      requests.push_back(std::make_unique<FsRequest<FileBytes>>(loop));
      Fs(loop).read_file(*requests.back(), path, O_RDONLY, SIZE_MAX, nullptr);
    }
    EXPECT_EQ(pool.queued(), 4u);  // The others ran synchronously.
    size_t cancelled = 0;
    for (auto& request : requests) cancelled += request->cancel().has_value() ? 1 : 0;
    EXPECT_EQ(cancelled, 4u);
    for (int i = 0; i < 3; ++i) loop.run_nowait();
    for (auto& request : requests) EXPECT_FALSE(request->is_pending());
    requests.clear();
  }
  busy.release();
  also_busy.release();
  other.run();
}

// The descriptor number may already belong to another file.
TEST_F(FsRequestTest, AnInterruptedCloseIsNotRepeated) {
  Loop loop;
  if (!loop.internals().poller().has_operations())
    GTEST_SKIP() << "workers close files in io/fs/sync.cc";
  const int fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  FaultPlan faults;
  faults.fail("completion_close", EINTR);
  EXPECT_TRUE(await_fs<void>(loop, &Fs::close, fd));
  EXPECT_EQ(faults.calls("completion_close"), 1u);
}

// ---- Misuse

using FsRequestDeathTest = FsRequestTest;

TEST_F(FsRequestDeathTest, StartingARequestThatIsInFlightAborts) {
  EXPECT_DEATH(
      {
        Loop loop;
        FsRequest<Stat> request(loop);
        Fs(loop).stat(request, "/", nullptr);
        Fs(loop).stat(request, "/", nullptr);
      },
      "is_pending");
}

TEST_F(FsRequestDeathTest, FreeingARequestThatIsInFlightAborts) {
#if defined(RONDO_TSAN)
  GTEST_SKIP() << "SKIPPED: the misuse is a race, and ThreadSanitizer reports it first";
#endif
  EXPECT_DEATH(
      {
        Loop loop;
        FsRequest<Stat> request(loop);
        Fs(loop).stat(request, "/", nullptr);
      },
      "destroyed while its operation was in flight");
}

}  // namespace
}  // namespace rondo
