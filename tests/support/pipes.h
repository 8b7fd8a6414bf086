// Two connected descriptors for a test: non-blocking, closed when it ends.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "base/assert.h"
#include "base/fd.h"

namespace rondo {

// Bytes go in at `in` and come out at `out`.
struct Pipe {
  Pipe() {
    int ends[2];
    RONDO_ASSERT(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    out = Fd(ends[0]);
    in = Fd(ends[1]);
  }
  Fd out;
  Fd in;
};

struct SocketPair {
  SocketPair() {
    int ends[2];
    RONDO_ASSERT(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    left = Fd(ends[0]);
    right = Fd(ends[1]);
  }
  Fd left;
  Fd right;
};

// All data that can be read without blocking.
inline std::string drain(int fd) {
  std::string out;
  char bytes[256];
  for (ssize_t count; (count = ::read(fd, bytes, sizeof bytes)) > 0;) {
    out.append(bytes, static_cast<size_t>(count));
  }
  return out;
}

}  // namespace rondo
