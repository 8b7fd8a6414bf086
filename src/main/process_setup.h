// The state of the process that a parent may have left in disorder: standard descriptors, signal
// mask and signal dispositions. Set up first of all, as Node does.
#pragma once

namespace rondo::main_program {

// Opens /dev/null on standard descriptors that are closed, clears the signal mask, and gives every
// signal its default action. SIGPIPE and SIGXFSZ are ignored: the write fails with EPIPE or EFBIG.
// SIGINT and SIGTERM put back the terminal and the flags of the standard descriptors before they
// end the process.
void set_up_process();

}  // namespace rondo::main_program
