#include "io/http/client.h"

#include "io/http/channel.h"
#include "io/http/writer.h"
#include "loop/internals.h"

namespace rondo {

bool HttpRequest::set(std::string_view name, std::string_view value) {
  if (http::is_framing_field(name) || http::equal_ignoring_case(name, "host")) return false;
  return http::append_field(fields, name, value);
}

HttpClient::HttpClient(Loop& loop, HttpClientOptions options)
    : Handle(loop, "http client"), options_(options), lists_(std::make_unique<Lists>()) {}

HttpClient::~HttpClient() { RONDO_ASSERT(lists_->channels.is_empty()); }

void HttpClient::on_closing() {
  while (HttpCall* call = lists_->waiting.front()) call->finish(Error{ECANCELED, "http client"});
  while (HttpCall* call = lists_->calls.front()) call->finish(Error{ECANCELED, "http client"});
  lists_->channels.for_each([](HttpChannel& channel) { channel.close(); });
  // Channels are freed by the callbacks of their sockets.
  if (!lists_->channels.is_empty()) begin_operation();
}

void HttpClient::begin(HttpCall& call) {
  if (call.channel_ == nullptr && !is_closing()) dead_.clear();
  if (!assign(call, true)) lists_->waiting.push_back(call);
}

// Starts the call on an idle or a new connection, unless there are too many.
bool HttpClient::assign(HttpCall& call, bool may_reuse) {
  size_t count = 0;
  HttpChannel* found = nullptr;
  lists_->channels.for_each([&](HttpChannel& channel) {
    if (channel.is_closed() || channel.origin() != call.origin_) return;
    ++count;
    if (channel.is_idle()) found = &channel;
  });
  if (found != nullptr && may_reuse) {
    --idle_;
  } else if (count >= options_.connections && may_reuse) {
    return false;
  } else {
    auto made = std::make_unique<HttpChannel>(*this, call.origin_);
    found = made.release();  // closed() takes it back.
    lists_->channels.push_back(*found);
  }
  lists_->calls.push_back(call);
  call.channel_ = found;
  found->start(call);
  return true;
}

void HttpClient::repeat(HttpCall& call) {
  call.link_.unlink();
  call.channel_ = nullptr;
  call.is_repeated_ = true;
  assign(call, false);
}

void HttpClient::became_idle(HttpChannel& channel) {
  ++idle_;
  start_waiting(channel.origin());
}

void HttpClient::start_waiting(const std::string& origin) {
  if (is_closing()) return;
  HttpCall* first = nullptr;
  lists_->waiting.for_each([&](HttpCall& call) {
    if (first == nullptr && call.origin_ == origin) first = &call;
  });
  if (first == nullptr) return;
  first->link_.unlink();
  begin(*first);
}

void HttpClient::closed(HttpChannel& channel) {
  const std::unique_ptr<HttpChannel> owned(&channel);
  channel.link_.unlink();
  if (is_closing() && lists_->channels.is_empty()) end_operation();
}

// The channel may be on the stack.
void HttpClient::bury(HttpChannel& channel) {
  channel.link_.unlink();
  dead_.emplace_back(&channel);
}

Task<Result<HttpResponse>> HttpClient::fetch(HttpRequest request) {
  HttpCall call(*this);
  call.start(std::move(request), nullptr);
  const Result<void> done =
      co_await call.wait_until([](const HttpCall& of) { return of.is_over_; });
  if (!done) co_return done.error();
  co_return call.take_response();
}

// Calls.

HttpCall::HttpCall(HttpClient& client)
    : client_(&client),
      loop_(client.loop()),
      notice_([](Deferred& self) { static_cast<Notice&>(self).owner->notify(); }),
      flag_(client.loop()) {
  notice_.owner = this;
}

HttpCall::~HttpCall() { abandon(); }

void HttpCall::abandon() {
  if (!is_pending_) return;
  notice_.cancel();
  on_done_ = nullptr;
  if (!is_over_) finish(Error{ECANCELED, "http"});
  notice_.cancel();
  is_pending_ = false;
  loop_.internals().end_request();
}

void HttpCall::start(HttpRequest request, OnDone on_done) {
  if (is_over_ && !on_done_) abandon();  // Only its notice is pending, for which nothing waits.
  RONDO_ASSERT(!is_pending_);
  loop_.internals().begin_request();
  is_pending_ = true;
  is_over_ = has_head_ = is_repeated_ = waits_for_drain_ = false;
  head_.clear();
  body_.clear();
  early_.clear();
  flag_.clear();
  on_done_ = std::move(on_done);
  request_ = std::move(request);
  has_ended_ = !request_.streams_body;
  if (reading_ != Reading::on_demand) reading_ = on_body_ ? Reading::pieces : Reading::whole;
  if (client_->is_closing()) return finish(Error{ECANCELED, "http client"});
  Result<HttpUrl> url = HttpUrl::parse(request_.url);
  if (!url) return finish(url.error());
  if (!http::is_token(request_.method) || request_.method == "CONNECT") {
    return finish(Error{EINVAL, "http method"});
  }
  url_ = std::move(*url);
  origin_ = request_.unix_path.empty() ? url_.authority : "unix:" + request_.unix_path;
  client_->begin(*this);
}

Result<void> HttpCall::cancel() {
  if (!is_pending_ || is_over_) return Error{EBUSY, "cancel"};
  finish(Error{ECANCELED, "http"});
  return {};
}

// The result is known; the callback follows in pending.
void HttpCall::finish(Result<void> result) {
  is_over_ = true;
  result_ = result;
  if (link_.is_linked()) link_.unlink();
  if (HttpChannel* channel = std::exchange(channel_, nullptr); channel != nullptr && !result) {
    channel->close();
  }
  flag_.set();
  loop_.internals().defer(notice_);
}

// The last callback may free this call.
void HttpCall::notify() {
  is_pending_ = false;
  reading_ = Reading::whole;
  loop_.internals().end_request();
  if (!on_done_) return;
  CallbackScope scope(loop_, 0, "http call");
  OnDone on_done = std::move(on_done_);
  on_done(*this, result_);
}

bool HttpCall::write(std::string_view piece) {
  RONDO_ASSERT(!has_ended_);
  if (is_over_ || piece.empty()) return true;
  bool has_room;
  if (channel_ != nullptr) {
    has_room = channel_->write(piece);
  } else {
    early_ += piece;
    has_room = early_.size() <= client_->options_.high_water;
  }
  if (!has_room) waits_for_drain_ = true;
  return has_room || is_over_;
}

void HttpCall::end() {
  RONDO_ASSERT(!has_ended_);
  has_ended_ = true;
  if (!is_over_ && channel_ != nullptr) channel_->end();
}

void HttpCall::pause() {
  if (reading_ == Reading::pieces) reading_ = Reading::paused;
}

void HttpCall::resume() {
  if (reading_ != Reading::paused) return;
  reading_ = Reading::pieces;
  if (channel_ != nullptr) channel_->continue_soon();
}

// For tasks. The result is that of a call that has failed.
Task<Result<void>> HttpCall::wait_until(bool (*is_reached)(const HttpCall&)) {
  while (!is_reached(*this) && !is_over_) {
    flag_.clear();
    const Result<void> waited = co_await flag_.wait();
    if (!waited) {
      abandon();
      is_over_ = true;
      result_ = waited;
    }
  }
  if (is_over_) co_return result_;
  co_return Result<void>();
}

Task<Result<void>> HttpCall::open(HttpRequest request) {
  reading_ = Reading::on_demand;
  start(std::move(request), nullptr);
  if (!has_ended_) co_return is_over_ ? result_ : Result<void>();
  co_return co_await wait_for_head();
}

Task<Result<void>> HttpCall::wait_for_head() {
  co_return co_await wait_until([](const HttpCall& call) { return call.has_head_; });
}

Task<Result<void>> HttpCall::send(std::string_view piece) {
  if (!write(piece)) {
    const Result<void> drained =
        co_await wait_until([](const HttpCall& call) { return !call.waits_for_drain_; });
    co_return drained;
  }
  co_return is_over_ ? result_ : Result<void>();
}

Task<Result<size_t>> HttpCall::read(std::span<std::byte> buffer) {
  for (;;) {
    if (channel_ != nullptr && has_head_) {
      const size_t size = channel_->pull(reinterpret_cast<char*>(buffer.data()), buffer.size());
      if (size > 0) co_return size;
    }
    if (is_over_) {
      if (!result_) co_return result_.error();
      co_return size_t{0};
    }
    flag_.clear();
    const Result<void> waited = co_await flag_.wait();
    if (!waited) {
      abandon();
      co_return waited.error();
    }
  }
}

}  // namespace rondo
