#include "base/sys.h"

#include <gtest/gtest.h>

#include "support/faults.h"
#include "support/pipes.h"

namespace rondo {
namespace {

TEST(Sys, CallsReachTheKernelWithoutAPlan) {
  Pipe pipe;
  char byte = 0;
  EXPECT_EQ(sys::write(pipe.in.get(), "abc", 3), 3);
  EXPECT_EQ(sys::read(pipe.out.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'a');
  EXPECT_EQ(drain(pipe.out.get()), "bc");
}

TEST(Sys, AnInterruptedCallIsMadeAgain) {
  Pipe pipe;
  FaultPlan faults;
  faults.fail("write", EINTR, {.times = 3});
  EXPECT_EQ(sys::write(pipe.in.get(), "abc", 3), 3);
  EXPECT_EQ(faults.calls("write"), 4u);
  EXPECT_EQ(drain(pipe.out.get()), "abc");
}

TEST(Sys, AnInterruptedWaitOrConnectIsTheCallersAffair) {
  SocketPair sockets;
  FaultPlan faults;
  faults.fail("connect", EINTR);
  faults.fail("epoll_wait", EINTR);
  const sockaddr address{};
  EXPECT_EQ(sys::connect(sockets.left.get(), &address, sizeof address), -1);
  EXPECT_EQ(errno, EINTR);
  epoll_event event{};
  EXPECT_EQ(sys::epoll_wait(-1, &event, 1, 0), -1);
  EXPECT_EQ(errno, EINTR);
  EXPECT_EQ(faults.calls("connect") + faults.calls("epoll_wait"), 2u);
}

TEST(Sys, OtherErrorsComeThrough) {
  Pipe pipe;
  FaultPlan faults;
  faults.fail("read", EIO);
  char byte;
  EXPECT_EQ(sys::read(pipe.out.get(), &byte, 1), -1);
  EXPECT_EQ(errno, EIO);
  EXPECT_EQ(sys::read(pipe.out.get(), &byte, 1), -1);  // The kernel's own result.
  EXPECT_EQ(errno, EAGAIN);
}

TEST(FaultPlan, FailsThePlannedCallsOnly) {
  Pipe pipe, other;
  FaultPlan faults;
  faults.fail("write", ENOSPC, {.fd = pipe.in.get(), .skip = 1, .times = 2});
  EXPECT_EQ(sys::write(pipe.in.get(), "1", 1), 1);
  EXPECT_EQ(sys::write(other.in.get(), "o", 1), 1);
  EXPECT_EQ(sys::write(pipe.in.get(), "2", 1), -1);
  EXPECT_EQ(sys::write(other.in.get(), "o", 1), 1);
  EXPECT_EQ(sys::write(pipe.in.get(), "3", 1), -1);
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(sys::write(pipe.in.get(), "4", 1), 1);
  EXPECT_EQ(drain(pipe.out.get()), "14");
  EXPECT_EQ(faults.calls("write"), 6u);
  EXPECT_EQ(faults.calls("write", pipe.in.get()), 4u);
  EXPECT_EQ(faults.injected("write"), 2u);
}

TEST(FaultPlan, AnswersInTheKernelsPlace) {
  FaultPlan faults;
  faults.answer("send", 5);
  EXPECT_EQ(sys::send(-1, "hello", 5, 0), 5);
  EXPECT_EQ(sys::send(-1, "hello", 5, 0), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST(FaultPlan, ShortensReadsAndWrites) {
  SocketPair sockets;
  const int fd = sockets.left.get(), peer = sockets.right.get();
  char bytes[8];
  FaultPlan faults;
  for (const char* call : {"write", "send", "writev", "sendmsg", "read", "recv"}) {
    faults.shorten(call, 2);
  }
  EXPECT_EQ(sys::write(fd, "abcd", 4), 2);
  EXPECT_EQ(sys::send(fd, "efgh", 4, MSG_NOSIGNAL), 2);
  EXPECT_EQ(sys::send(fd, "i", 1, MSG_NOSIGNAL), 1);
  char first[] = "klm", second[] = "nop";
  iovec parts[] = {{nullptr, 0}, {first, 3}, {second, 3}};
  EXPECT_EQ(sys::writev(fd, parts, 3), 2);
  msghdr message{};
  message.msg_iov = parts + 1;
  message.msg_iovlen = 2;
  EXPECT_EQ(sys::sendmsg(fd, &message, MSG_NOSIGNAL), 2);
  EXPECT_EQ(sys::recv(peer, bytes, sizeof bytes, 0), 2);
  EXPECT_EQ(sys::read(peer, bytes, sizeof bytes), 2);
  EXPECT_EQ(drain(peer), "iklkl");
  faults.clear();
  EXPECT_EQ(sys::writev(fd, parts, 3), 6);
  EXPECT_EQ(sys::sendmsg(fd, &message, MSG_NOSIGNAL), 6);
  EXPECT_EQ(drain(peer), "klmnopklmnop");
}

TEST(FaultPlan, EndsWithItsLife) {
  {
    FaultPlan faults;
    faults.fail("write", EIO, {.times = FaultPlan::kAlways});
    EXPECT_EQ(sys::write(-1, "", 0), -1);
    EXPECT_EQ(errno, EIO);
  }
  EXPECT_EQ(sys::write(-1, "", 0), -1);
  EXPECT_EQ(errno, EBADF);
}

}  // namespace
}  // namespace rondo
