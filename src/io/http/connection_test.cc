#include "io/http/connection.h"

#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <random>
#include <string>

#include "support/http.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

constexpr const char* kPieces[] = {
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n",
    "PUT /pieces HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
    "PUT /whole HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
    "PUT /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n",
    "PUT /whole HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
    "PUT /late HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n",
    "GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET /stream HTTP/1.0\r\n\r\n",
    "HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n",
    "5\r\nabcde\r\n",
    "0\r\n\r\n",
    "abcde",
    "\r\n",
    "\n",
    "zz",
};

std::string random_stream(std::mt19937& random) {
  std::string stream;
  for (unsigned i = random() % 12; i > 0; --i) stream += kPieces[random() % std::size(kPieces)];
  return stream;
}

// Sends the stream in parts, of which time may pass between two, and then ends or resets.
void send_randomly(HttpTest& test, std::mt19937& random, std::string_view stream) {
  BarePeer peer = test.connect();
  while (!stream.empty()) {
    const size_t size = std::min<size_t>(1 + random() % 60, stream.size());
    // The server may have closed the connection.
    (void)::send(peer.fd(), stream.data(), size, MSG_NOSIGNAL | MSG_DONTWAIT);
    stream.remove_prefix(size);
    if (random() % 3 == 0) test.turn(static_cast<int>(random() % 4));
    if (random() % 50 == 0) test.pass(10s);
  }
  if (random() % 2 == 0) test.turn();
  if (random() % 3 == 0) return peer.reset();
  if (random() % 2 == 0) peer.shutdown();
  test.turn();
  (void)peer.receive();
}

void respond_in_one_way_or_another(HttpExchange& exchange, std::vector<HttpExchange*>& late) {
  if (exchange.target() == "/whole") return mirror(exchange);
  if (exchange.target() == "/late") {
    late.push_back(&exchange);
  } else if (exchange.target() == "/stream") {
    exchange.begin(200);
    exchange.write("piece");
    exchange.end();
  } else if (exchange.target() == "/pieces") {
    exchange.begin(200);
    exchange.read([](HttpExchange& self, Result<std::string_view> piece) {
      if (!piece || piece->empty()) return self.end();
      self.write(*piece);
    });
  } else {
    exchange.respond(200);
  }
}

TEST(HttpConnection, RandomStreamsLeaveNothingOpen) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    HttpTest test;
    std::vector<HttpExchange*> late;
    test.server->on_request(
        [&late](HttpExchange& exchange) { respond_in_one_way_or_another(exchange, late); });
    test.listen();
    for (int i = 0; i < 4; ++i) {
      send_randomly(test, random, random_stream(random));
      if (random() % 2 == 0) {
        for (HttpExchange* exchange : std::exchange(late, {})) exchange->respond(200);
      }
    }
    for (int i = 0; i < 20 && test.server->connections() > 0; ++i) {
      for (HttpExchange* exchange : std::exchange(late, {})) exchange->respond(200);
      test.pass(31s);
    }
    EXPECT_EQ(test.server->connections(), 0u);
    for (HttpExchange* exchange : late) exchange->respond(200);
  }
}

Task<void> respond_as_task(HttpExchange& exchange) {
  if (exchange.target() == "/nothing") co_return;
  if (exchange.target() == "/whole") {
    Result<std::string> body = co_await exchange.read_whole();
    if (body) exchange.respond(200, "", *body);
    co_return;
  }
  exchange.begin(200);
  for (;;) {
    std::array<std::byte, 4> buffer;
    Result<size_t> size = co_await exchange.read(buffer);
    if (!size || *size == 0) co_return;
    Result<void> sent = co_await exchange.send("piece");
    if (!sent) co_return;
  }
}

TEST(HttpConnection, RandomStreamsLeaveNoTask) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    HttpTest test;
    test.server->serve(&respond_as_task);
    test.listen();
    for (int i = 0; i < 4; ++i) send_randomly(test, random, random_stream(random));
    for (int i = 0; i < 20 && test.server->connections() > 0; ++i) test.pass(31s);
    EXPECT_EQ(test.server->connections(), 0u);
  }
}

}  // namespace
}  // namespace rondo
