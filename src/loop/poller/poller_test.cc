// Tests for both kernel pollers.
#include "loop/poller/poller.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/time/clock.h"
#include "support/backends.h"
#include "support/faults.h"
#include "support/pipes.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class PollerTest : public BackendTest {
 protected:
  void SetUp() override {
    BackendTest::SetUp();
    if (!IsSkipped()) poller_ = std::move(make_poller(GetParam()).value());
  }
  // Waits for events for up to `timeout`.
  std::vector<Event> wait(Nanos timeout = Nanos::zero()) {
    std::vector<Event> ready;
    poller_->wait(timeout, ready);
    return ready;
  }
  // As the loop does: the events of a few polls without waiting. The kernel may need one for its
  // bookkeeping.
  std::vector<Event> poll() {
    std::vector<Event> ready;
    for (int i = 0; i < 3; ++i) poller_->wait(Nanos::zero(), ready);
    return ready;
  }
  static Watch watching(int fd) {
    Watch watch;
    watch.fd = fd;
    return watch;
  }
  static void fill(int fd) {
    const std::string bytes(4096, 'x');
    while (::write(fd, bytes.data(), bytes.size()) > 0) {
    }
  }

  std::unique_ptr<Poller> poller_;
};

TEST_P(PollerTest, NothingIsReadyWhereNothingIsWatched) {
  EXPECT_EQ(poller_->backend(), GetParam());
  EXPECT_TRUE(poll().empty());
}

TEST_P(PollerTest, AWaitTakesItsTimeWhereNothingComes) {
  Pipe pipe;
  Watch watch = watching(pipe.out.get());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  for (const Nanos timeout : {Nanos{300us}, Nanos{3ms}}) {
    // It may return early, for example after a signal; a caller waits for the rest.
    const Nanos until = RealClock::instance().now() + timeout;
    std::vector<Event> ready;
    while (RealClock::instance().now() < until) {
      poller_->wait(until - RealClock::instance().now(), ready);
    }
    EXPECT_TRUE(ready.empty());
  }
  poller_->unwatch(watch);
}

TEST_P(PollerTest, ReadinessIsLevelTriggered) {
  Pipe pipe;
  Watch watch = watching(pipe.out.get());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  EXPECT_EQ(watch.interest, uint32_t{EPOLLIN});
  EXPECT_TRUE(poll().empty());
  ASSERT_EQ(::write(pipe.in.get(), "ab", 2), 2);
  for (int i = 0; i < 3; ++i) {
    const std::vector<Event> ready = wait(10s);  // Again, until the data is read.
    ASSERT_EQ(ready.size(), 1u);
    EXPECT_EQ(ready[0].target, &watch);
    EXPECT_EQ(ready[0].result, pipe.out.get());
    EXPECT_EQ(ready[0].flags, uint32_t{EPOLLIN});
  }
  EXPECT_EQ(drain(pipe.out.get()), "ab");
  EXPECT_TRUE(poll().empty());
  poller_->unwatch(watch);
}

TEST_P(PollerTest, AnEdgeIsReportedOnce) {
  const Fd event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  Watch watch = watching(event.get());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN | EPOLLET));
  EXPECT_TRUE(poll().empty());
  for (int i = 0; i < 3; ++i) {
    const uint64_t one = 1;
    ASSERT_EQ(::write(event.get(), &one, sizeof one), ssize_t{sizeof one});
    EXPECT_EQ(wait(10s).size(), 1u);
    EXPECT_TRUE(poll().empty());  // Although it could still be read.
  }
  poller_->unwatch(watch);
}

TEST_P(PollerTest, WatchingAgainReplacesTheInterest) {
  SocketPair sockets;
  Watch watch = watching(sockets.left.get());
  ASSERT_EQ(::write(sockets.right.get(), "x", 1), 1);
  ASSERT_TRUE(poller_->watch(watch, EPOLLOUT));
  std::vector<Event> ready = wait(10s);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].flags, uint32_t{EPOLLOUT});
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  ready = wait(10s);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].flags, uint32_t{EPOLLIN});
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN | EPOLLOUT));
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN | EPOLLOUT));  // No change.
  ready = wait(10s);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].flags, uint32_t{EPOLLIN | EPOLLOUT});
  drain(sockets.left.get());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  EXPECT_TRUE(poll().empty());
  poller_->unwatch(watch);
}

TEST_P(PollerTest, NothingComesAfterUnwatch) {
  Pipe pipe;
  Watch watch = watching(pipe.out.get());
  poller_->unwatch(watch);  // Never watched: harmless.
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  poller_->unwatch(watch);  // Before it reached the kernel.
  EXPECT_EQ(watch.interest, 0u);
  EXPECT_TRUE(poll().empty());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  ASSERT_EQ(wait(10s).size(), 1u);
  poller_->unwatch(watch);  // After.
  poller_->unwatch(watch);
  EXPECT_TRUE(poll().empty());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));  // And once more.
  EXPECT_EQ(wait(10s).size(), 1u);
  poller_->unwatch(watch);
}

TEST_P(PollerTest, AWatchMayBeFreedRightAfterUnwatch) {
  Pipe pipe;
  for (int i = 0; i < 100; ++i) {
    auto watch = std::make_unique<Watch>();
    watch->fd = pipe.out.get();
    ASSERT_TRUE(poller_->watch(*watch, EPOLLIN));
    if (i % 2 == 0) poll();
    poller_->unwatch(*watch);
  }
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  EXPECT_TRUE(poll().empty());
}

TEST_P(PollerTest, HangUpsAndErrorsAreReportedWithoutInterest) {
  auto pipe = std::make_unique<Pipe>();
  Watch reader = watching(pipe->out.get());
  ASSERT_TRUE(poller_->watch(reader, EPOLLIN));
  EXPECT_TRUE(poll().empty());
  pipe->in.reset();
  std::vector<Event> ready = wait(10s);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_NE(ready[0].flags & EPOLLHUP, 0u);
  poller_->unwatch(reader);

  Pipe other;
  fill(other.in.get());
  Watch writer = watching(other.in.get());
  ASSERT_TRUE(poller_->watch(writer, EPOLLOUT));
  EXPECT_TRUE(poll().empty());
  other.out.reset();
  ready = wait(10s);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_NE(ready[0].flags & EPOLLERR, 0u);
  poller_->unwatch(writer);
}

TEST_P(PollerTest, APeerThatStopsWritingIsADisconnection) {
  SocketPair sockets;
  Watch watch = watching(sockets.left.get());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN | EPOLLRDHUP));
  EXPECT_TRUE(poll().empty());
  ::shutdown(sockets.right.get(), SHUT_WR);
  const std::vector<Event> ready = wait(10s);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].flags & EPOLLRDHUP, uint32_t{EPOLLRDHUP});
  poller_->unwatch(watch);
}

TEST_P(PollerTest, WritabilityComesBackWhenTheReaderMakesRoom) {
  Pipe pipe;
  fill(pipe.in.get());
  Watch watch = watching(pipe.in.get());
  ASSERT_TRUE(poller_->watch(watch, EPOLLOUT));
  EXPECT_TRUE(poll().empty());
  drain(pipe.out.get());
  const std::vector<Event> ready = wait(10s);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].flags, uint32_t{EPOLLOUT});
  poller_->unwatch(watch);
}

TEST_P(PollerTest, AReusedDescriptorNumberIsAnotherFile) {
  auto pipe = std::make_unique<Pipe>();
  const int number = pipe->out.get();
  Watch old = watching(number);
  ASSERT_TRUE(poller_->watch(old, EPOLLIN));
  ASSERT_EQ(::write(pipe->in.get(), "x", 1), 1);
  ASSERT_EQ(wait(10s).size(), 1u);
  poller_->unwatch(old);
  pipe.reset();
  Pipe fresh;
  ASSERT_EQ(fresh.out.get(), number);
  Watch watch = watching(number);
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  EXPECT_TRUE(poll().empty());
  ASSERT_EQ(::write(fresh.in.get(), "y", 1), 1);
  const std::vector<Event> ready = wait(10s);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].target, &watch);
  poller_->unwatch(watch);
}

TEST_P(PollerTest, TwoDescriptorsOfOneFileAreTwoWatches) {
  Pipe pipe;
  const Fd copy(::dup(pipe.out.get()));
  Watch first = watching(pipe.out.get()), second = watching(copy.get());
  ASSERT_TRUE(poller_->watch(first, EPOLLIN));
  ASSERT_TRUE(poller_->watch(second, EPOLLIN));
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  std::set<Target*> seen;
  for (int i = 0; i < 10 && seen.size() < 2; ++i) {
    for (const Event& event : wait(1s)) seen.insert(event.target);
  }
  EXPECT_EQ(seen, (std::set<Target*>{&first, &second}));
  poller_->unwatch(first);
  EXPECT_EQ(wait(10s).size(), 1u);
  poller_->unwatch(second);
}

TEST_P(PollerTest, AWaitBringsOneBatchAndTheNextOneTheRest) {
  constexpr size_t kWatches = Poller::kBatch + 100;
  const Fd event(::eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC));
  std::vector<Fd> copies;
  std::vector<std::unique_ptr<Watch>> watches;
  for (size_t i = 0; i < kWatches; ++i) {
    copies.emplace_back(::fcntl(event.get(), F_DUPFD_CLOEXEC, 0));
    ASSERT_TRUE(copies.back()) << "raise the limit of descriptors";
    watches.push_back(std::make_unique<Watch>());
    watches.back()->fd = copies.back().get();
    ASSERT_TRUE(poller_->watch(*watches.back(), EPOLLIN));
  }
  std::set<Target*> seen;
  size_t most = 0;
  for (int i = 0; i < 20 && seen.size() < kWatches; ++i) {
    const std::vector<Event> ready = wait();
    most = std::max(most, ready.size());
    for (const Event& one : ready) seen.insert(one.target);
  }
  EXPECT_EQ(seen.size(), kWatches);
  EXPECT_LE(most, Poller::kBatch);
  for (auto& watch : watches) poller_->unwatch(*watch);
  EXPECT_TRUE(poll().empty());
}

TEST_P(PollerTest, ADescriptorThatIsNotOpenIsAnErrorAtOnceOrOnce) {
  const int number = [] {
    Pipe pipe;
    return pipe.out.get();
  }();
  Watch watch = watching(number);
  Result<void> watched = poller_->watch(watch, EPOLLIN);
  if (!watched) {
    EXPECT_EQ(watched.error().code, EBADF);
  } else {
    const std::vector<Event> ready = wait(10s);
    ASSERT_EQ(ready.size(), 1u);
    EXPECT_EQ(ready[0].result, -EBADF);
  }
  EXPECT_EQ(watch.interest, 0u);  // The poller has dropped the watch.
  EXPECT_TRUE(poll().empty());
  poller_->unwatch(watch);
}

TEST_P(PollerTest, RegularFilesCannotBeWatched) {
  const TempDir dir;
  const Fd file(::open(dir.write("file", "x").c_str(), O_RDONLY | O_CLOEXEC));
  Watch watch = watching(file.get());
  Result<void> watched = poller_->watch(watch, EPOLLIN);
  ASSERT_FALSE(watched);
  EXPECT_EQ(watched.error().code, EPERM);
  EXPECT_EQ(watch.interest, 0u);
  EXPECT_TRUE(poll().empty());
}

TEST_P(PollerTest, AWakerEndsASleep) {
  const Fd event(::eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC));
  Watch waker = watching(event.get());
  waker.is_waker = true;
  ASSERT_TRUE(poller_->watch(waker, EPOLLIN | EPOLLET));
  EXPECT_EQ(wait(10s).size(), 1u);
  poller_->unwatch(waker);
}

TEST_P(PollerTest, ADescriptorIsASourceUntilTheKernelForgetsIt) {
  EXPECT_FALSE(poller_->has_sources());
  const Fd event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  Watch waker = watching(event.get());
  waker.is_waker = true;
  ASSERT_TRUE(poller_->watch(waker, EPOLLIN));
  poll();
  EXPECT_FALSE(poller_->has_sources());
  const Pipe pipe;
  Watch watch = watching(pipe.out.get());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  EXPECT_TRUE(poller_->has_sources());
  ASSERT_TRUE(poller_->watch(watch, 0));
  EXPECT_FALSE(poller_->has_sources());  // It was never registered with the kernel.
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  poll();
  ASSERT_TRUE(poller_->watch(watch, 0));
  EXPECT_TRUE(poller_->has_sources());  // It may become ready, and keeps its position (POL-10).
  poller_->disarm(watch.fd);
  EXPECT_FALSE(poller_->has_sources());
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  poll();
  poller_->unwatch(watch);
  EXPECT_FALSE(poller_->has_sources());
  poller_->unwatch(waker);
}

RONDO_PER_BACKEND(PollerTest);

TEST(Backend, NamesGoBothWays) {
  for (const Backend backend : {Backend::epoll, Backend::uring}) {
    Result<Backend> parsed = parse_backend(backend_name(backend));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, backend);
  }
  EXPECT_EQ(*parse_backend("io_uring"), Backend::uring);
  for (const char* bad : {"", "kqueue", "Epoll", "epoll ", "automatic", "scripted"}) {
    EXPECT_EQ(parse_backend(bad).error().code, EINVAL) << bad;
  }
  EXPECT_STREQ(backend_name(Backend::automatic), "automatic");
  EXPECT_STREQ(backend_name(Backend::scripted), "scripted");
}

class BackendVariableTest : public ::testing::Test {
 protected:
  BackendVariableTest() {
    if (const char* value = std::getenv("RONDO_BACKEND")) before_ = value;
  }
  ~BackendVariableTest() override {
    if (before_.empty()) {
      ::unsetenv("RONDO_BACKEND");
    } else {
      ::setenv("RONDO_BACKEND", before_.c_str(), 1);
    }
  }
  std::string before_;
};

TEST_F(BackendVariableTest, ForcesTheBackendThatAutomaticWouldChoose) {
  ::setenv("RONDO_BACKEND", "epoll", 1);
  EXPECT_EQ(make_poller(Backend::automatic).value()->backend(), Backend::epoll);
  ::setenv("RONDO_BACKEND", "", 1);
  EXPECT_TRUE(make_poller(Backend::automatic));
  ::setenv("RONDO_BACKEND", "select", 1);
  EXPECT_EQ(make_poller(Backend::automatic).error().code, EINVAL);
  EXPECT_TRUE(make_poller(Backend::epoll));  // The variable has no effect on an explicit backend.
}

// As a seccomp filter that allows io_uring_setup(2) only.
TEST_F(BackendVariableTest, FallsBackToEpollIfTheRingCannotBeEntered) {
  ::unsetenv("RONDO_BACKEND");
  FaultPlan faults;
  faults.fail("io_uring_enter", EPERM, {.times = FaultPlan::kAlways});
  EXPECT_EQ(make_poller(Backend::automatic).value()->backend(), Backend::epoll);
  EXPECT_FALSE(make_poller(Backend::uring));
}

}  // namespace
}  // namespace rondo
