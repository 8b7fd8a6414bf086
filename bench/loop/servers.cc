#include "loop/servers.h"

#include <arpa/inet.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "loop/harness.h"
#include "loop/libuv_peer.h"
#include "rondo.h"

namespace bench {
namespace {

using namespace rondo;

void on_data(Stream& stream, Result<std::span<std::byte>> data) {
  if (!data || data->empty()) {
    stream.close_then_free();
    return;
  }
  // Usually the kernel takes it all at once, directly from the receive buffer.
  Result<size_t> sent = stream.try_write(*data);
  const size_t count = sent ? *sent : 0;
  if (count == data->size()) return;
  const auto rest = data->subspan(count);
  stream.read_stop();
  stream.write(std::string(reinterpret_cast<const char*>(rest.data()), rest.size()),
               [](Stream& self, Result<void>) { (void)self.read_start(on_data); });
}

template <Backend kBackend>
void serve_echo(Report report, void* context) {
  Loop loop({.backend = kBackend});
  auto server = loop.make<TcpServer>();
  if (!server->bind(SocketAddress::loopback())) die("bind");
  Result<void> listening = server->listen([&loop](Listener&, Result<Fd> fd) {
    if (!fd) return;
    TcpSocket* socket = loop.make<TcpSocket>().release();  // Freed when it closes.
    (void)socket->set_no_delay(true);
    (void)socket->open(std::move(*fd));
    (void)socket->read_start(on_data);
  });
  if (!listening) die("listen");
  report(server->address()->port(), context);
  loop.run();
}

template <Backend kBackend>
void serve_accept(Report report, void* context) {
  Loop loop({.backend = kBackend});
  auto server = loop.make<TcpServer>();
  if (!server->bind(SocketAddress::loopback())) die("bind");
  Result<void> listening = server->listen([&loop](Listener&, Result<Fd> fd) {
    if (!fd) return;
    auto socket = loop.make<TcpSocket>();
    (void)socket->open(std::move(*fd));
  });
  if (!listening) die("listen");
  report(server->address()->port(), context);
  loop.run();
}

int raw_listener(Report report, void* context) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) < 0) die("bind");
  if (::listen(fd, 511) < 0) die("listen");
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  report(ntohs(address.sin_port), context);
  return fd;
}

// The minimum cost without a loop: epoll, recv, send.
template <bool kEcho>
void serve_raw(Report report, void* context) {
  const int listener = raw_listener(report, context);
  const int epoll = ::epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = listener;
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  static char buffer[64 * 1024];
  epoll_event events[1024];
  for (;;) {
    const int count = ::epoll_wait(epoll, events, 1024, -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events[i].data.fd;
      if (fd == listener) {
        for (int next; (next = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK)) >= 0;) {
          if (!kEcho) {
            ::close(next);
            continue;
          }
          event.data.fd = next;
          ::epoll_ctl(epoll, EPOLL_CTL_ADD, next, &event);
        }
        continue;
      }
      const ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
      if (got <= 0) {
        ::close(fd);
      } else if (::send(fd, buffer, static_cast<size_t>(got), MSG_NOSIGNAL) < got) {
        die("the raw server cannot wait");
      }
    }
  }
}

}  // namespace

Servers echo_servers() {
  return {{"rondo epoll", serve_echo<Backend::epoll>},
          {"rondo uring", serve_echo<Backend::uring>},
#ifdef RONDO_BENCH_LIBUV
          {"libuv", libuv::serve_echo},
#endif
          {"raw epoll", serve_raw<true>}};
}

Servers accept_servers() {
  return {{"rondo epoll", serve_accept<Backend::epoll>},
          {"rondo uring", serve_accept<Backend::uring>},
#ifdef RONDO_BENCH_LIBUV
          {"libuv", libuv::serve_accept},
#endif
          {"raw epoll", serve_raw<false>}};
}

}  // namespace bench
