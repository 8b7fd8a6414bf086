// Declares the part of c-ares 1.34 that resolver.cc calls. V8's host program contains c-ares
// (docs/adr/modules/0054), but its package has no header, so the structures are declared here as
// version 1.34 defines them. resolver_test.cc detects a wrong layout: options would have no effect,
// and servers would not be queried. Functions that are called must be listed in
// tools/engine/exports.txt.
#pragma once

#include <netdb.h>
#include <netinet/in.h>
#include <sys/time.h>

#include <cstddef>
#include <cstdint>

namespace rondo::bindings::cares {

// lib/internal/dns/errors.js has all of them.
enum Status : int {
  kSuccess = 0,
  kNoData = 1,
  kBadName = 8,
  kTimeout = 12,
  kDestruction = 16,  // The channel is being freed.
  kBadString = 17,
  kCancelled = 24,
};

constexpr int kBadSocket = -1;

// Bits of Options::flags.
constexpr int kNoCheckResponse = 1 << 7;

// Members of Options that are given.
enum Given : int {
  kFlags = 1 << 0,
  kTries = 1 << 2,
  kSocketState = 1 << 9,
  kTimeoutMs = 1 << 13,
  kMaxTimeoutMs = 1 << 20,
  kQueryCache = 1 << 21,
};

// A socket was opened, waits for other events, or is about to be closed: then both are 0.
using OnSocketState = void (*)(void* data, int fd, int readable, int writable);

struct Options {
  int flags;
  int timeout;
  int tries;
  int dots;
  uint16_t udp_port;
  uint16_t tcp_port;
  int send_buffer;
  int receive_buffer;
  void* servers;
  int server_count;
  char** domains;
  int domain_count;
  char* lookups;
  OnSocketState socket_state;
  void* socket_state_data;
  void* sort_list;
  int sort_count;
  int edns_packet_size;
  char* configuration_path;
  char* hosts_path;
  int udp_max_queries;
  int max_timeout;
  unsigned query_cache_seconds;
  int event_system;
  struct {
    uint16_t retry_chance;
    size_t retry_delay;
  } failover;
};
static_assert(offsetof(Options, servers) == 32);
static_assert(offsetof(Options, socket_state) == 72);
static_assert(offsetof(Options, hosts_path) == 112);
static_assert(offsetof(Options, max_timeout) == 124);
static_assert(offsetof(Options, query_cache_seconds) == 128);
static_assert(sizeof(Options) == 152);

// A server in a linked list. Ports are in host byte order; 0 means 53.
struct Server {
  Server* next;
  int family;
  union {
    in_addr ip4;
    uint8_t ip6[16];
  } address;
  int udp_port;
  int tcp_port;
};
static_assert(offsetof(Server, address) == 12);
static_assert(offsetof(Server, udp_port) == 28);
static_assert(sizeof(Server) == 40);

struct Channel;

// Bits of Event::events.
constexpr unsigned kRead = 1;
constexpr unsigned kWrite = 2;

struct Event {
  int fd;
  unsigned events;
};
static_assert(sizeof(Event) == 8);

// The data is the whole message. It is freed when the callback returns.
using OnMessage = void (*)(void* argument, int status, int timeouts, unsigned char* data, int size);
using OnHost = void (*)(void* argument, int status, int timeouts, hostent* host);

extern "C" {
int ares_library_init(int flags);
int ares_init_options(Channel** channel, const Options* options, int given);
// Reports kDestruction to all pending queries.
void ares_destroy(Channel* channel);
void ares_cancel(Channel* channel);
void ares_query(Channel* channel, const char* name, int of_class, int type, OnMessage on_message,
                void* argument);
void ares_gethostbyaddr(Channel* channel, const void* address, int size, int family, OnHost on_host,
                        void* argument);
// A descriptor may be kBadSocket. Handles queries that have timed out as well.
void ares_process_fd(Channel* channel, int readable, int writable);
// The same for several sockets: reads all of them before it handles timeouts. Returns a Status.
int ares_process_fds(Channel* channel, const Event* events, size_t count, unsigned flags);
// The time until the next query times out, in *left, or null if no query is pending and most is
// null.
timeval* ares_timeout(const Channel* channel, timeval* most, timeval* left);
int ares_set_servers_ports(Channel* channel, const Server* servers);
// *servers is freed with ares_free_data().
int ares_get_servers_ports(const Channel* channel, Server** servers);
void ares_free_data(void* data);
// In host byte order.
void ares_set_local_ip4(Channel* channel, unsigned address);
// 16 bytes.
void ares_set_local_ip6(Channel* channel, const unsigned char* address);
const char* ares_strerror(int status);
}

}  // namespace rondo::bindings::cares
