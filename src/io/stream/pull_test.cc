#include <fcntl.h>
#include <gtest/gtest.h>

#include <array>

#include "io/net/pipe.h"
#include "support/faults.h"
#include "support/net.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

std::string show(const Result<size_t>& result) {
  return result ? std::to_string(*result) : result.error().name();
}

// A read with a callback: the request, its buffer, and its result.
struct Reader {
  explicit Reader(Loop& loop) : request(loop) {}
  void read(Stream& stream, size_t most) {
    stream.read(request, std::span(memory).first(most), [this](Read&, Result<size_t> size) {
      log += "<" + show(size) + ">";
      if (size) log += text_of(std::span(memory).first(*size));
    });
  }
  Read request;
  std::array<std::byte, 64> memory{};
  std::string log;
};

TEST(Read, ReturnsTheBytesAndThenTheEnd) {
  Loop loop;
  TcpPair pair(loop);
  Reader reader(loop);
  pair.peer.send("hello");
  pair.peer.shutdown();
  for (int i = 0; i < 4; ++i) {
    reader.read(*pair.socket, 3);
    EXPECT_TRUE(reader.request.is_pending());
    loop.run();
  }
  EXPECT_EQ(reader.log, "<3>hel<2>lo<0><0>");
}

TEST(Read, API_01_NeverCallsBackFromInside) {
  Loop loop;
  Reader reader(loop);
  auto socket = loop.make<TcpSocket>();
  reader.read(*socket, 8);
  EXPECT_EQ(reader.log, "");
  loop.run();
  EXPECT_EQ(reader.log, "<ENOTCONN>");
}

TEST(Read, MayBeUsedAgainInItsCallback) {
  Loop loop;
  TcpPair pair(loop);
  struct Chain {
    Stream& stream;
    Read request;
    std::byte one;
    std::string got;
    void next() {
      stream.read(request, std::span(&one, 1), [this](Read&, Result<size_t> size) {
        if (!size || *size == 0) return;
        got += static_cast<char>(one);
        next();
      });
    }
  } chain{*pair.socket, Read(loop), {}, {}};
  pair.peer.send("letter by letter");
  pair.peer.shutdown();
  chain.next();
  loop.run();
  EXPECT_EQ(chain.got, "letter by letter");
}

TEST(Read, KeepsTheLoopAliveOnlyWhileItWaits) {
  Loop loop;
  TcpPair pair(loop);
  Reader reader(loop);
  reader.read(*pair.socket, 8);
  EXPECT_TRUE(loop.is_alive());
  EXPECT_TRUE(reader.request.cancel());
  EXPECT_EQ(reader.log, "");
  loop.run();
  EXPECT_EQ(reader.log, "<ECANCELED>");
  EXPECT_FALSE(loop.is_alive());
}

TEST(Read, CannotBeCancelledTwice) {
  Loop loop;
  TcpPair pair(loop);
  Reader reader(loop);
  EXPECT_EQ(reader.request.cancel().error().code, EBUSY);
  auto unconnected = loop.make<TcpSocket>();
  reader.read(*unconnected, 8);
  EXPECT_EQ(reader.request.cancel().error().code, EBUSY);  // The outcome is already decided.
  loop.run();
  EXPECT_EQ(reader.log, "<ENOTCONN>");
}

TEST(Read, EndsWithItsStream) {
  Loop loop;
  TcpPair pair(loop);
  Reader reader(loop);
  reader.read(*pair.socket, 8);
  loop.run_nowait();
  pair.socket.reset();
  loop.run();
  EXPECT_EQ(reader.log, "<ECANCELED>");
}

TEST(Read, POL_06_AStreamMayBeClosedInTheBatchThatBringsItsBytes) {
  Loop loop;
  TcpPair first(loop);
  TcpPair second(loop);
  Reader one(loop);
  Reader two(loop);
  int done = 0;
  const auto close_both = [&](Read&, Result<size_t>) {
    if (++done > 1) return;
    first.socket.reset();
    second.socket.reset();
  };
  first.socket->read(one.request, one.memory, close_both);
  second.socket->read(two.request, two.memory, close_both);
  loop.run_nowait();
  first.peer.send("a");
  second.peer.send("b");
  loop.run();
  EXPECT_EQ(done, 2);
}

TEST(Read, SurvivesInterruptionsAndFalseAlarms) {
  Loop loop;
  TcpPair pair(loop);
  FaultPlan faults;
  faults.fail("recv", EINTR, {.times = 3});
  faults.fail("recv", EAGAIN, {.times = 2});
  Reader reader(loop);
  pair.peer.send("x");
  reader.read(*pair.socket, 8);
  loop.run();
  EXPECT_EQ(reader.log, "<1>x");
}

TEST(ReadDeathTest, TwoAtOnceAbort) {
  Loop loop;
  TcpPair pair(loop);
  Reader one(loop);
  Reader two(loop);
  one.read(*pair.socket, 8);
  EXPECT_DEATH(two.read(*pair.socket, 8), "another one is in progress");
  pair.socket.reset();
  loop.run();
}

TEST(Write, GivingUpBeforeItHasBegunAffectsNoOther) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen());
  auto socket = loop.make<TcpSocket>();
  std::string log;
  // Writes wait until the connection is established.
  socket->connect(*server->address(), [&](Socket&, Result<void> r) { log += r ? "c" : "x"; });
  Write first(loop), second(loop);
  socket->write(first, bytes_of("never"),
                [&](Write&, Result<void> r) { log += r ? "1" : r.error().name(); });
  socket->write(second, bytes_of("sent"), [&](Write&, Result<void> r) { log += r ? "2" : "x"; });
  EXPECT_TRUE(first.give_up());
  EXPECT_EQ(first.give_up().error().code, EBUSY);
  loop.run();
  EXPECT_EQ(log, "ECANCELEDc2");
  EXPECT_EQ(socket->bytes_written(), 4u);
}

}  // namespace
}  // namespace rondo
