#include "runtime/export/address.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <string>

namespace rondo::runtime {

namespace {

std::string parsed(std::string_view text) {
  Address address;
  return parse_address(text, &address) ? to_text(address) : "";
}

std::string collector(std::string_view url) {
  Collector result;
  const std::string problem = parse_collector(url, &result);
  return problem.empty() ? to_text(result.address) + " " + result.authority + " " + result.path
                         : "bad: " + problem;
}

TEST(Address, IsAPortOrAHostAndAPort) {
  EXPECT_EQ(parsed("9100"), "127.0.0.1:9100");
  EXPECT_EQ(parsed("0"), "127.0.0.1:0");
  EXPECT_EQ(parsed("65535"), "127.0.0.1:65535");
  EXPECT_EQ(parsed("0.0.0.0:80"), "0.0.0.0:80");
  EXPECT_EQ(parsed("localhost:80"), "localhost:80");
  EXPECT_EQ(parsed("[::1]:9100"), "[::1]:9100");
}

TEST(Address, RefusesAnythingElse) {
  for (const char* const bad :
       {"", "x", "65536", "123456", "-1", " 80", "80 ", "1e3", ":80", "host:", "host:x", "::1:80",
        "[::1]", "[::1:80", "[]:80", "[::1]x:80", "host:65536"}) {
    EXPECT_EQ(parsed(bad), "") << bad;
  }
}

TEST(Collector, HasAUrlWithTheUsualPathAndPort) {
  EXPECT_EQ(collector("http://127.0.0.1:4318"), "127.0.0.1:4318 127.0.0.1:4318 /v1/traces");
  EXPECT_EQ(collector("http://127.0.0.1:4318/"), "127.0.0.1:4318 127.0.0.1:4318 /v1/traces");
  EXPECT_EQ(collector("http://otel/a/b"), "otel:80 otel /a/b");
  EXPECT_EQ(collector("http://[::1]:4318/v1/traces"), "[::1]:4318 [::1]:4318 /v1/traces");
}

TEST(Collector, RefusesOtherUrls) {
  EXPECT_NE(collector("https://otel:4318").find("https is not supported"), std::string::npos);
  for (const char* const bad :
       {"", "otel:4318", "ftp://otel", "http://", "http://:80", "http://otel:0", "http://otel:x",
        "http://otel:70000", "http://user@otel", "http://otel/?a", "http://otel/#a",
        "http://otel/a b", "http://otel/\r\nX: y"}) {
    EXPECT_EQ(collector(bad).substr(0, 4), "bad:") << bad;
  }
}

TEST(ListenOn, ReturnsThePortThatTheKernelChose) {
  uint16_t port = 0;
  Result<Fd> first = listen_on({"127.0.0.1", 0}, &port);
  ASSERT_TRUE(first);
  EXPECT_NE(port, 0);
  uint16_t other = 0;
  Result<Fd> second = listen_on({"127.0.0.1", port}, &other);
  ASSERT_FALSE(second);
  EXPECT_STREQ(second.error().name(), "EADDRINUSE");
}

TEST(ListenOn, FailsForAnAddressOfAnotherMachine) {
  uint16_t port = 0;
  Result<Fd> result = listen_on({"192.0.2.1", 0}, &port);
  ASSERT_FALSE(result);
  EXPECT_STREQ(result.error().name(), "EADDRNOTAVAIL");
}

}  // namespace

}  // namespace rondo::runtime
