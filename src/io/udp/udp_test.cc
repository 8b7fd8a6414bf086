#include "io/udp/udp.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>

#include "support/datagrams.h"
#include "support/faults.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

TEST(Udp, SendsAndReceives) {
  Loop loop;
  auto server = bound_udp(loop);
  auto client = loop.make<Udp>();
  std::string log;
  ASSERT_TRUE(server->receive_start([&](Udp& self, Result<Datagram> datagram) {
    ASSERT_TRUE(datagram);
    EXPECT_EQ(self.loop().phase(), Phase::poll);
    log += text_of(datagram->data);
    self.send("pong", &datagram->from);
  }));
  const SocketAddress address = *server->local_address();
  client->send("ping ", &address);  // Binds the client.
  EXPECT_TRUE(client->is_open());
  ASSERT_TRUE(client->receive_start([&](Udp&, Result<Datagram> datagram) {
    ASSERT_TRUE(datagram);
    log += text_of(datagram->data);
    EXPECT_EQ(datagram->from, *server->local_address());
    server.reset();
    client.reset();
  }));
  loop.run();
  EXPECT_EQ(log, "ping pong");
}

TEST(Udp, AnEmptyDatagramIsReceived) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  peer.send("", *socket->local_address());
  size_t calls = 0;
  ASSERT_TRUE(socket->receive_start([&](Udp& self, Result<Datagram> datagram) {
    ASSERT_TRUE(datagram);
    EXPECT_TRUE(datagram->data.empty());
    EXPECT_EQ(datagram->from, peer.address());
    ++calls;
    self.receive_stop();
  }));
  loop.run();
  EXPECT_EQ(calls, 1u);
}

TEST(Udp, AnAddressInUseIsReturnedByBindAndAnotherMayBeTried) {
  Loop loop;
  auto first = bound_udp(loop);
  auto second = loop.make<Udp>();
  const Result<void> bound = second->bind(*first->local_address());
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().code, EADDRINUSE);
  EXPECT_STREQ(bound.error().syscall, "bind");
  EXPECT_TRUE(second->bind(SocketAddress::loopback()));
  EXPECT_EQ(second->bind(SocketAddress::loopback()).error().code, EINVAL);
}

TEST(Udp, SocketsThatAgreeShareAnAddress) {
  Loop loop;
  auto first = loop.make<Udp>();
  auto second = loop.make<Udp>();
  ASSERT_TRUE(first->bind(SocketAddress::loopback(), {.reuse_address = true}));
  EXPECT_TRUE(second->bind(*first->local_address(), {.reuse_address = true}));
  auto third = loop.make<Udp>();
  auto fourth = loop.make<Udp>();
  ASSERT_TRUE(third->bind(SocketAddress::loopback(), {.reuse_port = true}));
  EXPECT_TRUE(fourth->bind(*third->local_address(), {.reuse_port = true}));
}

TEST(Udp, OnlyIpv6CanBeIpv6Only) {
  Loop loop;
  auto socket = loop.make<Udp>();
  EXPECT_EQ(socket->bind(SocketAddress::loopback(), {.ipv6_only = true}).error().code, EINVAL);
  EXPECT_EQ(socket->bind(*SocketAddress::unix_path("/x")).error().code, EINVAL);
  if (const Result<void> bound = socket->bind(SocketAddress::any6(), {.ipv6_only = true}); !bound) {
    GTEST_SKIP() << "no IPv6 here: " << bound.error().message();
  }
  int value = 0;
  socklen_t size = sizeof value;
  ::getsockopt(socket->fd(), IPPROTO_IPV6, IPV6_V6ONLY, &value, &size);
  EXPECT_NE(value, 0);
}

TEST(Udp, UDP_06_AConnectedSocketHasOnePeer) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  BareUdp other;
  ASSERT_TRUE(socket->connect(peer.address()));
  EXPECT_TRUE(socket->is_connected());
  EXPECT_EQ(*socket->peer_address(), peer.address());
  other.send("no", *socket->local_address());
  peer.send("yes", *socket->local_address());
  std::string log;
  ASSERT_TRUE(socket->receive_start(datagrams_into(log)));
  EXPECT_TRUE(run_until(loop, [&] { return !log.empty(); }));
  EXPECT_EQ(log, "yes ");
  const SocketAddress address = other.address();
  EXPECT_EQ(socket->try_send(bytes_of("x"), &address).error().code, EISCONN);
  EXPECT_EQ(*socket->try_send(bytes_of("x"), nullptr), 1u);
  EXPECT_EQ(peer.receive(), "x ");
  ASSERT_TRUE(socket->disconnect());
  EXPECT_FALSE(socket->is_connected());
  EXPECT_EQ(socket->try_send(bytes_of("x"), nullptr).error().code, EDESTADDRREQ);
  EXPECT_EQ(socket->disconnect().error().code, ENOTCONN);
  EXPECT_EQ(*socket->try_send(bytes_of("x"), &address), 1u);
  EXPECT_EQ(socket->connect(*SocketAddress::unix_path("/x")).error().code, EINVAL);
}

TEST(Udp, UDP_06_ARefusedDatagramIsAnErrorAndReceivingContinues) {
  Loop loop;
  auto socket = bound_udp(loop);
  {
    BareUdp gone;
    ASSERT_TRUE(socket->connect(gone.address()));
  }
  std::string log;
  ASSERT_TRUE(socket->receive_start(datagrams_into(log)));
  ASSERT_TRUE(socket->try_send(bytes_of("x"), nullptr));
  EXPECT_TRUE(run_until(loop, [&] { return !log.empty(); }));
  EXPECT_EQ(log, "<ECONNREFUSED> ");
  EXPECT_TRUE(socket->is_receiving());
  BareUdp peer;
  ASSERT_TRUE(socket->connect(peer.address()));
  peer.send("again", *socket->local_address());
  EXPECT_TRUE(run_until(loop, [&] { return log.ends_with("again "); }));
}

TEST(Udp, TakesOverASocketOfTheUser) {
  Loop loop;
  auto socket = loop.make<Udp>();
  BareUdp bare;
  const SocketAddress address = bare.address();
  ASSERT_TRUE(socket->open(bare.fd()));
  const int fd = bare.release().release();
  EXPECT_EQ(::fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
  EXPECT_EQ(*socket->local_address(), address);
  EXPECT_EQ(socket->open(fd).error().code, EBUSY);
  std::string log;
  ASSERT_TRUE(socket->receive_start(datagrams_into(log)));
  BareUdp peer;
  peer.send("hello", address);
  EXPECT_TRUE(run_until(loop, [&] { return !log.empty(); }));
  EXPECT_EQ(log, "hello ");
  socket.reset();
  loop.run();
  EXPECT_LT(::fcntl(fd, F_GETFL), 0);  // The handle has closed it.
}

TEST(Udp, RefusesDescriptorsOfOtherKinds) {
  Loop loop;
  auto socket = loop.make<Udp>();
  EXPECT_EQ(socket->open(-1).error().code, EBADF);
  const Fd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(socket->open(file.get()).error().code, EINVAL);
  const Fd stream(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(socket->open(stream.get()).error().code, EINVAL);
  EXPECT_FALSE(socket->is_open());
}

TEST(Udp, UDP_04_ClosingCancelsQueuedSendsBeforeTheCloseCallback) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  const SocketAddress to = peer.address();
  std::string log;
  FaultPlan faults;
  faults.fail("sendmsg", EAGAIN, {.times = FaultPlan::kAlways});
  for (const char* text : {"a", "b"}) {
    socket->send(text, &to, [&](Udp& self, Result<size_t> sent) {
      EXPECT_EQ(self.loop().phase(), Phase::closing);
      log += sent ? "sent " : std::string(sent.error().name()) + ' ';
    });
  }
  EXPECT_EQ(socket->queued_count(), 2u);
  socket->close([&](Handle&) { log += "closed"; });
  EXPECT_EQ(log, "");
  loop.run();
  EXPECT_EQ(log, "ECANCELED ECANCELED closed");
  EXPECT_EQ(socket->queued_count(), 0u);
  EXPECT_EQ(socket->queued_bytes(), 0u);
}

TEST(Udp, UDP_04_ASendThatWasDoneIsReportedAsSuchAfterClose) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  const SocketAddress to = peer.address();
  std::string log;
  socket->send("a", &to, [&](Udp&, Result<size_t> sent) { log += sent ? "sent " : "? "; });
  socket->close([&](Handle&) { log += "closed"; });
  loop.run();
  EXPECT_EQ(log, "sent closed");
  EXPECT_EQ(peer.receive(), "a ");
}

TEST(Udp, KeepsTheLoopAliveOnlyWhileItReceives) {
  Loop loop;
  auto socket = bound_udp(loop);
  loop.run();  // Returns.
  ASSERT_TRUE(socket->receive_start([](Udp&, Result<Datagram>) {}));
  EXPECT_TRUE(socket->is_active());
  socket->unref();
  loop.run();  // Returns.
  socket->ref();
  socket->receive_stop();
  socket->receive_stop();
  loop.run();  // Returns.
}

TEST(Udp, AWatchThatTheKernelRefusesIsReported) {
  for (const bool receives : {true, false}) {
    Loop loop({.backend = Backend::epoll});
    auto socket = bound_udp(loop);
    BareUdp peer;
    const SocketAddress to = peer.address();
    std::string log;
    FaultPlan faults;
    faults.fail("epoll_ctl", ENOSPC, {.times = FaultPlan::kAlways});
    if (receives) {
      ASSERT_TRUE(socket->receive_start(datagrams_into(log)));
    } else {
      faults.fail("sendmsg", EAGAIN);
      socket->send("x", &to, [&](Udp&, Result<size_t> sent) { log += sent.error().name(); });
    }
    loop.run();
    EXPECT_EQ(log, receives ? "<ENOSPC> " : "ENOSPC");
    EXPECT_FALSE(socket->is_receiving());
  }
}

// With the scripted poller readiness is only what the test says.
TEST(Udp, UDP_02_ReceivesFirstThenReportsSends) {
  TestLoop loop;
  auto socket = loop.make<Udp>();
  ASSERT_TRUE(socket->bind(SocketAddress::loopback()));
  BareUdp peer;
  const SocketAddress to = peer.address();
  {
    FaultPlan faults;
    faults.fail("sendmsg", EAGAIN);
    socket->send("out", &to, loop.mark("sent"));
  }
  ASSERT_TRUE(socket->receive_start([&](Udp& self, Result<Datagram>) {
    loop.log("message");
    EXPECT_EQ(peer.receive(), "");
    self.receive_stop();
  }));
  peer.send("in", *socket->local_address());
  EXPECT_EQ(loop.run_nowait(), "");
  loop.poller().at(loop.time(), socket->fd(), EPOLLIN | EPOLLOUT);
  EXPECT_EQ(loop.run_nowait(), "message sent");
  EXPECT_EQ(peer.receive(), "out ");
}

TEST(Udp, UDP_01_ASendThatIsDoneAtOnceCallsBackInPending) {
  TestLoop loop;
  auto socket = loop.make<Udp>();
  BareUdp peer;
  const SocketAddress to = peer.address();
  socket->send("out", &to, [&](Udp& self, Result<size_t> sent) {
    EXPECT_EQ(*sent, 3u);
    EXPECT_EQ(self.loop().phase(), Phase::pending);
    loop.log("sent");
  });
  EXPECT_EQ(peer.receive(), "out ");
  EXPECT_EQ(loop.take_log(), "");
  EXPECT_EQ(loop.run(), "sent");
}

}  // namespace
}  // namespace rondo
