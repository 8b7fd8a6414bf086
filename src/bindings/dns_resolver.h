// A DnsResolver asks name servers, through c-ares, and waits for them in the loop: a Poll for each
// of its sockets, and a Timer for when c-ares wants to ask again or give up.
//
// Answers come in poll or timers, never from inside a call: c-ares likes to answer at once, and
// from the middle of its own work, where nothing of it may be touched. So an answer is noted first,
// and told when c-ares has returned.
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
#include "io/address.h"
#include "io/poll.h"
#include "loop/async.h"
#include "loop/loop.h"

namespace rondo::bindings {

struct DnsAnswer {
  int status = ARES_SUCCESS;       // ARES_*
  std::string message;             // As it came over the wire, if the question was query()'s.
  std::vector<std::string> names;  // If it was reverse()'s.
};

class DnsResolver {
 public:
  using OnAnswer = Callback<void(DnsAnswer& answer)>;

  // A negative timeout means the one that c-ares thinks right. Reads /etc/resolv.conf when it is
  // first used.
  DnsResolver(Loop& loop, int timeout_ms, int tries);
  // What was asked and not answered is forgotten.
  ~DnsResolver();
  DnsResolver(const DnsResolver&) = delete;
  DnsResolver& operator=(const DnsResolver&) = delete;

  // ARES_SUCCESS, or why c-ares cannot be used at all. All else wants this first.
  int open();
  // Somebody waits, if only for what is known already. Until then the resolver must live.
  bool has_questions() const { return questions_ > 0 || !told_.empty(); }

  // `type` is a number of RFC 1035 and its followers, in the class of the internet.
  void query(const std::string& name, int type, OnAnswer on_answer);
  void reverse(const SocketAddress& address, OnAnswer on_answer);
  // All that is asked is answered with ARES_ECANCELLED, later.
  void cancel();

  // Only while nothing is asked: c-ares would forget it.
  int set_servers(const std::vector<SocketAddress>& servers);
  std::vector<SocketAddress> servers();
  // From where it asks. Nowhere: from wherever the system likes.
  void set_local_addresses(const SocketAddress& ip4, const SocketAddress& ip6);

 private:
  struct Question {
    DnsResolver* resolver;
    OnAnswer on_answer;
  };
  struct Told {
    OnAnswer on_answer;
    DnsAnswer answer;
  };

  static void on_socket_state(void* self, ares_socket_t fd, int readable, int writable);
  static void on_message(void* question, int status, int timeouts, unsigned char* data, int size);
  static void on_host(void* question, int status, int timeouts, hostent* host);
  Question* ask(OnAnswer on_answer);
  void answer(Question* question, DnsAnswer answer);
  void process(ares_socket_t readable, ares_socket_t writable);
  void tell();
  void tell_later();
  void set_timer();
  void wait_for_real_time();

  Loop& loop_;
  int timeout_ms_;
  int tries_;
  ares_channel channel_ = nullptr;
  std::map<ares_socket_t, Owned<Poll>> sockets_;
  Owned<Timer> timer_;
  Owned<Async> later_;
  std::deque<Told> told_;
  size_t questions_ = 0;
  bool is_telling_ = false;
};

}  // namespace rondo::bindings
