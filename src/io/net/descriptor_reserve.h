// One spare descriptor per loop, released when the process has no other left: waiting connections
// can then be accepted and closed, so that their clients notice.
// Thread: the loop's only.
#pragma once

#include "base/fd.h"
#include "loop/services.h"

namespace rondo {

class DescriptorReserve final : public Service {
 public:
  explicit DescriptorReserve(Loop&) { refill(); }

  // Opens the spare descriptor if there is none: the process had no descriptor left, or another
  // thread took the released one.
  void refill() {
    if (!fd_) [[unlikely]]
      open();
  }
  bool is_empty() const { return !fd_; }

  // Accepts and closes every connection waiting at the listening socket. False if that was not
  // possible because another thread took the descriptor.
  bool shed_connections(int listening_fd);

 private:
  void open();

  Fd fd_;
};

}  // namespace rondo
