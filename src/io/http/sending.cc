// Output, time limits and the end of an HttpConnection.
#include "io/http/connection.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// Output of pipelined requests that is collected for one write.
constexpr size_t kMostCollected = 64 * 1024;

}  // namespace

std::string& HttpConnection::output() {
  if (out_.capacity() <= std::string().capacity()) out_ = server_.take_buffer();
  return out_;
}

void HttpConnection::flush_soon() {
  if (!is_processing_ || out_.size() > kMostCollected) flush();
}

void HttpConnection::flush() {
  if (is_closed_ || write_.is_pending()) return;
  if (!out_.empty()) {
    Result<size_t> sent = socket_->try_write(std::as_bytes(std::span(out_)));
    if (!sent && sent.error().code != EAGAIN && sent.error().code != ENOBUFS) {
      return abort(sent.error());
    }
    const size_t size = sent.value_or(size_t{0});
    if (size < out_.size()) {
      sending_ = std::move(out_);
      out_ = std::string();
      sending_size_ = sending_.size() - size;
      part_ = {sending_.data() + size, sending_size_};
      socket_->queue(write_, std::span<const iovec>(&part_, 1),
                     [this](Write&, Result<void> outcome) { this->sent(outcome); });
      return;
    }
    server_.give_buffer(std::move(out_));
    out_ = std::string();
  }
  if (closes_ && !is_lingering_ && !is_processing_) end_output();
}

void HttpConnection::sent(Result<void> outcome) {
  server_.give_buffer(std::move(sending_));
  sending_ = std::string();
  sending_size_ = 0;
  if (is_closed_) return;
  if (!outcome) return abort(outcome.error());
  flush();
  if (is_closed_ || is_lingering_) return;
  update_wait();
  report_drain();
  if (!is_closed_ && exchange_ == nullptr && !backlog_.empty() && !is_backed_up()) continue_soon();
}

// In a callback of the loop.
void HttpConnection::report_drain() {
  if (exchange_ == nullptr || !exchange_->waits_for_drain_) return;
  if (queued() > server_.options_.high_water / 2) return;
  HttpExchange& exchange = *exchange_;
  exchange.waits_for_drain_ = false;
  exchange.flag_.set();
  if (exchange.on_drain_) exchange.on_drain_.call_replaceable(exchange);
}

// All is sent. A client that may still be sending must not get a reset before it has read the
// response: only our side is ended, and the rest of its input is discarded for a while.
void HttpConnection::end_output() {
  if (!is_polite_ || is_at_end_) return close();
  is_lingering_ = true;
  discarded_ = 0;
  socket_->shutdown();
  if (!socket_->is_reading()) read_again();
  if (!is_closed_) server_.wait(*this, Wait::linger);
}

void HttpConnection::update_wait() {
  using Reading = HttpExchange::Reading;
  Wait wait = Wait::nothing;
  if (write_.is_pending()) {
    wait = Wait::stall;
  } else if (exchange_ == nullptr) {
    wait = is_fresh_ ? Wait::head : Wait::idle;
  } else if (!exchange_->is_head_) {
    wait = Wait::head;
  } else if (!exchange_->is_request_over_ && backlog_.empty() &&
             exchange_->reading_ != Reading::undecided && exchange_->reading_ != Reading::paused) {
    wait = Wait::body;
  }
  if (wait == wait_) return;
  server_.wait(*this, wait);
  if (wait == Wait::stall) written_at_stall_ = socket_->bytes_written();
}

void HttpConnection::timed_out(Wait wait) {
  if (is_closed_) return;
  const bool has_request = exchange_ != nullptr;
  if (wait == Wait::stall && socket_->bytes_written() != written_at_stall_) return update_wait();
  if ((wait == Wait::head || wait == Wait::body) && has_request) {
    end_with(408, Error{ETIMEDOUT, "http request"});
    if (!is_closed_) flush();
    return;
  }
  abort(Error{ETIMEDOUT, "http"});
}

void HttpConnection::abort(Error error) {
  if (is_closed_) return;
  HttpExchange* exchange = std::exchange(exchange_, nullptr);
  close();
  if (exchange == nullptr) return;
  if (exchange->is_head_) {
    exchange->abort(error);
  } else {
    server_.release(*exchange);
  }
}

void HttpConnection::close() {
  is_closed_ = true;
  next_.cancel();
  server_.wait(*this, Wait::nothing);
  if (!is_processing_) backlog_ = std::string();
  if (out_.capacity() > 0) server_.give_buffer(std::move(out_));
  out_ = std::string();
  Socket* const socket = socket_.release();
  socket->close([this](Handle&) { server_.closed(*this); });
  socket->close_then_free();
}

}  // namespace rondo
