#include "io/http/server.h"

#include "io/http/connection.h"
#include "io/http/writer.h"
#include "io/net/pipe.h"
#include "io/net/tcp.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// Kept for the next connections and requests, so that a steady load allocates nothing.
constexpr size_t kMostFreeConnections = 256;
constexpr size_t kMostFreeExchanges = 256;
constexpr size_t kMostFreeBuffers = 64;
constexpr size_t kLargestFreeBuffer = 64 * 1024;
// For a client to end its side after the last response, so that it is not reset before it has read
// the response.
constexpr Nanos kLingerTime = std::chrono::seconds{2};
// Limits are in seconds: connections whose limits end at nearly the same time share a wake-up.
constexpr Nanos kSlack = Millis{50};

}  // namespace

HttpServer::HttpServer(Loop& loop, HttpServerOptions options)
    : Handle(loop, "http server"),
      options_(options),
      drained_([](Deferred& self) {
        HttpServer& server = *static_cast<Drained&>(self).owner;
        server.deactivate();
        if (!server.on_drained_) return;
        CallbackScope scope(server.loop(), server);
        server.on_drained_.call_replaceable(server);
      }),
      lists_(std::make_unique<Lists>()) {
  drained_.owner = this;
}

HttpServer::~HttpServer() {
  while (HttpExchange* exchange = lists_->exchanges.pop_front()) exchange->server_ = nullptr;
  for (HttpExchange* exchange : free_exchanges_) delete exchange;
  RONDO_ASSERT(count_ == 0);
}

Result<void> HttpServer::listen(const SocketAddress& address) {
  if (listener_ != nullptr || is_closing()) return Error{EINVAL, "listen"};
  if (!on_request_ && !handler_) fatal("HttpServer::listen() without on_request() or serve()");
  Result<void> bound;
  is_unix_ = address.is_unix();
  if (is_unix_) {
    auto server = loop().make<PipeServer>();
    bound = server->bind(address);
    listener_ = std::move(server);
  } else {
    auto server = loop().make<TcpServer>();
    bound = server->bind(address, {.reuse_port = options_.reuse_port});
    listener_ = std::move(server);
  }
  if (bound) {
    bound = listener_->listen(
        [this](Listener&, Result<Fd> connection) { accept(std::move(connection)); },
        options_.backlog);
  }
  if (!bound) {
    listener_.reset();
    return bound;
  }
  listener_->unref();  // This handle keeps the loop alive instead: it can be unref'd.
  activate();
  return {};
}

Result<SocketAddress> HttpServer::address() const {
  if (listener_ == nullptr) return Error{EINVAL, "getsockname"};
  return listener_->address();
}

void HttpServer::accept(Result<Fd> connection) {
  if (!connection) return;  // The listener tries again.
  Owned<Socket> socket;
  Result<void> opened;
  if (is_unix_) {
    auto pipe = loop().make<PipeSocket>();
    opened = pipe->open(std::move(*connection));
    socket = std::move(pipe);
  } else {
    auto tcp = loop().make<TcpSocket>();
    (void)tcp->set_no_delay(true);  // Only remembered until there is a connection.
    opened = tcp->open(std::move(*connection));
    socket = std::move(tcp);
  }
  if (!opened) return;
  std::unique_ptr<HttpConnection> made;
  if (free_connections_.empty()) {
    made = std::make_unique<HttpConnection>(*this);
  } else {
    made = std::move(free_connections_.back());
    free_connections_.pop_back();
  }
  HttpConnection& owned = *made.release();  // closed() takes it back.
  lists_->connections.push_back(owned);
  if (++count_ >= options_.connections) listener_->pause();
  owned.open(std::move(socket));
}

void HttpServer::closed(HttpConnection& connection) {
  std::unique_ptr<HttpConnection> owned(&connection);
  wait(connection, Wait::nothing);
  connection.link_.unlink();
  if (count_-- == options_.connections && listener_ != nullptr) listener_->resume();
  if (free_connections_.size() < kMostFreeConnections && !is_closing()) {
    free_connections_.push_back(std::move(owned));
  }
  if (is_draining_ && count_ == 0 && !is_closing()) internals().defer(drained_);
  end_if_last();
}

void HttpServer::drain(OnDrained on_drained) {
  on_drained_ = std::move(on_drained);
  is_draining_ = true;
  listener_.reset();
  lists_->connections.for_each([](HttpConnection& connection) { connection.drain(); });
  if (count_ == 0) internals().defer(drained_);
}

void HttpServer::on_closing() {
  listener_.reset();
  drained_.cancel();
  lists_->connections.for_each([](HttpConnection& connection) {
    connection.abort(Error{ECANCELED, "http server"});
  });
  timer_.reset();
  // Connections are freed by the callbacks of their sockets, and tasks use the captures of
  // handler_.
  if (count_ + tasks_ > 0) begin_operation();
}

void HttpServer::end_if_last() {
  if (is_closing() && count_ + tasks_ == 0) end_operation();
}

HttpExchange& HttpServer::take_exchange() {
  HttpExchange* exchange;
  if (free_exchanges_.empty()) {
    exchange = new HttpExchange(*this);
  } else {
    exchange = free_exchanges_.back();
    free_exchanges_.pop_back();
  }
  lists_->exchanges.push_back(*exchange);
  return *exchange;
}

void HttpServer::release(HttpExchange& exchange) {
  exchange.link_.unlink();
  if (free_exchanges_.size() < kMostFreeExchanges && !is_closing()) {
    exchange.clear();
    free_exchanges_.push_back(&exchange);
  } else {
    delete &exchange;
  }
}

std::string HttpServer::take_buffer() {
  if (free_buffers_.empty()) return {};
  std::string buffer = std::move(free_buffers_.back());
  free_buffers_.pop_back();
  return buffer;
}

void HttpServer::give_buffer(std::string buffer) {
  if (free_buffers_.size() == kMostFreeBuffers || buffer.capacity() > kLargestFreeBuffer) return;
  buffer.clear();
  free_buffers_.push_back(std::move(buffer));
}

void HttpServer::call(HttpExchange& exchange) {
  ++requests_;
  if (!handler_) return on_request_(exchange);
  exchange.is_task_ = true;
  exchange.cancel_.emplace();
  ++tasks_;
  handler_(exchange).start_detached(
      {exchange.cancel_->token(), &loop()}, &exchange,
      [](void* self, std::coroutine_handle<> task) -> std::coroutine_handle<> {
        HttpExchange& ended = *static_cast<HttpExchange*>(self);
        task.destroy();  // First: destructors of its locals may use the exchange.
        ended.server_->task_ended(ended);
        return nullptr;
      });
}

void HttpServer::task_ended(HttpExchange& exchange) {
  if (exchange.response_ == HttpExchange::Response::none) {
    exchange.is_bad_ = true;  // Gives 500.
    exchange.respond(500);
  } else if (exchange.response_ == HttpExchange::Response::begun) {
    exchange.end();
  }
  exchange.is_task_ = false;
  if (exchange.connection_ == nullptr) release(exchange);
  --tasks_;
  end_if_last();
}

std::string_view HttpServer::date() {
  if (loop().now() >= date_until_) {
    const Nanos wall = loop().clock().wall();
    http::format_date(wall, date_);
    constexpr Nanos kSecond = std::chrono::seconds{1};
    date_until_ = loop().now() + kSecond - wall % kSecond;
  }
  return {date_, http::kDateSize - 1};
}

Nanos HttpServer::limit_of(Wait wait) const {
  switch (wait) {
    case Wait::head: return options_.head_time;
    case Wait::body: return options_.body_time;
    case Wait::idle: return options_.idle_time;
    case Wait::stall: return options_.stall_time;
    default: return kLingerTime;
  }
}

// Each list has one limit, so it is in order of deadlines.
void HttpServer::wait(HttpConnection& connection, Wait wait) {
  if (connection.wait_link_.is_linked()) connection.wait_link_.unlink();
  connection.wait_ = wait;
  if (wait == Wait::nothing || is_closing()) return;
  connection.deadline_ = saturating_add(loop().now(), limit_of(wait));
  lists_->waits[static_cast<size_t>(wait)].push_back(connection);
  arm(connection.deadline_);
}

void HttpServer::arm(Nanos deadline) {
  if (timer_ == nullptr) {
    timer_ = loop().make<Timer>();
    timer_->unref();
    timer_->set_slack(kSlack);
  }
  if (timer_->is_active() && timer_->due() <= deadline + kSlack) return;
  timer_->start(deadline - loop().now(), [this](Timer&) { sweep(); });
}

void HttpServer::sweep() {
  Nanos next = kForever;
  for (auto& list : lists_->waits) {
    while (HttpConnection* first = list.front()) {
      if (first->deadline_ > loop().now()) {
        next = std::min(next, first->deadline_);
        break;
      }
      const Wait ended = first->wait_;
      wait(*first, Wait::nothing);
      first->timed_out(ended);
    }
  }
  if (next != kForever) arm(next);
}

}  // namespace rondo
