#include "runtime/export/metrics_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <string>
#include <thread>

#include "runtime/engine/js_entry.h"
#include "runtime/engine/testing.h"
#include "runtime/export/address.h"

namespace rondo::runtime {

namespace {

class MetricsServerTest : public ::testing::Test {
 protected:
  MetricsServerTest() {
    testing::platform();
    made_ =
        make_snapshot({{"internal/bootstrap/realm", testing::mini_lib("")}}, testing::kBindings);
    EngineOptions options;
    options.snapshot = made_.blob;
    options.bindings = testing::kBindings;
    options.realm.watchdog.warns = false;
    engine_ = std::make_unique<Engine>(testing::platform(), loop_, std::move(options));
    Realm& realm = engine_->realm();
    const v8::HandleScope handles(realm.isolate());
    const v8::Local<v8::Function> start =
        realm.context()
            ->GetDataFromSnapshotOnce<v8::Function>(static_cast<size_t>(SnapshotData::start))
            .ToLocalChecked();
    JsEntry::call(realm, start, {literal(realm.isolate(), "test")});
    queries_ = std::make_unique<LoopQuery>(engine_->realm(), [this] { is_wanted_ = true; });
    Result<Fd> listener = listen_on({"127.0.0.1", 0}, &port_);
    server_ = std::make_unique<MetricsServer>(*queries_, std::move(*listener));
  }
  ~MetricsServerTest() override {
    queries_->close();
    server_.reset();
  }

  // Sends a request and returns the whole answer, while this thread acts as the loop.
  std::string ask(const std::string& request, bool is_loop_alive = true) {
    const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(fd.get(), request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
    std::atomic<bool> is_over{false};
    std::string answer;
    std::thread reader([&] {
      char text[4096];
      ssize_t size;
      while ((size = ::recv(fd.get(), text, sizeof text, 0)) > 0) {
        answer.append(text, static_cast<size_t>(size));
      }
      is_over = true;
    });
    while (!is_over) {
      const v8::HandleScope handles(engine_->realm().isolate());
      if (is_loop_alive && is_wanted_.exchange(false)) queries_->answer();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    reader.join();
    return answer;
  }
  std::string get(const std::string& path, const std::string& host = "127.0.0.1") {
    return ask("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }

  Loop loop_;
  SnapshotResult made_;
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> is_wanted_{false};
  std::unique_ptr<LoopQuery> queries_;
  uint16_t port_ = 0;
  std::unique_ptr<MetricsServer> server_;
};

TEST_F(MetricsServerTest, AnswersWithFiguresOfTheProcessAndTheLoop) {
  const std::string answer = get("/metrics");
  EXPECT_EQ(answer.find("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"), 0u)
      << answer;
  EXPECT_NE(answer.find("\nprocess_cpu_seconds_total "), std::string::npos);
  // mini_lib answers every query with its name.
  EXPECT_NE(answer.find("\nrondo_loop_answers 1\n\"metrics\":true"), std::string::npos) << answer;
  EXPECT_NE(get("/metrics?x=1").find(" 200 OK"), std::string::npos);
}

TEST_F(MetricsServerTest, AHeadRequestHasNoBody) {
  const std::string answer = ask("HEAD /metrics HTTP/1.0\r\n\r\n");
  EXPECT_EQ(answer.find("HTTP/1.1 200 OK\r\n"), 0u);
  EXPECT_EQ(answer.find("\r\n\r\n"), answer.size() - 4);
}

TEST_F(MetricsServerTest, SaysSoIfTheLoopDoesNotAnswer) {
  const std::string answer = ask("GET /metrics HTTP/1.1\r\n\r\n", false);
  EXPECT_NE(answer.find("\nrondo_loop_answers 0\n"), std::string::npos) << answer;
  EXPECT_NE(answer.find("\nprocess_open_fds "), std::string::npos);
}

TEST_F(MetricsServerTest, RefusesOtherRequests) {
  EXPECT_EQ(get("/").find("HTTP/1.1 404 "), 0u);
  EXPECT_EQ(ask("POST /metrics HTTP/1.1\r\n\r\n").find("HTTP/1.1 405 "), 0u);
  EXPECT_EQ(ask("hello\r\n\r\n").find("HTTP/1.1 400 "), 0u);
  EXPECT_EQ(ask(std::string(9000, 'x')).find("HTTP/1.1 431 "), 0u);
}

TEST_F(MetricsServerTest, RefusesNamesOfOtherSitesOnLoopback) {
  EXPECT_EQ(get("/metrics", "evil.example").find("HTTP/1.1 403 "), 0u);
  for (const char* const host : {"localhost", "localhost:9100", "127.0.0.1:9100", "[::1]:9100"}) {
    EXPECT_EQ(get("/metrics", host).find("HTTP/1.1 200 "), 0u) << host;
  }
}

TEST_F(MetricsServerTest, ClosesWhileAClientIsConnected) {
  const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  queries_->close();
  server_->close();
  server_->close();  // Idempotent.
}

}  // namespace

}  // namespace rondo::runtime
