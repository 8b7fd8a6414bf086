#include "loop/poller/epoll.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>

#include <chrono>
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

// On a busy machine the time may be over before the loop gets to sleep: then once more, until it
// has asked the kernel.
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
  // Rounded down it would ask without waiting, again and again, for a quarter of a millisecond.
  EXPECT_LE(waits, 3u);
  sleep_for(loop, 1500us, faults);
  EXPECT_EQ(faults.calls("epoll_pwait2"), 1u);  // It is not asked twice.
}

TEST(EpollPoller, ASandboxThatForbidsTheNewerCallIsAnOldKernelToo) {
  Loop loop(on_epoll());
  FaultPlan faults;
  faults.fail("epoll_pwait2", EPERM, {.times = FaultPlan::kAlways});
  sleep_for(loop, 250us, faults);
  EXPECT_EQ(faults.calls("epoll_pwait2"), 1u);
  EXPECT_GE(faults.calls("epoll_wait"), 1u);
}

TEST(EpollPoller, AsksTheKernelNothingWhereNothingCanBeReady) {
  Loop loop(on_epoll());
  auto timer = loop.make<Timer>();
  timer->start(1h, nullptr);
  FaultPlan faults;
  for (int i = 0; i < 10; ++i) loop.run_nowait();
  EXPECT_EQ(faults.calls("epoll_wait") + faults.calls("epoll_pwait2"), 0u);
}

TEST(EpollPoller, AWatchThatTheKernelRefusesIsNotWatched) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  Pipe pipe;
  Watch watch;
  watch.fd = pipe.out.get();
  FaultPlan faults;
  faults.fail("epoll_ctl", ENOSPC);  // As when fs.epoll.max_user_watches is reached.
  EXPECT_EQ(poller->watch(watch, EPOLLIN).error().code, ENOSPC);
  EXPECT_EQ(watch.interest, 0u);
  poller->unwatch(watch);
  ASSERT_TRUE(poller->watch(watch, EPOLLIN));  // Later it may work.
  faults.fail("epoll_ctl", ENOMEM);
  EXPECT_EQ(poller->watch(watch, EPOLLIN | EPOLLOUT).error().code, ENOMEM);
  EXPECT_EQ(watch.interest, uint32_t{EPOLLIN});  // The old interest stands.
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  std::vector<Event> ready;
  poller->wait(Nanos::zero(), ready);
  EXPECT_EQ(ready.size(), 1u);
  poller->unwatch(watch);
}

TEST(EpollPoller, UnwatchingInAnyOrderKeepsTheRest) {
  // The list of all watches, which only a fork reads, closes its gaps.
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  std::vector<Pipe> pipes(8);
  std::vector<Watch> watches(8);
  for (size_t i = 0; i < 8; ++i) {
    watches[i].fd = pipes[i].out.get();
    ASSERT_TRUE(poller->watch(watches[i], EPOLLIN));
    ASSERT_EQ(::write(pipes[i].in.get(), "x", 1), 1);
  }
  for (const size_t i : {3, 7, 0, 6}) poller->unwatch(watches[i]);
  ASSERT_TRUE(poller->reopen_after_fork());  // Good for any process that wants to start afresh.
  std::vector<Event> ready;
  poller->wait(Nanos::zero(), ready);
  EXPECT_EQ(ready.size(), 4u);
  for (Watch& watch : watches) poller->unwatch(watch);
}

TEST(EpollPollerDeathTest, HasNoOperations) {
  std::unique_ptr<Poller> poller = std::move(EpollPoller::open().value());
  EXPECT_FALSE(poller->has_operations());
  Op op;
  EXPECT_DEATH(poller->submit(op, {}), "no operations");
  EXPECT_DEATH(poller->cancel(op), "no operations");
  EXPECT_DEATH(poller->detach(op), "no operations");
  EXPECT_DEATH(poller->buffer(Event{}), "no buffers");
}

}  // namespace
}  // namespace rondo
