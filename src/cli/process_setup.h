// Resets process state that a parent may have left in an unusual state: standard descriptors,
// signal mask, signal dispositions and limits. Called first, as in Node.
#pragma once

#include <cstddef>

namespace rondo::cli {

// Opens /dev/null on closed standard descriptors, clears the signal mask, and gives every signal
// its default action. SIGPIPE and SIGXFSZ are ignored: the write fails with EPIPE or EFBIG. SIGINT
// and SIGTERM restore the terminal and the flags of the standard descriptors before they end the
// process. The soft limit of open files is raised to the hard one.
void set_up_process();

// True if the limit of processes (ulimit -u) has room for this many threads. Tested only if the
// limit is low: threads take time to start.
bool has_room_for_threads(size_t count);

}  // namespace rondo::cli
