#include "io/http/server.h"

#include <gtest/gtest.h>

#include <string>

#include "io/http/testing.h"
#include "support/faults.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

void hello(HttpExchange& exchange) { exchange.respond(200, "text/plain", "hello"); }
const std::string kHello =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
const std::string kEmpty = "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n<end>";

// Answers with the method, the target and the body.
void mirror(HttpExchange& exchange) {
  exchange.read_whole([](HttpExchange& self, Result<std::string> body) {
    const std::string text = std::string(self.method()) + " " + std::string(self.target()) + " " +
                             (body ? *body : body.error().message());
    self.respond(200, "", text);
  });
}
std::string ok(const std::string& text) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

TEST(HttpServer, HTTP_01_AnswersARequestInOneWrite) {
  HttpTest test;
  test.server->on_request(&hello);
  test.listen();
  BarePeer peer = test.connect();
  test.turn();
  FaultPlan counts;
  peer.send(kGet);
  test.turn();
  EXPECT_EQ(counts.calls("send"), 1u);
  EXPECT_EQ(counts.calls("recv"), 1u);
  EXPECT_EQ(peer.receive(),
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:38 GMT\r\nContent-Type: text/plain\r\n"
            "Content-Length: 5\r\n\r\nhello");
  peer.send(kGet);
  test.turn();
  EXPECT_EQ(without_dates(peer.receive()), kHello);
  EXPECT_EQ(test.server->requests(), 2u);
  EXPECT_EQ(test.server->connections(), 1u);
}

TEST(HttpServer, HTTP_01_PipelinedRequestsAreAnsweredInOrder) {
  HttpTest test;
  test.server->on_request(&mirror);
  test.listen();
  const std::string post =
      "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /c HTTP/1.1\r\nHost: "
      "x\r\n\r\n";
  FaultPlan counts;
  EXPECT_EQ(test.answer("GET /a HTTP/1.1\r\nHost: x\r\n\r\n" + post),
            ok("GET /a ") + ok("POST /b abc") + ok("GET /c "));
}

TEST(HttpServer, HTTP_01_ALateResponseHoldsBackTheNextRequest) {
  HttpTest test;
  std::vector<HttpExchange*> open;
  test.server->on_request([&open](HttpExchange& exchange) { open.push_back(&exchange); });
  test.listen();
  BarePeer peer = test.connect();
  peer.send(kGet + kGet);
  test.turn();
  ASSERT_EQ(open.size(), 1u);
  open[0]->respond(200, "text/plain", "hello");
  EXPECT_EQ(open.size(), 1u);  // Never inside the call.
  test.turn();
  ASSERT_EQ(open.size(), 2u);
  open[1]->respond(404);
  test.turn();
  EXPECT_EQ(without_dates(peer.receive()),
            kHello + "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
}

TEST(HttpServer, EveryByteMayArriveAlone) {
  HttpTest test;
  test.server->on_request(&mirror);
  test.listen();
  BarePeer peer = test.connect();
  FaultPlan faults;
  faults.shorten("recv", 1);
  faults.shorten("send", 1);
  peer.send(
      "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" +
      kGet);
  test.turn(400);
  EXPECT_EQ(without_dates(peer.receive()), ok("POST /b abc") + ok("GET / "));
}

TEST(HttpServer, HeadAndStatusesWithoutBody) {
  HttpTest test;
  test.server->on_request([](HttpExchange& exchange) {
    if (exchange.target() == "/204") return exchange.respond(204, "", "dropped");
    if (exchange.target() == "/stream") {
      exchange.begin(200);
      exchange.write("piece");
      return exchange.end();
    }
    hello(exchange);
  });
  test.listen();
  EXPECT_EQ(test.answer("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" + kGet),
            kHello.substr(0, kHello.size() - 5) + kHello);
  EXPECT_EQ(test.answer("HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(test.answer("GET /204 HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST(HttpServer, HTTP_05_ConnectionsEndAsAgreed) {
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

TEST(HttpServer, StreamsResponses) {
  HttpTest test;
  test.server->on_request([](HttpExchange& exchange) {
    if (exchange.target() == "/length") {
      exchange.begin(200, 4);
    } else {
      exchange.begin(200);
    }
    exchange.write("ab");
    exchange.write("");
    exchange.write("cd");
    exchange.end();
  });
  test.listen();
  EXPECT_EQ(test.answer(kGet),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n");
  EXPECT_EQ(test.answer("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcd<end>");
  EXPECT_EQ(test.answer("GET /length HTTP/1.1\r\nHost: x\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd");
}

TEST(HttpServer, HTTP_04_AResponseWaitsForASlowClient) {
  HttpTest test;
  size_t written = 0;
  size_t drained = 0;
  const std::string piece(16 * 1024, 'x');
  constexpr size_t kSize = 16 * 1024 * 1024;
  std::function<void(HttpExchange&)> send = [&](HttpExchange& exchange) {
    while (written < kSize) {
      written += piece.size();
      if (!exchange.write(piece)) return;
    }
    exchange.end();
  };
  test.server->on_request([&](HttpExchange& exchange) {
    exchange.on_drain([&](HttpExchange& self) {
      ++drained;
      send(self);
    });
    exchange.begin(200, kSize);
    send(exchange);
  });
  test.listen();
  BarePeer peer = test.connect();
  peer.send(kGet);
  test.turn(100);
  EXPECT_LT(written, kSize);
  EXPECT_EQ(test.loop.active_handles(), 2u);
  size_t received = 0;
  for (int i = 0; i < 100000 && received < kSize; ++i) {
    received += peer.receive().size();
    test.turn(2);
  }
  EXPECT_GT(received, kSize);
  EXPECT_GT(drained, 2u);
}

TEST(HttpServer, HTTP_04_ABodyWaitsForASlowHandler) {
  HttpTest test;
  size_t received = 0;
  HttpExchange* exchange = nullptr;
  test.server->on_request([&](HttpExchange& opened) {
    exchange = &opened;
    opened.read([&received](HttpExchange& self, Result<std::string_view> piece) {
      ASSERT_TRUE(piece);
      received += piece->size();
      if (piece->empty()) return self.respond(200);
      self.pause();
    });
  });
  test.listen();
  BarePeer peer = test.connect();
  constexpr size_t kSize = 12 * 1024 * 1024;
  peer.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(kSize) + "\r\n\r\n");
  const std::string part(64 * 1024, 'x');
  size_t sent = 0;
  const auto send_some = [&] {
    while (sent < kSize) {
      const ssize_t count = ::send(peer.fd(), part.data(), std::min(part.size(), kSize - sent),
                                   MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<size_t>(count);
    }
  };
  for (int i = 0; i < 100; ++i) {
    send_some();
    test.turn(2);
  }
  EXPECT_LT(sent, kSize);
  EXPECT_LE(received, 64u * 1024);
  for (int i = 0; i < 100000 && received < kSize; ++i) {
    exchange->resume();
    send_some();
    test.turn(2);
  }
  EXPECT_EQ(received, kSize);
  exchange->resume();
  test.turn();
  EXPECT_EQ(without_dates(peer.receive()), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
}

TEST(HttpServer, ExpectContinueIsAnsweredWhenTheBodyIsRead) {
  HttpTest test;
  test.server->on_request([](HttpExchange& exchange) {
    if (exchange.target() == "/no") return exchange.respond(403);
    mirror(exchange);
  });
  test.listen();
  const std::string fields = "Host: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
  BarePeer peer = test.connect();
  peer.send("PUT / HTTP/1.1\r\n" + fields);
  test.turn();
  EXPECT_EQ(peer.receive(), "HTTP/1.1 100 Continue\r\n\r\n");
  peer.send("abc");
  test.turn();
  EXPECT_EQ(without_dates(peer.receive()), ok("PUT / abc"));
  EXPECT_EQ(test.answer("PUT /no HTTP/1.1\r\n" + fields), "HTTP/1.1 403 Forbidden" + kEmpty);
}

TEST(HttpServer, ABodyThatNobodyReadsIsDiscarded) {
  HttpTest test;
  test.server->on_request(&hello);
  test.listen();
  EXPECT_EQ(test.answer("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" + kGet),
            kHello + kHello);
  // Too much of it ends the connection, but not before the response could be read.
  BarePeer peer = test.connect();
  peer.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n" +
            std::string(300000, 'x'));
  test.turn();
  EXPECT_EQ(without_dates(peer.receive()), kHello + "<end>");
}

TEST(HttpServer, HTTP_02_MalformedRequestsAreRefused) {
  HttpTest test;
  HttpServerOptions options;
  size_t calls = 0;
  test.server->on_request([&calls](HttpExchange& exchange) {
    ++calls;
    mirror(exchange);
  });
  test.listen();
  const auto refused = [&](std::string_view request, const std::string& status) {
    EXPECT_EQ(test.answer(request), "HTTP/1.1 " + status + kEmpty) << request;
  };
  const std::string host = " HTTP/1.1\r\nHost: x\r\n";
  refused("GET /\r\n\r\n", "400 Bad Request");
  refused("GET / HTTP/1.1\n\n", "400 Bad Request");
  refused("GET / HTTP/1.1\r\n\r\n", "400 Bad Request");
  refused("POST /" + host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          "400 Bad Request");
  refused("POST /" + host + "Transfer-Encoding: gzip\r\n\r\n", "501 Not Implemented");
  refused("GET / HTTP/2.0\r\n\r\n", "505 HTTP Version Not Supported");
  refused("GET /" + std::string(9000, 'a') + host + "\r\n", "414 URI Too Long");
  refused("GET /" + host + "A: " + std::string(17000, 'a') + "\r\n\r\n",
          "431 Request Header Fields Too Large");
  refused("PUT /" + host + "Content-Length: 99999999\r\n\r\n", "413 Content Too Large");
  refused("PUT /" + host + "Expect: miracles\r\n\r\n", "417 Expectation Failed");
  EXPECT_EQ(calls, 0u);
  // In the middle of a body: the handler gets an error, and its answer is dropped.
  refused("PUT /" + host + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "400 Bad Request");
  EXPECT_EQ(calls, 1u);
  // What was complete before is answered.
  EXPECT_EQ(test.answer(kGet + "GET / HTTP/1.1\r\n folded: x\r\n\r\n"),
            ok("GET / ") + "HTTP/1.1 400 Bad Request" + kEmpty);
}

TEST(HttpServer, HTTP_02_ResponsesCannotBeSplit) {
  HttpTest test;
  test.server->on_request([](HttpExchange& exchange) {
    exchange.set("X-Good", "yes");
    if (exchange.target() == "/value") exchange.set("X", "a\r\nSet-Cookie: b");
    if (exchange.target() == "/name") exchange.set("X: a\r\nY", "b");
    if (exchange.target() == "/length") exchange.set("content-length", "1");
    hello(exchange);
  });
  test.listen();
  for (const char* target : {"/value", "/name", "/length"}) {
    EXPECT_EQ(test.answer("GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
              "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
  }
  EXPECT_NE(test.answer(kGet).find("X-Good: yes\r\n"), std::string::npos);
}

TEST(HttpServer, HTTP_03_TimeIsLimited) {
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
  const std::string timeout = "HTTP/1.1 408 Request Timeout" + kEmpty;
  EXPECT_EQ(without_dates(slow.receive()), timeout);
  EXPECT_EQ(body.receive(), "");
  test.pass(271s);
  EXPECT_EQ(without_dates(body.receive()), timeout);
  test.pass(3s);
  EXPECT_EQ(test.server->connections(), 0u);
}

TEST(HttpServer, HTTP_03_AClientThatTakesNothingIsDropped) {
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

TEST(HttpServer, HTTP_03_ConnectionsAreLimited) {
  HttpServerOptions options;
  options.connections = 2;
  HttpTest test(options);
  test.server->on_request(&hello);
  test.listen();
  BarePeer first = test.connect();
  BarePeer second = test.connect();
  BarePeer third = test.connect();
  third.send(kGet);
  test.turn();
  EXPECT_EQ(test.server->connections(), 2u);
  EXPECT_EQ(third.receive(), "");
  first.close();
  test.turn();
  EXPECT_EQ(without_dates(third.receive()), kHello);
}

TEST(HttpServer, HTTP_06_AnAbortIsReportedOnceAndLater) {
  HttpTest test;
  std::string log;
  std::vector<HttpExchange*> open;
  test.server->on_request([&](HttpExchange& exchange) {
    open.push_back(&exchange);
    exchange.on_abort([&log](HttpExchange& self) {
      log += "abort ";
      self.respond(200, "", "dropped");
    });
    if (exchange.target() == "/read") {
      exchange.read_whole([&log](HttpExchange& self, Result<std::string> body) {
        log += std::string(body.error().name()) + " ";
        self.end();
      });
    }
  });
  test.listen();
  BarePeer waiting = test.connect();
  waiting.send(kGet);
  BarePeer reading = test.connect();
  reading.send("PUT /read HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
  test.turn();
  ASSERT_EQ(open.size(), 2u);
  waiting.reset();
  test.turn();
  EXPECT_EQ(log, "abort ");
  reading.close();
  test.turn();
  EXPECT_EQ(log, "abort ECONNRESET ");
  EXPECT_EQ(test.server->connections(), 0u);
}

TEST(HttpServer, HTTP_06_ClosingEndsEverythingButOpenExchanges) {
  HttpTest test;
  HttpExchange* open = nullptr;
  test.server->on_request([&open](HttpExchange& exchange) { open = &exchange; });
  test.listen();
  BarePeer peer = test.connect();
  peer.send(kGet);
  test.turn();
  ASSERT_NE(open, nullptr);
  test.server.reset();
  test.turn();
  EXPECT_EQ(peer.receive(), "<end>");
  EXPECT_TRUE(open->is_aborted());
  EXPECT_EQ(open->target(), "/");
  open->respond(200);  // Frees it.
}

TEST(HttpServer, HTTP_05_DrainingFinishesWhatHasBegun) {
  HttpTest test;
  HttpExchange* open = nullptr;
  bool is_drained = false;
  test.server->on_request([&open](HttpExchange& exchange) { open = &exchange; });
  test.listen();
  BarePeer idle = test.connect();
  BarePeer busy = test.connect();
  busy.send(kGet);
  test.turn();
  test.server->drain([&is_drained](HttpServer&) { is_drained = true; });
  test.turn();
  EXPECT_EQ(idle.receive(), "<end>");
  EXPECT_FALSE(is_drained);
  open->respond(200);
  test.turn();
  EXPECT_EQ(without_dates(busy.receive()), "HTTP/1.1 200 OK" + kEmpty);
  busy.close();
  test.turn();
  EXPECT_TRUE(is_drained);
  EXPECT_FALSE(test.loop.run_nowait());  // Nothing keeps the loop alive.
}

TEST(HttpServer, HTTP_07_AnUpgradeHandsOverTheSocket) {
  HttpTest test;
  Owned<Socket> socket;
  std::string got;
  int refused = 0;
  test.server->on_request([&](HttpExchange& exchange) {
    exchange.set("Upgrade", "echo");
    Result<HttpUpgrade> upgraded = exchange.upgrade();
    if (!upgraded) {
      refused = upgraded.error().code;
      return exchange.respond(400);
    }
    got = upgraded->early;
    socket = std::move(upgraded->socket);
    ASSERT_TRUE(socket->read_start(into(got)));
  });
  test.listen();
  BarePeer peer = test.connect();
  peer.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nearly");
  test.turn();
  EXPECT_EQ(without_dates(peer.receive()),
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n");
  peer.send(" late");
  test.turn();
  EXPECT_EQ(got, "early late");
  EXPECT_EQ(test.server->connections(), 0u);
  EXPECT_NE(test.answer(kGet).find("400"), std::string::npos);
  EXPECT_EQ(refused, EINVAL);
  socket.reset();
}

TEST(HttpServer, ServesUnixSockets) {
  TempDir dir;
  HttpTest test;
  test.server->on_request(&hello);
  const SocketAddress address = *SocketAddress::unix_path(dir.path() + "/http.sock");
  ASSERT_TRUE(test.server->listen(address));
  BarePeer peer = BarePeer::connect(address);
  peer.send(kGet);
  test.turn();
  EXPECT_EQ(without_dates(peer.receive()), kHello);
}

TEST(HttpServer, ListenReportsErrors) {
  HttpTest test;
  test.server->on_request(&hello);
  test.listen();
  EXPECT_EQ(test.server->listen(SocketAddress::loopback()).error().code, EINVAL);
  auto second = test.loop.make<HttpServer>();
  second->on_request(&hello);
  EXPECT_EQ(second->listen(*test.server->address()).error().code, EADDRINUSE);
  EXPECT_EQ(second->address().error().code, EINVAL);
}

}  // namespace
}  // namespace rondo
