// The client of the network rows of ./dev bench io: without a runtime, so that it is not the
// bottleneck.
//   rondo-bench-client echo PORT CONNECTIONS SIZE SECONDS   one message in flight per connection
//   rondo-bench-client connect PORT CONNECTIONS SECONDS     connect, one byte each way, close
//   rondo-bench-client hold PORT CONNECTIONS                until standard input ends
// echo and connect print the number of operations and the seconds they took; hold prints a line
// when all connections are established.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void die(const char* what) {
  std::fprintf(stderr, "client: %s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

int open_socket() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) die("socket");
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

sockaddr_in address_of(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int connect_to(int port) {
  const sockaddr_in address = address_of(port);
  const int fd = open_socket();
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0) {
    die("connect");
  }
  return fd;
}

struct Peer {
  int fd;
  size_t left;  // Bytes of the answer still to come.
};

void send_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(fd, data, size, MSG_NOSIGNAL);
    if (sent < 0) die("send");
    data += sent;
    size -= static_cast<size_t>(sent);
  }
}

void raise_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void report(size_t count, Clock::time_point start) {
  const std::chrono::duration<double> took = Clock::now() - start;
  std::printf("%zu %.6f\n", count, took.count());
}

// The measured time: `seconds`, after a warm-up of a fifth of that.
class Window {
 public:
  explicit Window(double seconds) : seconds_(seconds) {}

  Clock::time_point start() const { return start_; }
  // Call it after each step. Resets the count after the warm-up, and reports that on stdout.
  bool is_over(size_t& count) {
    const Clock::time_point now = Clock::now();
    const double passed = std::chrono::duration<double>(now - start_).count();
    if (is_warm_) return passed >= seconds_ && count > 0;
    if (passed < seconds_ * 0.2) return false;
    is_warm_ = true;
    start_ = now;
    count = 0;
    std::printf("warm\n");
    std::fflush(stdout);
    return false;
  }

 private:
  const double seconds_;
  Clock::time_point start_ = Clock::now();
  bool is_warm_ = false;
};

int echo(int port, size_t connections, size_t size, double seconds) {
  const int poller = ::epoll_create1(0);
  std::vector<Peer> peers(connections);
  const std::vector<char> message(size, 'x');
  std::vector<char> answer(256 * 1024);
  for (Peer& peer : peers) {
    peer = {connect_to(port), size};
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &peer;
    if (::epoll_ctl(poller, EPOLL_CTL_ADD, peer.fd, &event) < 0) die("epoll_ctl");
  }
  Window window(seconds);
  size_t count = 0;
  for (Peer& peer : peers) send_all(peer.fd, message.data(), size);
  for (;;) {
    epoll_event events[256];
    const int ready = ::epoll_wait(poller, events, 256, 5000);
    if (ready == 0) {
      std::fprintf(stderr, "client: no answer for 5 s\n");
      return 1;
    }
    for (int i = 0; i < ready; ++i) {
      Peer& peer = *static_cast<Peer*>(events[i].data.ptr);
      const ssize_t got = ::recv(peer.fd, answer.data(), answer.size(), MSG_DONTWAIT);
      if (got == 0) die("the server hung up");
      if (got < 0) {
        if (errno == EAGAIN) continue;
        die("recv");
      }
      peer.left -= static_cast<size_t>(got);
      if (peer.left > 0) continue;
      ++count;
      peer.left = size;
      send_all(peer.fd, message.data(), size);
    }
    if (window.is_over(count)) break;
  }
  report(count, window.start());
  return 0;
}

// Blocking, a few at a time: connect all, send and receive a byte, close all.
int connect_and_close(int port, size_t connections, double seconds) {
  Window window(seconds);
  size_t count = 0;
  std::vector<int> fds(connections);
  for (;;) {
    for (int& fd : fds) {
      fd = connect_to(port);
      send_all(fd, "x", 1);
    }
    for (const int fd : fds) {
      char byte;
      if (::recv(fd, &byte, 1, 0) != 1) die("recv");
      ::close(fd);
    }
    count += connections;
    if (window.is_over(count)) break;
  }
  report(count, window.start());
  return 0;
}

int hold(int port, size_t connections) {
  raise_limit();
  for (size_t i = 0; i < connections; ++i) connect_to(port);
  std::printf("holding\n");
  std::fflush(stdout);
  char byte;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  const auto number = [&](int index) {
    return static_cast<size_t>(std::strtoul(argv[index], nullptr, 10));
  };
  if (mode == "echo" && argc == 6) {
    return echo(static_cast<int>(number(2)), number(3), number(4), std::strtod(argv[5], nullptr));
  }
  if (mode == "connect" && argc == 5) {
    return connect_and_close(static_cast<int>(number(2)), number(3), std::strtod(argv[4], nullptr));
  }
  if (mode == "hold" && argc == 4) return hold(static_cast<int>(number(2)), number(3));
  std::fprintf(stderr,
               "usage: rondo-bench-client echo PORT CONNECTIONS SIZE SECONDS\n"
               "       rondo-bench-client connect PORT CONNECTIONS SECONDS\n"
               "       rondo-bench-client hold PORT CONNECTIONS\n");
  return 2;
}
