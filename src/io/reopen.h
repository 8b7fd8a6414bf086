// Flags such as O_NONBLOCK belong to the open description of a file, which parent and child
// processes share: a shell that finds its terminal non-blocking because we made it so reads EAGAIN.
#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace rondo {

// A second description of the terminal or pipe behind `fd`, with the same access mode and flags of
// its own. ENOTSUP for what cannot be opened twice: sockets, the master side of a pseudo-terminal.
Result<Fd> reopen(int fd, bool is_blocking);

}  // namespace rondo
