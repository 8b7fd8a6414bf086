#include "io/http/server.h"

#include <gtest/gtest.h>

#include <string>

#include "support/faults.h"
#include "support/http.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

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
    EXPECT_EQ(test.answer(request), "HTTP/1.1 " + status + kEmptyAnswer) << request;
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
  // Requests that were complete before are answered.
  EXPECT_EQ(test.answer(kGet + "GET / HTTP/1.1\r\n folded: x\r\n\r\n"),
            ok("GET / ") + "HTTP/1.1 400 Bad Request" + kEmptyAnswer);
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
  EXPECT_EQ(without_dates(busy.receive()), "HTTP/1.1 200 OK" + kEmptyAnswer);
  busy.close();
  test.turn();
  EXPECT_TRUE(is_drained);
  EXPECT_FALSE(test.loop.run_nowait());  // Nothing keeps the loop alive.
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
