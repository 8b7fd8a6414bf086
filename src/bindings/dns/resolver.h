// A DnsResolver queries name servers with c-ares and waits for them in the loop: a Poll for each
// socket, and a Timer for c-ares' retries and timeouts.
//
// Answers are delivered in poll or timers, never inside a call: c-ares may answer at once, and from
// inside its own functions, where it must not be called. So an answer is queued first, and
// delivered when c-ares has returned.
// Thread: the loop's only.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/callback.h"
#include "bindings/dns/cares.h"
#include "io/net/address.h"
#include "io/poll.h"
#include "loop/async.h"
#include "loop/loop.h"

namespace rondo::bindings {

struct DnsAnswer {
  int status = cares::kSuccess;    // Of c-ares.
  std::string message;             // The raw message, for query().
  std::vector<std::string> names;  // For reverse().
};

class DnsResolver {
 public:
  using OnAnswer = Callback<void(DnsAnswer& answer)>;

  struct Limits {
    int timeout_ms = -1;  // Of the first try, which others may exceed. Not positive: the default.
    int tries = 4;        // For each server.
    int max_timeout_ms = 0;  // Of every try. 0: the default.
  };

  // Reads /etc/resolv.conf on first use.
  DnsResolver(Loop& loop, const Limits& limits);
  // Pending queries are dropped.
  ~DnsResolver();
  DnsResolver(const DnsResolver&) = delete;
  DnsResolver& operator=(const DnsResolver&) = delete;

  // 0, or the reason why c-ares cannot be used. Call it before all others.
  int open();
  // True while queries or undelivered answers are pending. The resolver must live until then.
  bool has_pending() const { return queries_ > 0 || !answers_.empty(); }

  // `type` is a number of RFC 1035 and its successors, in the class of the internet.
  void query(const std::string& name, int type, OnAnswer on_answer);
  void reverse(const SocketAddress& address, OnAnswer on_answer);
  // All pending queries get kCancelled, later.
  void cancel();

  // Only while no query is pending: c-ares would drop it.
  int set_servers(const std::vector<SocketAddress>& servers);
  std::vector<SocketAddress> servers();
  // The source addresses of queries. Empty: the system chooses.
  void set_local_addresses(const SocketAddress& ip4, const SocketAddress& ip6);

 private:
  struct Query {
    DnsResolver* resolver;
    OnAnswer on_answer;
  };
  struct PendingAnswer {
    OnAnswer on_answer;
    DnsAnswer answer;
  };

  struct Socket {
    Owned<Poll> poll;
    uint32_t events = 0;
  };

  static void on_socket_state(void* self, int fd, int readable, int writable);
  static void on_message(void* argument, int status, int timeouts, unsigned char* data, int size);
  static void on_host(void* argument, int status, int timeouts, hostent* host);
  Query* start_query(OnAnswer on_answer);
  void answer(Query* query, DnsAnswer answer);
  void process(int readable, int writable);
  void deliver();
  void deliver_later();
  void set_timer();
  void on_time();

  Loop& loop_;
  Limits limits_;
  cares::Channel* channel_ = nullptr;
  std::map<int, Socket> sockets_;
  Owned<Timer> timer_;
  Owned<Async> later_;
  std::deque<PendingAnswer> answers_;
  size_t queries_ = 0;
  bool is_delivering_ = false;
};

}  // namespace rondo::bindings
