#include "runtime/export/otlp_exporter.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/encoding/json.h"
#include "base/fd.h"
#include "base/result.h"
#include "base/threads/thread.h"

namespace rondo::runtime {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Spans that wait to be sent. At 400 bytes each they take 3 MiB.
constexpr size_t kMostQueued = 8192;
constexpr size_t kBatch = 512;
// The first span of a batch waits at most this long.
constexpr milliseconds kInterval{1000};
// The time for one batch.
constexpr milliseconds kForBatch{10'000};
// The interval at which a transfer checks whether the process is ending.
constexpr milliseconds kSlice{50};
constexpr size_t kMostResponse = 4096;
constexpr size_t kStackSize = 256 * 1024;

std::string attribute(std::string_view key, std::string_view value) {
  return R"({"key":)" + encoding::json_of_utf8(key) + R"(,"value":{"stringValue":)" +
         encoding::json_of_utf8(value) + "}}";
}

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  letter = static_cast<char>(letter | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 &&
        digit(text[i + 2]) >= 0) {
      result += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The pairs of `name=value,name=value`, with percent-encoded values, as in W3C Baggage.
std::vector<std::pair<std::string, std::string>> pairs_of(const char* variable) {
  std::vector<std::pair<std::string, std::string>> result;
  const char* const value = std::getenv(variable);
  std::string_view text = value == nullptr ? "" : value;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view pair = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const size_t equals = pair.find('=');
    const std::string_view name = trimmed(pair.substr(0, equals));
    if (equals == std::string_view::npos || name.empty()) continue;
    result.emplace_back(name, percent_decoded(trimmed(pair.substr(equals + 1))));
  }
  return result;
}

bool is_line(std::string_view text) { return text.find_first_of("\r\n") == std::string_view::npos; }

}  // namespace

OtlpOptions otlp_options_from_environment() {
  OtlpOptions options;
  for (const auto& [name, value] : pairs_of("OTEL_RESOURCE_ATTRIBUTES")) {
    if (name == "service.name") {
      options.service = value;
    } else {
      options.attributes += attribute(name, value) + ",";
    }
  }
  const char* const service = std::getenv("OTEL_SERVICE_NAME");
  if (service != nullptr && service[0] != '\0') options.service = service;
  for (const auto& [name, value] : pairs_of("OTEL_EXPORTER_OTLP_HEADERS")) {
    if (is_line(name) && is_line(value) && name.find(':') == std::string::npos) {
      options.headers.append(name).append(": ").append(value).append("\r\n");
    }
  }
  return options;
}

struct OtlpExporter::State {
  explicit State(OtlpOptions the_options) : options(std::move(the_options)) {}

  void run();
  std::string body_of(const std::vector<std::string>& spans) const;
  // Returns an error message, or an empty string.
  std::string send(const std::string& body);
  std::string exchange(int fd, std::string_view request, steady_clock::time_point deadline);
  // Returns false at the deadline, or if the process is ending.
  bool wait_for(int fd, short events, steady_clock::time_point deadline);
  void report(const std::string& problem);
  bool is_giving_up();

  const OtlpOptions options;

  std::mutex mutex;  // Guards the members below.
  std::condition_variable changed;
  std::deque<std::string> queue;
  size_t dropped = 0;
  bool is_finishing = false;
  bool is_given_up = false;  // Past kForExit.
  bool is_done = false;
  bool has_reported = false;
};

OtlpExporter::OtlpExporter(OtlpOptions options)
    : state_(std::make_shared<State>(std::move(options))) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackSize);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  auto owned = std::make_unique<std::shared_ptr<State>>(state_);
  pthread_t thread{};
  int status = 0;
  {
    const BlockedSignals blocked;
    status = ::pthread_create(&thread, &attributes, thread_main, owned.get());
  }
  ::pthread_attr_destroy(&attributes);
  if (status == 0) {
    static_cast<void>(owned.release());  // The thread frees it.
    return;
  }
  state_->is_done = true;
  state_->report(Error{status, "pthread_create"}.message());
}

void* OtlpExporter::thread_main(void* state) {
  ::prctl(PR_SET_NAME, "rondo otlp");
  const std::unique_ptr<std::shared_ptr<State>> owned(static_cast<std::shared_ptr<State>*>(state));
  (*owned)->run();
  return nullptr;
}

void OtlpExporter::add(std::string span) {
  bool is_full = false;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->is_finishing || state_->is_done) return;
    if (state_->queue.size() >= kMostQueued) {
      ++state_->dropped;
      is_full = true;
    } else {
      state_->queue.push_back(std::move(span));
      // The thread waits for the first one, and for a whole batch.
      if (state_->queue.size() != 1 && state_->queue.size() != kBatch) return;
    }
  }
  if (is_full) {
    state_->report("more spans than it accepts in time");
  } else {
    state_->changed.notify_all();
  }
}

void OtlpExporter::finish() {
  std::unique_lock lock(state_->mutex);
  state_->is_finishing = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kForExit, [this] { return state_->is_done; });
  state_->is_given_up = true;
}

void OtlpExporter::State::run() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [this] { return is_finishing || !queue.empty(); });
    changed.wait_for(lock, kInterval, [this] { return is_finishing || queue.size() >= kBatch; });
    if (queue.empty() || is_given_up) break;
    std::vector<std::string> spans;
    while (!queue.empty() && spans.size() < kBatch) {
      spans.push_back(std::move(queue.front()));
      queue.pop_front();
    }
    lock.unlock();
    if (std::string problem = send(body_of(spans)); !problem.empty()) report(problem);
    lock.lock();
  }
  is_done = true;
  changed.notify_all();
}

std::string OtlpExporter::State::body_of(const std::vector<std::string>& spans) const {
  std::string body =
      R"({"resourceSpans":[{"resource":{"attributes":[)" + options.attributes +
      attribute("service.name", options.service) + "," + attribute("telemetry.sdk.name", "rondo") +
      "," + attribute("telemetry.sdk.language", "nodejs") + "," +
      attribute("telemetry.sdk.version", RONDO_VERSION) +
      R"(,{"key":"process.pid","value":{"intValue":")" + std::to_string(::getpid()) +
      R"("}}]},"scopeSpans":[{"scope":{"name":"rondo","version":")" RONDO_VERSION R"("},"spans":[)";
  for (size_t i = 0; i < spans.size(); ++i) {
    if (i > 0) body += ',';
    body += spans[i];
  }
  return body + "]}]}]}";
}

bool OtlpExporter::State::is_giving_up() {
  const std::lock_guard lock(mutex);
  return is_given_up;
}

bool OtlpExporter::State::wait_for(int fd, short events, steady_clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0 || is_giving_up()) return false;
    pollfd wanted{fd, events, 0};
    if (::poll(&wanted, 1, static_cast<int>(std::min(left, kSlice).count())) > 0) return true;
  }
}

std::string OtlpExporter::State::send(const std::string& body) {
  const std::string request =
      "POST " + options.collector.path + " HTTP/1.1\r\nHost: " + options.collector.authority +
      "\r\nUser-Agent: rondo/" RONDO_VERSION
      "\r\nContent-Type: application/json\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\nConnection: close\r\n" + options.headers + "\r\n" + body;
  const steady_clock::time_point deadline = steady_clock::now() + kForBatch;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int status =
      ::getaddrinfo(options.collector.address.host.c_str(),
                    std::to_string(options.collector.address.port).c_str(), &hints, &list);
  if (status != 0) return Error{status, "getaddrinfo"}.message();
  std::string problem = "there is no address";
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    Fd fd(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) {
      problem = Error::last("socket").message();
      continue;
    }
    int error = ::connect(fd.get(), one->ai_addr, one->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS || error == EINTR) {
      socklen_t size = sizeof error;
      if (!wait_for(fd.get(), POLLOUT, deadline)) {
        error = ETIMEDOUT;
      } else if (::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
        error = errno;
      }
    }
    if (error != 0) {
      problem = Error{error, "connect"}.message();
      continue;
    }
    problem = exchange(fd.get(), request, deadline);
    break;
  }
  ::freeaddrinfo(list);
  return problem;
}

std::string OtlpExporter::State::exchange(int fd, std::string_view request,
                                          steady_clock::time_point deadline) {
  while (!request.empty()) {
    const ssize_t sent = ::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      request.remove_prefix(static_cast<size_t>(sent));
    } else if (errno == EAGAIN) {
      if (!wait_for(fd, POLLOUT, deadline)) return "it does not read in time";
    } else if (errno != EINTR) {
      return Error::last("send").message();
    }
  }
  std::string response;
  // The first line is enough.
  while (response.find("\r\n") == std::string::npos && response.size() < kMostResponse) {
    char text[512];
    const ssize_t size = ::recv(fd, text, sizeof text, 0);
    if (size > 0) {
      response.append(text, static_cast<size_t>(size));
    } else if (size == 0) {
      return "it closed the connection without an answer";
    } else if (errno == EAGAIN) {
      if (!wait_for(fd, POLLIN, deadline)) return "it does not answer in time";
    } else if (errno != EINTR) {
      return Error::last("recv").message();
    }
  }
  const size_t space = response.find(' ');
  if (!response.starts_with("HTTP/1.") || space == std::string::npos) {
    return "its answer is not HTTP/1";
  }
  const std::string code = response.substr(space + 1, 3);
  return code.starts_with('2') ? "" : "it answered with status " + code;
}

void OtlpExporter::State::report(const std::string& problem) {
  {
    const std::lock_guard lock(mutex);
    if (std::exchange(has_reported, true)) return;
  }
  std::fprintf(
      stderr,
      "rondo: cannot send spans to %s: %s; spans are dropped while this lasts, and further "
      "failures are not reported\n",
      options.url.c_str(), problem.c_str());
}

}  // namespace rondo::runtime
