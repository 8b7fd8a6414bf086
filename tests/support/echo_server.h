// An echo server for tests.
#pragma once

#include <gtest/gtest.h>

#include <list>
#include <string>
#include <utility>
#include <vector>

#include "io/net/tcp.h"
#include "loop/loop.h"
#include "support/net.h"

namespace rondo {

// An echo server whose connections live until their peers end.
struct EchoServer {
  explicit EchoServer(Loop& on) : loop(on), server(on.make<TcpServer>()) {
    EXPECT_TRUE(server->bind(SocketAddress::loopback()));
    EXPECT_TRUE(server->listen([this](Listener&, Result<Fd> fd) {
      if (!fd) {
        errors.push_back(fd.error().code);
        return;
      }
      ++accepted;
      auto place = sockets.insert(sockets.end(), loop.make<TcpSocket>());
      ASSERT_TRUE((*place)->open(std::move(*fd)));
      ASSERT_TRUE(
          (*place)->read_start([this, place](Stream& stream, Result<std::span<std::byte>> data) {
            if (data && !data->empty()) {
              stream.write(std::string(text_of(*data)));
            } else {
              sockets.erase(place);
            }
          }));
    }));
  }
  SocketAddress address() const { return *server->address(); }

  Loop& loop;
  std::list<Owned<TcpSocket>> sockets;
  Owned<TcpServer> server;
  int accepted = 0;
  std::vector<int> errors;
};

}  // namespace rondo
