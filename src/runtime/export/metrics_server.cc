#include "runtime/export/metrics_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "runtime/export/process_metrics.h"

namespace rondo::runtime {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Scrapers are few.
constexpr size_t kMostClients = 16;
constexpr size_t kMostHead = 8192;
// Time for a client to send its request, and to read the answer.
constexpr milliseconds kForReading{2000};
constexpr milliseconds kOutOfDescriptors{100};
constexpr size_t kStackSize = 256 * 1024;

bool is_loopback(int fd) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return false;
  if (bound.ss_family == AF_INET) {
    return (ntohl(reinterpret_cast<sockaddr_in&>(bound).sin_addr.s_addr) >> 24) == 127;
  }
  return bound.ss_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<sockaddr_in6&>(bound).sin6_addr);
}

std::string message(const char* status, std::string_view type, std::string_view body,
                    bool has_body) {
  std::string text = "HTTP/1.1 ";
  text += status;
  text += "\r\nContent-Type: ";
  text += type;
  text += "\r\nContent-Length: " + std::to_string(body.size());
  text += "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
  if (has_body) text += body;
  return text;
}

char to_lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
}

// The value of a header field; empty if there is none. `name` is in lower case.
std::string_view field(std::string_view head, std::string_view name) {
  for (size_t at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at)) {
    at += 2;
    const std::string_view line = head.substr(at, head.find("\r\n", at) - at);
    if (line.size() <= name.size() || line[name.size()] != ':') continue;
    if (!std::equal(name.begin(), name.end(), line.begin(),
                    [](char a, char b) { return a == to_lower(b); })) {
      continue;
    }
    std::string_view value = line.substr(name.size() + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t'))
      value.remove_prefix(1);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
    return value;
  }
  return {};
}

// True for an address or `localhost`: other names may belong to a web site that resolves to this
// machine (DNS rebinding).
bool is_local_host(std::string_view host) {
  if (host.starts_with('[')) return true;  // An IPv6 address.
  const std::string name(host.substr(0, host.find(':')));
  in_addr address{};
  return name.empty() || name == "localhost" || ::inet_pton(AF_INET, name.c_str(), &address) == 1;
}

}  // namespace

MetricsServer::MetricsServer(LoopQuery& queries, Fd listener)
    : queries_(queries),
      listener_(std::move(listener)),
      is_loopback_(is_loopback(listener_.get())) {
  const BlockedSignals blocked;
  // Without a thread, clients are refused at once.
  if (!thread_.start([this] { serve(); }, kStackSize)) listener_.reset();
}

void MetricsServer::close() {
  if (!thread_.is_started()) return;
  ::shutdown(listener_.get(), SHUT_RDWR);  // Wakes the thread.
  thread_.join();
  listener_.reset();
}

void MetricsServer::serve() {
  ::prctl(PR_SET_NAME, "rondo metrics");
  std::vector<Client> clients;
  std::vector<pollfd> wanted;
  for (;;) {
    wanted.assign(1, pollfd{listener_.get(), POLLIN, 0});
    for (const Client& client : clients) wanted.push_back({client.fd.get(), POLLIN, 0});
    // Without clients the wait has no timeout.
    ::poll(wanted.data(), wanted.size(),
           clients.empty() ? -1 : static_cast<int>(kForReading.count()));
    if ((wanted[0].revents & (POLLHUP | POLLERR)) != 0) return;  // close() has shut it down.
    const steady_clock::time_point now = steady_clock::now();
    for (size_t i = clients.size(); i-- > 0;) {
      Client& client = clients[i];
      bool stays = now < client.deadline;
      if (wanted[i + 1].revents != 0) stays = read(&client);
      if (!stays) clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if ((wanted[0].revents & POLLIN) != 0) let_in(&clients);
  }
}

void MetricsServer::let_in(std::vector<Client>* clients) {
  Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!fd) {
    // The process may be out of descriptors: the clients wait in the backlog.
    if (errno != EAGAIN && errno != ECONNABORTED && errno != EINVAL) {
      std::this_thread::sleep_for(kOutOfDescriptors);
    }
    return;
  }
  if (clients->size() >= kMostClients) return;
  clients->push_back({std::move(fd), {}, steady_clock::now() + kForReading});
}

bool MetricsServer::read(Client* client) {
  char text[2048];
  const ssize_t size = ::recv(client->fd.get(), text, sizeof text, 0);
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  if (size == 0) return false;
  client->received.append(text, static_cast<size_t>(size));
  const size_t end = client->received.find("\r\n\r\n");
  if (end == std::string::npos && client->received.size() <= kMostHead) return true;
  if (end == std::string::npos) {
    send_all(client->fd.get(), message("431 Request Header Fields Too Large", "text/plain",
                                       "too many header fields\n", true));
    return false;
  }
  send_all(client->fd.get(), respond_to(std::string_view(client->received).substr(0, end + 2)));
  return false;
}

std::string MetricsServer::respond_to(std::string_view head) {
  constexpr std::string_view kText = "text/plain; charset=utf-8";
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos || !line.substr(second + 1).starts_with("HTTP/1.")) {
    return message("400 Bad Request", kText, "this is not a request of HTTP/1\n", true);
  }
  if (is_loopback_ && !is_local_host(field(head, "host"))) {
    return message("403 Forbidden", kText, "use the address of this machine, not a name\n", true);
  }
  const std::string_view method = line.substr(0, first);
  std::string_view path = line.substr(first + 1, second - first - 1);
  path = path.substr(0, path.find('?'));
  if (method != "GET" && method != "HEAD") {
    return message("405 Method Not Allowed", kText, "use GET /metrics\n", true);
  }
  const bool has_body = method == "GET";
  if (path != "/metrics") {
    return message("404 Not Found", kText, "the metrics are at /metrics\n", has_body);
  }
  return message("200 OK", "text/plain; version=0.0.4; charset=utf-8", figures(), has_body);
}

std::string MetricsServer::figures() {
  LoopQuery::Answer answer = queries_.ask("metrics");
  const bool answered = answer.from == LoopQuery::From::loop && !answer.text.empty();
  return process_metrics() +
         "# HELP rondo_loop_answers Whether the event loop, or an interrupt of its JavaScript, "
         "answered this request.\n# TYPE rondo_loop_answers gauge\nrondo_loop_answers " +
         (answered ? "1\n" + answer.text : "0\n");
}

void MetricsServer::send_all(int fd, std::string_view text) const {
  const steady_clock::time_point deadline = steady_clock::now() + kForReading;
  while (!text.empty()) {
    const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      text.remove_prefix(static_cast<size_t>(sent));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return;
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return;
    // Also waits for close(), which shuts the listening socket down.
    pollfd wanted[2] = {{fd, POLLOUT, 0}, {listener_.get(), 0, 0}};
    ::poll(wanted, 2, static_cast<int>(left.count()));
    if (wanted[1].revents != 0) return;
  }
}

}  // namespace rondo::runtime
