// Operations, which only io_uring has. Common tests with epoll are in poller_test.cc.
#include "loop/poller/uring.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/faults.h"
#include "support/pipes.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class UringPollerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<Poller>> opened = UringPoller::open();
    if (!opened) GTEST_SKIP() << "SKIPPED: this system refuses io_uring";
    poller_ = std::move(*opened);
  }
  // Events without waiting; a few times, since the kernel may need one for its bookkeeping.
  std::vector<Event> poll() {
    std::vector<Event> ready;
    for (int i = 0; i < 3; ++i) poller_->wait(Nanos::zero(), ready);
    return ready;
  }
  // Waits until `count` events have arrived.
  std::vector<Event> wait_for(size_t count) {
    std::vector<Event> ready;
    while (ready.size() < count) poller_->wait(10s, ready);
    return ready;
  }
  OpArgs reading(int fd) {
    OpArgs args;
    args.opcode = IORING_OP_READ;
    args.fd = fd;
    args.addr = reinterpret_cast<uint64_t>(memory_);
    args.len = sizeof memory_;
    return args;
  }
  // The kernel does not wait for a non-blocking descriptor.
  static void make_blocking(int fd) {
    ASSERT_EQ(::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK), 0);
  }
  static OpArgs nothing() {
    OpArgs args;
    args.opcode = IORING_OP_NOP;
    return args;
  }

  std::unique_ptr<Poller> poller_;
  char memory_[64] = {};
};

TEST_F(UringPollerTest, AnOperationCompletesOnceAndIsFreeAgain) {
  ASSERT_TRUE(poller_->has_operations());
  Pipe pipe;
  Op op;
  for (int round = 0; round < 3; ++round) {
    poller_->submit(op, reading(pipe.out.get()));
    EXPECT_TRUE(op.is_in_flight());
    ASSERT_EQ(::write(pipe.in.get(), "abc", 3), 3);
    const std::vector<Event> ready = wait_for(1);
    ASSERT_EQ(ready.size(), 1u);
    EXPECT_EQ(ready[0].target, &op);
    EXPECT_EQ(ready[0].result, 3);
    EXPECT_EQ(std::string(memory_, 3), "abc");
    EXPECT_FALSE(op.is_in_flight());
    EXPECT_TRUE(poll().empty());
  }
}

TEST_F(UringPollerTest, AnErrorIsItsResult) {
  Op op;
  poller_->submit(op, reading(-1));
  const std::vector<Event> ready = wait_for(1);
  EXPECT_EQ(ready[0].result, -EBADF);
  EXPECT_FALSE(op.is_in_flight());
}

TEST_F(UringPollerTest, CancelledInTheKernelItEndsWithEcanceled) {
  Pipe pipe;
  make_blocking(pipe.out.get());
  Op op;
  poller_->submit(op, reading(pipe.out.get()));
  EXPECT_TRUE(poll().empty());  // The kernel has it now, and waits.
  poller_->cancel(op);
  const std::vector<Event> ready = wait_for(1);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].result, -ECANCELED);
  EXPECT_FALSE(op.is_in_flight());
  poller_->cancel(op);  // Nothing is in flight: harmless.
  EXPECT_TRUE(poll().empty());
}

TEST_F(UringPollerTest, AnOperationIsUnderWayWhenSubmitReturns) {
  Pipe pipe;
  ASSERT_EQ(::write(pipe.in.get(), "abc", 3), 3);
  Op op;
  poller_->submit(op, reading(pipe.out.get()));
  EXPECT_EQ(drain(pipe.out.get()), "");
  const std::vector<Event> ready = wait_for(1);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].result, 3);
  EXPECT_EQ(std::string(memory_, 3), "abc");
}

TEST_F(UringPollerTest, ACompletionTakesItsPlaceAmongTheReadyDescriptors) {
  Pipe before, after;
  Watch first, last;
  first.fd = before.out.get();
  last.fd = after.out.get();
  ASSERT_TRUE(poller_->watch(first, EPOLLIN));
  ASSERT_TRUE(poller_->watch(last, EPOLLIN));
  Op op;
  poller_->submit(op, nothing());
  EXPECT_EQ(wait_for(1)[0].target, &op);  // The ring is watched from here on.
  EXPECT_TRUE(poll().empty());            // epoll has noticed that it is not ready any more.
  ASSERT_EQ(::write(before.in.get(), "x", 1), 1);
  poller_->submit(op, nothing());
  ASSERT_EQ(::write(after.in.get(), "x", 1), 1);
  const std::vector<Event> ready = wait_for(3);
  ASSERT_EQ(ready.size(), 3u);
  EXPECT_EQ(ready[0].target, &first);
  EXPECT_EQ(ready[1].target, &op);
  EXPECT_EQ(ready[2].target, &last);
  poller_->unwatch(first);
  poller_->unwatch(last);
}

TEST_F(UringPollerTest, MoreOperationsThanTheRingHoldsAllComplete) {
  std::vector<Op> ops(3000);
  for (Op& op : ops) poller_->submit(op, nothing());
  EXPECT_EQ(wait_for(ops.size()).size(), ops.size());
  for (const Op& op : ops) EXPECT_FALSE(op.is_in_flight());
  EXPECT_TRUE(poll().empty());
}

TEST_F(UringPollerTest, WhereTheKernelTakesNoMoreOperationsWaitInOrder) {
  Pipe pipe;
  ASSERT_EQ(::write(pipe.in.get(), "abc", 3), 3);
  FaultPlan faults;
  faults.fail("io_uring_enter", EBUSY, {.times = FaultPlan::kAlways});
  std::vector<Op> ops(600);  // More than the ring holds.
  for (Op& op : ops) poller_->submit(op, nothing());
  Op read;
  poller_->submit(read, reading(pipe.out.get()));
  poller_->cancel(read);  // It is still in our backlog: the kernel never sees it.
  EXPECT_TRUE(poll().empty());
  faults.clear();
  const std::vector<Event> ready = wait_for(ops.size() + 1);
  ASSERT_EQ(ready.size(), ops.size() + 1);
  for (size_t i = 0; i < ops.size(); ++i) ASSERT_EQ(ready[i].target, &ops[i]);
  EXPECT_EQ(ready.back().target, &read);
  EXPECT_EQ(ready.back().result, -ECANCELED);
  EXPECT_EQ(drain(pipe.out.get()), "abc");
}

TEST_F(UringPollerTest, ReopenedItWatchesOnAndHasLostItsOperations) {
  Pipe pipe, other;
  Watch watch;
  watch.fd = pipe.out.get();
  ASSERT_TRUE(poller_->watch(watch, EPOLLIN));
  make_blocking(other.out.get());
  Op op;
  poller_->submit(op, reading(other.out.get()));
  EXPECT_TRUE(poll().empty());
  ASSERT_TRUE(poller_->reopen_after_fork());
  EXPECT_FALSE(op.is_in_flight());
  ASSERT_EQ(::write(other.in.get(), "x", 1), 1);
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  const std::vector<Event> ready = wait_for(1);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].target, &watch);
  ASSERT_TRUE(poller_->reopen_after_fork());
  EXPECT_EQ(wait_for(1)[0].target, &watch);
  poller_->unwatch(watch);
  EXPECT_TRUE(poll().empty());
}

using UringPollerDeathTest = UringPollerTest;

TEST_F(UringPollerDeathTest, AnOperationInFlightCannotBeSubmittedAgain) {
  Op op;
  poller_->submit(op, nothing());
  EXPECT_DEATH(poller_->submit(op, nothing()), "!op.is_in_flight\\(\\)");
}

}  // namespace
}  // namespace rondo
