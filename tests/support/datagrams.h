// For tests of UDP: bound sockets and plain peers, all on 127.0.0.1, port 0.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "io/udp/udp.h"
#include "support/net.h"

namespace rondo {

inline Owned<Udp> bound_udp(Loop& loop) {
  auto socket = loop.make<Udp>();
  EXPECT_TRUE(socket->bind(SocketAddress::loopback()));
  return socket;
}

// A receiver that appends each datagram and a space, or "<ENAME> ".
inline auto datagrams_into(std::string& log) {
  return [&log](Udp&, Result<Datagram> datagram) {
    log += datagram ? std::string(text_of(datagram->data))
                    : "<" + std::string(datagram.error().name()) + ">";
    log += ' ';
  };
}

// A socket that uses blocking system calls.
class BareUdp {
 public:
  BareUdp() : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const SocketAddress here = SocketAddress::loopback();
    EXPECT_EQ(::bind(fd_.get(), here.data(), here.size()), 0) << std::strerror(errno);
  }
  SocketAddress address() const { return *SocketAddress::of_socket(fd_.get()); }
  void send(std::string_view text, const SocketAddress& to) {
    EXPECT_EQ(::sendto(fd_.get(), text.data(), text.size(), 0, to.data(), to.size()),
              static_cast<ssize_t>(text.size()));
  }
  // Without blocking: the datagrams that have arrived, with a space after each.
  std::string receive() {
    std::string out;
    char buffer[4096];
    for (;;) {
      const ssize_t size = ::recv(fd_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
      if (size < 0) return out;
      out.append(buffer, static_cast<size_t>(size)) += ' ';
    }
  }
  int fd() const { return fd_.get(); }
  Fd release() { return std::move(fd_); }

 private:
  Fd fd_;
};

}  // namespace rondo
