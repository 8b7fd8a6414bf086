#include "io/udp/awaiters.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/co/when.h"
#include "io/net/awaiters.h"
#include "loop/co/awaiters.h"
#include "loop/co/timeout.h"
#include "support/datagrams.h"
#include "support/faults.h"
#include "support/virtual_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

Task<std::string> receive_text(Udp& socket) {
  std::array<std::byte, 64> buffer;
  Result<Datagram> datagram = co_await socket.receive(buffer);
  co_return datagram ? std::string(text_of(datagram->data)) : datagram.error().name();
}

Task<std::string> ask(Udp& socket, SocketAddress server, std::string question) {
  Result<size_t> sent = co_await socket.send(bytes(question), server);
  if (!sent) co_return sent.error().name();
  co_return co_await receive_text(socket);
}

Task<void> answer(Udp& socket) {
  std::array<std::byte, 64> buffer;
  Result<Datagram> datagram = co_await socket.receive(buffer);
  if (!datagram) co_return;
  const std::string text = "re: " + std::string(text_of(datagram->data));
  (void)co_await socket.send(bytes(text), datagram->from);
}

TEST(CoUdp, SendsAndReceives) {
  Loop loop;
  auto server = bound_udp(loop);
  auto client = loop.make<Udp>();
  loop.spawn(answer(*server));
  EXPECT_EQ(loop.run_task(ask(*client, *server->local_address(), "ping")), "re: ping");
}

TEST(CoUdp, AConnectedSocketNeedsNoAddress) {
  Loop loop;
  BareUdp peer;
  auto socket = loop.make<Udp>();
  ASSERT_TRUE(socket->connect(peer.address()));
  const auto send = [](Udp& on) -> Task<size_t> { co_return *co_await on.send(bytes("hello")); };
  EXPECT_EQ(loop.run_task(send(*socket)), 5u);
  EXPECT_EQ(peer.receive(), "hello ");
}

TEST(CoUdp, UDP_07_ATimeLimitTakesNoRealTime) {
  VirtualLoop here;
  auto server = bound_udp(here.loop);
  const auto limited = [](Udp& socket) -> Task<std::string> {
    const auto wait = [](Udp& on) -> Task<Result<int>> {
      std::array<std::byte, 8> buffer;
      Result<Datagram> datagram = co_await on.receive(buffer);
      if (!datagram) co_return datagram.error();
      co_return 1;
    };
    const Result<int> outcome = co_await with_timeout(1h, wait(socket));
    co_return outcome ? "?" : outcome.error().name();
  };
  EXPECT_EQ(here.loop.run_task(limited(*server)), "ETIMEDOUT");
  EXPECT_EQ(here.clock.now(), 1h);
  // The cancelled receive has taken nothing.
  BareUdp peer;
  peer.send("late", *server->local_address());
  EXPECT_EQ(here.loop.run_task(receive_text(*server)), "late");
}

TEST(CoUdp, ClosingEndsTheWait) {
  Loop loop;
  auto socket = bound_udp(loop);
  Immediate immediate(loop);
  immediate.set([&] { socket->close(); });
  EXPECT_EQ(loop.run_task(receive_text(*socket)), "ECANCELED");
  EXPECT_EQ(loop.run_task(receive_text(*socket)), "ECANCELED");  // Already closed.
  EXPECT_EQ(loop.run_task(ask(*socket, SocketAddress::loopback(9), "x")), "ECANCELED");
}

TEST(CoUdp, AQueuedSendIsCancelled) {
  Loop loop;
  BareUdp peer;
  auto socket = loop.make<Udp>();
  FaultPlan faults;
  faults.fail("sendmsg", EAGAIN, {.times = FaultPlan::kAlways});
  const auto limited = [](Udp& on, SocketAddress to) -> Task<std::string> {
    const auto send = [](Udp& by, SocketAddress address) -> Task<Result<size_t>> {
      co_return co_await by.send(bytes("x"), address);
    };
    const Result<size_t> outcome = co_await with_timeout(1ms, send(on, to));
    co_return outcome ? "?" : outcome.error().name();
  };
  EXPECT_EQ(loop.run_task(limited(*socket, peer.address())), "ETIMEDOUT");
  EXPECT_EQ(socket->queued_count(), 0u);
}

}  // namespace
}  // namespace rondo
