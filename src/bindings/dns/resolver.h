// A DnsResolver queries name servers with c-ares and waits for them in the loop: a Poll for each
// socket, and a Timer for c-ares' retries and timeouts.
//
// Answers are delivered in poll or timers, never inside a call: c-ares may answer at once, and from
// inside its own functions, where it must not be called. So an answer is queued first, and
// delivered when c-ares has returned.
// Thread: the loop's only.
#pragma once

#include <ares.h>
#include <netdb.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/callback.h"
#include "io/net/address.h"
#include "io/poll.h"
#include "loop/async.h"
#include "loop/loop.h"

namespace rondo::bindings {

struct DnsAnswer {
  int status = ARES_SUCCESS;       // ARES_*
  std::string message;             // The raw message, for query().
  std::vector<std::string> names;  // For reverse().
};

class DnsResolver {
 public:
  using OnAnswer = Callback<void(DnsAnswer& answer)>;

  // A negative timeout means c-ares' default. Reads /etc/resolv.conf on first use.
  DnsResolver(Loop& loop, int timeout_ms, int tries);
  // Pending queries are dropped.
  ~DnsResolver();
  DnsResolver(const DnsResolver&) = delete;
  DnsResolver& operator=(const DnsResolver&) = delete;

  // ARES_SUCCESS, or the reason why c-ares cannot be used. Call it before all others.
  int open();
  // True while queries or undelivered answers are pending. The resolver must live until then.
  bool has_pending() const { return queries_ > 0 || !answers_.empty(); }

  // `type` is a number of RFC 1035 and its successors, in the class of the internet.
  void query(const std::string& name, int type, OnAnswer on_answer);
  void reverse(const SocketAddress& address, OnAnswer on_answer);
  // All pending queries get ARES_ECANCELLED, later.
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

  static void on_socket_state(void* self, ares_socket_t fd, int readable, int writable);
  static void on_message(void* argument, int status, int timeouts, unsigned char* data, int size);
  static void on_host(void* argument, int status, int timeouts, hostent* host);
  Query* start_query(OnAnswer on_answer);
  void answer(Query* query, DnsAnswer answer);
  void process(ares_socket_t readable, ares_socket_t writable);
  void deliver();
  void deliver_later();
  void set_timer();
  void wait_for_real_time();

  Loop& loop_;
  int timeout_ms_;
  int tries_;
  ares_channel channel_ = nullptr;
  std::map<ares_socket_t, Owned<Poll>> sockets_;
  Owned<Timer> timer_;
  Owned<Async> later_;
  std::deque<PendingAnswer> answers_;
  size_t queries_ = 0;
  bool is_delivering_ = false;
};

}  // namespace rondo::bindings
