#include "io/http/connection.h"

#include <algorithm>
#include <cstring>

#include "io/http/writer.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// Input that waits for the current response; then the client is slowed down.
constexpr size_t kMostBacklog = 64 * 1024;
// Bytes that are dropped: of a body without a reader, to keep the connection; and after the last
// response, so that the client can read it.
constexpr uint64_t kMostDiscarded = 256 * 1024;

Error error_of(HttpFault fault) {
  return {fault == HttpFault::body_too_large ? EMSGSIZE : EPROTO, http_text_of(fault)};
}

}  // namespace

HttpConnection::HttpConnection(HttpServer& server)
    : server_(server),
      parser_(HttpParser::Kind::request, server.options_.limits),
      write_(server.loop()),
      next_([](Deferred& self) {
        HttpConnection& connection = *static_cast<Next&>(self).owner;
        CallbackScope scope(connection.server_.loop(), connection.server_);
        connection.process_input({});
      }) {
  next_.owner = this;
}

void HttpConnection::open(Owned<Socket> socket) {
  socket_ = std::move(socket);
  parser_.reset();
  is_at_end_ = closes_ = is_lingering_ = is_closed_ = is_upgraded_ = is_polite_ = false;
  is_fresh_ = true;
  discarded_ = 0;
  read_again();
  if (!is_closed_) update_wait();
}

void HttpConnection::read_again() {
  Result<void> reading = socket_->read_start(
      [this](Stream&, Result<std::span<std::byte>> data) { received(std::move(data)); });
  if (!reading) abort(reading.error());
}

void HttpConnection::received(Result<std::span<std::byte>> data) {
  if (!data) return abort(data.error());
  if (data->empty()) {
    is_at_end_ = true;
    if (is_lingering_) return close();
    return process_input({});
  }
  if (is_lingering_) {
    discarded_ += data->size();
    if (discarded_ > kMostDiscarded) close();
    return;
  }
  process_input({reinterpret_cast<const char*>(data->data()), data->size()});
}

void HttpConnection::process_input(std::string_view input) {
  const bool has_backlog = !backlog_.empty();
  if (has_backlog) backlog_.append(input);
  input_ = has_backlog ? std::string_view(backlog_) : input;
  is_processing_ = true;
  while (!is_closed_ && !closes_ && step()) {
  }
  is_processing_ = false;
  if (is_closed_) {
    input_ = {};
    backlog_.clear();
    if (socket_ == nullptr && is_upgraded_) server_.closed(*this);
    return;
  }
  if (closes_) {
    backlog_.clear();
  } else if (has_backlog) {
    backlog_.erase(0, backlog_.size() - input_.size());
  } else if (!input_.empty()) {
    backlog_.assign(input_);
  }
  if (backlog_.empty() && backlog_.capacity() > 0) backlog_ = std::string();
  input_ = {};
  after_input();
}

// Sends, reads on, and sets the time limit, as the state after the input requires.
void HttpConnection::after_input() {
  flush();
  if (is_closed_ || is_lingering_) return;
  report_drain();
  if (is_closed_ || is_lingering_) return;
  const bool waits_for_input = exchange_ == nullptr || !exchange_->is_request_over_;
  if (exchange_ != nullptr && exchange_->reading_ == HttpExchange::Reading::on_demand) {
    exchange_->flag_.set();
  }
  if (is_at_end_ && waits_for_input && !closes_ && !is_taken_slowly()) {
    return exchange_ == nullptr ? closes_soon() : abort(Error{ECONNRESET, "http request"});
  }
  if (!is_at_end_) {
    if (backlog_.size() >= kMostBacklog) {
      socket_->read_stop();
    } else if (!socket_->is_reading()) {
      read_again();
      if (is_closed_) return;
    }
  }
  update_wait();
}

// The end of the connection has arrived, but a reader takes the input before it later.
bool HttpConnection::is_taken_slowly() const {
  if (backlog_.empty()) return false;
  if (exchange_ == nullptr) return true;  // Until output is sent.
  const auto reading = exchange_->reading_;
  return exchange_->is_head_ && reading != HttpExchange::Reading::pieces &&
         reading != HttpExchange::Reading::whole && reading != HttpExchange::Reading::discards;
}

// True if there may be more to do.
bool HttpConnection::step() {
  if (exchange_ == nullptr) {
    // A client that sends requests without reading responses would fill the memory.
    if (input_.empty() || is_backed_up()) return false;
    exchange_ = &server_.take_exchange();
    exchange_->connection_ = this;
  }
  HttpExchange& exchange = *exchange_;
  if (exchange.is_request_over_) {
    if (exchange.response_ != HttpExchange::Response::ended) return false;
    finish_exchange();
    flush_soon();
    return true;
  }
  if (exchange.is_head_) {
    using Reading = HttpExchange::Reading;
    const Reading reading = exchange.reading_;
    if (reading == Reading::undecided || reading == Reading::paused ||
        reading == Reading::on_demand) {
      return false;
    }
  }
  switch (parser_.next(input_, exchange.head_)) {
    case HttpEvent::more: return false;
    case HttpEvent::head: head_complete(); return true;
    case HttpEvent::body: {
      const std::string_view piece = parser_.body();
      parser_.take(input_, piece.size());
      if (exchange.reading_ == HttpExchange::Reading::discards) {
        discard(piece.size());
      } else {
        exchange.deliver(piece);
      }
      return true;
    }
    case HttpEvent::end:
      exchange.is_request_over_ = true;
      if (exchange.response_ != HttpExchange::Response::ended) exchange.deliver_end();
      return true;
    case HttpEvent::failed: fail(parser_.fault()); return false;
  }
  return false;
}

void HttpConnection::discard(size_t size) {
  discarded_ += size;
  if (discarded_ <= kMostDiscarded) return;
  exchange_->closes_ = true;
  exchange_->is_request_over_ = true;  // The rest is not for us any more.
}

void HttpConnection::head_complete() {
  HttpExchange& exchange = *exchange_;
  exchange.is_head_ = true;
  discarded_ = 0;
  if (!parser_.has_body()) {
    parser_.skip_end();
    exchange.is_request_over_ = true;
  } else {
    exchange.waits_for_continue_ = exchange.head_.expects_continue();
  }
  server_.call(exchange);
}

void HttpConnection::fail(HttpFault fault) { end_with(http_status_of(fault), error_of(fault)); }

// Answers an unusable request, unless a response has begun, and ends the connection.
void HttpConnection::end_with(int status, Error error) {
  HttpExchange* exchange = std::exchange(exchange_, nullptr);
  const bool has_begun = exchange != nullptr && exchange->response_ != HttpExchange::Response::none;
  if (exchange != nullptr && !exchange->is_head_) {
    server_.release(*exchange);
  } else if (exchange != nullptr) {
    exchange->abort(error);
  }
  if (has_begun) return abort(error);
  std::string& out = output();
  out += "HTTP/1.1 ";
  http::append_number(out, static_cast<unsigned>(status));
  out.append(" ").append(http::reason_of(status)).append("\r\nDate: ").append(date());
  out += "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  closes_ = true;
  is_polite_ = true;
}

// The response is complete. While input is processed, step() does the rest.
void HttpConnection::response_ended() {
  HttpExchange& exchange = *exchange_;
  if (!exchange.is_request_over_) {
    exchange.reading_ = HttpExchange::Reading::discards;
    // Without this the client would not send the body that it has announced.
    if (exchange.waits_for_continue_) exchange.is_request_over_ = true;
  }
  if (is_processing_) return;
  if (!exchange.is_request_over_) return continue_soon();
  finish_exchange();
  if (!backlog_.empty() && !closes_) continue_soon();
  flush();
  if (!is_closed_ && !is_lingering_) {
    if (is_at_end_ && backlog_.empty()) return closes_soon();
    update_wait();
  }
}

// The client has ended its side, and there is no request left.
void HttpConnection::closes_soon() {
  closes_ = true;
  flush();
  if (!is_closed_ && !is_lingering_) update_wait();
}

void HttpConnection::continue_soon() {
  if (!is_processing_) server_.internals().defer(next_);
}

void HttpConnection::finish_exchange() {
  HttpExchange& exchange = *std::exchange(exchange_, nullptr);
  if (exchange.closes_ || !exchange.head_.keeps_alive()) {
    closes_ = true;
    is_polite_ = exchange.head_.keeps_alive();
  }
  exchange.connection_ = nullptr;
  if (!exchange.is_task_) server_.release(exchange);
  is_fresh_ = false;
  if (wait_ == Wait::idle) server_.wait(*this, Wait::nothing);  // It begins again.
}

size_t HttpConnection::pull(char* to, size_t size) {
  HttpExchange& exchange = *exchange_;
  const bool is_nested = is_processing_;
  if (!is_nested) input_ = backlog_;
  size_t taken = 0;
  HttpEvent event = parser_.next(input_, exchange.head_);
  if (event == HttpEvent::body) {
    taken = std::min(size, parser_.body().size());
    std::memcpy(to, parser_.body().data(), taken);
    parser_.take(input_, taken);
  } else if (event == HttpEvent::end) {
    exchange.is_request_over_ = exchange.is_end_reported_ = true;
  } else if (event == HttpEvent::failed) {
    fail(parser_.fault());
  }
  if (is_nested) return taken;
  if (!is_closed_) {
    backlog_.erase(0, backlog_.size() - input_.size());
    if (closes_) backlog_.clear();
    input_ = {};
    after_pull();
  }
  return taken;
}

void HttpConnection::after_pull() {
  if (closes_) return flush();
  if (is_at_end_) {
    if (backlog_.empty() && !exchange_->is_request_over_) {
      abort(Error{ECONNRESET, "http request"});
    }
  } else if (!socket_->is_reading() && backlog_.size() < kMostBacklog) {
    read_again();
  }
  if (!is_closed_) update_wait();
}

void HttpConnection::drain() {
  if (is_closed_) return;
  if (exchange_ != nullptr) {
    exchange_->closes_ = true;
  } else if (!closes_) {
    close();
  }
}

Result<HttpUpgrade> HttpConnection::upgrade(std::string_view head) {
  if (write_.is_pending()) return Error{EBUSY, "http upgrade"};
  HttpUpgrade upgraded;
  upgraded.early = is_processing_ ? input_ : std::string_view(backlog_);
  socket_->read_stop();
  out_.append(head);
  socket_->write(std::move(out_));
  out_ = std::string();
  upgraded.socket = std::move(socket_);
  exchange_ = nullptr;
  next_.cancel();
  is_closed_ = is_upgraded_ = true;
  if (!is_processing_) {
    backlog_ = std::string();
    server_.closed(*this);
  }
  return upgraded;
}

}  // namespace rondo
