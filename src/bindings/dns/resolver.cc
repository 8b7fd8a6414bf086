#include "bindings/dns/resolver.h"

#include <arpa/inet.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace rondo::bindings {

namespace {

// C-ares keeps process-wide state and counts its users: initialise it once and never release it.
int init_library() {
  static const int kStatus = cares::ares_library_init(0);
  return kStatus;
}

std::vector<std::string> names_of(const hostent& host) {
  std::vector<std::string> names;
  for (char** alias = host.h_aliases; alias != nullptr && *alias != nullptr; ++alias) {
    names.emplace_back(*alias);
  }
  // In answers of name servers there are only aliases; in /etc/hosts they are additional.
  const std::string name = host.h_name != nullptr ? host.h_name : "";
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
    names.insert(names.begin(), name);
  }
  return names;
}

SocketAddress address_of(const cares::Server& node) {
  if (node.family == AF_INET) {
    sockaddr_in ip4{};
    ip4.sin_family = AF_INET;
    ip4.sin_addr = node.address.ip4;
    ip4.sin_port = htons(static_cast<uint16_t>(node.udp_port));
    return SocketAddress::from(reinterpret_cast<const sockaddr*>(&ip4), sizeof ip4);
  }
  sockaddr_in6 ip6{};
  ip6.sin6_family = AF_INET6;
  std::memcpy(&ip6.sin6_addr, &node.address.ip6, sizeof ip6.sin6_addr);
  ip6.sin6_port = htons(static_cast<uint16_t>(node.udp_port));
  return SocketAddress::from(reinterpret_cast<const sockaddr*>(&ip6), sizeof ip6);
}

cares::Server node_of(const SocketAddress& address) {
  cares::Server node{};
  node.family = address.family();
  node.udp_port = node.tcp_port = address.port();
  if (address.is_ip4()) {
    node.address.ip4 = reinterpret_cast<const sockaddr_in*>(address.data())->sin_addr;
  } else {
    std::memcpy(&node.address.ip6,
                &reinterpret_cast<const sockaddr_in6*>(address.data())->sin6_addr,
                sizeof node.address.ip6);
  }
  return node;
}

}  // namespace

DnsResolver::DnsResolver(Loop& loop, const Limits& limits)
    : loop_(loop),
      limits_(limits),
      timer_(loop.make<Timer>()),
      later_(loop.make<Async>([this](Async&) { deliver(); })) {
  later_->unref();
  timer_->set_kind(HandleKind::dns_query);
}

DnsResolver::~DnsResolver() {
  RONDO_ASSERT(!is_delivering_);
  if (channel_ != nullptr) cares::ares_destroy(channel_);
}

int DnsResolver::open() {
  if (channel_ != nullptr) return cares::kSuccess;
  if (const int status = init_library(); status != cares::kSuccess) return status;
  cares::Options options{};
  // A server's refusal is an answer and is reported; the program decides whether to query another
  // one.
  options.flags = cares::kNoCheckResponse;
  options.timeout = limits_.timeout_ms;
  options.tries = limits_.tries;
  options.socket_state = on_socket_state;
  options.socket_state_data = this;
  // Every query is sent: no answers are kept.
  options.query_cache_seconds = 0;
  int given =
      cares::kFlags | cares::kTimeoutMs | cares::kTries | cares::kSocketState | cares::kQueryCache;
  if (limits_.max_timeout_ms > 0) {
    options.max_timeout = limits_.max_timeout_ms;
    given |= cares::kMaxTimeoutMs;
  }
  const int status = cares::ares_init_options(&channel_, &options, given);
  if (status != cares::kSuccess) channel_ = nullptr;
  return status;
}

void DnsResolver::on_socket_state(void* self, int fd, int readable, int writable) {
  auto& resolver = *static_cast<DnsResolver*>(self);
  const uint32_t events =
      (readable != 0 ? Poll::kReadable : 0u) | (writable != 0 ? Poll::kWritable : 0u);
  if (events == 0) {
    // c-ares closes the socket as soon as this function returns.
    const auto found = resolver.sockets_.find(fd);
    if (found == resolver.sockets_.end()) return;
    found->second.poll->stop();
    resolver.sockets_.erase(found);
    return;
  }
  auto& [poll, watched] = resolver.sockets_[fd];
  watched = events;
  if (poll == nullptr) {
    poll = resolver.loop_.make<Poll>(fd);
    poll->set_kind(HandleKind::dns_socket);
  }
  const Result<void> started =
      poll->start(events, [owner = &resolver](Poll& ready, Result<uint32_t> which) {
        // C-ares detects errors of the socket itself.
        const uint32_t bits = which ? *which : Poll::kReadable | Poll::kWritable;
        owner->process((bits & Poll::kReadable) != 0 ? ready.fd() : cares::kBadSocket,
                       (bits & Poll::kWritable) != 0 ? ready.fd() : cares::kBadSocket);
      });
  // If the socket cannot be watched, the query ends with its timeout.
  if (!started) resolver.sockets_.erase(fd);
}

DnsResolver::Query* DnsResolver::start_query(OnAnswer on_answer) {
  ++queries_;
  return new Query{this, std::move(on_answer)};
}

void DnsResolver::answer(Query* query, DnsAnswer answer) {
  const std::unique_ptr<Query> owner(query);
  --queries_;
  // Nothing waits for answers of a resolver that is being freed.
  if (answer.status == cares::kDestruction) return;
  answers_.push_back({std::move(query->on_answer), std::move(answer)});
}

void DnsResolver::on_message(void* argument, int status, int, unsigned char* data, int size) {
  auto* const query = static_cast<Query*>(argument);
  DnsAnswer answer;
  answer.status = status;
  if (status == cares::kSuccess && data != nullptr && size > 0) {
    answer.message.assign(reinterpret_cast<const char*>(data), static_cast<size_t>(size));
  }
  query->resolver->answer(query, std::move(answer));
}

void DnsResolver::on_host(void* argument, int status, int, hostent* host) {
  auto* const query = static_cast<Query*>(argument);
  DnsAnswer answer;
  answer.status = status;
  if (status == cares::kSuccess && host != nullptr) answer.names = names_of(*host);
  query->resolver->answer(query, std::move(answer));
}

void DnsResolver::query(const std::string& name, int type, OnAnswer on_answer) {
  constexpr int kInternet = 1;
  cares::ares_query(channel_, name.c_str(), kInternet, type, on_message,
                    start_query(std::move(on_answer)));
  deliver_later();
}

void DnsResolver::reverse(const SocketAddress& address, OnAnswer on_answer) {
  Query* const query = start_query(std::move(on_answer));
  const cares::Server node = node_of(address);
  cares::ares_gethostbyaddr(channel_, &node.address, address.is_ip4() ? 4 : 16, node.family,
                            on_host, query);
  deliver_later();
}

void DnsResolver::cancel() {
  if (channel_ != nullptr) cares::ares_cancel(channel_);
  deliver_later();
}

int DnsResolver::set_servers(const std::vector<SocketAddress>& servers) {
  std::vector<cares::Server> nodes;
  nodes.reserve(servers.size());
  for (const SocketAddress& server : servers) nodes.push_back(node_of(server));
  for (size_t i = 1; i < nodes.size(); ++i) nodes[i - 1].next = &nodes[i];
  return cares::ares_set_servers_ports(channel_, nodes.empty() ? nullptr : nodes.data());
}

std::vector<SocketAddress> DnsResolver::servers() {
  std::vector<SocketAddress> servers;
  cares::Server* first = nullptr;
  if (cares::ares_get_servers_ports(channel_, &first) != cares::kSuccess) return servers;
  for (const cares::Server* node = first; node != nullptr; node = node->next) {
    servers.push_back(address_of(*node));
  }
  cares::ares_free_data(first);
  return servers;
}

void DnsResolver::set_local_addresses(const SocketAddress& ip4, const SocketAddress& ip6) {
  const cares::Server from4 = ip4.is_ip4() ? node_of(ip4) : cares::Server{};
  const cares::Server from6 = ip6.is_ip6() ? node_of(ip6) : cares::Server{};
  cares::ares_set_local_ip4(channel_, ntohl(from4.address.ip4.s_addr));
  cares::ares_set_local_ip6(channel_, from6.address.ip6);
}

void DnsResolver::process(int readable, int writable) {
  cares::ares_process_fd(channel_, readable, writable);
  set_timer();
  deliver();
}

// The callbacks may query and cancel.
void DnsResolver::deliver() {
  if (is_delivering_) return;
  is_delivering_ = true;
  while (!answers_.empty()) {
    PendingAnswer next = std::move(answers_.front());
    answers_.pop_front();
    next.on_answer(next.answer);
  }
  is_delivering_ = false;
  later_->unref();
}

void DnsResolver::deliver_later() {
  set_timer();
  if (answers_.empty()) return;
  later_->ref();
  later_->send();
}

void DnsResolver::set_timer() {
  timeval most{};
  const timeval* const wait =
      channel_ != nullptr ? cares::ares_timeout(channel_, nullptr, &most) : nullptr;
  if (wait == nullptr) {
    timer_->stop();
    return;
  }
  const Nanos delay = std::chrono::seconds(wait->tv_sec) + std::chrono::microseconds(wait->tv_usec);
  // A millisecond more: c-ares uses another clock, which might not have reached the time yet.
  timer_->start(delay + Millis(1), [this](Timer&) { on_time(); });
}

// An answer that has arrived counts even if the process runs too late to read it before the
// deadline, so sockets are read first.
//
// Under virtual time the timer fires at once, and c-ares, which uses the real clock, would have
// nothing to do, again and again. Servers need real time to answer, so wait for it here, blocking
// the loop as any slow callback does.
void DnsResolver::on_time() {
  timeval left{};
  int wait_ms = 0;
  if (cares::ares_timeout(channel_, nullptr, &left) != nullptr) {
    const auto wait = std::chrono::seconds(left.tv_sec) + std::chrono::microseconds(left.tv_usec);
    const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
    if (rounded > 1) wait_ms = static_cast<int>(rounded) + 1;
  }
  std::vector<pollfd> watched;
  watched.reserve(sockets_.size());
  for (const auto& [fd, socket] : sockets_) {
    const int events = ((socket.events & Poll::kReadable) != 0 ? POLLIN : 0) |
                       ((socket.events & Poll::kWritable) != 0 ? POLLOUT : 0);
    watched.push_back({fd, static_cast<short>(events), 0});
  }
  std::vector<cares::Event> ready;
  if (::poll(watched.data(), watched.size(), wait_ms) > 0) {
    for (const pollfd& each : watched) {
      // An error of a socket is reported to its reader.
      const unsigned readable = (each.revents & ~POLLOUT) != 0 ? cares::kRead : 0;
      const unsigned writable = (each.revents & POLLOUT) != 0 ? cares::kWrite : 0;
      if ((readable | writable) != 0) ready.push_back({each.fd, readable | writable});
    }
  }
  cares::ares_process_fds(channel_, ready.data(), ready.size(), 0);
  set_timer();
  deliver();
}

}  // namespace rondo::bindings
