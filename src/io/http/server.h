// An HttpServer answers HTTP/1.0 and HTTP/1.1 requests over TCP or Unix sockets.
//
//   auto server = loop.make<HttpServer>();
//   server->on_request([](HttpExchange& exchange) { exchange.respond(200, "text/plain", "hi\n");
//   }); Result<void> listening = server->listen(SocketAddress::loopback(8080));
//
// Requests of a connection are handled one after the other; pipelined ones wait. A malformed
// request is answered with 400, 408, 413, 414, 417, 431, 501 or 505, and its connection is closed;
// the server's function does not see it. Phase: poll; pending. Thread: the loop's only.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "io/http/exchange.h"
#include "io/http/parser.h"
#include "io/net/listener.h"
#include "loop/handle.h"

namespace rondo {

struct HttpServerOptions {
  HttpServerOptions() { limits.body = 16 * 1024 * 1024; }

  HttpLimits limits;
  size_t connections = 16 * 1024;       // More wait in the kernel's queue.
  size_t high_water = 64 * 1024;        // HttpExchange::write() returns false above it.
  std::chrono::seconds head_time{30};   // From connecting, or the first byte, to the last field.
  std::chrono::seconds body_time{300};  // For the body of a request.
  std::chrono::seconds idle_time{5};    // Between two requests.
  std::chrono::seconds stall_time{60};  // Without a byte of the response being taken.
  int backlog = Listener::kDefaultBacklog;
  bool reuse_port = false;  // Several servers share the port, as with TcpServer.
};

class HttpServer final : public Handle {
 public:
  using OnRequest = Callback<void(HttpExchange&)>;
  using Handler = Callback<Task<void>(HttpExchange&)>;
  using OnDrained = Callback<void(HttpServer&)>;

  explicit HttpServer(Loop& loop, HttpServerOptions options = {});
  ~HttpServer() override;

  // One of the two, before listen(). Called when the head of a request is complete. A task is
  // cancelled when the client goes or the server is closed. If it ends without a response, the
  // client gets 500.
  void on_request(OnRequest on_request) { on_request_ = std::move(on_request); }
  void serve(Handler handler) { handler_ = std::move(handler); }

  // On an address and port, or a Unix socket, whose file close() removes. Listening, without
  // unref(), and each connection keep the loop alive.
  Result<void> listen(const SocketAddress& address);
  Result<SocketAddress> address() const;

  // Accepts no more connections, closes idle ones, and lets the others finish their request.
  // `on_drained` runs when none is left; never inside this call. Then close().
  void drain(OnDrained on_drained = nullptr);
  // close() ends all connections at once.

  size_t connections() const { return count_; }
  uint64_t requests() const { return requests_; }
  const HttpServerOptions& options() const { return options_; }

 private:
  friend class HttpConnection;
  friend class HttpExchange;
  // The states of a connection that have a time limit.
  enum class Wait : uint8_t { nothing, head, body, idle, stall, linger };
  static constexpr size_t kWaits = 6;
  struct Drained final : Deferred {
    using Deferred::Deferred;
    HttpServer* owner;
  };

  void on_closing() override;
  void accept(Result<Fd> connection);
  void closed(HttpConnection& connection);
  void end_if_last();
  HttpExchange& take_exchange();
  void release(HttpExchange& exchange);
  std::string take_buffer();
  void give_buffer(std::string buffer);
  void call(HttpExchange& exchange);
  void task_ended(HttpExchange& exchange);
  std::string_view date();

  Nanos limit_of(Wait wait) const;
  void wait(HttpConnection& connection, Wait wait);
  void arm(Nanos deadline);
  void sweep();

  struct Lists;

  HttpServerOptions options_;
  OnRequest on_request_;
  Handler handler_;
  OnDrained on_drained_;
  Drained drained_;
  Owned<Listener> listener_;
  Owned<Timer> timer_;  // One for all limits of all connections.
  std::unique_ptr<Lists> lists_;
  size_t count_ = 0;
  size_t tasks_ = 0;
  uint64_t requests_ = 0;
  Nanos date_until_{-1};
  char date_[32];
  bool is_unix_ = false;
  bool is_draining_ = false;
  std::vector<std::unique_ptr<HttpConnection>> free_connections_;
  std::vector<HttpExchange*> free_exchanges_;
  std::vector<std::string> free_buffers_;
};

}  // namespace rondo
