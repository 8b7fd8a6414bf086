// A connection of an HttpClient to one origin: looks up the name, connects, sends requests one
// after the other and parses the responses. Thread: the loop's only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/dns/dns.h"
#include "io/http/client.h"
#include "io/http/parser.h"
#include "io/net/socket.h"
#include "loop/phases/timers.h"

namespace rondo {

class HttpChannel {
 public:
  HttpChannel(HttpClient& client, std::string origin);
  HttpChannel(const HttpChannel&) = delete;
  HttpChannel& operator=(const HttpChannel&) = delete;

  const std::string& origin() const { return origin_; }
  bool is_idle() const { return is_kept_; }  // Kept for the next call.
  bool is_closed() const { return is_closed_; }

  // Connects first, if it is new.
  void start(HttpCall& call);
  // The call is over before its response is.
  void close();

  // For the call.
  bool write(std::string_view piece);
  void end();
  void continue_soon();
  size_t pull(char* to, size_t size);

 private:
  friend class HttpClient;
  struct Next final : Deferred {
    using Deferred::Deferred;
    HttpChannel* owner;
  };

  void look_up();
  void connect_next();
  void connected(Result<void> outcome);
  void send_request();
  void received(Result<std::span<std::byte>> data);
  void process_input(std::string_view input);
  void after_input();
  bool step();
  void head_complete();
  void complete();
  void fail(Error error);
  void after_pull();
  void report_drain();
  void watch_time(Nanos limit, const char* what);
  void read_again();
  void flush();
  void sent(Result<void> outcome);
  void free_if_unused();

  HttpClient& client_;
  const std::string origin_;
  Owned<Socket> socket_;
  GetAddrInfo lookup_;
  GetAddrInfo::Addresses addresses_;
  size_t next_address_ = 0;
  HttpCall* call_ = nullptr;
  HttpParser parser_;
  std::string_view input_;
  std::string backlog_;
  std::string out_;
  std::string sending_;
  size_t sending_size_ = 0;
  iovec part_{};
  Write write_;
  Timer timer_;
  Next next_;
  ListLink link_;
  uint64_t left_ = 0;  // Of a streamed request with a length.
  bool is_connected_ : 1 = false;
  bool is_closed_ : 1 = false;
  bool is_socket_closing_ : 1 = false;
  bool is_processing_ : 1 = false;
  bool is_kept_ : 1 = false;
  bool is_used_ : 1 = false;     // Has completed a request.
  bool has_answer_ : 1 = false;  // A byte of the response has arrived.
  bool is_interim_ : 1 = false;  // The head is that of a 1xx response.
  bool is_chunked_ : 1 = false;  // The request.
  bool is_at_end_ : 1 = false;
  bool is_write_broken_ : 1 = false;  // The server does not read any more.
};

struct HttpClient::Lists {
  List<HttpChannel, &HttpChannel::link_> channels;
  List<HttpCall, &HttpCall::link_> calls;
  List<HttpCall, &HttpCall::link_> waiting;
};

}  // namespace rondo
