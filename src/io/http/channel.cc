#include "io/http/channel.h"

#include <algorithm>
#include <cstring>

#include "io/http/writer.h"
#include "io/net/pipe.h"
#include "io/net/tcp.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// Input that the call has not taken yet; then the server is slowed down.
constexpr size_t kMostBacklog = 64 * 1024;

bool is_idempotent(std::string_view method) {
  for (const char* one : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
    if (method == one) return true;
  }
  return false;
}

Error error_of(HttpFault fault) {
  const bool is_size = fault == HttpFault::body_too_large || fault == HttpFault::head_too_large;
  return {is_size ? EMSGSIZE : EPROTO, http_text_of(fault)};
}

}  // namespace

HttpChannel::HttpChannel(HttpClient& client, std::string origin)
    : client_(client),
      origin_(std::move(origin)),
      lookup_(client.loop()),
      parser_(HttpParser::Kind::response, client.options_.limits),
      write_(client.loop()),
      timer_(client.loop()),
      next_([](Deferred& self) {
        HttpChannel& channel = *static_cast<Next&>(self).owner;
        CallbackScope scope(channel.client_.loop(), channel.client_);
        channel.report_drain();
        if (!channel.is_closed_) channel.process_input({});
      }) {
  next_.owner = this;
  timer_.unref();
}

void HttpChannel::start(HttpCall& call) {
  call_ = &call;
  has_answer_ = is_interim_ = is_kept_ = false;
  if (is_connected_) {
    socket_->ref();
    return send_request();
  }
  watch_time(client_.options_.connect_time, "http connect");
  if (!call.request_.unix_path.empty()) {
    Result<SocketAddress> address = SocketAddress::unix_path(call.request_.unix_path);
    if (!address) return fail(address.error());
    addresses_.push_back(*address);
  } else if (Result<SocketAddress> ip = SocketAddress::ip(call.url_.host, call.url_.port); ip) {
    addresses_.push_back(*ip);
  } else {
    return look_up();
  }
  connect_next();
}

void HttpChannel::look_up() {
  lookup_.submit(call_->url_.host, std::to_string(call_->url_.port), {},
                 [this](GetAddrInfo& request) {
                   Result<GetAddrInfo::Addresses> found = request.take_result();
                   if (is_closed_) return free_if_unused();
                   if (!found) return fail(found.error());
                   addresses_ = std::move(*found);
                   connect_next();
                 });
}

void HttpChannel::connect_next() {
  const SocketAddress& address = addresses_[next_address_++];
  if (address.is_unix()) {
    socket_ = client_.loop().make<PipeSocket>();
  } else {
    auto tcp = client_.loop().make<TcpSocket>();
    (void)tcp->set_no_delay(true);  // Only remembered until there is a connection.
    socket_ = std::move(tcp);
  }
  socket_->connect(address, [this](Socket&, Result<void> outcome) { connected(outcome); });
}

void HttpChannel::connected(Result<void> outcome) {
  if (is_closed_) return;
  if (outcome) {
    is_connected_ = true;
    read_again();
    if (!is_closed_) send_request();
  } else if (next_address_ < addresses_.size()) {
    connect_next();
  } else {
    fail(outcome.error());
  }
}

void HttpChannel::send_request() {
  const HttpRequest& request = call_->request_;
  parser_.reset();
  if (request.method == "HEAD") parser_.expect_no_body();
  out_.append(request.method).append(" ").append(call_->url_.target).append(" HTTP/1.1\r\nHost: ");
  out_.append(call_->url_.authority).append("\r\n").append(request.fields);
  is_chunked_ = request.streams_body && !request.length;
  left_ = request.streams_body ? request.length.value_or(0) : 0;
  const bool has_body = !request.body.empty() || request.method == "POST" ||
                        request.method == "PUT" || request.method == "PATCH";
  if (is_chunked_) {
    out_ += "Transfer-Encoding: chunked\r\n";
  } else if (request.streams_body || has_body) {
    out_ += "Content-Length: ";
    http::append_number(out_, request.streams_body ? left_ : request.body.size());
    out_ += "\r\n";
  }
  out_ += "\r\n";
  if (!request.streams_body) {
    out_ += request.body;
  } else {
    const std::string early = std::move(call_->early_);
    call_->early_ = std::string();
    if (!early.empty()) write(early);
    if (call_ != nullptr && call_->has_ended_) end();
    if (call_ != nullptr && call_->waits_for_drain_) continue_soon();
  }
  if (is_closed_) return;
  watch_time(client_.options_.response_time, "http response");
  flush();
}

void HttpChannel::continue_soon() { client_.loop().internals().defer(next_); }

bool HttpChannel::write(std::string_view piece) {
  const size_t most = client_.options_.high_water;
  if (!is_connected_) {
    call_->early_ += piece;
    return call_->early_.size() <= most;
  }
  if (is_chunked_) {
    http::append_chunk_head(out_, piece.size());
  } else {
    if (piece.size() > left_) fatal("an HTTP request is longer than announced");
    left_ -= piece.size();
  }
  out_ += piece;
  if (is_chunked_) out_ += "\r\n";
  flush();
  return out_.size() + sending_size_ <= most;
}

void HttpChannel::end() {
  if (!is_connected_) return;
  if (left_ > 0) return fail(Error{EINVAL, "http request"});  // Shorter than announced.
  if (is_chunked_) out_ += "0\r\n\r\n";
  flush();
}

void HttpChannel::flush() {
  if (is_closed_ || write_.is_pending() || out_.empty()) return;
  if (is_write_broken_) return out_.clear();
  Result<size_t> sent = socket_->try_write(std::as_bytes(std::span(out_)));
  // The server may have answered before it stopped to read: its response decides.
  if (!sent && sent.error().code != EAGAIN && sent.error().code != ENOBUFS) {
    is_write_broken_ = true;
    return out_.clear();
  }
  const size_t size = sent.value_or(size_t{0});
  if (size == out_.size()) return out_.clear();
  sending_ = std::move(out_);
  out_ = std::string();
  sending_size_ = sending_.size() - size;
  part_ = {sending_.data() + size, sending_size_};
  socket_->queue(write_, std::span<const iovec>(&part_, 1),
                 [this](Write&, Result<void> outcome) { this->sent(outcome); });
}

void HttpChannel::sent(Result<void> outcome) {
  sending_ = std::string();
  sending_size_ = 0;
  if (is_closed_) return;
  if (!outcome) is_write_broken_ = true;
  flush();
  report_drain();
}

// In a callback of the loop.
void HttpChannel::report_drain() {
  if (call_ == nullptr || !call_->waits_for_drain_) return;
  if (out_.size() + sending_size_ > client_.options_.high_water / 2) return;
  call_->waits_for_drain_ = false;
  call_->flag_.set();
  if (call_->on_drain_) call_->on_drain_.call_replaceable(*call_);
}

void HttpChannel::read_again() {
  Result<void> reading = socket_->read_start(
      [this](Stream&, Result<std::span<std::byte>> data) { received(std::move(data)); });
  if (!reading) fail(reading.error());
}

void HttpChannel::received(Result<std::span<std::byte>> data) {
  if (!data) return fail(data.error());
  is_at_end_ = data->empty();
  if (call_ == nullptr) return close();  // No response is due.
  if (!is_at_end_) has_answer_ = true;
  process_input({reinterpret_cast<const char*>(data->data()), data->size()});
}

void HttpChannel::process_input(std::string_view input) {
  const bool has_backlog = !backlog_.empty();
  if (has_backlog) backlog_.append(input);
  input_ = has_backlog ? std::string_view(backlog_) : input;
  is_processing_ = true;
  while (!is_closed_ && call_ != nullptr && step()) {
  }
  is_processing_ = false;
  if (is_closed_) return;
  if (has_backlog) {
    backlog_.erase(0, backlog_.size() - input_.size());
  } else {
    backlog_.assign(input_);
  }
  input_ = {};
  after_input();
}

// Reads on, ends the call, and sets the time limit, as the state after the input requires.
void HttpChannel::after_input() {
  if (call_ == nullptr) {
    if (!backlog_.empty() || is_at_end_) close();  // More than one response.
    return;
  }
  if (call_->reading_ == HttpCall::Reading::on_demand) call_->flag_.set();
  if (is_at_end_) {
    if (!backlog_.empty()) return timer_.stop();
    const HttpEvent event = parser_.finish();
    if (event == HttpEvent::end) return complete();
    return fail(Error{ECONNRESET, "http response"});
  }
  if (backlog_.size() >= kMostBacklog) {
    socket_->read_stop();
  } else if (!socket_->is_reading()) {
    read_again();
    if (is_closed_) return;
  }
  if (!call_->has_head_) return;
  if (call_->reading_ == HttpCall::Reading::paused || !backlog_.empty()) {
    timer_.stop();
  } else {
    watch_time(client_.options_.stall_time, "http body");
  }
}

bool HttpChannel::step() {
  using Reading = HttpCall::Reading;
  HttpCall& call = *call_;
  if (call.has_head_ && (call.reading_ == Reading::paused || call.reading_ == Reading::on_demand)) {
    return false;
  }
  switch (parser_.next(input_, call.head_)) {
    case HttpEvent::more: return false;
    case HttpEvent::head: head_complete(); return true;
    case HttpEvent::body: {
      const std::string_view piece = parser_.body();
      parser_.take(input_, piece.size());
      if (call.reading_ == Reading::whole) {
        call.body_ += piece;
      } else if (call.on_body_) {
        call.on_body_.call_replaceable(call, piece);
      }
      return true;
    }
    case HttpEvent::end:
      if (!is_interim_) complete();
      is_interim_ = false;
      return true;
    case HttpEvent::failed: fail(error_of(parser_.fault())); return false;
  }
  return false;
}

void HttpChannel::head_complete() {
  const int status = call_->status();
  if (status == 101) return fail(Error{EPROTO, "http response"});  // It was not requested.
  is_interim_ = status < 200;
  if (is_interim_) return;
  call_->has_head_ = true;
  call_->flag_.set();
  if (call_->on_head_) call_->on_head_.call_replaceable(*call_);
}

// The response is complete.
void HttpChannel::complete() {
  HttpCall& call = *std::exchange(call_, nullptr);
  const bool has_rest = is_processing_ ? !input_.empty() : !backlog_.empty();
  const bool is_sent = call.has_ended_ && out_.empty() && !write_.is_pending() && !is_write_broken_;
  const bool is_reusable = is_sent && !has_rest && call.head_.keeps_alive() && !is_at_end_;
  call.finish({});
  if (!is_reusable) return close();
  backlog_.clear();
  is_used_ = is_kept_ = true;
  socket_->unref();
  watch_time(client_.options_.idle_time, "http idle");
  client_.became_idle(*this);
}

size_t HttpChannel::pull(char* to, size_t size) {
  if (is_processing_) return 0;
  input_ = backlog_;
  size_t taken = 0;
  const HttpEvent event = parser_.next(input_, call_->head_);
  if (event == HttpEvent::body) {
    taken = std::min(size, parser_.body().size());
    std::memcpy(to, parser_.body().data(), taken);
    parser_.take(input_, taken);
  }
  backlog_.erase(0, backlog_.size() - input_.size());
  input_ = {};
  if (event == HttpEvent::end) {
    complete();
  } else if (event == HttpEvent::failed) {
    fail(error_of(parser_.fault()));
  } else if (taken == 0 || is_at_end_ || !socket_->is_reading()) {
    after_pull();
  }
  return taken;
}

void HttpChannel::after_pull() {
  if (is_at_end_) {
    if (!backlog_.empty()) return;
    if (parser_.finish() == HttpEvent::end) return complete();
    return fail(Error{ECONNRESET, "http response"});
  }
  if (!socket_->is_reading() && backlog_.size() < kMostBacklog) read_again();
}

// Repeats the call if the server may not have seen it, or ends it.
void HttpChannel::fail(Error error) {
  HttpCall* const call = call_;
  if (call == nullptr) return close();
  const bool may_repeat = is_used_ && !has_answer_ && error.code != ETIMEDOUT &&
                          error.code != EPROTO && !call->is_repeated_ &&
                          !call->request_.streams_body && is_idempotent(call->request_.method);
  if (!may_repeat) return call->finish(error);
  call_ = nullptr;
  call->channel_ = nullptr;
  close();
  client_.repeat(*call);
}

void HttpChannel::watch_time(Nanos limit, const char* what) {
  timer_.start(limit, [this, what](Timer&) { fail(Error{ETIMEDOUT, what}); });
}

void HttpChannel::close() {
  if (is_closed_) return;
  if (is_kept_) --client_.idle_;
  is_closed_ = true;
  call_ = nullptr;
  next_.cancel();
  timer_.stop();
  if (!is_processing_) backlog_ = std::string();
  if (lookup_.is_pending()) (void)lookup_.cancel();  // EBUSY: it ends by itself.
  if (Socket* const socket = socket_.release(); socket != nullptr) {
    is_socket_closing_ = true;
    socket->close([this](Handle&) {
      is_socket_closing_ = false;
      free_if_unused();
    });
    socket->close_then_free();
  }
  client_.start_waiting(origin_);
  if (!is_socket_closing_ && !lookup_.is_pending()) client_.bury(*this);
}

void HttpChannel::free_if_unused() {
  if (!is_socket_closing_ && !lookup_.is_pending()) client_.closed(*this);
}

}  // namespace rondo
