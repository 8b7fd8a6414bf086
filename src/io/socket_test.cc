#include "io/socket.h"

#include <gtest/gtest.h>

#include <string>

#include "support/echo_server.h"
#include "support/faults.h"
#include "support/net.h"

namespace rondo {
namespace {

using Data = Result<std::span<std::byte>>;

TEST(Socket, PEN_04_ARefusedConnectionIsToldFromTheLoopNeverFromInsideConnect) {
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
  Loop loop({.backend = Backend::epoll});
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
  ASSERT_TRUE(client->connect_from(
      *SocketAddress::ip("127.0.0.2", 0), echo.address(),
      [&](Socket&, Result<void> connected) { is_connected = connected.has_value(); }));
  EXPECT_TRUE(run_until(loop, [&] { return is_connected; }));
  EXPECT_EQ(client->local_address()->host(), "127.0.0.2");
}

TEST(Socket, AnAddressThatIsNotOursIsToldAtOnce) {
  Loop loop;
  EchoServer echo(loop);
  auto client = loop.make<TcpSocket>();
  const Result<void> bound =
      client->connect_from(*SocketAddress::ip("192.0.2.1", 0), echo.address(),
                           [](Socket&, Result<void>) { ADD_FAILURE(); });
  EXPECT_EQ(bound.error().code, EADDRNOTAVAIL);
  EXPECT_STREQ(bound.error().syscall, "bind");
  EXPECT_FALSE(client->is_connecting());
  for (int i = 0; i < 5; ++i) loop.run_nowait();
}

}  // namespace
}  // namespace rondo
