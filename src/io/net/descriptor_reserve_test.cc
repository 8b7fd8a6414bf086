#include "io/net/descriptor_reserve.h"

#include <gtest/gtest.h>

#include <memory>

#include "loop/internals.h"
#include "support/echo_server.h"
#include "support/net.h"
#include "support/no_descriptors.h"

namespace rondo {
namespace {

TEST(DescriptorReserve, HoldsADescriptorFromTheStart) {
  Loop loop;
  const DescriptorReserve reserve(loop);
  EXPECT_FALSE(reserve.is_empty());
}

TEST(DescriptorReserve, IsRefilledOnceThereIsAFreeDescriptor) {
  Loop loop;
  NoDescriptors none;
  DescriptorReserve reserve(loop);
  const bool was_empty = reserve.is_empty();
  reserve.refill();
  const bool was_still_empty = reserve.is_empty();
  none.free_one();
  reserve.refill();
  const bool was_refilled = !reserve.is_empty();
  none.free_some();
  EXPECT_TRUE(was_empty);
  EXPECT_TRUE(was_still_empty);
  EXPECT_TRUE(was_refilled);
}

TEST(DescriptorReserve, ShedsNothingIfItIsEmpty) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen([](Listener&, Result<Fd>) {}));
  BarePeer peer = BarePeer::connect(*server->address());
  NoDescriptors none;
  DescriptorReserve reserve(loop);
  const bool has_shed = reserve.shed_connections(server->fd());
  none.free_some();
  EXPECT_FALSE(has_shed);
  EXPECT_EQ(peer.receive(), "");  // Still connected.
}

// The reserve is empty after another thread took the released descriptor, or as here.
TEST(DescriptorReserve, AListenerRefillsItWithItsNextConnection) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  int accepted = 0;
  auto none = std::make_unique<NoDescriptors>();
  const Result<void> listens =
      server->listen([&](Listener&, Result<Fd> fd) { accepted += bool(fd); });
  none.reset();
  ASSERT_TRUE(listens);
  const auto& reserve = loop.internals().service<DescriptorReserve>();
  ASSERT_TRUE(reserve.is_empty());
  BarePeer peer = BarePeer::connect(*server->address());
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 1; }));
  EXPECT_FALSE(reserve.is_empty());
}

TEST(DescriptorReserve, TheNextListenerRefillsIt) {
  Loop loop;
  auto none = std::make_unique<NoDescriptors>();
  const auto& reserve = loop.internals().service<DescriptorReserve>();
  none.reset();
  ASSERT_TRUE(reserve.is_empty());
  const EchoServer server(loop);
  EXPECT_FALSE(reserve.is_empty());
}

}  // namespace
}  // namespace rondo
