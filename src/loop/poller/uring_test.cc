// Operations, which only io_uring has. What it shares with epoll is in poller_test.cc.
#include "loop/poller/uring.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
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
  // What comes without waiting; a few times, for the kernel's bookkeeping may take one to show.
  std::vector<Event> poll() {
    std::vector<Event> ready;
    for (int i = 0; i < 3; ++i) poller_->wait(Nanos::zero(), ready);
    return ready;
  }
  // Waits until `count` events have come.
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
  static OpArgs receiving(int fd) {
    OpArgs args;
    args.opcode = IORING_OP_RECV;
    args.fd = fd;
    args.provided_buffers = true;
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
  std::string text_of(const Event& event) {
    const auto bytes = poller_->buffer(event);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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

TEST_F(UringPollerTest, CancelledBeforeTheKernelHasSeenItItIsNotDone) {
  Pipe pipe;
  ASSERT_EQ(::write(pipe.in.get(), "abc", 3), 3);
  Op op;
  poller_->submit(op, reading(pipe.out.get()));
  poller_->cancel(op);
  const std::vector<Event> ready = wait_for(1);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].result, -ECANCELED);
  EXPECT_EQ(drain(pipe.out.get()), "abc");
}

TEST_F(UringPollerTest, ADetachedOperationIsFreeAtOnceAndNeverTold) {
  auto op = std::make_unique<Op>();
  poller_->submit(*op, nothing());
  poller_->detach(*op);
  EXPECT_FALSE(op->is_in_flight());
  poller_->detach(*op);  // Harmless.
  op.reset();
  Op other;
  poller_->submit(other, nothing());
  const std::vector<Event> ready = wait_for(1);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].target, &other);
  EXPECT_TRUE(poll().empty());
}

TEST_F(UringPollerTest, ADescriptorThatNobodyIsLeftToTakeIsClosed) {
  const Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sa_family_t anywhere = AF_UNIX;  // The kernel picks an abstract name.
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&anywhere), sizeof anywhere),
            0);
  ASSERT_EQ(::listen(listener.get(), 8), 0);
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&name), &size), 0);

  Op op;
  op.discard = Discard::close_fd;
  OpArgs args;
  args.opcode = IORING_OP_ACCEPT;
  args.fd = listener.get();
  args.op_flags = SOCK_CLOEXEC;
  poller_->submit(op, args);
  poller_->flush();
  const Fd client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::connect(client.get(), reinterpret_cast<const sockaddr*>(&name), size), 0);
  Op other;
  poller_->submit(other, nothing());
  poller_->flush();  // Takes the kernel's side along: the accepted connection lies in the ring.
  poller_->detach(op);
  EXPECT_EQ(wait_for(1)[0].target, &other);
  EXPECT_TRUE(poll().empty());
  char byte = 0;
  EXPECT_EQ(::recv(client.get(), &byte, 1, MSG_DONTWAIT), 0);
}

TEST_F(UringPollerTest, ProvidedBuffersBringTheBytesAndAreGivenBack) {
  SocketPair sockets;
  Op op;
  op.discard = Discard::recycle_buffer;
  // More often than there are buffers: without recycle() the kernel would run out of them.
  for (uint32_t i = 0; i < UringBuffers::kCount + 100; ++i) {
    const std::string text = std::to_string(i);
    poller_->submit(op, receiving(sockets.left.get()));
    ASSERT_EQ(::write(sockets.right.get(), text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
    const std::vector<Event> ready = wait_for(1);
    ASSERT_EQ(ready[0].result, static_cast<int32_t>(text.size()));
    ASSERT_EQ(text_of(ready[0]), text);
    poller_->recycle(ready[0].flags);
  }
}

TEST_F(UringPollerTest, ABatchThatRunsOutOfBuffersDoublesThemOnce) {
  constexpr size_t kOps = 3 * UringBuffers::kAtFirst;
  std::vector<SocketPair> sockets(kOps);
  std::vector<Op> ops(kOps);
  // Every one has its byte already, so that all are decided when they are submitted.
  for (size_t i = 0; i < kOps; ++i) {
    ops[i].discard = Discard::recycle_buffer;
    ASSERT_EQ(::write(sockets[i].right.get(), "x", 1), 1);
    poller_->submit(ops[i], receiving(sockets[i].left.get()));
  }
  const auto without_one = [](const std::vector<Event>& events) {
    size_t count = 0;
    for (const Event& event : events) count += event.result == -ENOBUFS;
    return count;
  };
  const std::vector<Event> first = wait_for(kOps);
  EXPECT_EQ(without_one(first), kOps - UringBuffers::kAtFirst);
  for (const Event& event : first) {
    const auto i = static_cast<size_t>(static_cast<Op*>(event.target) - ops.data());
    if (event.result == -ENOBUFS) poller_->submit(ops[i], receiving(sockets[i].left.get()));
  }
  EXPECT_EQ(without_one(wait_for(kOps - UringBuffers::kAtFirst)),
            kOps - 2 * UringBuffers::kAtFirst);
}

TEST_F(UringPollerTest, BuffersThatNobodyIsLeftToTakeAreGivenBack) {
  SocketPair sockets;
  for (uint32_t i = 0; i < UringBuffers::kCount + 100; ++i) {
    Op op;
    op.discard = Discard::recycle_buffer;
    ASSERT_EQ(::write(sockets.right.get(), "x", 1), 1);
    poller_->submit(op, receiving(sockets.left.get()));
    poller_->flush();  // The byte is in a buffer now.
    poller_->detach(op);
    EXPECT_TRUE(poll().empty());
  }
  Op last;
  ASSERT_EQ(::write(sockets.right.get(), "y", 1), 1);
  poller_->submit(last, receiving(sockets.left.get()));
  const std::vector<Event> ready = wait_for(1);
  ASSERT_EQ(ready[0].result, 1);
  EXPECT_EQ(text_of(ready[0]), "y");
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
  std::vector<Op> ops(600);  // The ring holds 512.
  for (Op& op : ops) poller_->submit(op, nothing());
  Op read, detached;
  poller_->submit(read, reading(pipe.out.get()));
  poller_->submit(detached, nothing());
  // Both still wait their turn on our side; the kernel never hears of them.
  poller_->cancel(read);
  poller_->detach(detached);
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
  // A watch that was waiting to be armed again is not forgotten either.
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
