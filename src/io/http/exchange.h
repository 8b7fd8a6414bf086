// An HttpExchange is one request to an HttpServer and its response.
//
// With callbacks it lives until the response is complete: until respond(), end() or upgrade(), one
// of which must be called, also if the client is gone; they do nothing then. In a server of tasks
// it lives until the task has ended, which completes it.
// Phase: poll, or pending if the input had arrived before. Thread: the loop's only.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/co/cancel.h"
#include "base/co/task.h"
#include "base/list.h"
#include "io/http/message.h"
#include "io/net/socket.h"
#include "loop/co/flag.h"
#include "loop/phases/pending.h"

namespace rondo {

class HttpConnection;
class HttpServer;

// A connection that has changed to another protocol.
struct HttpUpgrade {
  Owned<Socket> socket;
  std::string early;  // Bytes of the new protocol that came with the request.
};

class HttpExchange {
 public:
  // A piece of the body, valid until the callback returns; an empty one is the end. Errors:
  // ECONNRESET if the client is gone, EPROTO if the body is malformed, EMSGSIZE if it is too large,
  // ETIMEDOUT.
  using OnBody = Callback<void(HttpExchange&, Result<std::string_view> piece)>;
  using OnWholeBody = Callback<void(HttpExchange&, Result<std::string> body)>;
  using OnEvent = Callback<void(HttpExchange&)>;

  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  // The request. Views are valid as long as the exchange.
  const HttpHead& request() const { return head_; }
  std::string_view method() const { return head_.method(); }
  std::string_view target() const { return head_.target(); }
  std::string_view field(std::string_view name) const { return head_[name]; }
  Result<SocketAddress> peer_address() const;

  // Reading the body. What is not read before the response is complete is discarded, or the
  // connection is closed if that is too much. A client that waits for `100 Continue` gets it from
  // the first read. Callbacks never run inside these calls.
  void read(OnBody on_body);
  void read_whole(OnWholeBody on_whole_body);
  void pause();  // No more pieces until resume(): the client is slowed down.
  void resume();

  // The response. Fields first: those for the body's length, the connection and, unless set here,
  // the date are added. A name or value that HTTP does not allow turns the response into a 500.
  void set(std::string_view name, std::string_view value);
  void close_after();  // Ends the connection after this response.
  // A response of known length, in one write. `type` is its Content-Type; none if empty.
  void respond(int status, std::string_view type, std::string_view body);
  void respond(int status) { respond(status, {}, {}); }
  // A response in pieces: begin(), write() any number of times, end(). Without a length it is
  // chunked, or ends with the connection if the client has HTTP/1.0. With a length exactly so many
  // bytes must be written; otherwise the connection is closed, so that the client notices.
  void begin(int status, std::optional<uint64_t> length = {});
  // False if more is queued than the client takes: wait for on_drain(), which never runs inside
  // this call.
  bool write(std::string_view piece);
  void end();
  void on_drain(OnEvent on_drain) { on_drain_ = std::move(on_drain); }
  // The client is gone: a response would be dropped. Free what belongs to it and call end().
  void on_abort(OnEvent on_abort) { on_abort_ = std::move(on_abort); }
  bool is_aborted() const { return is_aborted_; }
  bool has_begun() const { return response_ != Response::none; }

  // Answers with this status and the fields that were set, and hands over the connection. EINVAL
  // unless the client asked for it (Upgrade, or CONNECT) and the request has no body, ECONNRESET if
  // the client is gone, EBUSY if an earlier response is not sent yet.
  Result<HttpUpgrade> upgrade(int status = 101);

  // For tasks: the next part of the body, 0 bytes at its end; all of it; a write that waits until
  // the client has taken enough. ECANCELED if the task is cancelled.
  Task<Result<size_t>> read(std::span<std::byte> buffer);
  Task<Result<std::string>> read_whole();
  Task<Result<void>> send(std::string_view piece);

 private:
  friend class HttpConnection;
  friend class HttpServer;
  enum class Reading : uint8_t { undecided, pieces, paused, whole, on_demand, discards };
  enum class Response : uint8_t { none, begun, ended };
  struct Notice final : Deferred {
    using Deferred::Deferred;
    HttpExchange* owner;
  };

  explicit HttpExchange(HttpServer& server);
  ~HttpExchange();
  void clear();
  void abort(Error error);
  void notify();
  void start_reading(Reading how);
  void deliver(std::string_view piece);
  void deliver_end();
  void fail_body();
  void append_head(std::string& to, int status, std::optional<uint64_t> length, bool is_chunked);
  void complete();
  bool has_no_body(int status) const;
  std::string& output();
  void output_added();

  Loop& loop_;
  HttpServer* server_;                    // Null after the server has gone.
  HttpConnection* connection_ = nullptr;  // Null after an abort or the end of the response.
  ListLink link_;                         // In the server's list of exchanges.
  HttpHead head_;
  std::string fields_;  // Of the response, as lines.
  std::string body_;    // Of the request, for read_whole().
  OnBody on_body_;
  OnWholeBody on_whole_body_;
  OnEvent on_drain_;
  OnEvent on_abort_;
  Notice notice_;
  Flag flag_;  // Wakes the task.
  std::optional<CancelSource> cancel_;
  std::optional<uint64_t> left_;  // Of a response with a length.
  Error error_{};
  Reading reading_ = Reading::undecided;
  Response response_ = Response::none;
  bool is_task_ : 1 = false;
  bool is_head_ : 1 = false;          // The handler has been called.
  bool is_request_over_ : 1 = false;  // Its last byte has been parsed.
  bool is_end_reported_ : 1 = false;
  bool is_aborted_ : 1 = false;
  bool is_chunked_ : 1 = false;
  bool drops_body_ : 1 = false;  // Of the response: to HEAD, or 204, 304.
  bool has_date_ : 1 = false;
  bool is_bad_ : 1 = false;  // A field was refused.
  bool closes_ : 1 = false;
  bool waits_for_continue_ : 1 = false;
  bool waits_for_drain_ : 1 = false;
};

}  // namespace rondo
