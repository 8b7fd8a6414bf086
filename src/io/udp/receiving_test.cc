#include <gtest/gtest.h>
#include <netinet/in.h>

#include <array>
#include <string>

#include "io/udp/kept.h"
#include "io/udp/udp.h"
#include "support/datagrams.h"
#include "support/faults.h"

namespace rondo {
namespace {

TEST(UdpReceiving, UDP_02_OneEventReceivesUpTo32EachInItsOwnCallback) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  std::string expected;
  for (int i = 0; i < 40; ++i) {
    peer.send(std::to_string(i), *socket->local_address());
    expected += std::to_string(i) + ' ';
  }
  std::string log;
  FaultPlan faults;
  const uint64_t callbacks = loop.metrics().callbacks;
  ASSERT_TRUE(socket->receive_start(datagrams_into(log)));
  loop.run_once();
  EXPECT_EQ(loop.metrics().callbacks - callbacks, 32u);
  EXPECT_EQ(log, expected.substr(0, log.size()));
  // 1, 2, 4, 8, 16 and the last one.
  EXPECT_EQ(faults.calls("recvmsg") + faults.calls("recvmmsg"), 6u);
  loop.run_once();
  EXPECT_EQ(log, expected);
}

TEST(UdpReceiving, UDP_03_NothingComesAfterClose) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  for (int i = 0; i < 8; ++i) peer.send("x", *socket->local_address());
  int calls = 0;
  ASSERT_TRUE(socket->receive_start([&](Udp& self, Result<Datagram>) {
    if (++calls == 2) self.close();
  }));
  loop.run();
  EXPECT_EQ(calls, 2);
}

TEST(UdpReceiving, UDP_03_DatagramsThatWereReadAreKeptForTheNextStart) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  for (const char* text : {"a", "b", "c", "d", "e", "f"}) {
    peer.send(text, *socket->local_address());
  }
  std::string log;
  const auto start = [&] {
    ASSERT_TRUE(socket->receive_start([&](Udp& self, Result<Datagram> datagram) {
      log += text_of(datagram->data);
      if (log.size() == 2 || log.size() == 3) self.receive_stop();
    }));
  };
  start();  // Stops after "b", which was read together with "c".
  loop.run();
  EXPECT_EQ(log, "ab");
  start();
  loop.run();
  EXPECT_EQ(log, "abc");
  std::array<std::byte, 8> buffer;
  UdpReceive request(loop);
  socket->receive(request, buffer,
                  [&](UdpReceive&, Result<Datagram> datagram) { log += text_of(datagram->data); });
  loop.run();
  EXPECT_EQ(log, "abcd");
  start();
  EXPECT_TRUE(run_until(loop, [&] { return log == "abcdef"; }));
}

TEST(UdpReceiving, UDP_03_AKeptDatagramGoesToAReceive) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  for (const char* text : {"a", "b", "long", "d"}) peer.send(text, *socket->local_address());
  std::string log;
  ASSERT_TRUE(socket->receive_start([&](Udp& self, Result<Datagram> datagram) {
    log += text_of(datagram->data);
    if (log == "ab") self.receive_stop();
  }));
  loop.run();
  std::array<std::byte, 2> buffer;
  UdpReceive request(loop);
  socket->receive(request, buffer, [&](UdpReceive&, Result<Datagram> datagram) {
    log += text_of(datagram->data);
    EXPECT_TRUE(datagram->is_truncated);
    EXPECT_EQ(datagram->from, peer.address());
  });
  EXPECT_EQ(log, "ab");
  loop.run();
  EXPECT_EQ(log, "ablo");
}

TEST(UdpReceiving, ALargeDatagramIsComplete) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  const std::string large(65507, 'x');
  peer.send(large, *socket->local_address());
  bool is_equal = false;
  ASSERT_TRUE(socket->receive_start([&](Udp& self, Result<Datagram> datagram) {
    is_equal = text_of(datagram->data) == large && !datagram->is_truncated;
    self.receive_stop();
  }));
  loop.run();
  EXPECT_TRUE(is_equal);
}

TEST(UdpReceiving, ADatagramThatDoesNotFitIsTruncated) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  peer.send("hello", *socket->local_address());
  std::array<std::byte, 2> buffer;
  UdpReceive request(loop);
  std::string log;
  socket->receive(request, buffer, [&](UdpReceive&, Result<Datagram> datagram) {
    EXPECT_TRUE(datagram->is_truncated);
    log += text_of(datagram->data);
  });
  loop.run();
  EXPECT_EQ(log, "he");
}

TEST(UdpReceiving, StartingTwiceIsRefused) {
  Loop loop;
  auto socket = loop.make<Udp>();
  ASSERT_TRUE(socket->receive_start([](Udp&, Result<Datagram>) {}));
  EXPECT_TRUE(socket->is_open());  // Bound to a free port.
  EXPECT_EQ(socket->receive_start([](Udp&, Result<Datagram>) {}).error().code, EALREADY);
  socket->close();
  EXPECT_EQ(socket->receive_start([](Udp&, Result<Datagram>) {}).error().code, EBADF);
  loop.run();
}

TEST(UdpReceiving, ReportsErrorsAndContinuesAfterInterruptions) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  FaultPlan faults;
  faults.fail("recvmsg", EINTR);
  faults.fail("recvmsg", EAGAIN);
  faults.fail("recvmsg", ENOMEM);
  peer.send("x", *socket->local_address());
  std::string log;
  ASSERT_TRUE(socket->receive_start(datagrams_into(log)));
  EXPECT_TRUE(run_until(loop, [&] { return log.ends_with("x "); }));
  EXPECT_EQ(log, "<ENOMEM> x ");
}

TEST(UdpReceiving, UDP_06_ErrorsOfTheErrorQueueAreTaken) {
  Loop loop;
  SocketAddress gone;
  {
    BareUdp bare;
    gone = bare.address();
  }
  BareUdp bare;
  const int on = 1;
  ASSERT_EQ(::setsockopt(bare.fd(), SOL_IP, IP_RECVERR, &on, sizeof on), 0);
  auto socket = loop.make<Udp>();
  ASSERT_TRUE(socket->open(bare.fd()));
  (void)bare.release().release();
  std::string log;
  ASSERT_TRUE(socket->receive_start(datagrams_into(log)));
  ASSERT_TRUE(socket->try_send(bytes_of("x"), &gone));
  EXPECT_TRUE(run_until(loop, [&] { return log.size() > 1; }));
  EXPECT_TRUE(log.starts_with("<ECONNREFUSED> ")) << log;
  // Nothing is left in the queue: the loop can sleep again.
  const std::string before = log;
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(log, before);
}

TEST(UdpReceiving, AReceiveCanBeCancelledAndLosesNothing) {
  Loop loop;
  auto socket = bound_udp(loop);
  BareUdp peer;
  std::array<std::byte, 8> buffer;
  UdpReceive request(loop);
  std::string log;
  const auto receive = [&] {
    socket->receive(request, buffer, [&](UdpReceive&, Result<Datagram> datagram) {
      log += datagram ? text_of(datagram->data) : datagram.error().name();
    });
  };
  receive();
  ASSERT_TRUE(request.cancel());
  EXPECT_EQ(request.cancel().error().code, EBUSY);
  peer.send(" x", *socket->local_address());
  loop.run();
  EXPECT_EQ(log, "ECANCELED");
  receive();
  loop.run();
  EXPECT_EQ(log, "ECANCELED x");
}

TEST(UdpReceiving, UDP_04_ClosingCancelsAReceive) {
  Loop loop;
  auto socket = bound_udp(loop);
  std::array<std::byte, 8> buffer;
  UdpReceive request(loop);
  std::string log;
  socket->receive(request, buffer, [&](UdpReceive&, Result<Datagram> datagram) {
    log += datagram ? "?" : datagram.error().name();
  });
  socket->close([&](Handle&) { log += " closed"; });
  loop.run();
  EXPECT_EQ(log, "ECANCELED closed");
}

}  // namespace
}  // namespace rondo
