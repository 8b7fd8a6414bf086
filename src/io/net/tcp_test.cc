#include "io/net/tcp.h"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <string>

#include "support/echo_server.h"
#include "support/net.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using Data = Result<std::span<std::byte>>;

TEST(Tcp, ConnectsTalksAndEnds) {
  Loop loop;
  EchoServer echo(loop);
  auto client = loop.make<TcpSocket>();
  std::string got;
  client->connect(echo.address(), [&](Socket& socket, Result<void> connected) {
    ASSERT_TRUE(connected);
    ASSERT_TRUE(socket.read_start([&](Stream& stream, Data data) {
      got += text_of(*data);
      if (got != "early late") return;
      stream.close();
      echo.server->close();
    }));
    socket.write("late");
  });
  EXPECT_TRUE(client->is_connecting());
  client->write("early ");  // Waits for the connection.
  loop.run();
  EXPECT_EQ(got, "early late");
}

TEST(Tcp, AddressInUseIsReturnedByBind) {
  Loop loop;
  EchoServer echo(loop);
  auto second = loop.make<TcpServer>();
  Result<void> bound = second->bind(echo.address());
  if (bound) bound = second->listen([](Listener&, Result<Fd>) {});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().code, EADDRINUSE);
}

TEST(Tcp, SetsItsOptionsBeforeAndAfterConnecting) {
  Loop loop;
  EchoServer echo(loop);
  auto client = loop.make<TcpSocket>();
  ASSERT_TRUE(client->set_no_delay(true));
  EXPECT_EQ(client->set_keep_alive(true, 0s).error().code, EINVAL);
  bool is_done = false;
  client->connect(echo.address(), [&](Socket& socket, Result<void>) {
    int value = 0;
    socklen_t size = sizeof value;
    ::getsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &value, &size);
    EXPECT_NE(value, 0);
    ASSERT_TRUE(client->set_keep_alive(true, 30s));
    ::getsockopt(socket.fd(), IPPROTO_TCP, TCP_KEEPIDLE, &value, &size);
    EXPECT_EQ(value, 30);
    is_done = true;
  });
  EXPECT_TRUE(run_until(loop, [&] { return is_done; }));
}

TEST(Tcp, Ipv6WorksWhereTheMachineHasIt) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  if (Result<void> bound = server->bind(SocketAddress::loopback6()); !bound) {
    GTEST_SKIP() << "no IPv6 here: " << bound.error().message();
  }
  int accepted = 0;
  ASSERT_TRUE(server->listen([&](Listener&, Result<Fd> fd) { accepted += bool(fd); }));
  auto client = loop.make<TcpSocket>();
  client->connect(*server->address(), [](Socket&, Result<void> r) { EXPECT_TRUE(r); });
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 1; }));
}

}  // namespace
}  // namespace rondo
