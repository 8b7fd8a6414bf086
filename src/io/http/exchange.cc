#include "io/http/exchange.h"

#include "io/http/connection.h"
#include "io/http/writer.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// Memory for heads and bodies that is kept for the next request.
constexpr size_t kMostKept = 8 * 1024;

}  // namespace

HttpExchange::HttpExchange(HttpServer& server)
    : loop_(server.loop()),
      server_(&server),
      notice_([](Deferred& self) { static_cast<Notice&>(self).owner->notify(); }),
      flag_(server.loop()) {
  notice_.owner = this;
}

HttpExchange::~HttpExchange() = default;

// For the next request.
void HttpExchange::clear() {
  head_.clear();
  head_.shrink(kMostKept);
  fields_.clear();
  if (body_.capacity() > kMostKept) body_ = std::string();
  body_.clear();
  on_body_ = nullptr;
  on_whole_body_ = nullptr;
  on_drain_ = nullptr;
  on_abort_ = nullptr;
  notice_.cancel();
  flag_.clear();
  cancel_.reset();
  left_.reset();
  error_ = {};
  reading_ = Reading::undecided;
  response_ = Response::none;
  is_task_ = is_head_ = is_request_over_ = is_end_reported_ = is_aborted_ = false;
  is_chunked_ = drops_body_ = has_date_ = is_bad_ = closes_ = false;
  waits_for_continue_ = waits_for_drain_ = false;
}

Result<SocketAddress> HttpExchange::peer_address() const {
  if (connection_ == nullptr) return Error{ENOTCONN, "getpeername"};
  return connection_->socket().peer_address();
}

// The request.

void HttpExchange::read(OnBody on_body) {
  on_body_ = std::move(on_body);
  start_reading(Reading::pieces);
}

void HttpExchange::read_whole(OnWholeBody on_whole_body) {
  on_whole_body_ = std::move(on_whole_body);
  start_reading(Reading::whole);
}

void HttpExchange::pause() {
  if (reading_ == Reading::pieces) reading_ = Reading::paused;
}

void HttpExchange::resume() {
  if (reading_ == Reading::paused) start_reading(Reading::pieces);
}

void HttpExchange::start_reading(Reading how) {
  reading_ = how;
  if (connection_ == nullptr || is_request_over_) {
    // The end or the error is reported by the loop.
    if (!is_end_reported_ && how != Reading::on_demand) loop_.internals().defer(notice_);
    flag_.set();
    return;
  }
  if (waits_for_continue_ && response_ == Response::none) {
    waits_for_continue_ = false;
    output() += "HTTP/1.1 100 Continue\r\n\r\n";
    output_added();
  }
  if (connection_ != nullptr && how != Reading::on_demand) connection_->continue_soon();
}

void HttpExchange::deliver(std::string_view piece) {
  if (reading_ == Reading::whole) {
    body_ += piece;
  } else if (reading_ == Reading::pieces && on_body_) {
    on_body_.call_replaceable(*this, piece);
  }
}

// The last call may free this exchange, if it completes the response.
void HttpExchange::deliver_end() {
  is_end_reported_ = true;
  flag_.set();
  if (reading_ == Reading::pieces && on_body_) {
    OnBody on_body = std::move(on_body_);
    on_body(*this, std::string_view());
  } else if (reading_ == Reading::whole && on_whole_body_) {
    OnWholeBody on_whole_body = std::move(on_whole_body_);
    on_whole_body(*this, std::move(body_));
  }
}

// The connection is lost, or its input is unusable. Callbacks follow in pending.
void HttpExchange::abort(Error error) {
  connection_ = nullptr;
  if (response_ == Response::ended) {
    if (!is_task_) server_->release(*this);
    return;
  }
  is_aborted_ = true;
  error_ = error;
  flag_.set();
  if (cancel_) {
    cancel_->cancel();
  } else {
    loop_.internals().defer(notice_);
  }
}

// The deferred callbacks: an abort, or the end of a body that had arrived before it was read.
void HttpExchange::notify() {
  CallbackScope scope(loop_, 0, "http exchange");
  if (!is_aborted_) {
    if (is_request_over_ && !is_end_reported_ && reading_ != Reading::paused) deliver_end();
    return;
  }
  if (on_body_ && !is_end_reported_) {
    is_end_reported_ = true;
    OnBody on_body = std::move(on_body_);
    on_body(*this, error_);
  } else if (on_whole_body_ && !is_end_reported_) {
    is_end_reported_ = true;
    OnWholeBody on_whole_body = std::move(on_whole_body_);
    on_whole_body(*this, error_);
  } else if (on_abort_) {
    OnEvent on_abort = std::move(on_abort_);
    on_abort(*this);
  }
}

// The response.

void HttpExchange::set(std::string_view name, std::string_view value) {
  RONDO_ASSERT(response_ == Response::none);
  if (http::is_framing_field(name) || !http::append_field(fields_, name, value)) is_bad_ = true;
  if (http::equal_ignoring_case(name, "date")) has_date_ = true;
}

void HttpExchange::close_after() { closes_ = true; }

bool HttpExchange::has_no_body(int status) const {
  return status < 200 || status == 204 || status == 304;
}

std::string& HttpExchange::output() { return connection_->output(); }
void HttpExchange::output_added() { connection_->flush_soon(); }

void HttpExchange::append_head(std::string& to, int status, std::optional<uint64_t> length,
                               bool is_chunked) {
  // The client may or may not send the body now, so the next request has no certain beginning.
  if (waits_for_continue_ && !is_request_over_) closes_ = true;
  if (server_->is_draining_) closes_ = true;
  to += "HTTP/1.1 ";
  http::append_number(to, static_cast<unsigned>(status));
  to += ' ';
  to += http::reason_of(status);
  to += "\r\n";
  if (!has_date_) to.append("Date: ").append(connection_->date()).append("\r\n");
  to += fields_;
  if (length && !has_no_body(status)) {
    to += "Content-Length: ";
    http::append_number(to, *length);
    to += "\r\n";
  } else if (is_chunked) {
    to += "Transfer-Encoding: chunked\r\n";
  }
  if (status == 101) {
    to += "Connection: Upgrade\r\n";
  } else if (closes_ || !head_.keeps_alive()) {
    to += "Connection: close\r\n";
  } else if (head_.minor_version() == 0) {
    to += "Connection: keep-alive\r\n";
  }
  to += "\r\n";
}

void HttpExchange::respond(int status, std::string_view type, std::string_view body) {
  RONDO_ASSERT(response_ == Response::none);
  RONDO_ASSERT(status >= 200);
  if (connection_ == nullptr) return complete();
  if (!type.empty()) set("Content-Type", type);
  if (is_bad_) {
    fields_.clear();
    has_date_ = false;
    status = 500;
    body = {};
  }
  std::string& out = output();
  append_head(out, status, body.size(), false);
  if (method() != "HEAD" && !has_no_body(status)) out += body;
  complete();
}

void HttpExchange::begin(int status, std::optional<uint64_t> length) {
  RONDO_ASSERT(response_ == Response::none);
  RONDO_ASSERT(status >= 200);
  if (is_bad_) {
    fields_.clear();
    has_date_ = false;
    status = 500;
    length = 0;
  }
  response_ = Response::begun;
  left_ = length;
  drops_body_ = method() == "HEAD" || has_no_body(status) || is_bad_;
  if (connection_ == nullptr) return;
  const bool has_one_dot_one = head_.minor_version() == 1;
  is_chunked_ = !length && has_one_dot_one && !has_no_body(status);
  if (!length && !has_one_dot_one && !has_no_body(status)) closes_ = true;
  append_head(output(), status, length, is_chunked_);
  output_added();
}

bool HttpExchange::write(std::string_view piece) {
  RONDO_ASSERT(response_ == Response::begun);
  if (connection_ == nullptr) return true;
  if (!drops_body_ && !piece.empty()) {
    std::string& out = output();
    if (left_) {
      if (piece.size() > *left_) fatal("an HTTP response is longer than announced");
      *left_ -= piece.size();
    }
    if (is_chunked_) http::append_chunk_head(out, piece.size());
    out += piece;
    if (is_chunked_) out += "\r\n";
    output_added();
  }
  if (connection_ == nullptr || connection_->queued() <= server_->options_.high_water) return true;
  waits_for_drain_ = true;
  return false;
}

void HttpExchange::end() {
  RONDO_ASSERT(response_ != Response::ended);
  if (response_ == Response::none) return respond(is_aborted_ ? 500 : 200);
  if (connection_ != nullptr) {
    if (is_chunked_ && !drops_body_) output() += "0\r\n\r\n";
    if (left_.value_or(0) != 0 && !drops_body_) {
      // The client must not take what is there for the whole response.
      HttpConnection& connection = *connection_;
      response_ = Response::ended;
      connection.abort(Error{ECANCELED, "http response"});
      return;
    }
  }
  complete();
}

void HttpExchange::complete() {
  response_ = Response::ended;
  if (connection_ != nullptr) {
    connection_->response_ended();
  } else if (!is_task_ && server_ != nullptr) {
    server_->release(*this);
  } else if (!is_task_) {
    delete this;
  }
}

Result<HttpUpgrade> HttpExchange::upgrade(int status) {
  RONDO_ASSERT(response_ == Response::none);
  if (connection_ == nullptr) return Error{ECONNRESET, "http upgrade"};
  const bool is_asked = head_.asks_upgrade() || method() == "CONNECT";
  if (!is_asked || !is_request_over_ || is_bad_) return Error{EINVAL, "http upgrade"};
  std::string head;
  append_head(head, status, {}, false);
  Result<HttpUpgrade> upgraded = connection_->upgrade(head);
  if (!upgraded) return upgraded;
  connection_ = nullptr;
  complete();
  return upgraded;
}

// For tasks.

Task<Result<size_t>> HttpExchange::read(std::span<std::byte> buffer) {
  start_reading(Reading::on_demand);
  for (;;) {
    if (is_aborted_) co_return error_;
    if (connection_ != nullptr && !is_request_over_) {
      const size_t size = connection_->pull(reinterpret_cast<char*>(buffer.data()), buffer.size());
      if (size > 0) co_return size;
      if (is_aborted_) co_return error_;
    }
    if (is_request_over_) co_return size_t{0};
    flag_.clear();
    const Result<void> waited = co_await flag_.wait();
    if (!waited) co_return is_aborted_ ? error_ : waited.error();
  }
}

Task<Result<std::string>> HttpExchange::read_whole() {
  start_reading(Reading::whole);
  while (!is_request_over_) {
    if (is_aborted_) co_return error_;
    flag_.clear();
    const Result<void> waited = co_await flag_.wait();
    if (!waited) co_return is_aborted_ ? error_ : waited.error();
  }
  co_return std::move(body_);
}

Task<Result<void>> HttpExchange::send(std::string_view piece) {
  bool has_room = write(piece);
  while (!has_room) {
    flag_.clear();
    const Result<void> waited = co_await flag_.wait();
    if (is_aborted_) break;
    if (!waited) co_return waited;
    has_room = !waits_for_drain_;
  }
  if (is_aborted_) co_return error_;
  co_return Result<void>();
}

}  // namespace rondo
