#include "bindings/dns/resolver.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>

#include "base/fd.h"

namespace rondo::bindings {
namespace {

// A server that never answers.
class Silence {
 public:
  Silence() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const SocketAddress any_port = SocketAddress::loopback();
    EXPECT_EQ(::bind(socket_.get(), any_port.data(), any_port.size()), 0);
  }
  SocketAddress address() const { return *SocketAddress::of_socket(socket_.get()); }

 private:
  Fd socket_;
};

struct DnsResolverTest : testing::Test {
  Loop loop;
  Silence silence;
  std::optional<DnsResolver> resolver;

  void open(int timeout_ms, int tries) {
    resolver.emplace(loop, timeout_ms, tries);
    ASSERT_EQ(resolver->open(), ARES_SUCCESS);
    ASSERT_EQ(resolver->set_servers({silence.address()}), ARES_SUCCESS);
  }
  // Lets dropped handles close.
  void TearDown() override {
    resolver.reset();
    while (loop.run_nowait()) {
    }
  }
};

TEST_F(DnsResolverTest, ReportsATimeout) {
  open(20, 1);
  int status = -1;
  resolver->query("a.test", 1, [&status](DnsAnswer& answer) { status = answer.status; });
  EXPECT_TRUE(resolver->has_pending());
  loop.run();
  EXPECT_EQ(status, ARES_ETIMEOUT);
  EXPECT_FALSE(resolver->has_pending());
}

TEST_F(DnsResolverTest, AnswersLaterEvenIfTheResultIsKnown) {
  open(1000, 1);
  int status = -1;
  resolver->query("a..test", 1, [&status](DnsAnswer& answer) { status = answer.status; });
  EXPECT_EQ(status, -1);
  loop.run();
  EXPECT_EQ(status, ARES_EBADNAME);
}

TEST_F(DnsResolverTest, CancelsLaterAndAcceptsQueriesFromTheCallback) {
  open(10000, 1);
  int cancelled = 0;
  int again = -1;
  for (int i = 0; i < 3; ++i) {
    resolver->query("a.test", 1, [this, &cancelled, &again](DnsAnswer& answer) {
      EXPECT_EQ(answer.status, ARES_ECANCELLED);
      if (++cancelled < 3) return;
      resolver->query("b.test", 1, [&again](DnsAnswer& last) { again = last.status; });
      resolver->cancel();
      EXPECT_EQ(again, -1);
    });
  }
  resolver->cancel();
  EXPECT_EQ(cancelled, 0);
  loop.run();
  EXPECT_EQ(cancelled, 3);
  EXPECT_EQ(again, ARES_ECANCELLED);
}

TEST_F(DnsResolverTest, ForgetsQuestionsWhenItIsFreed) {
  open(10000, 4);
  bool is_told = false;
  resolver->query("a.test", 1, [&is_told](DnsAnswer&) { is_told = true; });
  loop.run_nowait();
  resolver.reset();
  loop.run();
  EXPECT_FALSE(is_told);
}

TEST_F(DnsResolverTest, KeepsServersWithTheirPorts) {
  open(1000, 1);
  const std::vector<SocketAddress> servers = {*SocketAddress::ip("127.0.0.1", 53),
                                              *SocketAddress::ip("::1", 5353)};
  ASSERT_EQ(resolver->set_servers(servers), ARES_SUCCESS);
  EXPECT_EQ(resolver->servers(), servers);
  ASSERT_EQ(resolver->set_servers({}), ARES_SUCCESS);
  EXPECT_TRUE(resolver->servers().empty());
}

}  // namespace
}  // namespace rondo::bindings
