#include "io/poll.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "support/net.h"
#include "support/pipes.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

// A letter for each reported event: r, w, d(isconnected), u(rgent); "<ENAME>" for an error.
std::string letters_of(const Result<uint32_t>& events) {
  if (!events) return "<" + std::string(events.error().name()) + ">";
  std::string out;
  if ((*events & Poll::kReadable) != 0) out += 'r';
  if ((*events & Poll::kWritable) != 0) out += 'w';
  if ((*events & Poll::kDisconnected) != 0) out += 'd';
  if ((*events & Poll::kUrgent) != 0) out += 'u';
  return out;
}

// Logs the events, and stops.
auto stopping(std::string& log) {
  return [&log](Poll& poll, Result<uint32_t> events) {
    log += letters_of(events);
    poll.stop();
  };
}

TEST(Poll, CallsBackEachTurnWhileTheDescriptorIsReady) {
  Loop loop;
  Pipe pipe;
  auto poll = loop.make<Poll>(pipe.out.get());
  EXPECT_EQ(poll->fd(), pipe.out.get());
  std::string log;
  ASSERT_TRUE(poll->start(Poll::kReadable, [&](Poll& self, Result<uint32_t> events) {
    EXPECT_EQ(self.loop().phase(), Phase::poll);
    log += letters_of(events);
  }));
  EXPECT_TRUE(poll->is_active());
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(log, "");
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  for (const char* so_far : {"r", "rr", "rrr"}) {
    loop.run_once();
    EXPECT_EQ(log, so_far);
  }
  drain(pipe.out.get());
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(log, "rrr");
}

TEST(Poll, ReportsOnlyRequestedEvents) {
  Loop loop;
  SocketPair sockets;
  ASSERT_EQ(::write(sockets.right.get(), "x", 1), 1);  // Readable and writable at once.
  auto poll = loop.make<Poll>(sockets.left.get());
  std::string log;
  ASSERT_TRUE(poll->start(Poll::kWritable, stopping(log)));
  loop.run();
  ASSERT_TRUE(poll->start(Poll::kReadable, stopping(log)));
  loop.run();
  ASSERT_TRUE(poll->start(Poll::kReadable | Poll::kWritable, stopping(log)));
  loop.run();
  EXPECT_EQ(log, "wrrw");
}

TEST(Poll, StartingAgainReplacesInterestAndFunctionInItsCallbackToo) {
  Loop loop;
  SocketPair sockets;
  ASSERT_EQ(::write(sockets.right.get(), "x", 1), 1);
  auto poll = loop.make<Poll>(sockets.left.get());
  std::string log;
  ASSERT_TRUE(poll->start(Poll::kReadable, [&](Poll&, Result<uint32_t>) { log += '?'; }));
  ASSERT_TRUE(poll->start(Poll::kReadable, [&](Poll& self, Result<uint32_t> events) {
    log += letters_of(events);
    ASSERT_TRUE(self.start(Poll::kWritable, stopping(log)));
  }));
  loop.run();
  EXPECT_EQ(log, "rw");
}

TEST(Poll, APeerThatShutsDownIsADisconnection) {
  Loop loop;
  SocketPair sockets;
  auto poll = loop.make<Poll>(sockets.left.get());
  std::string log;
  ASSERT_TRUE(poll->start(Poll::kDisconnected, stopping(log)));
  loop.run_nowait();
  EXPECT_EQ(log, "");
  ::shutdown(sockets.right.get(), SHUT_WR);
  loop.run();
  EXPECT_EQ(log, "d");
}

TEST(Poll, AHangUpIsReportedAsAllRequestedEvents) {
  Loop loop;
  Pipe first, second;
  auto reader = loop.make<Poll>(first.out.get());
  auto writer = loop.make<Poll>(second.in.get());
  std::string log;
  ASSERT_TRUE(reader->start(Poll::kReadable, stopping(log)));
  first.in.reset();  // Nothing to read, but a read would not block either.
  loop.run();
  EXPECT_EQ(log, "r");
  while (::write(second.in.get(), "xxxxxxxx", 8) > 0) {
  }
  ASSERT_TRUE(writer->start(Poll::kWritable, stopping(log)));
  second.out.reset();  // No room, but a write would fail at once.
  loop.run();
  EXPECT_EQ(log, "rw");
}

TEST(Poll, OutOfBandDataIsUrgent) {
  Loop loop;
  TcpPair pair(loop);
  auto poll = loop.make<Poll>(pair.socket->fd());
  std::string log;
  ASSERT_TRUE(poll->start(Poll::kUrgent, stopping(log)));
  ASSERT_EQ(::send(pair.peer.fd(), "!", 1, MSG_OOB | MSG_NOSIGNAL), 1);
  loop.run();
  EXPECT_EQ(log, "u");
}

TEST(Poll, StopIsIdempotentAndNothingComesAfterIt) {
  Loop loop;
  Pipe pipe;
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  auto poll = loop.make<Poll>(pipe.out.get());
  poll->stop();  // Never started.
  std::string log;
  ASSERT_TRUE(poll->start(Poll::kReadable, stopping(log)));
  poll->stop();
  poll->stop();
  EXPECT_FALSE(poll->is_active());
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(log, "");
}

TEST(Poll, POL_06_StoppedOrClosedByAnotherCallbackOfTheSameBatchIsNotCalled) {
  Loop loop;
  Pipe pipes[3];
  Owned<Poll> polls[3];
  int calls = 0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(::write(pipes[i].in.get(), "x", 1), 1);
    polls[i] = loop.make<Poll>(pipes[i].out.get());
    ASSERT_TRUE(polls[i]->start(Poll::kReadable, [&](Poll& self, Result<uint32_t>) {
      ++calls;
      for (Owned<Poll>& other : polls) {
        if (other.get() != &self) other->stop();
      }
      self.close();
    }));
  }
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(Poll, MayBeDroppedInsideItsCallbackAndLeavesTheDescriptorOpen) {
  Loop loop;
  Pipe pipe;
  ASSERT_EQ(::write(pipe.in.get(), "abc", 3), 3);
  auto poll = loop.make<Poll>(pipe.out.get());
  ASSERT_TRUE(poll->start(Poll::kReadable, [&](Poll&, Result<uint32_t>) { poll.reset(); }));
  loop.run();
  EXPECT_EQ(poll, nullptr);
  EXPECT_EQ(drain(pipe.out.get()), "abc");
}

TEST(Poll, WithoutARefItDoesNotKeepTheLoopAlive) {
  Loop loop;
  Pipe pipe;
  auto poll = loop.make<Poll>(pipe.out.get());
  poll->unref();
  ASSERT_TRUE(poll->start(Poll::kReadable, [](Poll&, Result<uint32_t>) { FAIL(); }));
  EXPECT_FALSE(loop.run());
}

TEST(Poll, UnwatchableDescriptorsAreRejectedAndLeaveItIdle) {
  Loop loop;
  Pipe pipe;
  auto no_events = loop.make<Poll>(pipe.out.get());
  Result<void> started = no_events->start(0, [](Poll&, Result<uint32_t>) { FAIL(); });
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, EINVAL);
  EXPECT_FALSE(no_events->is_active());

  const TempDir dir;
  const Fd file(::open(dir.write("file", "x").c_str(), O_RDONLY | O_CLOEXEC));
  auto always_ready = loop.make<Poll>(file.get());
  started = always_ready->start(Poll::kReadable, [](Poll&, Result<uint32_t>) { FAIL(); });
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, EPERM);
  EXPECT_FALSE(always_ready->is_active());
  EXPECT_FALSE(loop.run());
}

TEST(Poll, AClosedDescriptorIsReportedOnceByStartOrByTheCallback) {
  Loop loop;
  const int closed = [] {
    const Pipe pipe;
    return pipe.out.get();
  }();
  auto poll = loop.make<Poll>(closed);
  std::string log;
  Result<void> started = poll->start(
      Poll::kReadable, [&](Poll&, Result<uint32_t> events) { log += letters_of(events); });
  if (!started) log += letters_of(started.error());
  loop.run();  // Ends: it is no longer active.
  EXPECT_EQ(log, "<EBADF>");
  EXPECT_FALSE(poll->is_active());
}

}  // namespace
}  // namespace rondo
