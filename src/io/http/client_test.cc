#include "io/http/client.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "io/net/pipe.h"
#include "loop/co/awaiters.h"
#include "loop/co/timeout.h"
#include "support/http.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A client with a real server that mirrors requests.
struct ClientTest : HttpTest {
  explicit ClientTest(HttpClientOptions options = {}) : client(loop.make<HttpClient>(options)) {
    server->on_request([](HttpExchange& exchange) {
      if (exchange.target() == "/close") exchange.close_after();
      if (exchange.target() == "/stream") {
        exchange.begin(200);
        exchange.write("one ");
        exchange.write("two");
        return exchange.end();
      }
      mirror(exchange);
    });
    listen();
  }
  ~ClientTest() { client.reset(); }

  std::string url(const std::string& target = "/") const {
    return "http://" + server->address()->to_string() + target;
  }
  // Status and body, or the error.
  std::string fetch(HttpRequest request) {
    HttpCall call(*client);
    std::string text;
    call.start(std::move(request), [&text](HttpCall& self, Result<void> done) {
      text = done ? std::to_string(self.status()) + " " + self.body() : done.error().message();
    });
    EXPECT_EQ(text, "");  // Never inside start().
    turn(200);
    return text;
  }

  Owned<HttpClient> client;
};

HttpRequest over_unix(std::string url, std::string path) {
  HttpRequest request(std::move(url));
  request.unix_path = std::move(path);
  return request;
}

// A server of the test's own bytes.
struct BareServer {
  explicit BareServer(Loop& loop) : listener(loop.make<TcpServer>()) {
    EXPECT_TRUE(listener->bind(SocketAddress::loopback()));
    EXPECT_TRUE(listener->listen(
        [this](Listener&, Result<Fd> connection) { peers.emplace_back(std::move(*connection)); }));
  }
  std::string url() const { return "http://" + listener->address()->to_string() + "/"; }

  Owned<TcpServer> listener;
  std::vector<BarePeer> peers;
};

struct BareTest : HttpTest {
  BareTest() : client(loop.make<HttpClient>()), bare(loop) {}
  ~BareTest() {
    client.reset();
    bare.listener.reset();
  }
  // The outcome of a request that gets this answer, after which the server ends the connection.
  std::string outcome(std::string_view answer, bool ends = true, std::string method = "GET") {
    HttpCall call(*client);
    std::string text;
    call.start(
        HttpRequest(bare.url(), std::move(method)), [&text](HttpCall& self, Result<void> done) {
          text = done ? std::to_string(self.status()) + " " + self.body() : done.error().name();
        });
    turn();
    bare.peers.back().send(answer);
    if (ends) bare.peers.back().shutdown();
    turn();
    return text;
  }

  Owned<HttpClient> client;
  BareServer bare;
};

TEST(HttpClient, HTTP_09_KeepsConnectionsForTheNextCall) {
  ClientTest test;
  EXPECT_EQ(test.fetch(HttpRequest(test.url("/a?b"))), "200 GET /a?b ");
  EXPECT_EQ(test.fetch(HttpRequest(test.url(), "POST", "text")), "200 POST / text");
  EXPECT_EQ(test.fetch(HttpRequest(test.url("/stream#x"))), "200 one two");
  EXPECT_EQ(test.fetch(HttpRequest(test.url(), "HEAD")), "200 ");
  EXPECT_EQ(test.server->connections(), 1u);
  EXPECT_EQ(test.client->idle_connections(), 1u);
  EXPECT_EQ(test.fetch(HttpRequest(test.url("/close"))), "200 GET /close ");
  EXPECT_EQ(test.client->idle_connections(), 0u);
  EXPECT_EQ(test.fetch(HttpRequest(test.url())), "200 GET / ");
  test.pass(4s);
  EXPECT_EQ(test.client->idle_connections(), 0u);
  EXPECT_EQ(test.server->connections(), 0u);
}

TEST(HttpClient, HTTP_09_CallsWaitWhileThereAreTooManyConnections) {
  HttpClientOptions options;
  options.connections = 2;
  ClientTest test(options);
  std::vector<std::unique_ptr<HttpCall>> calls;
  size_t done = 0;
  for (int i = 0; i < 7; ++i) {
    calls.push_back(std::make_unique<HttpCall>(*test.client));
    calls.back()->start(HttpRequest(test.url()), [&done](HttpCall&, Result<void> outcome) {
      EXPECT_TRUE(outcome);
      ++done;
    });
  }
  size_t most = 0;
  for (int i = 0; i < 100; ++i) {
    test.turn(1);
    most = std::max(most, test.server->connections());
  }
  EXPECT_EQ(done, 7u);
  EXPECT_EQ(most, 2u);
}

TEST(HttpClient, BadRequestsAreReportedByTheCallback) {
  ClientTest test;
  EXPECT_EQ(test.fetch(HttpRequest("https://x/")),
            "http url: Protocol not supported (EPROTONOSUPPORT)");
  EXPECT_EQ(test.fetch(HttpRequest("x")), "http url: Invalid argument (EINVAL)");
  EXPECT_EQ(test.fetch(HttpRequest(test.url(), "A B")), "http method: Invalid argument (EINVAL)");
  EXPECT_EQ(test.fetch(HttpRequest(test.url(), "CONNECT")),
            "http method: Invalid argument (EINVAL)");
  HttpRequest request;
  EXPECT_TRUE(request.set("A", "b"));
  for (const char* name : {"host", "Content-Length", "transfer-encoding", "a b", ""}) {
    EXPECT_FALSE(request.set(name, "x")) << name;
  }
  EXPECT_FALSE(request.set("B", "c\r\nD: e"));
  EXPECT_EQ(request.fields, "A: b\r\n");
}

TEST(HttpClient, ConnectErrorsAreReported) {
  ClientTest test;
  const std::string url = test.url();
  test.server.reset();
  test.turn();
  EXPECT_EQ(test.fetch(HttpRequest(url)), "connect: Connection refused (ECONNREFUSED)");
  EXPECT_EQ(test.fetch(over_unix("http://x/", "/nonexistent/socket")),
            "connect: No such file or directory (ENOENT)");
  EXPECT_NE(test.fetch(over_unix("http://x/", std::string(200, 'x'))), "");
}

TEST(HttpClient, HTTP_02_IncompleteAndMalformedResponsesAreErrors) {
  BareTest test;
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(test.outcome(ok + "Content-Length: 2\r\n\r\nhi", false), "200 hi");
  EXPECT_EQ(test.bare.peers.back().receive().substr(0, 22), "GET / HTTP/1.1\r\nHost: ");
  test.pass(4s);
  EXPECT_EQ(test.outcome(ok + "\r\nto the end"), "200 to the end");
  EXPECT_EQ(test.outcome("HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 1\r\n\r\nx"),
            "200 x");
  EXPECT_EQ(test.outcome("HTTP/1.1 103 Early Hints\r\n\r\n" + ok + "Content-Length: 9\r\n\r\n",
                         true, "HEAD"),
            "200 ");
  EXPECT_EQ(test.outcome(ok + "Content-Length: 3\r\n\r\nhi"), "ECONNRESET");
  EXPECT_EQ(test.outcome(ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n"), "ECONNRESET");
  EXPECT_EQ(test.outcome(ok), "ECONNRESET");
  EXPECT_EQ(test.outcome(""), "ECONNRESET");
  EXPECT_EQ(test.outcome("HTTP/2 200 OK\r\n\r\n"), "EPROTO");
  EXPECT_EQ(test.outcome("\n\n"), "EPROTO");
  EXPECT_EQ(test.outcome("HTTP/1.1 101 Now\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
            "EPROTO");
  EXPECT_EQ(test.outcome(ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            "EPROTO");
  EXPECT_EQ(test.outcome(ok + "Content-Length: 99999999999\r\n\r\n"), "EMSGSIZE");
  EXPECT_EQ(test.outcome(ok + "A: " + std::string(20000, 'a')), "EMSGSIZE");
  EXPECT_EQ(test.client->idle_connections(), 0u);
  // A second response that was not asked for ends the connection.
  EXPECT_EQ(test.outcome(ok + "Content-Length: 0\r\n\r\n" + ok, false), "200 ");
  EXPECT_EQ(test.client->idle_connections(), 0u);
}

TEST(HttpClient, HTTP_10_ACallOnAStaleConnectionIsRepeatedOnce) {
  BareTest test;
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx";
  EXPECT_EQ(test.outcome(answer, false), "200 x");
  HttpCall call(*test.client);
  std::string log;
  call.start(HttpRequest(test.bare.url()), [&log](HttpCall& self, Result<void> done) {
    log += done ? self.body() : done.error().name();
  });
  test.bare.peers.back().reset();  // Before it has seen the request.
  test.turn();
  ASSERT_EQ(test.bare.peers.size(), 2u);
  EXPECT_EQ(log, "");
  test.bare.peers.back().send(answer);
  test.turn();
  EXPECT_EQ(log, "x");
  // A method that is not idempotent is not repeated.
  call.start(HttpRequest(test.bare.url(), "POST"),
             [&log](HttpCall&, Result<void> done) { log += done ? " ok" : " failed"; });
  test.bare.peers.back().reset();
  test.turn();
  EXPECT_EQ(log, "x failed");
}

TEST(HttpClient, HTTP_03_TimeIsLimited) {
  BareTest test;
  HttpCall call(*test.client);
  std::string error;
  const auto start = [&] {
    error.clear();
    call.start(HttpRequest(test.bare.url()),
               [&error](HttpCall&, Result<void> done) { error = done.error().message(); });
    test.turn();
  };
  start();
  test.pass(59s);
  EXPECT_EQ(error, "");
  test.pass(2s);
  EXPECT_EQ(error, "http response: Connection timed out (ETIMEDOUT)");
  start();
  test.bare.peers.back().send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na");
  test.turn();
  test.pass(59s);
  test.bare.peers.back().send("b");
  test.turn();
  test.pass(59s);
  EXPECT_EQ(error, "");
  test.pass(2s);
  EXPECT_EQ(error, "http body: Connection timed out (ETIMEDOUT)");
}

TEST(HttpClient, HTTP_04_StreamsBothWaysWithBackPressure) {
  ClientTest test;
  constexpr size_t kSize = 12 * 1024 * 1024;
  HttpCall call(*test.client);
  const std::string piece(32 * 1024, 'x');
  size_t written = 0;
  size_t received = 0;
  bool is_done = false;
  const auto send = [&] {
    while (written < kSize) {
      written += piece.size();
      if (!call.write(piece)) return;
    }
    call.end();
  };
  call.on_drain([&](HttpCall&) { send(); });
  call.on_body([&](HttpCall& self, std::string_view part) {
    received += part.size();
    self.pause();
  });
  HttpRequest request(test.url(), "PUT");
  request.streams_body = true;
  call.start(std::move(request), [&](HttpCall&, Result<void> done) { is_done = done.has_value(); });
  send();
  EXPECT_LT(written, kSize);
  test.turn(2000);
  EXPECT_EQ(written, kSize);
  EXPECT_EQ(call.status(), 200);
  EXPECT_LE(received, 64u * 1024);  // The rest waits in the server and the kernel.
  for (int i = 0; i < 100000 && !is_done; ++i) {
    call.resume();
    test.turn(1);
  }
  EXPECT_TRUE(is_done);
  EXPECT_EQ(received, kSize + 6);
  EXPECT_EQ(call.body(), "");
}

TEST(HttpClient, CancellingEndsACall) {
  BareTest test;
  HttpCall call(*test.client);
  EXPECT_EQ(call.cancel().error().code, EBUSY);
  std::string log;
  call.start(HttpRequest(test.bare.url()),
             [&log](HttpCall&, Result<void> done) { log += done.error().name(); });
  test.turn();
  EXPECT_TRUE(call.cancel());
  EXPECT_EQ(call.cancel().error().code, EBUSY);
  EXPECT_EQ(log, "");
  test.turn();
  EXPECT_EQ(log, "ECANCELED");
  {
    HttpCall dropped(*test.client);
    dropped.start(HttpRequest(test.bare.url()),
                  [&log](HttpCall&, Result<void>) { log += " never"; });
    test.turn(3);
  }
  call.start(HttpRequest(test.bare.url()), [&log](HttpCall&, Result<void> done) {
    log += std::string(" ") + done.error().name();
  });
  test.turn(3);
  test.client.reset();
  test.turn();
  EXPECT_EQ(log, "ECANCELED ECANCELED");
}

Task<std::string> fetch_text(HttpClient& client, std::string url) {
  HttpRequest request;
  request.url = std::move(url);
  Result<HttpResponse> response = co_await client.fetch(std::move(request));
  co_return response ? response->body : response.error().name();
}

Task<std::string> stream_text(HttpClient& client, std::string url) {
  HttpCall call(client);
  HttpRequest request;
  request.url = std::move(url);
  request.method = "PUT";
  request.streams_body = true;
  Result<void> opened = co_await call.open(std::move(request));
  for (int i = 0; i < 3 && opened; ++i) opened = co_await call.send("piece ");
  call.end();
  if (opened) opened = co_await call.wait_for_head();
  if (!opened) co_return opened.error().name();
  std::string text = std::to_string(call.status()) + " ";
  for (;;) {
    std::array<std::byte, 5> buffer;
    Result<size_t> size = co_await call.read(buffer);
    if (!size) co_return size.error().name();
    if (*size == 0) co_return text;
    text.append(reinterpret_cast<const char*>(buffer.data()), *size);
  }
}

TEST(HttpClient, HTTP_08_TasksFetchAndStream) {
  Loop loop;
  auto server = loop.make<HttpServer>();
  server->on_request(&mirror);
  ASSERT_TRUE(server->listen(SocketAddress::loopback()));
  auto client = loop.make<HttpClient>();
  const std::string url = "http://" + server->address()->to_string() + "/x";
  EXPECT_EQ(loop.run_task(fetch_text(*client, url)), "GET /x ");
  EXPECT_EQ(loop.run_task(stream_text(*client, url)), "200 PUT /x piece piece piece ");
  EXPECT_EQ(loop.run_task(fetch_text(
                *client, "http://localhost:" + std::to_string(server->address()->port()) + "/")),
            "GET / ");
  EXPECT_EQ(loop.run_task(fetch_text(*client, "http://name.invalid/")).substr(0, 4), "EAI_");
  client.reset();
  server.reset();
  loop.run();
}

TEST(HttpClient, HTTP_08_ATimeLimitCancelsAFetch) {
  Loop loop;
  BareServer bare(loop);
  auto client = loop.make<HttpClient>();
  const auto limited = [](HttpClient& with, std::string url) -> Task<int> {
    HttpRequest request;
    request.url = std::move(url);
    Result<HttpResponse> response = co_await with_timeout(1ms, with.fetch(std::move(request)));
    co_return response ? 0 : response.error().code;
  };
  EXPECT_EQ(loop.run_task(limited(*client, bare.url())), ETIMEDOUT);
  bare.listener.reset();
  client.reset();
  loop.run();
}

TEST(HttpClient, UsesUnixSockets) {
  TempDir dir;
  ClientTest test;
  auto server = test.loop.make<HttpServer>();
  server->on_request(&mirror);
  ASSERT_TRUE(server->listen(*SocketAddress::unix_path(dir / "http.sock")));
  EXPECT_EQ(test.fetch(over_unix("http://app/x", dir / "http.sock")), "200 GET /x ");
  server.reset();
  test.turn();
}

}  // namespace
}  // namespace rondo
