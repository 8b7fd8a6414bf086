#include "loop/poller/epoll.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <vector>

#include "loop/loop.h"
#include "support/faults.h"
#include "support/pipes.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

LoopOptions on_epoll() {
  LoopOptions options;
  options.backend = Backend::epoll;
  return options;
}

// On a busy machine the time may be over before the loop sleeps: repeat until it has called the
// kernel.
void sleep_for(Loop& loop, Nanos delay, const FaultPlan& faults) {
  const size_t calls_before = faults.calls("epoll_pwait2") + faults.calls("epoll_wait");
  do {
    auto timer = loop.make<Timer>();
    loop.update_time();
    const Nanos began = loop.now();
    Nanos ran_at{0};
    timer->start(delay, [&](Timer& self) { ran_at = self.loop().now(); });
    while (ran_at == Nanos{0}) loop.run_once();
    EXPECT_GE(ran_at - began, delay);
  } while (faults.calls("epoll_pwait2") + faults.calls("epoll_wait") == calls_before);
}

TEST(EpollPoller, ShortSleepsAreMeasuredInNanoseconds) {
  Loop loop(on_epoll());
  FaultPlan faults;
  sleep_for(loop, 250us, faults);
  EXPECT_GE(faults.calls("epoll_pwait2"), 1u);
}

TEST(EpollPoller, AnOldKernelSleepsInMillisecondsRoundedUp) {
  Loop loop(on_epoll());
  FaultPlan faults;
  faults.fail("epoll_pwait2", ENOSYS, {.times = FaultPlan::kAlways});
  sleep_for(loop, 250us, faults);
  EXPECT_EQ(faults.calls("epoll_pwait2"), 1u);
  const size_t waits = faults.calls("epoll_wait");
  EXPECT_GE(waits, 1u);
  // Rounded down it would poll without waiting, again and again, for a quarter of a millisecond.
  EXPECT_LE(waits, 3u);
  sleep_for(loop, 1500us, faults);
  EXPECT_EQ(faults.calls("epoll_pwait2"), 1u);  // Not tried a second time.
}

TEST(EpollPoller, ASandboxThatForbidsTheNewerCallIsAnOldKernelToo) {
  Loop loop(on_epoll());
  FaultPlan faults;
  faults.fail("epoll_pwait2", EPERM, {.times = FaultPlan::kAlways});
  sleep_for(loop, 250us, faults);
  EXPECT_EQ(faults.calls("epoll_pwait2"), 1u);
  EXPECT_GE(faults.calls("epoll_wait"), 1u);
}

TEST(EpollPoller, DoesNotCallTheKernelIfNothingCanBeReady) {
  Loop loop(on_epoll());
  auto timer = loop.make<Timer>();
  timer->start(1h, nullptr);
  FaultPlan faults;
  for (int i = 0; i < 10; ++i) loop.run_nowait();
  EXPECT_EQ(faults.calls("epoll_wait") + faults.calls("epoll_pwait2"), 0u);
}

TEST(EpollPoller, AWatchThatTheKernelRefusesIsReportedOnceAndStopped) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  Pipe pipe;
  Watch watch;
  watch.fd = pipe.out.get();
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  FaultPlan faults;
  faults.fail("epoll_ctl", ENOSPC);  // As when fs.epoll.max_user_watches is reached.
  ASSERT_TRUE(poller->watch(watch, EPOLLIN));
  std::vector<Event> ready;
  poller->wait(kForever, ready);  // Must not sleep.
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].target, &watch);
  EXPECT_EQ(ready[0].result, -ENOSPC);
  EXPECT_EQ(watch.interest, 0u);
  ASSERT_TRUE(poller->watch(watch, EPOLLIN));  // It may succeed later.
  ready.clear();
  poller->wait(Nanos::zero(), ready);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].result, pipe.out.get());
  poller->unwatch(watch);
}

TEST(EpollPoller, AChangeThatTheKernelRefusesDoesNotPreventTheNextStart) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  SocketPair pair;
  Watch watch;
  watch.fd = pair.left.get();
  std::vector<Event> ready;
  ASSERT_TRUE(poller->watch(watch, EPOLLIN));
  poller->wait(Nanos::zero(), ready);
  FaultPlan faults;
  faults.fail("epoll_ctl", ENOMEM);
  ASSERT_TRUE(poller->watch(watch, EPOLLIN | EPOLLOUT));
  poller->wait(Nanos::zero(), ready);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].result, -ENOMEM);
  ready.clear();
  ASSERT_TRUE(poller->watch(watch, EPOLLOUT));
  poller->wait(Nanos::zero(), ready);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].result, pair.left.get());
  poller->unwatch(watch);
}

TEST(EpollPoller, DescriptorsThatEpollRefusesAreAnErrorAtOnce) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  const Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Watch watch;
  watch.fd = null.get();
  EXPECT_EQ(poller->watch(watch, EPOLLIN).error().code, EPERM);
  EXPECT_EQ(watch.interest, 0u);
}

TEST(EpollPoller, OnlyOneStartedWatchPerDescriptor) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  Pipe pipe;
  Watch first, second;
  first.fd = second.fd = pipe.out.get();
  ASSERT_TRUE(poller->watch(first, EPOLLIN));
  EXPECT_EQ(poller->watch(second, EPOLLIN).error().code, EEXIST);
  ASSERT_TRUE(poller->watch(first, 0));
  EXPECT_TRUE(poller->watch(second, EPOLLIN));
  poller->unwatch(first);
  EXPECT_EQ(poller->watch_of(pipe.out.get()), &second);
  poller->unwatch(second);
}

// POL-10: the reported descriptors, in order.
std::vector<int> ready_in_order(Poller& poller) {
  std::vector<Event> ready;
  poller.wait(Nanos::zero(), ready);
  std::vector<int> order;
  for (const Event& event : ready) order.push_back(event.result);
  return order;
}

TEST(EpollPoller, POL_10_ANewWatchStandsBehindWhatBecameReadyMeanwhile) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  Pipe known, added;
  Watch known_watch, added_watch;
  known_watch.fd = known.out.get();
  added_watch.fd = added.out.get();
  ASSERT_TRUE(poller->watch(known_watch, EPOLLIN));
  EXPECT_TRUE(ready_in_order(*poller).empty());
  ASSERT_EQ(::write(added.in.get(), "x", 1), 1);
  ASSERT_TRUE(poller->watch(added_watch, EPOLLIN));
  ASSERT_EQ(::write(known.in.get(), "x", 1), 1);
  EXPECT_EQ(ready_in_order(*poller), (std::vector<int>{known_watch.fd, added_watch.fd}));
  poller->unwatch(known_watch);
  poller->unwatch(added_watch);
}

TEST(EpollPoller, POL_10_AWatchThatIsStoppedAndStartedAgainKeepsItsPlace) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  Pipe first, second;
  Watch first_watch, second_watch;
  first_watch.fd = first.out.get();
  second_watch.fd = second.out.get();
  ASSERT_TRUE(poller->watch(first_watch, EPOLLIN));
  ASSERT_TRUE(poller->watch(second_watch, EPOLLIN));
  EXPECT_TRUE(ready_in_order(*poller).empty());
  ASSERT_EQ(::write(first.in.get(), "x", 1), 1);
  ASSERT_TRUE(poller->watch(first_watch, 0));
  ASSERT_EQ(::write(second.in.get(), "x", 1), 1);
  ASSERT_TRUE(poller->watch(first_watch, EPOLLIN));
  EXPECT_EQ(ready_in_order(*poller), (std::vector<int>{first_watch.fd, second_watch.fd}));
  poller->unwatch(first_watch);
  poller->unwatch(second_watch);
}

TEST(EpollPoller, AStoppedWatchIsReportedUntilItIsDisarmed) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  Pipe pipe, other;
  Watch watch, other_watch;
  watch.fd = pipe.out.get();
  other_watch.fd = other.out.get();
  ASSERT_TRUE(poller->watch(watch, EPOLLIN));
  ASSERT_TRUE(poller->watch(other_watch, EPOLLIN));
  EXPECT_TRUE(ready_in_order(*poller).empty());
  ASSERT_TRUE(poller->watch(watch, 0));
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  EXPECT_EQ(ready_in_order(*poller), std::vector<int>{watch.fd});
  poller->disarm(watch.fd);
  EXPECT_TRUE(ready_in_order(*poller).empty());
  ASSERT_TRUE(poller->watch(watch, EPOLLIN));
  EXPECT_EQ(ready_in_order(*poller), std::vector<int>{watch.fd});
  poller->unwatch(watch);
  poller->unwatch(other_watch);
}

TEST(EpollPoller, UnwatchingInAnyOrderKeepsTheRest) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  std::vector<Pipe> pipes(8);
  std::vector<Watch> watches(8);
  for (size_t i = 0; i < 8; ++i) {
    watches[i].fd = pipes[i].out.get();
    ASSERT_TRUE(poller->watch(watches[i], EPOLLIN));
    ASSERT_EQ(::write(pipes[i].in.get(), "x", 1), 1);
  }
  for (const size_t i : {3, 7, 0, 6}) poller->unwatch(watches[i]);
  ASSERT_TRUE(poller->reopen_after_fork());  // Also valid in a process that did not fork.
  std::vector<Event> ready;
  poller->wait(Nanos::zero(), ready);
  EXPECT_EQ(ready.size(), 4u);
  for (Watch& watch : watches) poller->unwatch(watch);
}

TEST(EpollPoller, ABlockedSignalDoesNotInterruptAWait) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  static volatile sig_atomic_t caught;
  caught = 0;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { caught = 1; };
  ::sigaction(SIGPROF, &action, &before);
  poller->block_signal(SIGPROF);
  const itimerval soon{{0, 0}, {0, 1000}};
  ::setitimer(ITIMER_PROF, &soon, nullptr);
  std::vector<Event> ready;
  while (caught == 0) {
    const Nanos began = RealClock::instance().now();
    poller->wait(Millis{1}, ready);
    EXPECT_GE(RealClock::instance().now() - began, Millis{1});
    for (int i = 0; i < 10'000 && caught == 0; ++i) ::getppid();  // Uses processor time.
  }
  ::sigaction(SIGPROF, &before, nullptr);
}

TEST(EpollPoller, ItsDescriptorIsReadableWhileAnEventIsReady) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  const Pipe pipe;
  Watch watch;
  watch.fd = pipe.out.get();
  ASSERT_TRUE(poller->watch_now(watch, EPOLLIN));
  pollfd backend{poller->descriptor(), POLLIN, 0};
  EXPECT_EQ(::poll(&backend, 1, 0), 0);
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  EXPECT_EQ(::poll(&backend, 1, 0), 1);
  poller->unwatch(watch);
}

TEST(EpollPollerDeathTest, HasNoOperations) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  EXPECT_FALSE(poller->has_operations());
  Op op;
  EXPECT_DEATH(poller->submit(op, {}), "no operations");
  EXPECT_DEATH(poller->cancel(op), "no operations");
}

}  // namespace
}  // namespace rondo
