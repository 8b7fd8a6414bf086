#include "io/stream/stream.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/faults.h"
#include "support/net.h"

namespace rondo {
namespace {

TEST(Stream, WritesInOrderAndCallsBackInOrderNeverFromInside) {
  Loop loop;
  TcpPair pair(loop);
  Write first(loop), second(loop);
  std::string log;
  pair.socket->write(first, bytes_of("one "),
                     [&](Write&, Result<void> r) { log += r ? "1" : "x"; });
  pair.socket->write(second, bytes_of("two"),
                     [&](Write&, Result<void> r) { log += r ? "2" : "x"; });
  pair.socket->write("three", [&](Stream&, Result<void> r) { log += r ? "3" : "x"; });
  EXPECT_EQ(log, "");
  loop.run();
  EXPECT_EQ(log, "123");
  EXPECT_EQ(pair.peer.receive(), "one twothree");
  EXPECT_EQ(pair.socket->bytes_written(), 12u);
  EXPECT_EQ(pair.socket->queued_bytes(), 0u);
}

TEST(Stream, WritesManyPiecesAndEmptyOnes) {
  Loop loop;
  TcpPair pair(loop);
  std::string letters = "abcdefghijklmnopqrstuvwxyz";
  std::vector<iovec> parts;
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    parts.push_back(
        {&letters[static_cast<size_t>(i % 26)], static_cast<size_t>(i % 3 == 0 ? 0 : 1)});
    if (i % 3 != 0) expected += letters[static_cast<size_t>(i % 26)];
  }
  Write many(loop), none(loop);
  int done = 0;
  pair.socket->write(many, std::span<const iovec>(parts),
                     [&](Write&, Result<void> r) { done += bool(r); });
  pair.socket->write(none, std::span<const std::byte>(),
                     [&](Write&, Result<void> r) { done += bool(r); });
  loop.run();
  EXPECT_EQ(done, 2);
  EXPECT_EQ(pair.peer.receive(), expected);
}

TEST(Stream, AFinishedWriteMayBeUsedAgainInItsCallback) {
  Loop loop;
  TcpPair pair(loop);
  struct Run {
    Stream& stream;
    Write write;
    int left;
    void next() {
      if (left-- == 0) return;
      stream.write(write, bytes_of("x"), [this](Write&, Result<void> r) {
        EXPECT_TRUE(r);
        next();
      });
    }
  } run{*pair.socket, Write(loop), 100};
  run.next();
  loop.run();
  EXPECT_EQ(pair.peer.receive(), std::string(100, 'x'));
}

TEST(Stream, APeerThatStopsReadingBacksUpTheWriterUntilDrain) {
  Loop loop;
  TcpPair pair(loop);
  int drains = 0;
  pair.socket->set_high_water(1 << 20, [&](Stream&) { ++drains; });
  std::string block(256 * 1024, 'x');
  size_t written = 0;
  while (!pair.socket->is_backed_up()) {
    pair.socket->write(block);
    written += block.size();
    loop.run_nowait();
    ASSERT_LT(written, size_t{64} << 20);
  }
  EXPECT_GT(pair.socket->queued_bytes(), size_t{1} << 20);
  EXPECT_EQ(drains, 0);
  size_t got = 0;
  EXPECT_TRUE(run_until(loop, [&] {
    got += pair.peer.receive().size();
    return got == written;
  }));
  EXPECT_TRUE(run_until(loop, [&] { return drains == 1; }));
  EXPECT_FALSE(pair.socket->is_backed_up());
  EXPECT_EQ(pair.socket->queued_bytes(), 0u);
}

TEST(Stream, ShutdownComesAfterWhatWasWrittenAndReadingGoesOn) {
  Loop loop;
  TcpPair pair(loop);
  std::string got, log;
  ASSERT_TRUE(pair.socket->read_start(into(got)));
  std::string big(4 << 20, 'x');
  pair.socket->write(big, [&](Stream&, Result<void> r) { log += r ? "written " : "failed "; });
  pair.socket->shutdown([&](Stream&, Result<void> r) { log += r ? "shut" : "not shut"; });
  size_t received = 0;
  std::string tail;
  EXPECT_TRUE(run_until(loop, [&] {
    tail = pair.peer.receive();
    received += tail.size();
    return tail.ends_with("<end>");
  }));
  EXPECT_EQ(received, big.size() + 5);
  pair.peer.send("still here");
  EXPECT_TRUE(run_until(loop, [&] { return got == "still here"; }));
  EXPECT_EQ(log, "written shut");
  // Nothing can be written any more: the callback gets the error.
  int code = 0;
  pair.socket->write("late", [&](Stream&, Result<void> r) { code = r ? 0 : r.error().code; });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(run_until(loop, [&] { return code == EPIPE; }));
}

TEST(Stream, AResetPeerIsAnErrorForReadersAndWritersAndNoSignal) {
  Loop loop;
  TcpPair pair(loop);
  std::string got;
  ASSERT_TRUE(pair.socket->read_start(into(got)));
  loop.run_nowait();
  pair.peer.reset();
  loop.run();
  EXPECT_EQ(got, "<ECONNRESET>");
  // SIGPIPE would end this test program.
  int code = 0;
  for (int i = 0; i < 2; ++i) {
    pair.socket->write("into the void", [&](Stream&, Result<void> r) { code = r.error().code; });
    loop.run();
    EXPECT_TRUE(code == EPIPE || code == ECONNRESET) << code;
  }
}

TEST(Stream, NET_11_CloseCancelsQueuedWritesBeforeItsOwnCallback) {
  Loop loop;
  TcpPair pair(loop);
  std::string log;
  std::string block(1 << 20, 'x');
  for (int i = 0; i < 20; ++i) {  // More than any socket buffer takes without a reader.
    pair.socket->write(block, [&](Stream&, Result<void> r) {
      log += r ? "." : r.error().code == ECANCELED ? "c" : "?";
    });
  }
  pair.socket->shutdown(
      [&](Stream&, Result<void> r) { log += r.error().code == ECANCELED ? "s" : "?"; });
  loop.run_nowait();
  pair.socket->close([&](Handle&) { log += "closed"; });
  loop.run();
  EXPECT_TRUE(log.ends_with("ccsclosed")) << log;
  EXPECT_EQ(log.find('?'), std::string::npos) << log;
  EXPECT_EQ(std::count(log.begin(), log.end(), 'c') + std::count(log.begin(), log.end(), '.'),
            20 + 1);
}

TEST(Stream, TryWriteSendsWhatFitsAndKeepsTheOrderOfTheQueue) {
  Loop loop;
  TcpPair pair(loop);
  Result<size_t> sent = pair.socket->try_write(bytes_of("now"));
  ASSERT_TRUE(sent);
  EXPECT_EQ(*sent, 3u);
  std::string block(1 << 20, 'x');
  for (;;) {
    sent = pair.socket->try_write(bytes_of(block));
    if (!sent) break;
  }
  EXPECT_EQ(sent.error().code, EAGAIN);
  pair.socket->write("queued");
  EXPECT_EQ(pair.socket->try_write(bytes_of("must not overtake")).error().code, EAGAIN);
  pair.socket->close();
  loop.run();
}

TEST(Stream, QueueLeavesTheRestOfAWriteToPoll) {
  Loop loop;
  TcpPair pair(loop);
  FaultPlan faults;
  faults.shorten("send", 2, {.times = 1});
  std::string text = "in parts";
  const Result<size_t> sent = pair.socket->try_write(bytes_of(text));
  ASSERT_TRUE(sent);
  EXPECT_EQ(*sent, 2u);
  Write rest(loop), next(loop);
  const iovec parts[] = {{text.data() + 2, 1}, {text.data() + 3, text.size() - 3}};
  std::string log;
  pair.socket->queue(rest, parts, [&](Write&, Result<void> r) { log += r ? "1" : "x"; });
  pair.socket->write(next, bytes_of(", in order"),
                     [&](Write&, Result<void> r) { log += r ? "2" : "x"; });
  EXPECT_EQ(faults.calls("send", pair.socket->fd()), 1u);
  EXPECT_EQ(pair.socket->queued_bytes(), text.size() - 2 + 10);
  std::string got;
  EXPECT_TRUE(run_until(loop, [&] {
    got += pair.peer.receive();
    return log == "12" && got.size() == text.size() + 10;
  }));
  EXPECT_EQ(got, "in parts, in order");
  EXPECT_EQ(pair.socket->bytes_written(), got.size());
  pair.socket->close();
  loop.run();
}

TEST(Stream, QueueFailsAsWriteDoes) {
  Loop loop;
  TcpPair pair(loop);
  Write request(loop);
  std::string log;
  char byte = 'x';
  const iovec part{&byte, 1};
  pair.socket->shutdown();
  pair.socket->queue(request, std::span(&part, 1),
                     [&](Write&, Result<void> r) { log += r ? "?" : r.error().name(); });
  EXPECT_EQ(log, "");
  loop.run_nowait();
  EXPECT_EQ(log, "EPIPE");
  pair.socket->close();
  loop.run();
}

TEST(Stream, CancelTakesAWaitingWriteOutOfTheQueue) {
  Loop loop;
  TcpPair pair(loop);
  std::string block(16 << 20, 'x');
  Write first(loop), second(loop);
  std::string log;
  pair.socket->write(first, bytes_of(block), [&](Write&, Result<void> r) { log += r ? "1" : "x"; });
  pair.socket->write(second, bytes_of("never"), [&](Write&, Result<void> r) {
    log += !r && r.error().code == ECANCELED ? "c" : "?";
  });
  loop.run_nowait();
  EXPECT_EQ(first.cancel().error().code, EBUSY);
  EXPECT_TRUE(second.cancel());
  EXPECT_FALSE(second.cancel());
  size_t got = 0;
  EXPECT_TRUE(run_until(loop, [&] {
    got += pair.peer.receive().size();
    return got == block.size() && log.size() == 2;
  }));
  EXPECT_EQ(log, "c1");
  EXPECT_FALSE(first.cancel());
}

TEST(Stream, NET_04_ReadsBeforeItReportsAFinishedWrite) {
  Loop loop;
  TcpPair pair(loop);
  std::string log;
  const std::string block(1 << 20, 'x');
  int left = 0;
  while (pair.socket->queued_bytes() == 0) {  // Until the kernel's buffers are full.
    ++left;
    pair.socket->write(block, [&](Stream&, Result<void>) {
      if (--left == 0) log += "written ";
    });
    loop.run_nowait();
  }
  log.clear();
  ASSERT_TRUE(pair.socket->read_start([&](Stream&, Result<std::span<std::byte>>) {
    log += "read ";
    pair.socket->read_stop();
  }));
  loop.run_nowait();
  // Both become true between two polls.
  pair.peer.send("y");
  while (::recv(pair.peer.fd(), nullptr, 1 << 20, MSG_DONTWAIT | MSG_TRUNC) > 0) {
  }
  EXPECT_TRUE(run_until(loop, [&] {
    (void)::recv(pair.peer.fd(), nullptr, 1 << 20, MSG_DONTWAIT | MSG_TRUNC);
    return left == 0;
  }));
  EXPECT_EQ(log, "read written ");
}

TEST(Stream, NET_05_ShutdownIsCalledRightBeforeItsCallback) {
  Loop loop;
  TcpPair pair(loop);
  std::string log;
  pair.socket->shutdown([&](Stream& stream, Result<void> r) {
    EXPECT_TRUE(r);
    EXPECT_EQ(stream.loop().phase(), Phase::pending);
    log += pair.peer.receive();
  });
  EXPECT_FALSE(pair.socket->has_shut_down());
  EXPECT_EQ(pair.peer.receive(), "");
  loop.run();
  EXPECT_EQ(log, "<end>");
}

TEST(Stream, NET_05_AWriteThatIsOutAtOnceIsReportedInPending) {
  Loop loop;
  TcpPair pair(loop);
  Phase phase = Phase::none;
  pair.socket->write("text", [&](Stream& stream, Result<void>) { phase = stream.loop().phase(); });
  EXPECT_EQ(pair.peer.receive(), "text");
  loop.run();
  EXPECT_EQ(phase, Phase::pending);
}

TEST(Stream, NET_08_CloseReachesThePeerInsideTheCall) {
  Loop loop;
  TcpPair pair(loop);
  std::string got;
  ASSERT_TRUE(pair.socket->read_start(into(got)));
  loop.run_nowait();
  pair.socket->close();
  EXPECT_EQ(pair.peer.receive(), "<end>");
}

TEST(Stream, AWriteThatFailsIsReportedBeforeTheNextOneIsTried) {
  Loop loop;
  TcpPair pair(loop);
  FaultPlan faults;
  faults.fail("send", ENOBUFS);
  faults.fail("sendmsg", ENOBUFS);
  std::string log;
  for (const char* name : {"a", "b", "c"}) {
    pair.socket->write("text", [&log, name](Stream&, Result<void> r) {
      log += std::string(name) + (r ? "+ " : "- ");
    });
  }
  faults.fail("send", ECONNRESET, {.times = 3});
  faults.fail("sendmsg", ECONNRESET, {.times = 3});
  loop.run();
  EXPECT_EQ(log, "a- b- c- ");
  EXPECT_EQ(pair.socket->queued_bytes(), 0u);
}

TEST(StreamFaults, InterruptedAndShortCallsLoseNothing) {
  Loop loop;
  TcpPair pair(loop);
  FaultPlan faults;
  for (const char* call : {"recv", "send", "sendmsg"}) faults.fail(call, EINTR, {.times = 3});
  faults.shorten("send", 7);
  faults.shorten("sendmsg", 7);
  faults.shorten("recv", 5);
  std::string got;
  ASSERT_TRUE(pair.socket->read_start(into(got)));
  std::string text;
  for (int i = 0; i < 200; ++i) text += std::to_string(i) + ",";
  pair.socket->write(text);
  pair.socket->write("more");
  pair.peer.send(text);
  std::string received;
  EXPECT_TRUE(run_until(loop,
                        [&] {
                          received += pair.peer.receive();
                          return got == text && received == text + "more";
                        }))
      << got << received;
}

TEST(StreamFaults, NoBufferSpaceIsWaitedOut) {
  Loop loop;
  TcpPair pair(loop);
  FaultPlan faults;
  faults.fail("send", ENOBUFS, {.times = 5});
  faults.fail("sendmsg", ENOBUFS, {.times = 5});
  bool is_written = false;
  pair.socket->write("through", [&](Stream&, Result<void> r) { is_written = bool(r); });
  loop.run();
  EXPECT_TRUE(is_written);
  EXPECT_EQ(pair.peer.receive(), "through");
}

TEST(Stream, TryWriteTakesSeveralPieces) {
  Loop loop;
  TcpPair pair(loop);
  char left[] = "left ";
  char right[] = "right";
  const iovec parts[] = {{left, 5}, {right, 5}};
  const Result<size_t> sent = pair.socket->try_write(std::span<const iovec>(parts));
  ASSERT_TRUE(sent);
  EXPECT_EQ(*sent, 10u);
  EXPECT_EQ(pair.socket->bytes_written(), 10u);
  std::string got;
  EXPECT_TRUE(run_until(loop, [&] { return (got += pair.peer.receive()) == "left right"; }));
}

}  // namespace
}  // namespace rondo
