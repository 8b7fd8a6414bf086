// For tests of HTTP: a server on a loop and bare clients.
#pragma once

#include <gtest/gtest.h>
#include <netinet/tcp.h>

#include <string>

#include "io/http/server.h"
#include "loop/loop.h"
#include "support/net.h"

namespace rondo {

// A clock that only the test moves.
struct SteppedClock final : Clock {
  Nanos now() const override { return instant; }
  Nanos wall() const override { return std::chrono::seconds{784111777} + instant; }
  Nanos instant{std::chrono::seconds{1}};
};

inline std::string without_dates(std::string text) {
  for (size_t at; (at = text.find("Date: ")) != std::string::npos;) {
    text.erase(at, text.find("\r\n", at) + 2 - at);
  }
  return text;
}

struct HttpTest {
  explicit HttpTest(HttpServerOptions options = {})
      : loop(LoopOptions{.clock = &clock}), server(loop.make<HttpServer>(options)) {}
  ~HttpTest() {
    server.reset();
    turn();
  }

  void listen() { ASSERT_TRUE(server->listen(SocketAddress::loopback())); }
  // Without Nagle's algorithm, which would hold back small pieces for real time.
  BarePeer connect() {
    BarePeer peer = BarePeer::connect(*server->address());
    const int on = 1;
    EXPECT_EQ(::setsockopt(peer.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
    return peer;
  }
  // Enough turns for everything that has been sent.
  void turn(int turns = 20) {
    for (int i = 0; i < turns; ++i) loop.run_nowait();
  }
  void pass(Nanos time) {
    clock.instant += time;
    turn();
  }
  // The answer to one request on a connection of its own.
  std::string answer(std::string_view request) {
    BarePeer peer = connect();
    peer.send(request);
    turn();
    return without_dates(peer.receive());
  }

  SteppedClock clock;
  Loop loop;
  Owned<HttpServer> server;
};

inline const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

inline void hello(HttpExchange& exchange) { exchange.respond(200, "text/plain", "hello"); }
inline const std::string kHello =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
inline const std::string kEmptyAnswer = "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n<end>";

// Answers with the method, the target and the body.
inline void mirror(HttpExchange& exchange) {
  exchange.read_whole([](HttpExchange& self, Result<std::string> body) {
    const std::string text = std::string(self.method()) + " " + std::string(self.target()) + " " +
                             (body ? *body : body.error().message());
    self.respond(200, "", text);
  });
}
inline std::string ok(const std::string& text) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

}  // namespace rondo
