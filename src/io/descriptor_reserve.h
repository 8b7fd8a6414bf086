// One descriptor per loop that is kept open to be given up when the process has no other left:
// connections that wait can then be accepted and closed, so that their clients learn of it.
// Thread: the loop's only.
#pragma once

#include "base/fd.h"
#include "loop/services.h"

namespace rondo {

class DescriptorReserve final : public Service {
 public:
  explicit DescriptorReserve(Loop&) { refill(); }

  // Accepts and closes every connection that waits at the listening socket. False if that was not
  // possible, because another thread took the descriptor.
  bool shed_connections(int listening_fd);

 private:
  void refill();

  Fd fd_;
};

}  // namespace rondo
