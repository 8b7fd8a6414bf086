// A connection of an HttpServer: parses requests, sends responses in order, keeps time limits. Used
// again for another socket when its own is closed. Thread: the loop's only.
#pragma once

#include <string>
#include <string_view>

#include "io/http/exchange.h"
#include "io/http/parser.h"
#include "io/http/server.h"

namespace rondo {

class HttpConnection {
 public:
  using Wait = HttpServer::Wait;

  explicit HttpConnection(HttpServer& server);
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void open(Owned<Socket> socket);
  // Ends the connection at once; the exchange, if any, is aborted with this error.
  void abort(Error error);
  // Ends it after the current request, or now if there is none.
  void drain();
  void timed_out(Wait wait);

  // For the exchange.
  Socket& socket() { return *socket_; }
  std::string& output();
  void flush_soon();  // At the end of the current event.
  size_t queued() const { return out_.size() + sending_size_; }
  void response_ended();
  void continue_soon();  // The exchange wants input, or has ended: continue in pending.
  // On-demand reading: at most `size` bytes of the body. 0 if there are none yet.
  size_t pull(char* to, size_t size);
  Result<HttpUpgrade> upgrade(std::string_view head);
  std::string_view date() { return server_.date(); }

 private:
  friend class HttpServer;
  struct Next final : Deferred {
    using Deferred::Deferred;
    HttpConnection* owner;
  };

  void received(Result<std::span<std::byte>> data);
  void process_input(std::string_view input);
  void after_input();
  void after_pull();
  bool is_taken_slowly() const;
  bool is_backed_up() const {
    return write_.is_pending() && queued() > server_.options_.high_water;
  }
  bool step();
  void head_complete();
  void discard(size_t size);
  void fail(HttpFault fault);
  void end_with(int status, Error error);
  void finish_exchange();
  void closes_soon();
  void read_again();
  void update_wait();
  void flush();
  void sent(Result<void> outcome);
  void report_drain();
  void end_output();
  void close();

  HttpServer& server_;
  Owned<Socket> socket_;
  HttpExchange* exchange_ = nullptr;
  HttpParser parser_;
  std::string_view input_;  // Being processed: of the event, or of backlog_.
  std::string backlog_;     // Input for which there is no reader yet.
  std::string out_;         // Not yet given to the socket.
  std::string sending_;     // Queued in the socket.
  size_t sending_size_ = 0;
  iovec part_{};
  Write write_;
  Next next_;
  ListLink link_;       // In the server's list of connections.
  ListLink wait_link_;  // In the list of what it waits for.
  Nanos deadline_{0};
  uint64_t written_at_stall_ = 0;
  Wait wait_ = Wait::nothing;
  bool is_processing_ : 1 = false;
  bool is_at_end_ : 1 = false;     // The client has ended its side.
  bool closes_ : 1 = false;        // After the output.
  bool is_lingering_ : 1 = false;  // Our side has ended; input is discarded.
  bool is_closed_ : 1 = false;     // The socket is closing.
  bool is_upgraded_ : 1 = false;   // The socket has another owner.
  bool is_polite_ : 1 = false;     // Ends our side first: the client may still be sending.
  bool is_fresh_ : 1 = true;       // No request yet.
  uint64_t discarded_ = 0;
};

struct HttpServer::Lists {
  List<HttpConnection, &HttpConnection::link_> connections;
  List<HttpConnection, &HttpConnection::wait_link_> waits[kWaits];
  List<HttpExchange, &HttpExchange::link_> exchanges;
};

}  // namespace rondo
