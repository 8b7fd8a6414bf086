// Virtual time and datagrams: receivers inside and outside of the process.
#include "io/udp/local_datagrams.h"

#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>
#include <thread>

#include "explore/search.h"
#include "loop/internals.h"
#include "support/datagrams.h"
#include "support/sleeping_loop.h"
#include "support/virtual_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(LocalDatagrams, UDP_07_ADatagramBetweenTwoSocketsOfOneLoopTakesNoTime) {
  struct Exchange : VirtualLoop {
    Owned<Udp> server = bound_udp(loop);
    Owned<Udp> client = loop.make<Udp>();
    Owned<Timer> timer = loop.make<Timer>();
    SocketAddress sender;
    Nanos received{-1};
    Nanos answered{-1};
  } here;
  const SocketAddress to = *here.server->local_address();
  ASSERT_TRUE(here.server->receive_start([&here](Udp&, Result<Datagram> datagram) {
    here.sender = datagram->from;
    here.received = here.clock.now();
    here.timer->start(1h, [&here](Timer&) { here.server->send("answer", &here.sender); });
  }));
  ASSERT_TRUE(here.client->receive_start([&here](Udp&, Result<Datagram>) {
    here.answered = here.clock.now();
    here.server.reset();
    here.client.reset();
  }));
  EXPECT_EQ(here.server->awaits(), Awaits::nothing);
  here.client->send("question", &to);
  EXPECT_EQ(here.server->awaits(), Awaits::inside);
  EXPECT_EQ(here.client->awaits(), Awaits::nothing);
  here.loop.run();
  EXPECT_EQ(here.received, 0ns);
  EXPECT_EQ(here.answered, 1h);
}

TEST(LocalDatagrams, UDP_07_AWaitingServerDoesNotStopTheClock) {
  VirtualLoop here;
  auto server = bound_udp(here.loop);
  ASSERT_TRUE(server->receive_start([](Udp&, Result<Datagram>) {}));
  auto timer = here.loop.make<Timer>();
  timer->start(10h, [&server](Timer&) { server.reset(); });
  here.loop.run();
  EXPECT_EQ(here.clock.now(), 10h);
}

TEST(LocalDatagrams, UDP_07_TheClockIsRealWhileAnAnswerFromOutsideIsAwaited) {
  VirtualLoop here;
  BareUdp outside;
  auto client = bound_udp(here.loop);
  const SocketAddress to = outside.address();
  struct {
    std::string order;
    Nanos heard{0};
  } seen;
  auto timer = here.loop.make<Timer>();
  timer->start(1h, [&seen](Timer&) { seen.order += "timer"; });
  ASSERT_TRUE(client->receive_start([&](Udp& self, Result<Datagram>) {
    seen.heard = self.loop().clock().now();
    seen.order += "answer ";
    client.reset();
  }));
  client->send("question", &to);
  EXPECT_EQ(client->awaits(), Awaits::outside);
  const SleepingLoop sleeping(here.loop);
  std::thread peer([&] {
    sleeping.await();
    std::this_thread::sleep_for(30ms);
    outside.send("x", *client->local_address());
  });
  here.loop.run();
  peer.join();
  EXPECT_EQ(seen.order, "answer timer");
  EXPECT_GE(seen.heard, 29ms);
  EXPECT_LT(seen.heard, 1h);
}

TEST(LocalDatagrams, UDP_07_DroppedDatagramsAreNotAwaited) {
  VirtualLoop here;
  auto server = bound_udp(here.loop);
  auto client = here.loop.make<Udp>();
  const SocketAddress to = *server->local_address();
  ASSERT_TRUE(server->set_receive_buffer(2048));
  const std::string kilobyte(1024, 'x');
  int sent = 0;
  for (; sent < 100; ++sent) ASSERT_TRUE(client->try_send(bytes_of(kilobyte), &to));
  int received = 0;
  ASSERT_TRUE(server->receive_start([&](Udp&, Result<Datagram>) { ++received; }));
  auto timer = here.loop.make<Timer>();
  const Nanos began = RealClock::instance().now();
  timer->start(1h, [&](Timer&) {
    server.reset();
    client.reset();
  });
  here.loop.run();
  EXPECT_GT(received, 0);
  EXPECT_LT(received, sent);
  EXPECT_EQ(here.clock.now(), 1h);
  EXPECT_GE(RealClock::instance().now(), began);
}

TEST(LocalDatagrams, FindsTheReceivingSocket) {
  VirtualLoop here;
  auto any = here.loop.make<Udp>();
  auto client = bound_udp(here.loop);
  ASSERT_TRUE(any->bind(SocketAddress::any()));
  ASSERT_TRUE(any->receive_start([](Udp&, Result<Datagram>) {}));
  const uint16_t port = any->local_address()->port();
  SocketAddress to = SocketAddress::loopback(port);
  ASSERT_TRUE(client->try_send(bytes_of("x"), &to));
  EXPECT_EQ(any->awaits(), Awaits::inside);
  EXPECT_TRUE(run_until(here.loop, [&] { return any->awaits() == Awaits::nothing; }));
  // Another machine's address with the same port.
  LocalDatagrams& service = here.loop.internals().service<LocalDatagrams>();
  EXPECT_FALSE(service.sent(*client, *SocketAddress::ip("192.0.2.1", port)));
  EXPECT_FALSE(service.sent(*client, *SocketAddress::ip("::1", port)));
  EXPECT_TRUE(service.sent(*client, *SocketAddress::ip("239.1.1.1", port)));
  EXPECT_EQ(any->awaits(), Awaits::nothing);
  // A connected socket receives from its peer only.
  BareUdp outside;
  ASSERT_TRUE(any->connect(outside.address()));
  EXPECT_FALSE(service.sent(*client, to));
  auto stranger = here.loop.make<Udp>();
  EXPECT_FALSE(service.sent(*stranger, to));
  service.received(*stranger, to);
  EXPECT_FALSE(service.has_coming(*stranger));
}

TEST(LocalDatagrams, UDP_07_ExploringFindsTheSameOrdersInEveryRun) {
  const auto run = [](Loop& loop) {
    std::string order;
    auto server = bound_udp(loop);
    auto client = loop.make<Udp>();
    const SocketAddress to = *server->local_address();
    auto timer = loop.make<Timer>();
    EXPECT_TRUE(server->receive_start([&](Udp&, Result<Datagram>) {
      order += 'm';
      server.reset();
      client.reset();
    }));
    client->send("x", &to, [&order](Udp&, Result<size_t>) { order += 's'; });
    timer->start(1ms, [&order](Timer&) { order += 't'; });
    loop.run();
    return order;
  };
  const ExploreResult first = explore(run);
  const ExploreResult second = explore(run);
  EXPECT_TRUE(first.complete);
  ASSERT_EQ(first.outcomes.size(), second.outcomes.size());
  for (size_t i = 0; i < first.outcomes.size(); ++i) {
    EXPECT_EQ(first.outcomes[i].text, second.outcomes[i].text);
  }
  EXPECT_EQ(first.outcomes[0].text, "smt");
}

}  // namespace
}  // namespace rondo
