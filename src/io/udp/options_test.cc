#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>

#include "io/udp/udp.h"
#include "support/datagrams.h"

namespace rondo {
namespace {

int option_of(const Udp& socket, int level, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(socket.fd(), level, option, &value, &size), 0);
  return value;
}

SocketAddress ip(const char* text) { return *SocketAddress::ip(text, 0); }

TEST(UdpOptions, WithoutASocketThereIsNothingToSet) {
  Loop loop;
  auto socket = loop.make<Udp>();
  EXPECT_EQ(socket->set_ttl(1).error().code, EBADF);
  EXPECT_EQ(socket->set_multicast_ttl(1).error().code, EBADF);
  EXPECT_EQ(socket->set_multicast_loop(true).error().code, EBADF);
  EXPECT_EQ(socket->set_multicast_interface(ip("127.0.0.1")).error().code, EBADF);
  EXPECT_EQ(socket->set_broadcast(true).error().code, EBADF);
  EXPECT_EQ(socket->set_receive_buffer(4096).error().code, EBADF);
  EXPECT_EQ(socket->set_send_buffer(4096).error().code, EBADF);
  EXPECT_EQ(socket->receive_buffer().error().code, EBADF);
  EXPECT_EQ(socket->send_buffer().error().code, EBADF);
  EXPECT_EQ(socket->local_address().error().code, EBADF);
  EXPECT_EQ(socket->peer_address().error().code, EBADF);
}

TEST(UdpOptions, SetsOptionsOfIpv4) {
  Loop loop;
  auto socket = bound_udp(loop);
  ASSERT_TRUE(socket->set_ttl(7));
  EXPECT_EQ(option_of(*socket, IPPROTO_IP, IP_TTL), 7);
  ASSERT_TRUE(socket->set_multicast_ttl(0));
  EXPECT_EQ(option_of(*socket, IPPROTO_IP, IP_MULTICAST_TTL), 0);
  ASSERT_TRUE(socket->set_multicast_loop(false));
  EXPECT_EQ(option_of(*socket, IPPROTO_IP, IP_MULTICAST_LOOP), 0);
  ASSERT_TRUE(socket->set_broadcast(true));
  EXPECT_EQ(option_of(*socket, SOL_SOCKET, SO_BROADCAST), 1);
  ASSERT_TRUE(socket->set_receive_buffer(8192));
  EXPECT_EQ(*socket->receive_buffer(), 16384);
  ASSERT_TRUE(socket->set_send_buffer(8192));
  EXPECT_EQ(*socket->send_buffer(), 16384);
  for (const int ttl : {-1, 0, 256}) EXPECT_EQ(socket->set_ttl(ttl).error().code, EINVAL);
  for (const int ttl : {-1, 256}) EXPECT_EQ(socket->set_multicast_ttl(ttl).error().code, EINVAL);
  EXPECT_EQ(socket->set_multicast_interface(SocketAddress()).error().code, EINVAL);
}

TEST(UdpOptions, SetsOptionsOfIpv6) {
  Loop loop;
  auto socket = loop.make<Udp>();
  if (const Result<void> bound = socket->bind(SocketAddress::loopback6()); !bound) {
    GTEST_SKIP() << "no IPv6 here: " << bound.error().message();
  }
  ASSERT_TRUE(socket->set_ttl(7));
  EXPECT_EQ(option_of(*socket, IPPROTO_IPV6, IPV6_UNICAST_HOPS), 7);
  ASSERT_TRUE(socket->set_multicast_ttl(9));
  EXPECT_EQ(option_of(*socket, IPPROTO_IPV6, IPV6_MULTICAST_HOPS), 9);
  ASSERT_TRUE(socket->set_multicast_loop(false));
  EXPECT_EQ(option_of(*socket, IPPROTO_IPV6, IPV6_MULTICAST_LOOP), 0);
  EXPECT_TRUE(socket->set_multicast_interface(SocketAddress::any6()));
}

TEST(UdpOptions, AGroupReceivesOnTheInterfaceThatJoined) {
  Loop loop;
  auto socket = loop.make<Udp>();
  ASSERT_TRUE(socket->bind(SocketAddress::any(), {.reuse_address = true}));
  const SocketAddress here = ip("127.0.0.1");
  SocketAddress group = ip("239.255.42.99");
  if (const Result<void> joined = socket->join(group, &here); !joined) {
    GTEST_SKIP() << "no multicast here: " << joined.error().message();
  }
  auto sender = bound_udp(loop);
  ASSERT_TRUE(sender->set_multicast_interface(here));
  group.set_port(socket->local_address()->port());
  std::string log;
  ASSERT_TRUE(socket->receive_start(datagrams_into(log)));
  const Result<size_t> sent = sender->try_send(bytes_of("all"), &group);
  if (!sent) GTEST_SKIP() << "no multicast here: " << sent.error().message();
  EXPECT_TRUE(run_until(loop, [&] { return !log.empty(); }));
  EXPECT_EQ(log, "all ");
  EXPECT_TRUE(socket->leave(group, &here));
  EXPECT_EQ(socket->leave(group, &here).error().code, EADDRNOTAVAIL);
}

TEST(UdpOptions, AGroupCanBeJoinedForOneSource) {
  Loop loop;
  auto socket = loop.make<Udp>();
  const SocketAddress here = ip("127.0.0.1");
  const SocketAddress group = ip("232.1.1.1");
  const Result<void> joined = socket->join(group, here, &here);
  EXPECT_TRUE(socket->is_open());  // Bound to a free port.
  if (!joined) GTEST_SKIP() << "no multicast here: " << joined.error().message();
  EXPECT_TRUE(socket->leave(group, here, &here));
  EXPECT_FALSE(socket->leave(group, here, &here));
}

TEST(UdpOptions, FamiliesAreNotMixed) {
  Loop loop;
  auto socket = loop.make<Udp>();
  const SocketAddress here = ip("127.0.0.1");
  const SocketAddress group4 = ip("239.255.42.99");
  const SocketAddress group6 = ip("ff02::1");
  EXPECT_EQ(socket->join(SocketAddress(), nullptr).error().code, EINVAL);
  EXPECT_EQ(socket->join(group6, here, nullptr).error().code, EINVAL);
  EXPECT_EQ(socket->leave(group6, here, nullptr).error().code, EINVAL);
  EXPECT_FALSE(socket->is_open());
  const SocketAddress there = ip("::1");
  EXPECT_EQ(socket->join(group4, &there).error().code, EINVAL);
  EXPECT_EQ(socket->leave(here).error().code, EADDRNOTAVAIL);
}

}  // namespace
}  // namespace rondo
