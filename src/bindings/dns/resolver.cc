#include "bindings/dns/resolver.h"

#include <arpa/inet.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>

namespace rondo::bindings {

namespace {

// C-ares keeps process-wide state and counts its users: initialise it once and never release it.
int init_library() {
  static const int kStatus = ares_library_init(ARES_LIB_INIT_ALL);
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

SocketAddress address_of(const ares_addr_port_node& node) {
  if (node.family == AF_INET) {
    sockaddr_in ip4{};
    ip4.sin_family = AF_INET;
    ip4.sin_addr = node.addr.addr4;
    ip4.sin_port = htons(static_cast<uint16_t>(node.udp_port));
    return SocketAddress::from(reinterpret_cast<const sockaddr*>(&ip4), sizeof ip4);
  }
  sockaddr_in6 ip6{};
  ip6.sin6_family = AF_INET6;
  std::memcpy(&ip6.sin6_addr, &node.addr.addr6, sizeof ip6.sin6_addr);
  ip6.sin6_port = htons(static_cast<uint16_t>(node.udp_port));
  return SocketAddress::from(reinterpret_cast<const sockaddr*>(&ip6), sizeof ip6);
}

ares_addr_port_node node_of(const SocketAddress& address) {
  ares_addr_port_node node{};
  node.family = address.family();
  node.udp_port = node.tcp_port = address.port();
  if (address.is_ip4()) {
    node.addr.addr4 = reinterpret_cast<const sockaddr_in*>(address.data())->sin_addr;
  } else {
    std::memcpy(&node.addr.addr6, &reinterpret_cast<const sockaddr_in6*>(address.data())->sin6_addr,
                sizeof node.addr.addr6);
  }
  return node;
}

}  // namespace

DnsResolver::DnsResolver(Loop& loop, int timeout_ms, int tries)
    : loop_(loop),
      timeout_ms_(timeout_ms),
      tries_(tries),
      timer_(loop.make<Timer>()),
      later_(loop.make<Async>([this](Async&) { deliver(); })) {
  later_->unref();
  timer_->set_kind(HandleKind::dns_query);
}

DnsResolver::~DnsResolver() {
  RONDO_ASSERT(!is_delivering_);
  if (channel_ != nullptr) ares_destroy(channel_);
}

int DnsResolver::open() {
  if (channel_ != nullptr) return ARES_SUCCESS;
  if (const int status = init_library(); status != ARES_SUCCESS) return status;
  ares_options options{};
  // A server's refusal is an answer and is reported; the program decides whether to query another
  // one.
  options.flags = ARES_FLAG_NOCHECKRESP;
  options.timeout = timeout_ms_;
  options.tries = tries_;
  options.sock_state_cb = on_socket_state;
  options.sock_state_cb_data = this;
  int given = ARES_OPT_FLAGS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB;
  if (timeout_ms_ >= 0) given |= ARES_OPT_TIMEOUTMS;
  const int status = ares_init_options(&channel_, &options, given);
  if (status != ARES_SUCCESS) channel_ = nullptr;
  return status;
}

void DnsResolver::on_socket_state(void* self, ares_socket_t fd, int readable, int writable) {
  auto& resolver = *static_cast<DnsResolver*>(self);
  const uint32_t events =
      (readable != 0 ? Poll::kReadable : 0u) | (writable != 0 ? Poll::kWritable : 0u);
  if (events == 0) {
    // It is closed as soon as this returns.
    const auto found = resolver.sockets_.find(fd);
    if (found == resolver.sockets_.end()) return;
    found->second->stop();
    resolver.sockets_.erase(found);
    return;
  }
  Owned<Poll>& poll = resolver.sockets_[fd];
  if (poll == nullptr) {
    poll = resolver.loop_.make<Poll>(fd);
    poll->set_kind(HandleKind::dns_socket);
  }
  const Result<void> started =
      poll->start(events, [owner = &resolver](Poll& ready, Result<uint32_t> which) {
        // C-ares detects errors of the socket itself.
        const uint32_t bits = which ? *which : Poll::kReadable | Poll::kWritable;
        owner->process((bits & Poll::kReadable) != 0 ? ready.fd() : ARES_SOCKET_BAD,
                       (bits & Poll::kWritable) != 0 ? ready.fd() : ARES_SOCKET_BAD);
      });
  // Without it the query still ends, by the timer.
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
  if (answer.status == ARES_EDESTRUCTION) return;
  answers_.push_back({std::move(query->on_answer), std::move(answer)});
}

void DnsResolver::on_message(void* argument, int status, int, unsigned char* data, int size) {
  auto* const query = static_cast<Query*>(argument);
  DnsAnswer answer;
  answer.status = status;
  if (status == ARES_SUCCESS && data != nullptr && size > 0) {
    answer.message.assign(reinterpret_cast<const char*>(data), static_cast<size_t>(size));
  }
  query->resolver->answer(query, std::move(answer));
}

void DnsResolver::on_host(void* argument, int status, int, hostent* host) {
  auto* const query = static_cast<Query*>(argument);
  DnsAnswer answer;
  answer.status = status;
  if (status == ARES_SUCCESS && host != nullptr) answer.names = names_of(*host);
  query->resolver->answer(query, std::move(answer));
}

void DnsResolver::query(const std::string& name, int type, OnAnswer on_answer) {
  constexpr int kInternet = 1;
  ares_query(channel_, name.c_str(), kInternet, type, on_message,
             start_query(std::move(on_answer)));
  deliver_later();
}

void DnsResolver::reverse(const SocketAddress& address, OnAnswer on_answer) {
  Query* const query = start_query(std::move(on_answer));
  const ares_addr_port_node node = node_of(address);
  ares_gethostbyaddr(channel_, &node.addr, address.is_ip4() ? 4 : 16, node.family, on_host, query);
  deliver_later();
}

void DnsResolver::cancel() {
  if (channel_ != nullptr) ares_cancel(channel_);
  deliver_later();
}

int DnsResolver::set_servers(const std::vector<SocketAddress>& servers) {
  std::vector<ares_addr_port_node> nodes;
  nodes.reserve(servers.size());
  for (const SocketAddress& server : servers) nodes.push_back(node_of(server));
  for (size_t i = 1; i < nodes.size(); ++i) nodes[i - 1].next = &nodes[i];
  return ares_set_servers_ports(channel_, nodes.empty() ? nullptr : nodes.data());
}

std::vector<SocketAddress> DnsResolver::servers() {
  std::vector<SocketAddress> servers;
  ares_addr_port_node* first = nullptr;
  if (ares_get_servers_ports(channel_, &first) != ARES_SUCCESS) return servers;
  for (const ares_addr_port_node* node = first; node != nullptr; node = node->next) {
    servers.push_back(address_of(*node));
  }
  ares_free_data(first);
  return servers;
}

void DnsResolver::set_local_addresses(const SocketAddress& ip4, const SocketAddress& ip6) {
  const ares_addr_port_node from4 = ip4.is_ip4() ? node_of(ip4) : ares_addr_port_node{};
  const ares_addr_port_node from6 = ip6.is_ip6() ? node_of(ip6) : ares_addr_port_node{};
  ares_set_local_ip4(channel_, ntohl(from4.addr.addr4.s_addr));
  ares_set_local_ip6(channel_, reinterpret_cast<const unsigned char*>(&from6.addr.addr6));
}

void DnsResolver::process(ares_socket_t readable, ares_socket_t writable) {
  ares_process_fd(channel_, readable, writable);
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
      channel_ != nullptr ? ares_timeout(channel_, nullptr, &most) : nullptr;
  if (wait == nullptr) {
    timer_->stop();
    return;
  }
  const Nanos delay = std::chrono::seconds(wait->tv_sec) + std::chrono::microseconds(wait->tv_usec);
  // A millisecond more: c-ares uses another clock, which might not have reached the time yet.
  timer_->start(delay + Millis(1), [this](Timer&) {
    wait_for_real_time();
    process(ARES_SOCKET_BAD, ARES_SOCKET_BAD);
  });
}

// Under virtual time the timer fires at once, and c-ares, which uses the real clock, would have
// nothing to do, again and again. Servers need real time to answer, so wait for it here, blocking
// the loop as any slow callback does.
void DnsResolver::wait_for_real_time() {
  timeval left{};
  if (ares_timeout(channel_, nullptr, &left) == nullptr) return;
  const auto wait = std::chrono::seconds(left.tv_sec) + std::chrono::microseconds(left.tv_usec);
  const auto wait_ms = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  if (wait_ms <= 1) return;
  std::array<ares_socket_t, ARES_GETSOCK_MAXNUM> sockets;
  const auto bits = static_cast<unsigned>(
      ares_getsock(channel_, sockets.data(), static_cast<int>(sockets.size())));
  std::array<pollfd, ARES_GETSOCK_MAXNUM> watched;
  for (size_t i = 0; i < watched.size(); ++i) {
    const int events = (ARES_GETSOCK_READABLE(bits, i) != 0 ? POLLIN : 0) |
                       (ARES_GETSOCK_WRITABLE(bits, i) != 0 ? POLLOUT : 0);
    // poll(2) ignores negative descriptors.
    watched[i] = {events != 0 ? sockets[i] : -1, static_cast<short>(events), 0};
  }
  if (::poll(watched.data(), watched.size(), static_cast<int>(wait_ms) + 1) <= 0) return;
  for (const pollfd& each : watched) {
    if (each.revents == 0) continue;
    ares_process_fd(channel_, (each.events & POLLIN) != 0 ? each.fd : ARES_SOCKET_BAD,
                    (each.events & POLLOUT) != 0 ? each.fd : ARES_SOCKET_BAD);
  }
}

}  // namespace rondo::bindings
