// Tests children in a sandbox that rejects newer system calls.
#include <gtest/gtest.h>

#include <csignal>

#include "io/process/process.h"
#include "loop/loop.h"
#include "support/faults.h"

namespace rondo {
namespace {

TEST(ProcessInASandbox, ChildrenAreKilledByNumberWherePidfdsAreRefused) {
  for (const int code : {ENOSYS, EPERM}) {
    Loop loop;
    FaultPlan faults;
    faults.fail("pidfd_send_signal", code, {.times = FaultPlan::kAlways});
    auto process = loop.make<Process>();
    ProcessOptions options;
    options.file = "sleep";
    options.args = {"sleep", "600"};
    int signal = 0;
    ASSERT_TRUE(process->spawn(options, [&signal](Process&, Result<ProcessExit> exit) {
      signal = exit ? exit->signal : -1;
    }));
    EXPECT_TRUE(process->kill(SIGKILL));
    loop.run();
    EXPECT_EQ(signal, SIGKILL);
  }
}

}  // namespace
}  // namespace rondo
