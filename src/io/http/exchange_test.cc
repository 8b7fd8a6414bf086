#include "io/http/exchange.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>

#include "loop/co/awaiters.h"
#include "support/http.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(HttpExchange, HeadAndStatusesWithoutBody) {
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

TEST(HttpExchange, StreamsResponses) {
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

TEST(HttpExchange, HTTP_04_AResponseWaitsForASlowClient) {
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

TEST(HttpExchange, HTTP_04_PipelinedRequestsWaitForASlowClient) {
  HttpTest test;
  size_t calls = 0;
  test.server->on_request([&calls](HttpExchange& exchange) {
    ++calls;
    exchange.respond(200, "", std::string(16 * 1024, 'x'));
  });
  test.listen();
  BarePeer peer = test.connect();
  constexpr size_t kCount = 1500;  // With 24 MiB of responses, more than the kernel takes.
  std::string requests;
  for (size_t i = 0; i < kCount; ++i) requests += kGet;
  peer.send(requests);
  peer.shutdown();
  test.turn(100);
  EXPECT_LT(calls, kCount);
  size_t received = 0;
  for (int i = 0; i < 100000 && calls < kCount; ++i) {
    received += peer.receive().size();
    test.turn(2);
  }
  EXPECT_EQ(calls, kCount);
  for (int i = 0; i < 1000; ++i) {
    received += peer.receive().size();
    test.turn(2);
  }
  EXPECT_GT(received, kCount * 16 * 1024);
  EXPECT_EQ(test.server->connections(), 0u);
}

TEST(HttpExchange, HTTP_04_DrainingIsReportedEvenIfAllWasSentAtOnce) {
  HttpServerOptions options;
  options.high_water = 100;
  HttpTest test(options);
  int drained = 0;
  test.server->on_request([&drained](HttpExchange& exchange) {
    exchange.on_drain([&drained](HttpExchange& self) {
      ++drained;
      self.end();
    });
    exchange.begin(200);
    EXPECT_FALSE(exchange.write(std::string(1000, 'x')));
    EXPECT_EQ(drained, 0);
  });
  test.listen();
  EXPECT_TRUE(test.answer(kGet).ends_with("0\r\n\r\n"));
  EXPECT_EQ(drained, 1);
}

TEST(HttpExchange, HTTP_04_ABodyWaitsForASlowHandler) {
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

TEST(HttpExchange, ExpectContinueIsAnsweredWhenTheBodyIsRead) {
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
  EXPECT_EQ(test.answer("PUT /no HTTP/1.1\r\n" + fields), "HTTP/1.1 403 Forbidden" + kEmptyAnswer);
}

TEST(HttpExchange, ABodyThatNobodyReadsIsDiscarded) {
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

TEST(HttpExchange, HTTP_02_ResponsesCannotBeSplit) {
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

TEST(HttpExchange, HTTP_06_AnAbortIsReportedOnceAndLater) {
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

TEST(HttpExchange, HTTP_07_AnUpgradeHandsOverTheSocket) {
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

// A server of tasks.
Task<void> handle(HttpExchange& exchange) {
  if (exchange.target() == "/nothing") co_return;
  if (exchange.target() == "/whole") {
    Result<std::string> body = co_await exchange.read_whole();
    exchange.respond(200, "", body ? *body : body.error().name());
  } else if (exchange.target() == "/pieces") {
    std::string text;
    for (;;) {
      std::array<std::byte, 3> buffer;
      Result<size_t> size = co_await exchange.read(buffer);
      if (!size || *size == 0) break;
      text.append(reinterpret_cast<const char*>(buffer.data()), *size).append(".");
    }
    exchange.respond(200, "", text);
  } else {
    exchange.begin(200);
    Result<void> sent = co_await exchange.send(std::string(200 * 1024, 'x'));
    if (sent) sent = co_await exchange.send("end");
  }
}

struct TaskTest : HttpTest {
  TaskTest() {
    server->serve(&handle);
    listen();
  }
};

TEST(HttpExchange, HTTP_08_TasksReadBodies) {
  TaskTest test;
  const std::string fields = " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string body = "4\r\nabcd\r\n3\r\nefg\r\n0\r\n\r\n";
  EXPECT_EQ(test.answer("PUT /whole" + fields + body), ok("abcdefg"));
  EXPECT_EQ(test.answer("PUT /pieces" + fields + body), ok("abc.d.efg."));
  EXPECT_EQ(test.answer("PUT /pieces" + fields + "g"), "HTTP/1.1 400 Bad Request" + kEmptyAnswer);
  EXPECT_EQ(test.answer("GET /whole HTTP/1.1\r\nHost: x\r\n\r\n"), ok(""));
  EXPECT_EQ(test.answer("GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n"), ok(""));
  // In pieces, with a request behind the body.
  BarePeer peer = test.connect();
  for (const std::string& target : {std::string("/whole"), std::string("/pieces")}) {
    for (const char c : "PUT " + target + fields + body) {
      peer.send(std::string(1, c));
      test.turn(2);
    }
    test.turn();
    EXPECT_EQ(without_dates(peer.receive()).substr(0, 15), "HTTP/1.1 200 OK") << target;
  }
  EXPECT_EQ(test.server->connections(), 1u);
}

TEST(HttpExchange, HTTP_08_ATaskThatEndsCompletesItsResponse) {
  TaskTest test;
  EXPECT_EQ(test.answer("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"),
            "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
  BarePeer peer = test.connect();
  peer.send(kGet);
  std::string got;
  for (int i = 0; i < 1000 && !got.ends_with("\r\n0\r\n\r\n"); ++i) {
    test.turn(2);
    got += peer.receive();
  }
  EXPECT_TRUE(got.ends_with("\r\n3\r\nend\r\n0\r\n\r\n"));
}

TEST(HttpExchange, HTTP_08_ATaskIsCancelledWithItsClientOrServer) {
  HttpTest test;
  static std::string log;  // For tasks without captures.
  log.clear();
  test.server->serve([](HttpExchange& exchange) -> Task<void> {
    Loop& loop = co_await current_loop();
    const Slept slept = co_await loop.sleep(1h);
    log += slept ? "slept " : std::string(slept.error().name()) + " ";
    if (exchange.is_aborted()) log += "aborted ";
  });
  test.listen();
  BarePeer first = test.connect();
  first.send(kGet);
  BarePeer second = test.connect();
  second.send(kGet);
  test.turn();
  first.reset();
  test.turn();
  EXPECT_EQ(log, "ECANCELED aborted ");
  EXPECT_EQ(test.server->connections(), 1u);
  test.server.reset();
  test.turn();
  EXPECT_EQ(log, "ECANCELED aborted ECANCELED aborted ");
  EXPECT_EQ(second.receive(), "<end>");
}

}  // namespace
}  // namespace rondo
