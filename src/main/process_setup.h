// The state of the process that a parent may have left in disorder: standard descriptors, signal
// mask, signal dispositions and limits. Set up first of all, as Node does.
#pragma once

#include <cstddef>

namespace rondo::main_program {

// Opens /dev/null on standard descriptors that are closed, clears the signal mask, and gives every
// signal its default action. SIGPIPE and SIGXFSZ are ignored: the write fails with EPIPE or EFBIG.
// SIGINT and SIGTERM put back the terminal and the flags of the standard descriptors before they
// end the process. The soft limit of open files is raised to the hard one.
void set_up_process();

// Whether the limit of processes (ulimit -u) has room for so many threads. Tried only if the limit
// is low: threads take time to start.
bool has_room_for_threads(size_t count);

}  // namespace rondo::main_program
