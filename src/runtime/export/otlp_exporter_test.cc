#include "runtime/export/otlp_exporter.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

namespace rondo::runtime {

namespace {

// A collector that answers each connection with the same text.
class FakeCollector {
 public:
  explicit FakeCollector(std::string answer) : answer_(std::move(answer)) {
    uint16_t port = 0;
    Result<Fd> listener = listen_on({"127.0.0.1", 0}, &port);
    listener_ = std::move(*listener);
    options_.url = "http://127.0.0.1:" + std::to_string(port);
    options_.service = "test";
    EXPECT_EQ(parse_collector(options_.url, &options_.collector), "");
  }
  ~FakeCollector() { stop(); }

  OtlpOptions options_;

  // Handles `count` requests on another thread.
  void serve(int count) {
    thread_ = std::thread([this, count] {
      for (int i = 0; i < count; ++i) {
        // The listening socket does not block.
        Fd client;
        while (!client) {
          client = Fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
          if (!client) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        received_ += request(client.get());
        static_cast<void>(::send(client.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL));
      }
    });
  }
  std::string stop() {
    if (thread_.joinable()) thread_.join();
    return received_;
  }

 private:
  static std::string request(int fd) {
    std::string text;
    char part[4096];
    for (;;) {
      const size_t head = text.find("\r\n\r\n");
      const size_t length = text.find("Content-Length: ");
      if (head != std::string::npos && length != std::string::npos &&
          text.size() >= head + 4 + std::strtoul(text.c_str() + length + 16, nullptr, 10)) {
        return text;
      }
      const ssize_t size = ::recv(fd, part, sizeof part, 0);
      if (size <= 0) return text;
      text.append(part, static_cast<size_t>(size));
    }
  }

  std::string answer_;
  Fd listener_;
  std::thread thread_;
  std::string received_;
};

TEST(OtlpExporter, SendsWhatIsLeftAtTheEnd) {
  FakeCollector collector("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  collector.serve(1);
  collector.options_.headers = "X-Key: secret\r\n";
  collector.options_.attributes = R"({"key":"a","value":{"stringValue":"b"}},)";
  OtlpExporter exporter(collector.options_);
  exporter.add(R"({"name":"one"})");
  exporter.add(R"({"name":"two"})");
  exporter.finish();
  const std::string request = collector.stop();
  EXPECT_EQ(request.find("POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1:"), 0u) << request;
  EXPECT_NE(request.find("\r\nContent-Type: application/json\r\n"), std::string::npos);
  EXPECT_NE(request.find("\r\nX-Key: secret\r\n"), std::string::npos);
  EXPECT_NE(request.find(R"("spans":[{"name":"one"},{"name":"two"}]}]}]})"), std::string::npos);
  EXPECT_NE(request.find(R"([{"key":"a","value":{"stringValue":"b"}},{"key":"service.name",)"
                         R"("value":{"stringValue":"test"}})"),
            std::string::npos);
}

TEST(OtlpExporter, SendsABatchBeforeTheEnd) {
  FakeCollector collector("HTTP/1.1 202 Accepted\r\n\r\n");
  collector.serve(1);
  OtlpExporter exporter(collector.options_);
  for (int i = 0; i < 512; ++i) exporter.add("{}");
  EXPECT_NE(collector.stop().find("{},{}"), std::string::npos);  // Waits for it.
}

TEST(OtlpExporter, ReportsTheFirstFailureOnly) {
  FakeCollector collector("HTTP/1.1 503 Service Unavailable\r\n\r\n");
  collector.serve(2);
  ::testing::internal::CaptureStderr();
  {
    OtlpExporter exporter(collector.options_);
    for (int i = 0; i < 1024; ++i) exporter.add("{}");
    exporter.finish();
  }
  collector.stop();
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("rondo: cannot send spans to http://127.0.0.1:"), std::string::npos) << text;
  EXPECT_NE(text.find("it answered with status 503"), std::string::npos) << text;
  EXPECT_EQ(text.find("rondo:", 1), std::string::npos) << text;
}

TEST(OtlpExporter, ReportsARefusedConnection) {
  uint16_t port = 0;
  {
    Result<Fd> unused = listen_on({"127.0.0.1", 0}, &port);
    ASSERT_TRUE(unused);
  }
  OtlpOptions options;
  options.url = "http://127.0.0.1:" + std::to_string(port);
  EXPECT_EQ(parse_collector(options.url, &options.collector), "");
  ::testing::internal::CaptureStderr();
  {
    OtlpExporter exporter(options);
    exporter.add("{}");
  }
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("Connection refused"), std::string::npos);
}

TEST(OtlpExporter, DoesNotWaitForACollectorThatDoesNotAnswer) {
  FakeCollector collector("");
  // The kernel completes the connection, which is never accepted.
  OtlpExporter exporter(collector.options_);
  exporter.add("{}");
  exporter.finish();  // Returns.
  exporter.add("{}");
  exporter.finish();
}

TEST(OtlpExporter, WithoutSpansNothingIsSent) {
  ::testing::internal::CaptureStderr();
  {
    OtlpOptions options;
    options.collector.address = {"127.0.0.1", 1};
    OtlpExporter exporter(options);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(OtlpOptions, ComeFromTheEnvironment) {
  ::setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=a%20b,service.name=ignored,bad,=x",
           1);
  ::setenv("OTEL_SERVICE_NAME", "shop", 1);
  ::setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%3Db, y = 1,evil=a%0d%0ab", 1);
  const OtlpOptions options = otlp_options_from_environment();
  EXPECT_EQ(options.service, "shop");
  EXPECT_EQ(options.attributes,
            R"({"key":"deployment.environment","value":{"stringValue":"a b"}},)");
  EXPECT_EQ(options.headers, "x-key: a=b\r\ny: 1\r\n");
  ::unsetenv("OTEL_RESOURCE_ATTRIBUTES");
  ::unsetenv("OTEL_SERVICE_NAME");
  ::unsetenv("OTEL_EXPORTER_OTLP_HEADERS");
}

}  // namespace

}  // namespace rondo::runtime
