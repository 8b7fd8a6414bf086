// Opens a terminal or pipe again, with flags of its own. Flags such as O_NONBLOCK belong to the
// open file description, which parent and child processes share: if Rondo made a terminal
// non-blocking, the shell would read EAGAIN from it.
#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace rondo {

// Opens a second description of the terminal or pipe behind `fd`, with the same access mode but its
// own flags. ENOTSUP if it cannot be opened again: sockets, the master side of a pseudo-terminal.
Result<Fd> reopen(int fd, bool is_blocking);

}  // namespace rondo
