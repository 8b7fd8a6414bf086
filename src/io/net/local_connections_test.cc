// Virtual time and sockets: peers inside and outside of the process.
#include "io/net/local_connections.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "explore/search.h"
#include "io/net/pipe.h"
#include "io/net/tcp.h"
#include "io/poll.h"
#include "loop/loop.h"
#include "support/sleeping_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A server and a client of one loop. The server answers an hour after it has received something.
struct Exchange {
  VirtualClock clock;
  Loop loop{{.clock = &clock}};
  Owned<TcpServer> server = loop.make<TcpServer>();
  Owned<TcpSocket> client = loop.make<TcpSocket>();
  Owned<TcpSocket> accepted = loop.make<TcpSocket>();
  Owned<Timer> timer = loop.make<Timer>();
};

TEST(LocalConnections, DataBetweenTwoEndsOfOneLoopTakesNoTime) {
  Exchange here;
  ASSERT_TRUE(here.server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(here.server->listen([&here](Listener&, Result<Fd> fd) {
    ASSERT_TRUE(fd);
    ASSERT_TRUE(here.accepted->open(std::move(*fd)));
    ASSERT_TRUE(here.accepted->read_start([&here](Stream&, Result<std::span<std::byte>> data) {
      if (!data || data->empty()) return;
      EXPECT_EQ(here.clock.now(), 0ns);
      here.timer->start(1h, [&here](Timer&) { here.accepted->write("answer"); });
    }));
  }));
  Nanos answered{-1};
  here.client->connect(*here.server->address(), [&](Socket&, Result<void> connected) {
    ASSERT_TRUE(connected);
    here.client->write("question");
    ASSERT_TRUE(here.client->read_start([&](Stream&, Result<std::span<std::byte>> data) {
      if (!data || data->empty()) return;
      answered = here.clock.now();
      here.client.reset();
      here.accepted.reset();
      here.server.reset();
    }));
  });
  here.loop.run();
  EXPECT_EQ(answered, 1h);
}

TEST(LocalConnections, AConnectionClosedBeforeItsClientIsReportedIsNotAwaited) {
  Exchange here;
  ASSERT_TRUE(here.server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(here.server->listen([&here](Listener&, Result<Fd> fd) {
    ASSERT_TRUE(fd);
    ASSERT_TRUE(here.accepted->open(std::move(*fd)));
    here.accepted.reset();
  }));
  bool has_connected = false;
  here.client->connect(*here.server->address(), [&](Socket&, Result<void> connected) {
    ASSERT_TRUE(connected);
    EXPECT_EQ(here.accepted, nullptr);
    EXPECT_EQ(here.server->awaits(), Awaits::nothing);
    has_connected = true;
    here.client.reset();
    here.server.reset();
  });
  here.loop.run();
  EXPECT_TRUE(has_connected);
}

// Both ends of a Unix socket see the other's actions at once: the order is that of the calls.
TEST(LocalConnections, NET_06_UnixSocketsHaveOneOrder) {
  const std::string name = std::string(1, '\0') + "rondo-wires-" + std::to_string(::getpid());
  const SocketAddress address = *SocketAddress::unix_path(name);
  const ExploreResult result = explore([&address](Loop& loop) {
    std::string order;
    auto server = loop.make<PipeServer>();
    auto client = loop.make<PipeSocket>();
    auto accepted = loop.make<PipeSocket>();
    Immediate immediate(loop);
    EXPECT_TRUE(server->bind(address));
    EXPECT_TRUE(server->listen([&](Listener&, Result<Fd> fd) {
      order += 'a';
      EXPECT_TRUE(accepted->open(std::move(*fd)));
      accepted->write("x");
      server.reset();
    }));
    client->connect(address, [&](Socket&, Result<void> connected) {
      EXPECT_TRUE(connected);
      order += 'c';
      EXPECT_TRUE(client->read_start([&](Stream&, Result<std::span<std::byte>>) {
        order += 'd';
        client.reset();
        accepted.reset();
      }));
    });
    immediate.set([&order] { order += 'i'; });
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.outcomes.size(), 1u);
  EXPECT_EQ(result.outcomes[0].text, "acid");
}

TEST(LocalConnections, AListenerThatWaitsStopsNoClock) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen([](Listener&, Result<Fd>) {}));
  auto timer = loop.make<Timer>();
  timer->start(10h, [&server](Timer&) { server.reset(); });
  loop.run();
  EXPECT_EQ(clock.now(), 10h);
}

TEST(LocalConnections, APeerOutsideIsWaitedForInItsOwnTime) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  auto pipe = loop.make<PipeSocket>();
  ASSERT_TRUE(pipe->open(Fd(ends[0])));
  struct {
    std::string order;
    Nanos heard{0};
    Owned<PipeSocket>* pipe = nullptr;
  } seen;
  seen.pipe = &pipe;
  auto timer = loop.make<Timer>();
  timer->start(1h, [&seen](Timer&) { seen.order += "timer"; });
  ASSERT_TRUE(pipe->read_start([&seen](Stream& stream, Result<std::span<std::byte>> data) {
    if (!data || data->empty()) return;
    seen.heard = stream.loop().clock().now();
    seen.order += "data ";
    seen.pipe->reset();
  }));
  const SleepingLoop sleeping(loop);
  std::thread peer([fd = ends[1], &sleeping] {
    sleeping.await();
    std::this_thread::sleep_for(30ms);
    EXPECT_EQ(::write(fd, "x", 1), 1);
  });
  loop.run();
  peer.join();
  ::close(ends[1]);
  EXPECT_EQ(seen.order, "data timer");
  EXPECT_GE(seen.heard, 29ms);
  EXPECT_LT(seen.heard, 1h);
  EXPECT_EQ(clock.now(), 1h);
}

TEST(LocalConnections, ASilentPeerOutsideDoesNotStopTheClock) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  auto poll = loop.make<Poll>(ends[0]);
  ASSERT_TRUE(poll->start(Poll::kReadable, [](Poll&, Result<uint32_t>) {}));
  auto timer = loop.make<Timer>();
  const Nanos began = RealClock::instance().now();
  timer->start(40ms, [&poll](Timer&) { poll.reset(); });
  loop.run();
  EXPECT_EQ(clock.now(), 40ms);
  EXPECT_GE(RealClock::instance().now() - began, 40ms);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace rondo
