// An HttpClient makes HTTP/1.1 requests over TCP or Unix sockets, and keeps connections for the
// next ones.
//
//   auto client = loop.make<HttpClient>();
//   Result<HttpResponse> got = co_await client->fetch(HttpRequest("http://127.0.0.1:8080/"));
//
// An HttpCall has callbacks, and streams in both directions. Redirects are not followed. A request
// that fails on a kept connection, before any byte of a response, is repeated once on a new
// connection if its method is idempotent: the server may have closed the old one meanwhile.
//
// Errors: EINVAL (the request), EPROTONOSUPPORT (not http:), those of getaddrinfo and connect,
// ETIMEDOUT, ECONNRESET (the response is incomplete), EPROTO (it is malformed), EMSGSIZE (it is
// larger than the limits), ECANCELED. Phase: poll, pending. Thread: the loop's only.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/co/task.h"
#include "base/list.h"
#include "io/http/message.h"
#include "io/http/parser.h"
#include "io/http/url.h"
#include "loop/co/flag.h"
#include "loop/handle.h"
#include "loop/phases/pending.h"

namespace rondo {

class HttpChannel;
class HttpClient;

struct HttpRequest {
  HttpRequest() = default;
  explicit HttpRequest(std::string to, std::string by = "GET", std::string with = {})
      : url(std::move(to)), method(std::move(by)), body(std::move(with)) {}

  std::string url;
  std::string method = "GET";  // Not CONNECT.
  std::string body;
  std::string unix_path;           // Connect to this Unix socket; the URL is only sent.
  std::string fields;              // Lines; use set().
  bool streams_body = false;       // Written with HttpCall::write() and end(),
  std::optional<uint64_t> length;  // ... and chunked unless this is set.

  // Host and the fields for the body's length and the connection are added. False: not allowed in
  // HTTP, or one of those.
  bool set(std::string_view name, std::string_view value);
};

struct HttpResponse {
  HttpHead head;
  std::string body;
  int status() const { return head.status(); }
};

struct HttpClientOptions {
  HttpClientOptions() { limits.body = 64 * 1024 * 1024; }

  HttpLimits limits;
  size_t connections = 64;        // Per host and port; more calls wait.
  size_t high_water = 64 * 1024;  // HttpCall::write() returns false above it.
  std::chrono::seconds connect_time{10};
  std::chrono::seconds response_time{60};  // From sending to the last field of the response.
  std::chrono::seconds stall_time{60};     // Without a byte of the body.
  std::chrono::seconds idle_time{4};       // Less than servers keep a connection.
};

// One request and its response. Owned by the caller, used again after its end. Destroying it
// cancels, without a callback; but not inside its own callbacks, except on_done's.
class HttpCall {
 public:
  using OnDone = Callback<void(HttpCall&, Result<void>)>;
  using OnBody = Callback<void(HttpCall&, std::string_view piece)>;
  using OnEvent = Callback<void(HttpCall&)>;

  explicit HttpCall(HttpClient& client);
  HttpCall(const HttpCall&) = delete;
  HttpCall& operator=(const HttpCall&) = delete;
  ~HttpCall();

  // Before start(). With on_body the body is not collected.
  void on_head(OnEvent on_head) { on_head_ = std::move(on_head); }
  void on_body(OnBody on_body) { on_body_ = std::move(on_body); }
  void on_drain(OnEvent on_drain) { on_drain_ = std::move(on_drain); }

  // `on_done` runs when the response is complete or the call has failed, never inside this call.
  void start(HttpRequest request, OnDone on_done);
  bool is_pending() const { return is_pending_; }
  // The callback gets ECANCELED. EBUSY: there is nothing to cancel.
  Result<void> cancel();

  // A streamed request body; write() as in HttpExchange.
  bool write(std::string_view piece);
  void end();

  // From on_head on.
  const HttpHead& response() const { return head_; }
  int status() const { return head_.status(); }
  std::string_view field(std::string_view name) const { return head_[name]; }
  const std::string& body() const { return body_; }
  HttpResponse take_response() { return {std::move(head_), std::move(body_)}; }
  void pause();  // No more pieces until resume(): the server is slowed down.
  void resume();

  // For tasks: open() returns at the head of the response, or, if the body of the request is
  // streamed, at once. read() gives the next part of the body, 0 bytes at its end.
  Task<Result<void>> open(HttpRequest request);
  Task<Result<void>> send(std::string_view piece);  // Waits until there is room.
  Task<Result<void>> wait_for_head();               // After end(), if the body was streamed.
  Task<Result<size_t>> read(std::span<std::byte> buffer);

 private:
  friend class HttpChannel;
  friend class HttpClient;
  enum class Reading : uint8_t { whole, pieces, paused, on_demand };
  struct Notice final : Deferred {
    using Deferred::Deferred;
    HttpCall* owner;
  };

  Task<Result<void>> wait_until(bool (*is_reached)(const HttpCall&));
  void finish(Result<void> result);
  void notify();
  void abandon();

  HttpClient* client_;
  Loop& loop_;
  HttpChannel* channel_ = nullptr;
  ListLink link_;  // In the client's list of calls, or of waiting calls.
  HttpRequest request_;
  HttpUrl url_;
  std::string origin_;
  HttpHead head_;
  std::string body_;
  OnEvent on_head_;
  OnBody on_body_;
  OnEvent on_drain_;
  OnDone on_done_;
  Result<void> result_;
  Notice notice_;
  Flag flag_;
  Reading reading_ = Reading::whole;
  bool is_pending_ : 1 = false;
  bool is_over_ : 1 = false;  // The result is known.
  bool has_head_ : 1 = false;
  bool has_ended_ : 1 = false;  // end() was called, or the body was not streamed.
  bool is_repeated_ : 1 = false;
  bool waits_for_drain_ : 1 = false;
  std::string early_;  // Of a streamed body, before there is a connection.
};

class HttpClient final : public Handle {
 public:
  explicit HttpClient(Loop& loop, HttpClientOptions options = {});
  ~HttpClient() override;

  // The whole response.
  Task<Result<HttpResponse>> fetch(HttpRequest request);
  // Idle connections do not keep the loop alive. close() cancels all calls.
  size_t idle_connections() const { return idle_; }
  const HttpClientOptions& options() const { return options_; }

 private:
  friend class HttpCall;
  friend class HttpChannel;
  struct Lists;

  void on_closing() override;
  void begin(HttpCall& call);
  bool assign(HttpCall& call, bool may_reuse);
  void repeat(HttpCall& call);
  void became_idle(HttpChannel& channel);
  void closed(HttpChannel& channel);
  void bury(HttpChannel& channel);
  void start_waiting(const std::string& origin);

  HttpClientOptions options_;
  std::unique_ptr<Lists> lists_;
  std::vector<std::unique_ptr<HttpChannel>> dead_;  // Freed when none of them is on the stack.
  size_t idle_ = 0;
};

}  // namespace rondo
