// Reading of Stream.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <memory>
#include <string>

#include "io/stream/read_buffer.h"
#include "io/stream/stream.h"
#include "loop/internals.h"
#include "support/net.h"

namespace rondo {
namespace {

using Data = Result<std::span<std::byte>>;

TEST(StreamRead, ReadsWhatThePeerSendsAndThenItsEnd) {
  Loop loop;
  TcpPair pair(loop);
  std::string got;
  ASSERT_TRUE(pair.socket->read_start(into(got)));
  EXPECT_TRUE(pair.socket->is_active());
  pair.peer.send("hello");
  EXPECT_TRUE(run_until(loop, [&] { return got == "hello"; }));
  pair.peer.shutdown();
  loop.run();  // Ends by itself: a stream is not active any more after its end.
  EXPECT_EQ(got, "hello<end>");
  EXPECT_EQ(pair.socket->bytes_read(), 5u);
  EXPECT_FALSE(pair.socket->is_reading());
}

TEST(StreamRead, RefusesToReadTwiceOrWithoutAChannel) {
  Loop loop;
  TcpPair pair(loop);
  ASSERT_TRUE(pair.socket->read_start([](Stream&, Data) {}));
  EXPECT_EQ(pair.socket->read_start([](Stream&, Data) {}).error().code, EALREADY);
  auto unconnected = loop.make<TcpSocket>();
  EXPECT_EQ(unconnected->read_start([](Stream&, Data) {}).error().code, ENOTCONN);
}

TEST(StreamRead, ReadStopHoldsBackAndReadStartLosesNothing) {
  Loop loop;
  TcpPair pair(loop);
  std::string got;
  // Stops in every callback, and starts again a turn later: data that arrives in between must wait.
  std::string sent;
  for (int round = 0; round < 50; ++round) {
    const std::string part = "part " + std::to_string(round) + ";";
    sent += part;
    bool is_stopped = false;
    ASSERT_TRUE(pair.socket->read_start([&](Stream& stream, Data data) {
      ASSERT_TRUE(data);
      got += text_of(*data);
      stream.read_stop();
      is_stopped = true;
    }));
    pair.peer.send(part);
    ASSERT_TRUE(run_until(loop, [&] { return is_stopped; }));
    EXPECT_FALSE(pair.socket->is_active());
  }
  pair.peer.shutdown();
  ASSERT_TRUE(pair.socket->read_start(into(got)));
  loop.run();
  EXPECT_EQ(got, sent + "<end>");
}

TEST(StreamRead, AStoppedReaderLetsThePeerFeelIt) {
  Loop loop;
  TcpPair pair(loop);
  ASSERT_TRUE(pair.socket->read_start([](Stream& stream, Data) { stream.read_stop(); }));
  // A peer that writes without end must be stopped: only the kernel's buffers take data.
  std::string block(64 * 1024, 'x');
  size_t sent = 0;
  for (int stalled = 0; stalled < 50;) {
    const ssize_t count =
        ::send(pair.peer.fd(), block.data(), block.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      sent += static_cast<size_t>(count);
      stalled = 0;
    } else {
      ++stalled;
    }
    loop.run_nowait();
    ASSERT_LT(sent, 64u << 20);
  }
  // All of it is still there for a later read.
  pair.peer.shutdown();
  size_t got = pair.socket->bytes_read();
  ASSERT_TRUE(pair.socket->read_start([&got](Stream&, Data data) {
    ASSERT_TRUE(data);
    got += data->size();
  }));
  loop.run();
  EXPECT_EQ(got, sent);
}

TEST(StreamRead, POL_06_NothingIsReadAfterCloseInsideTheReadCallback) {
  Loop loop;
  TcpPair pair(loop);
  int calls = 0;
  bool is_closed = false;
  ASSERT_TRUE(pair.socket->read_start([&](Stream& stream, Data) {
    ++calls;
    stream.close([&](Handle&) { is_closed = true; });
  }));
  std::string much(256 * 1024, 'x');
  (void)::send(pair.peer.fd(), much.data(), much.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  loop.run();
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(is_closed);
}

TEST(StreamRead, POL_06_ClosingAnotherSocketOfTheSameBatchSilencesIt) {
  Loop loop;
  TcpPair left(loop), right(loop);
  int calls = 0;
  const auto close_both = [&](Stream&, Data) {
    ++calls;
    left.socket->close();
    right.socket->close();
  };
  ASSERT_TRUE(left.socket->read_start(close_both));
  ASSERT_TRUE(right.socket->read_start(close_both));
  loop.run_nowait();
  left.peer.send("x");
  right.peer.send("x");
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(StreamRead, POL_06_AReusedDescriptorGetsOnlyItsOwnData) {
  // Closes one socket and opens another in its callback: the kernel reuses the number, and no event
  // of the old one may reach the new one.
  struct Run {
    Loop loop;
    TcpPair old_pair{loop};
    std::unique_ptr<TcpPair> fresh;
    std::string got;
  };
  for (int round = 0; round < 20; ++round) {
    Run run;
    ASSERT_TRUE(run.old_pair.socket->read_start([&run](Stream& stream, Data) {
      stream.close();
      run.fresh = std::make_unique<TcpPair>(run.loop);
      ASSERT_TRUE(run.fresh->socket->read_start(into(run.got)));
      run.fresh->peer.send("fresh");
    }));
    run.old_pair.peer.send("old");
    ASSERT_TRUE(run_until(run.loop, [&run] { return run.got == "fresh"; })) << run.got;
  }
}

TEST(StreamRead, ReadsIntoMemoryOfItsOwnAndNotPastAStop) {
  Loop loop;
  TcpPair pair(loop);
  std::byte mine[2];
  std::string got;
  pair.socket->read_into(mine);
  ASSERT_TRUE(pair.socket->read_start([&](Stream& stream, Data data) {
    EXPECT_EQ(data->data(), mine);
    got += text_of(*data);
    if (got.size() == 4) stream.read_stop();
  }));
  pair.peer.send("abcdef");
  EXPECT_TRUE(run_until(loop, [&] { return got == "abcd"; }));
  EXPECT_EQ(pair.socket->bytes_read(), 4u);
  pair.socket->read_into({});
  pair.peer.shutdown();
  ASSERT_TRUE(pair.socket->read_start(into(got)));
  loop.run();
  EXPECT_EQ(got, "abcdef<end>");
}

TEST(StreamRead, NET_07_AShortReadEndsTheEventAndTheEndComesByAnother) {
  Loop loop;
  TcpPair pair(loop);
  std::string got;
  ASSERT_TRUE(pair.socket->read_start(into(got)));
  loop.run_nowait();
  pair.peer.send("text");
  pair.peer.shutdown();
  loop.run_nowait();
  EXPECT_EQ(got, "text");
  loop.run_nowait();
  EXPECT_EQ(got, "text<end>");
}

TEST(StreamRead, ALentBufferIsReadInto) {
  Loop loop;
  std::byte mine[8];
  auto& shared = loop.internals().service<ReadBuffer>();
  shared.lend(mine);
  TcpPair pair(loop);
  std::string got;
  size_t in_place = 0;
  ASSERT_TRUE(pair.socket->read_start([&](Stream&, Data data) {
    if (data->data() == mine) ++in_place;
    got += text_of(*data);
  }));
  pair.peer.send("more than eight bytes");
  EXPECT_TRUE(run_until(loop, [&] { return got == "more than eight bytes"; }));
  EXPECT_EQ(in_place, 3u);
  shared.lend({});
  pair.peer.send("!");
  EXPECT_TRUE(run_until(loop, [&] { return got.back() == '!'; }));
  EXPECT_EQ(in_place, 3u);
}

}  // namespace
}  // namespace rondo
