#include "bindings/dns/resolver.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "base/fd.h"

namespace rondo::bindings {
namespace {

// A server that never answers, except in answer().
class Silence {
 public:
  Silence() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const SocketAddress any_port = SocketAddress::loopback();
    EXPECT_EQ(::bind(socket_.get(), any_port.data(), any_port.size()), 0);
  }
  SocketAddress address() const { return *SocketAddress::of_socket(socket_.get()); }
  // The number of queries that have arrived since the last call.
  int received() const {
    int count = 0;
    char byte;
    while (::recv(socket_.get(), &byte, 1, MSG_DONTWAIT) > 0) ++count;
    return count;
  }

  // Waits for a query, and answers it without a record.
  void answer() const {
    std::array<char, 512> message;
    sockaddr_in from{};
    socklen_t size = sizeof from;
    auto* const peer = reinterpret_cast<sockaddr*>(&from);
    const ssize_t count = ::recvfrom(socket_.get(), message.data(), message.size(), 0, peer, &size);
    ASSERT_GT(count, 12);
    message[2] = static_cast<char>(message[2] | 0x80);  // The bit of answers.
    ASSERT_EQ(::sendto(socket_.get(), message.data(), static_cast<size_t>(count), 0, peer, size),
              count);
  }

 private:
  Fd socket_;
};

struct DnsResolverTest : testing::Test {
  Loop loop;
  Silence silence;
  std::optional<DnsResolver> resolver;

  // Without max_timeout_ms, c-ares waits for 250 ms at least and 5 s at most.
  void open(const DnsResolver::Limits& limits) {
    resolver.emplace(loop, limits);
    ASSERT_EQ(resolver->open(), cares::kSuccess);
    ASSERT_EQ(resolver->set_servers({silence.address()}), cares::kSuccess);
  }
  // Lets dropped handles close.
  void TearDown() override {
    resolver.reset();
    while (loop.run_nowait()) {
    }
  }
};

TEST_F(DnsResolverTest, ReportsATimeout) {
  open({.timeout_ms = 20, .tries = 1, .max_timeout_ms = 20});
  int status = -1;
  resolver->query("a.test", 1, [&status](DnsAnswer& answer) { status = answer.status; });
  EXPECT_TRUE(resolver->has_pending());
  loop.run();
  EXPECT_EQ(status, cares::kTimeout);
  EXPECT_FALSE(resolver->has_pending());
}

// These two fail if a member of cares::Options is not where c-ares expects it.
TEST_F(DnsResolverTest, SendsAQueryPerTry) {
  open({.timeout_ms = 10, .tries = 3, .max_timeout_ms = 10});
  int status = -1;
  resolver->query("a.test", 1, [&status](DnsAnswer& answer) { status = answer.status; });
  loop.run();
  EXPECT_EQ(status, cares::kTimeout);
  EXPECT_EQ(silence.received(), 3);
}

TEST_F(DnsResolverTest, LimitsTheTimeoutOfATry) {
  open({.timeout_ms = 60000, .tries = 1, .max_timeout_ms = 20});
  DnsResolver patient(loop, {.timeout_ms = 60000, .tries = 1, .max_timeout_ms = 60000});
  ASSERT_EQ(patient.open(), cares::kSuccess);
  ASSERT_EQ(patient.set_servers({silence.address()}), cares::kSuccess);
  std::vector<int> statuses;
  patient.query("a.test", 1, [&statuses](DnsAnswer& answer) { statuses.push_back(answer.status); });
  resolver->query("a.test", 1, [&statuses, &patient](DnsAnswer& answer) {
    statuses.push_back(answer.status);
    patient.cancel();
  });
  loop.run();
  EXPECT_EQ(statuses, std::vector<int>({cares::kTimeout, cares::kCancelled}));
  EXPECT_EQ(silence.received(), 2);
}

TEST_F(DnsResolverTest, PrefersAnAnswerToATimeoutIfBothAreDue) {
  open({.timeout_ms = 10, .tries = 1, .max_timeout_ms = 10});
  int status = -1;
  resolver->query("a.test", 1, [&status](DnsAnswer& answer) { status = answer.status; });
  silence.answer();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  loop.run();
  EXPECT_EQ(status, cares::kNoData);
}

TEST_F(DnsResolverTest, AnswersLaterEvenIfTheResultIsKnown) {
  open({.timeout_ms = 1000, .tries = 1});
  int status = -1;
  resolver->query("a..test", 1, [&status](DnsAnswer& answer) { status = answer.status; });
  EXPECT_EQ(status, -1);
  loop.run();
  EXPECT_EQ(status, cares::kBadName);
}

TEST_F(DnsResolverTest, CancelsLaterAndAcceptsQueriesFromTheCallback) {
  open({.timeout_ms = 10000, .tries = 1});
  int cancelled = 0;
  int again = -1;
  for (int i = 0; i < 3; ++i) {
    resolver->query("a.test", 1, [this, &cancelled, &again](DnsAnswer& answer) {
      EXPECT_EQ(answer.status, cares::kCancelled);
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
  EXPECT_EQ(again, cares::kCancelled);
}

TEST_F(DnsResolverTest, ForgetsQuestionsWhenItIsFreed) {
  open({.timeout_ms = 10000, .tries = 4});
  bool is_called = false;
  resolver->query("a.test", 1, [&is_called](DnsAnswer&) { is_called = true; });
  loop.run_nowait();
  resolver.reset();
  loop.run();
  EXPECT_FALSE(is_called);
}

TEST_F(DnsResolverTest, KeepsServersWithTheirPorts) {
  open({.timeout_ms = 1000, .tries = 1});
  const std::vector<SocketAddress> servers = {*SocketAddress::ip("127.0.0.1", 53),
                                              *SocketAddress::ip("::1", 5353)};
  ASSERT_EQ(resolver->set_servers(servers), cares::kSuccess);
  EXPECT_EQ(resolver->servers(), servers);
  ASSERT_EQ(resolver->set_servers({}), cares::kSuccess);
  EXPECT_TRUE(resolver->servers().empty());
}

}  // namespace
}  // namespace rondo::bindings
