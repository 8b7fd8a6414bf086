// Pairs of sockets and plain peers for tests of streams and servers. All on 127.0.0.1, port 0.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "io/net/tcp.h"
#include "loop/loop.h"

namespace rondo {

inline std::string_view text_of(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// A reader that appends received data, also "<end>" and "<ENAME>".
inline auto into(std::string& log) {
  return [&log](Stream&, Result<std::span<std::byte>> data) {
    if (!data) {
      log += "<" + std::string(data.error().name()) + ">";
    } else {
      log += data->empty() ? "<end>" : text_of(*data);
    }
  };
}

// A peer that uses blocking system calls.
class BarePeer {
 public:
  static BarePeer connect(const SocketAddress& address) {
    Fd fd(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_TRUE(fd);
    EXPECT_EQ(::connect(fd.get(), address.data(), address.size()), 0) << std::strerror(errno);
    return BarePeer(std::move(fd));
  }
  explicit BarePeer(Fd fd) : fd_(std::move(fd)) {}

  int fd() const { return fd_.get(); }
  void send(std::string_view text) {
    EXPECT_EQ(::send(fd(), text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  // Without blocking: the available data, then "<end>" or "<errno name>".
  std::string receive() {
    std::string out;
    char buffer[4096];
    for (;;) {
      const ssize_t count = ::recv(fd(), buffer, sizeof buffer, MSG_DONTWAIT);
      if (count > 0) {
        out.append(buffer, static_cast<size_t>(count));
      } else {
        if (count == 0) out += "<end>";
        if (count < 0 && errno != EAGAIN) out += "<" + std::string(Error::last("").name()) + ">";
        return out;
      }
    }
  }
  void shutdown() { ::shutdown(fd(), SHUT_WR); }
  void close() { fd_.reset(); }
  void reset() {
    const linger now{1, 0};
    ::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    fd_.reset();
  }

 private:
  Fd fd_;
};

// A connected pair: `socket` on the loop, `peer` outside.
struct TcpPair {
  explicit TcpPair(Loop& loop) : socket(loop.make<TcpSocket>()), peer(make(loop)) {}

  Owned<TcpSocket> socket;
  BarePeer peer;

 private:
  BarePeer make(Loop&) {
    Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    SocketAddress any = SocketAddress::loopback();
    EXPECT_EQ(::bind(listener.get(), any.data(), any.size()), 0);
    EXPECT_EQ(::listen(listener.get(), 8), 0);
    BarePeer client = BarePeer::connect(*SocketAddress::of_socket(listener.get()));
    Fd accepted(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    EXPECT_TRUE(socket->open(std::move(accepted)));
    return client;
  }
};

// Turns the loop until `done`, without sleeping forever if it never becomes true.
template <class Done>
inline bool run_until(Loop& loop, Done&& done, int most_turns = 200000) {
  auto pulse = loop.make<Timer>();  // So that a turn never sleeps for long.
  pulse->start(
      Millis{1}, [](Timer&) {}, Millis{1});
  for (int i = 0; i < most_turns; ++i) {
    if (done()) return true;
    loop.run_once();
  }
  return done();
}

}  // namespace rondo
