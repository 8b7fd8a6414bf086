#include "io/http/connection.h"

#include <gtest/gtest.h>

#include <string>

#include "support/http.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(HttpSending, HTTP_05_ConnectionsEndAsAgreed) {
  HttpTest test;
  test.server->on_request([](HttpExchange& exchange) {
    if (exchange.target() == "/bye") exchange.close_after();
    hello(exchange);
  });
  test.listen();
  const std::string closing =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: "
      "close\r\n\r\nhello<end>";
  EXPECT_EQ(test.answer("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), closing);
  EXPECT_EQ(test.answer("GET / HTTP/1.0\r\n\r\n"), closing);
  EXPECT_EQ(test.answer("GET /bye HTTP/1.1\r\nHost: x\r\n\r\n" + kGet), closing);
  EXPECT_EQ(test.answer("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: "
            "keep-alive\r\n\r\nhello");
  // A client that has ended its side still gets its responses.
  BarePeer peer = test.connect();
  peer.send(kGet + kGet);
  peer.shutdown();
  test.turn();
  EXPECT_EQ(without_dates(peer.receive()), kHello + kHello + "<end>");
  test.turn();
  EXPECT_EQ(test.server->connections(), 0u);
}

TEST(HttpSending, HTTP_03_TimeIsLimited) {
  HttpTest test;
  test.server->on_request(&mirror);
  test.listen();
  BarePeer silent = test.connect();
  BarePeer slow = test.connect();
  BarePeer body = test.connect();
  BarePeer idle = test.connect();
  slow.send("GET / HTTP/1.1\r\nHost:");
  body.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
  idle.send(kGet);
  test.turn();
  EXPECT_EQ(without_dates(idle.receive()), ok("GET / "));
  for (int i = 0; i < 29; ++i) {
    slow.send("x");  // Progress does not extend the limit.
    test.pass(1s);
  }
  EXPECT_EQ(idle.receive(), "<end>");  // After five seconds.
  EXPECT_EQ(silent.receive() + slow.receive(), "");
  test.pass(1100ms);
  EXPECT_EQ(silent.receive(), "<end>");
  const std::string timeout = "HTTP/1.1 408 Request Timeout" + kEmptyAnswer;
  EXPECT_EQ(without_dates(slow.receive()), timeout);
  EXPECT_EQ(body.receive(), "");
  test.pass(271s);
  EXPECT_EQ(without_dates(body.receive()), timeout);
  test.pass(3s);
  EXPECT_EQ(test.server->connections(), 0u);
}

TEST(HttpSending, HTTP_03_AClientThatTakesNothingIsDropped) {
  HttpTest test;
  bool is_aborted = false;
  test.server->on_request([&is_aborted](HttpExchange& exchange) {
    exchange.on_abort([&is_aborted](HttpExchange& self) {
      is_aborted = true;
      self.end();
    });
    exchange.begin(200);
    exchange.write(std::string(16 * 1024 * 1024, 'x'));
  });
  test.listen();
  BarePeer peer = test.connect();
  peer.send(kGet);
  test.turn(100);
  test.pass(59s);
  EXPECT_FALSE(is_aborted);
  test.pass(2s);  // There was progress when the limit began; the next one is without.
  test.pass(61s);
  EXPECT_TRUE(is_aborted);
  EXPECT_EQ(test.server->connections(), 0u);
}

}  // namespace
}  // namespace rondo
