#include "io/net/socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <string>

#include "io/net/pipe.h"
#include "support/echo_server.h"
#include "support/faults.h"
#include "support/net.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using Data = Result<std::span<std::byte>>;

TEST(Socket, PEN_04_ARefusedConnectionIsReportedByTheLoopNeverInsideConnect) {
  Loop loop;
  SocketAddress closed;
  {
    TcpPair pair(loop);  // A port that was just free.
    closed = *pair.socket->local_address();
  }
  auto client = loop.make<TcpSocket>();
  std::string log;
  client->connect(closed, [&](Socket&, Result<void> connected) {
    log += connected ? "connected" : connected.error().name();
    EXPECT_STREQ(connected.error().syscall, "connect");
  });
  client->write("lost", [&](Stream&, Result<void> r) { log += r ? " written" : " unwritten"; });
  EXPECT_EQ(log, "");
  loop.run();
  EXPECT_EQ(log, "ECONNREFUSED unwritten");
  EXPECT_FALSE(client->is_open());
}

TEST(Socket, PEN_01_ARefusalKnownAtOnceRunsInPending) {
  Loop loop;
  auto client = loop.make<TcpSocket>();
  FaultPlan faults;
  faults.fail("connect", ECONNREFUSED);
  Phase phase = Phase::none;
  client->connect(SocketAddress::loopback(9), [&](Socket& socket, Result<void> connected) {
    EXPECT_EQ(connected.error().code, ECONNREFUSED);
    phase = socket.loop().phase();
  });
  loop.run();
  EXPECT_EQ(phase, Phase::pending);
}

TEST(Socket, CloseWhileConnectingCancelsIt) {
  Loop loop;
  EchoServer echo(loop);
  std::string log;
  auto client = loop.make<TcpSocket>();
  client->connect(echo.address(),
                  [&](Socket&, Result<void> r) { log += r ? "?" : r.error().name(); });
  client->close([&](Handle&) { log += " closed"; });
  EXPECT_TRUE(run_until(loop, [&] { return !log.empty(); }));
  EXPECT_EQ(log, "ECANCELED closed");
  echo.server->close();
  loop.run();
}

TEST(Socket, NET_06_ConnectReachesTheServerInsideTheCall) {
  Loop loop;
  EchoServer echo(loop);
  auto client = loop.make<TcpSocket>();
  client->connect(echo.address(), [](Socket&, Result<void> r) { EXPECT_FALSE(r); });
  client.reset();
  EXPECT_TRUE(run_until(loop, [&] { return echo.accepted == 1; }));
}

TEST(Socket, NET_06_AUnixConnectionThatStandsAtOnceIsReportedByPoll) {
  Loop loop;
  TempDir folder;
  const SocketAddress address = *SocketAddress::unix_path(folder / "socket");
  auto server = loop.make<PipeServer>();
  ASSERT_TRUE(server->bind(address));
  std::string log;
  ASSERT_TRUE(server->listen([&](Listener& self, Result<Fd>) {
    log += "connection ";
    self.close();
  }));
  auto client = loop.make<PipeSocket>();
  client->connect(address, [&](Socket& socket, Result<void> connected) {
    EXPECT_TRUE(connected);
    EXPECT_EQ(socket.loop().phase(), Phase::poll);
    log += "connected ";
  });
  loop.run();
  EXPECT_EQ(log, "connection connected ");
}

TEST(Socket, NET_06_ErrorsKnownAtOnceAreReturnedOrReportedInPending) {
  Loop loop;
  FaultPlan faults;
  faults.fail("connect", ENETUNREACH);
  auto client = loop.make<TcpSocket>();
  const Result<void> started =
      client->try_connect(SocketAddress::loopback(9), [](Socket&, Result<void>) { ADD_FAILURE(); });
  EXPECT_EQ(started.error().code, ENETUNREACH);
  EXPECT_FALSE(client->is_connecting());
  std::string log;
  const auto report = [&](Socket& socket, Result<void> outcome) {
    EXPECT_EQ(socket.loop().phase(), Phase::pending);
    log += std::string(outcome.error().name()) + " ";
  };
  faults.fail("connect", ECONNREFUSED);
  EXPECT_TRUE(client->try_connect(SocketAddress::loopback(9), report));
  TempDir folder;
  auto pipe = loop.make<PipeSocket>();
  EXPECT_TRUE(pipe->try_connect(*SocketAddress::unix_path(folder / "missing"), report));
  loop.run();
  EXPECT_EQ(log, "ECONNREFUSED ENOENT ");
}

TEST(Socket, NET_11_CloseCancelsTheConnectionThenItsWrites) {
  Loop loop;
  EchoServer echo(loop);
  std::string log;
  auto client = loop.make<TcpSocket>();
  client->connect(echo.address(), [&](Socket&, Result<void> r) { log += r ? "?" : "connect "; });
  client->write("never", [&](Stream&, Result<void> r) { log += r ? "?" : "write "; });
  client->shutdown([&](Stream&, Result<void> r) { log += r ? "?" : "shutdown "; });
  client->close([&](Handle&) { log += "close"; });
  EXPECT_EQ(log, "");
  EXPECT_TRUE(run_until(loop, [&] { return log.ends_with("close"); }));
  EXPECT_EQ(log, "connect write shutdown close");
}

TEST(Socket, AConnectedSocketRefusesASecondConnection) {
  Loop loop;
  TcpPair pair(loop);
  int code = 0;
  pair.socket->connect(SocketAddress::loopback(9),
                       [&](Socket&, Result<void> r) { code = r.error().code; });
  loop.run();
  EXPECT_EQ(code, EISCONN);
  EXPECT_TRUE(pair.socket->is_open());
}

TEST(Socket, CloseResetReachesThePeerAsAReset) {
  Loop loop;
  TcpPair pair(loop);
  ASSERT_TRUE(pair.socket->read_start([](Stream&, Data) {}));
  loop.run_nowait();
  ASSERT_TRUE(pair.socket->close_reset());
  EXPECT_TRUE(run_until(loop, [&] { return pair.peer.receive() == "<ECONNRESET>"; }));
}

TEST(Socket, ConnectsFromAnAddressOfItsOwn) {
  Loop loop;
  EchoServer echo(loop);
  auto client = loop.make<TcpSocket>();
  bool is_connected = false;
  const SocketAddress local = *SocketAddress::ip("127.0.0.2", 0);
  ASSERT_TRUE(client->try_connect(
      echo.address(),
      [&](Socket&, Result<void> connected) { is_connected = connected.has_value(); }, &local));
  EXPECT_TRUE(run_until(loop, [&] { return is_connected; }));
  EXPECT_EQ(client->local_address()->host(), "127.0.0.2");
}

TEST(Socket, AForeignLocalAddressFailsAtOnce) {
  Loop loop;
  EchoServer echo(loop);
  auto client = loop.make<TcpSocket>();
  const SocketAddress local = *SocketAddress::ip("192.0.2.1", 0);
  const Result<void> bound = client->try_connect(
      echo.address(), [](Socket&, Result<void>) { ADD_FAILURE(); }, &local);
  EXPECT_EQ(bound.error().code, EADDRNOTAVAIL);
  EXPECT_STREQ(bound.error().syscall, "bind");
  EXPECT_FALSE(client->is_connecting());
  for (int i = 0; i < 5; ++i) loop.run_nowait();
}

TEST(Socket, ConnectsWithASocketThatIsBoundAlready) {
  Loop loop;
  EchoServer echo(loop);
  auto source = loop.make<TcpServer>();
  ASSERT_TRUE(source->bind(SocketAddress::loopback()));
  const SocketAddress local = *source->address();
  auto client = loop.make<TcpSocket>();
  bool is_connected = false;
  ASSERT_TRUE(client->try_connect(
      echo.address(),
      [&](Socket&, Result<void> connected) { is_connected = connected.has_value(); }, nullptr,
      source->release()));
  EXPECT_EQ(source->fd(), -1);
  source->close();
  EXPECT_TRUE(run_until(loop, [&] { return is_connected; }));
  EXPECT_TRUE(*client->local_address() == local);
}

TEST(Socket, ASocketOfAnotherFamilyIsRefusedAtOnceAndClosed) {
  Loop loop;
  auto source = loop.make<TcpServer>();
  ASSERT_TRUE(source->bind(SocketAddress::loopback()));
  auto client = loop.make<TcpSocket>();
  const int fd = source->fd();
  const Result<void> started = client->try_connect(
      SocketAddress::loopback6(1), [](Socket&, Result<void>) { ADD_FAILURE(); }, nullptr,
      source->release());
  EXPECT_EQ(started.error().code, EAFNOSUPPORT);
  EXPECT_LT(::fcntl(fd, F_GETFD), 0);
}

TEST(Socket, AReleasedSocketGoesOnElsewhere) {
  Loop loop;
  TcpPair pair(loop);
  std::string got;
  ASSERT_TRUE(pair.socket->read_start([](Stream&, Data) { ADD_FAILURE(); }));
  pair.peer.send("early");
  Fd fd = pair.socket->release();
  EXPECT_FALSE(pair.socket->is_open());
  pair.socket->close();
  Loop other;
  auto heir = other.make<TcpSocket>();
  ASSERT_TRUE(heir->open(std::move(fd)));
  ASSERT_TRUE(heir->read_start([&](Stream&, Data data) { got += text_of(*data); }));
  for (int i = 0; i < 5; ++i) loop.run_nowait();
  EXPECT_TRUE(run_until(other, [&] { return got == "early"; }));
}

}  // namespace
}  // namespace rondo
