#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/udp/udp.h"
#include "support/datagrams.h"
#include "support/faults.h"

namespace rondo {
namespace {

// Appends "sent " or "ENAME ".
auto outcome_into(std::string& log) {
  return [&log](Udp&, Result<size_t> sent) {
    log += sent ? "sent " : std::string(sent.error().name()) + ' ';
  };
}

TEST(UdpSending, UDP_01_TheDatagramIsOutWhenTheCallReturns) {
  Loop loop;
  auto socket = loop.make<Udp>();
  BareUdp peer;
  const SocketAddress to = peer.address();
  std::string log;
  socket->send("now", &to, outcome_into(log));
  EXPECT_EQ(peer.receive(), "now ");
  EXPECT_EQ(log, "");
  EXPECT_EQ(socket->queued_count(), 1u);  // Until the callback.
  loop.run();
  EXPECT_EQ(log, "sent ");
  EXPECT_EQ(socket->queued_count(), 0u);
}

TEST(UdpSending, UDP_01_ABusyKernelGetsTheQueueInOrder) {
  Loop loop;
  auto socket = loop.make<Udp>();
  BareUdp peer;
  const SocketAddress to = peer.address();
  std::string log;
  FaultPlan faults;
  faults.fail("sendmsg", EAGAIN);
  faults.fail("sendmmsg", ENOBUFS);
  std::string expected;
  for (int i = 0; i < 40; ++i) {
    const std::string text = std::to_string(i);
    expected += text + ' ';
    socket->send(text, &to, outcome_into(log));
  }
  EXPECT_EQ(peer.receive(), "");
  EXPECT_EQ(socket->queued_count(), 40u);
  EXPECT_EQ(socket->queued_bytes(), 70u);
  EXPECT_EQ(socket->try_send(bytes_of("x"), &to).error().code, EAGAIN);
  loop.run();
  EXPECT_EQ(peer.receive(), expected);
  EXPECT_EQ(log.size(), 40 * std::string("sent ").size());
  EXPECT_EQ(socket->queued_bytes(), 0u);
  // 40 datagrams in batches of 16, and the one that failed.
  EXPECT_EQ(faults.calls("sendmmsg"), 4u);
}

TEST(UdpSending, UDP_01_AFailedDatagramDoesNotStopTheOthers) {
  Loop loop;
  auto socket = loop.make<Udp>();
  BareUdp peer;
  const SocketAddress to = peer.address();
  std::string log;
  {
    FaultPlan faults;
    faults.fail("sendmsg", EAGAIN);
    socket->send("a", &to, outcome_into(log));
  }
  socket->send(std::string(70000, 'x'), &to, outcome_into(log));
  socket->send("b", &to, outcome_into(log));
  loop.run();
  EXPECT_EQ(log, "sent EMSGSIZE sent ");
  EXPECT_EQ(peer.receive(), "a b ");
}

TEST(UdpSending, ErrorsComeFromTheLoopAndFromTrySendAtOnce) {
  Loop loop;
  auto socket = loop.make<Udp>();
  const SocketAddress to = SocketAddress::loopback(9);
  const SocketAddress path = *SocketAddress::unix_path("/x");
  std::string log;
  socket->send("x", nullptr, outcome_into(log));
  socket->send("x", &path, outcome_into(log));
  EXPECT_EQ(log, "");
  loop.run();
  EXPECT_EQ(log, "EDESTADDRREQ EINVAL ");
  EXPECT_EQ(socket->try_send(bytes_of("x"), nullptr).error().code, EDESTADDRREQ);
  const std::string large(70000, 'x');
  EXPECT_EQ(socket->try_send(bytes_of(large), &to).error().code, EMSGSIZE);
  FaultPlan faults;
  faults.fail("sendmsg", ENOBUFS);
  EXPECT_EQ(socket->try_send(bytes_of("x"), &to).error().code, EAGAIN);
  socket->close();
  EXPECT_EQ(socket->try_send(bytes_of("x"), &to).error().code, EBADF);
  loop.run();
}

TEST(UdpSending, SeveralBuffersMakeOneDatagram) {
  Loop loop;
  auto socket = loop.make<Udp>();
  BareUdp peer;
  const SocketAddress to = peer.address();
  std::string one = "one";
  std::string two = "two";
  const std::vector<iovec> parts{{one.data(), one.size()}, {nullptr, 0}, {two.data(), two.size()}};
  EXPECT_EQ(*socket->try_send(parts, &to), 6u);
  UdpSend request(loop);
  size_t size = 0;
  socket->send(request, parts, &to, [&](UdpSend&, Result<size_t> sent) { size = *sent; });
  EXPECT_TRUE(request.is_pending());
  loop.run();
  EXPECT_EQ(size, 6u);
  EXPECT_EQ(peer.receive(), "onetwo onetwo ");
}

TEST(UdpSending, AQueuedSendCanBeCancelledAndTheNextMovesUp) {
  Loop loop;
  auto socket = loop.make<Udp>();
  BareUdp peer;
  const SocketAddress to = peer.address();
  UdpSend first(loop);
  UdpSend second(loop);
  std::string log;
  {
    FaultPlan faults;
    faults.fail("sendmsg", EAGAIN);
    socket->send(first, bytes_of("first"), &to, [&](UdpSend&, Result<size_t> sent) {
      log += sent ? "? " : std::string(sent.error().name()) + ' ';
    });
  }
  socket->send(second, bytes_of("second"), &to,
               [&](UdpSend&, Result<size_t> sent) { log += sent ? "sent " : "? "; });
  ASSERT_TRUE(first.cancel());
  EXPECT_EQ(first.cancel().error().code, EBUSY);
  loop.run();
  EXPECT_EQ(log, "ECANCELED sent ");
  EXPECT_EQ(peer.receive(), "second ");
  EXPECT_EQ(second.cancel().error().code, EBUSY);
}

TEST(UdpSending, TURN_10_ACallbackThatAlwaysSendsLetsOthersRun) {
  Loop loop;
  struct Sender {
    Owned<Udp> socket;
    SocketAddress to;
    int left = 1000;
    void send() {
      socket->send("x", &to, [this](Udp&, Result<size_t>) {
        if (--left > 0) send();
      });
    }
  };
  BareUdp peer;
  Sender sender{loop.make<Udp>(), peer.address()};
  Immediate immediate(loop);
  int left_then = 0;
  immediate.set([&] { left_then = sender.left; });
  sender.send();
  loop.run();
  EXPECT_GT(left_then, 0);
  EXPECT_EQ(sender.left, 0);
}

}  // namespace
}  // namespace rondo
