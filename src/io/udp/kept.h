// Memory of received datagrams.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "io/udp/udp.h"
#include "loop/services.h"

namespace rondo {

// Datagrams that were read from the kernel in one batch with others, and not delivered because a
// callback stopped receiving. Allocated on demand.
struct Udp::Kept {
  struct One {
    std::vector<std::byte> data;
    SocketAddress from;
    bool is_truncated;
  };
  std::deque<One> datagrams;
};

// The buffers into which all sockets of a loop receive. Datagrams are usually small, and the kernel
// only provides the pages that were written to.
class DatagramBuffers final : public Service {
 public:
  static constexpr size_t kSize = 64 * 1024;  // The largest datagram of IPv4 and IPv6.
  // Most datagrams of one system call.
  static constexpr size_t kCount = 16;

  explicit DatagramBuffers(Loop&) : memory_(new std::byte[kSize * kCount]) {}
  std::byte* at(size_t index) { return memory_.get() + index * kSize; }

 private:
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace rondo
