// The client of the network rows of ./dev bench io: without a runtime, so that it is not the
// bottleneck.
//   rondo-bench-client echo PORT CONNECTIONS SIZE SECONDS   one message in flight per connection
//   rondo-bench-client connect PORT CONNECTIONS SECONDS     connect, one byte each way, close
//   rondo-bench-client hold PORT CONNECTIONS [FILE]         until standard input ends
//   rondo-bench-client http PORT CONNECTIONS DEPTH FILE SECONDS
//   rondo-bench-client ws PORT CONNECTIONS SIZE SECONDS     echo, as messages of a WebSocket
// http sends the request in FILE, DEPTH times without waiting for responses; hold sends it once,
// and reads its response. echo, connect, http and ws print the number of operations and the seconds
// they took; hold prints a line when all connections are established.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
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

// A masked message of a WebSocket, as a client sends it, and the size of the server's echo.
std::string web_socket_message(size_t size, size_t& echo_size) {
  std::string bytes = "\x82";  // The last frame of a binary message.
  if (size < 126) {
    bytes += static_cast<char>(0x80 | size);
  } else {
    bytes += static_cast<char>(0x80 | 126);
    bytes += static_cast<char>(size >> 8);
    bytes += static_cast<char>(size & 0xff);
  }
  echo_size = bytes.size() + size;
  bytes.append(4, '\0');  // The mask: the bytes stay as they are.
  return bytes.append(size, 'x');
}

void upgrade(int fd) {
  const std::string_view request =
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
  send_all(fd, request.data(), request.size());
  std::string head;
  char byte;
  while (!head.ends_with("\r\n\r\n")) {
    if (::recv(fd, &byte, 1, 0) != 1) die("recv");
    head += byte;
  }
  if (!head.starts_with("HTTP/1.1 101")) die("not a WebSocket");
}

// Sends `message` and waits for `size` bytes, on each connection.
int echo(int port, size_t connections, const std::string& message, size_t size, bool is_web_socket,
         double seconds) {
  const int poller = ::epoll_create1(0);
  std::vector<Peer> peers(connections);
  std::vector<char> answer(256 * 1024);
  for (Peer& peer : peers) {
    peer = {connect_to(port), size};
    if (is_web_socket) upgrade(peer.fd);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &peer;
    if (::epoll_ctl(poller, EPOLL_CTL_ADD, peer.fd, &event) < 0) die("epoll_ctl");
  }
  Window window(seconds);
  size_t count = 0;
  for (Peer& peer : peers) send_all(peer.fd, message.data(), message.size());
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
      send_all(peer.fd, message.data(), message.size());
    }
    if (window.is_over(count)) break;
  }
  report(count, window.start());
  return 0;
}

std::string read_file(const char* path) {
  std::FILE* const file = std::fopen(path, "rbe");
  if (file == nullptr) die(path);
  std::string text;
  char block[4096];
  while (const size_t count = std::fread(block, 1, sizeof block, file)) text.append(block, count);
  std::fclose(file);
  return text;
}

// Counts responses in a stream. Each must have a Content-Length.
class ResponseCounter {
 public:
  size_t take(std::string_view data) {
    size_t count = 0;
    while (!data.empty()) {
      if (body_ > 0) {
        const size_t size = std::min(body_, data.size());
        body_ -= size;
        data.remove_prefix(size);
        count += body_ == 0 ? 1 : 0;
        continue;
      }
      // Usually the whole head is in `data`.
      const size_t kept = head_.size();
      if (kept > 0) {
        head_.append(data);
      }
      const std::string_view text = kept > 0 ? std::string_view(head_) : data;
      const size_t end = text.find("\r\n\r\n");
      if (end == std::string_view::npos) {
        if (kept == 0) head_ = data;
        return count;
      }
      body_ = length_of(text.substr(0, end));
      data.remove_prefix(end + 4 - kept);
      head_.clear();
      count += body_ == 0 ? 1 : 0;
    }
    return count;
  }

 private:
  static size_t length_of(std::string_view head) {
    if (head.substr(0, 12) != "HTTP/1.1 200") die("not a response with status 200");
    for (const std::string_view name : {"\r\nContent-Length: ", "\r\ncontent-length: "}) {
      const size_t begin = head.find(name);
      if (begin == std::string_view::npos) continue;
      size_t length = 0;
      for (size_t i = begin + name.size(); i < head.size() && head[i] >= '0' && head[i] <= '9';
           ++i) {
        length = length * 10 + static_cast<size_t>(head[i] - '0');
      }
      return length;
    }
    die("no Content-Length");
  }

  std::string head_;
  size_t body_ = 0;
};

struct HttpPeer {
  int fd;
  size_t left;  // Responses still to come.
  ResponseCounter responses;
};

int http(int port, size_t connections, size_t depth, const char* file, double seconds) {
  const std::string request = read_file(file);
  std::string batch;
  for (size_t i = 0; i < depth; ++i) batch += request;
  const int poller = ::epoll_create1(0);
  std::vector<HttpPeer> peers(connections);
  std::vector<char> answer(256 * 1024);
  for (HttpPeer& peer : peers) {
    peer.fd = connect_to(port);
    peer.left = depth;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &peer;
    if (::epoll_ctl(poller, EPOLL_CTL_ADD, peer.fd, &event) < 0) die("epoll_ctl");
  }
  Window window(seconds);
  size_t count = 0;
  for (HttpPeer& peer : peers) send_all(peer.fd, batch.data(), batch.size());
  for (;;) {
    epoll_event events[256];
    const int ready = ::epoll_wait(poller, events, 256, 5000);
    if (ready <= 0) die("no answer for 5 s");
    for (int i = 0; i < ready; ++i) {
      HttpPeer& peer = *static_cast<HttpPeer*>(events[i].data.ptr);
      const ssize_t got = ::recv(peer.fd, answer.data(), answer.size(), MSG_DONTWAIT);
      if (got < 0 && errno == EAGAIN) continue;
      if (got <= 0) die("recv");
      const size_t done = peer.responses.take({answer.data(), static_cast<size_t>(got)});
      count += done;
      peer.left -= done;
      if (peer.left > 0) continue;
      peer.left = depth;
      send_all(peer.fd, batch.data(), batch.size());
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

int hold(int port, size_t connections, const char* file) {
  raise_limit();
  const std::string request = file == nullptr ? "" : read_file(file);
  for (size_t i = 0; i < connections; ++i) {
    const int fd = connect_to(port);
    if (request.empty()) continue;
    send_all(fd, request.data(), request.size());
    char answer[4096];
    if (::recv(fd, answer, sizeof answer, 0) <= 0) die("recv");
  }
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
    return echo(static_cast<int>(number(2)), number(3), std::string(number(4), 'x'), number(4),
                false, std::strtod(argv[5], nullptr));
  }
  if (mode == "ws" && argc == 6 && number(4) < 65536) {
    size_t size = 0;
    const std::string message = web_socket_message(number(4), size);
    return echo(static_cast<int>(number(2)), number(3), message, size, true,
                std::strtod(argv[5], nullptr));
  }
  if (mode == "connect" && argc == 5) {
    return connect_and_close(static_cast<int>(number(2)), number(3), std::strtod(argv[4], nullptr));
  }
  if (mode == "hold" && (argc == 4 || argc == 5)) {
    return hold(static_cast<int>(number(2)), number(3), argc == 5 ? argv[4] : nullptr);
  }
  if (mode == "http" && argc == 7) {
    return http(static_cast<int>(number(2)), number(3), number(4), argv[5],
                std::strtod(argv[6], nullptr));
  }
  std::fprintf(stderr,
               "usage: rondo-bench-client echo PORT CONNECTIONS SIZE SECONDS\n"
               "       rondo-bench-client connect PORT CONNECTIONS SECONDS\n"
               "       rondo-bench-client hold PORT CONNECTIONS [FILE]\n"
               "       rondo-bench-client http PORT CONNECTIONS DEPTH FILE SECONDS\n"
               "       rondo-bench-client ws PORT CONNECTIONS SIZE SECONDS\n");
  return 2;
}
