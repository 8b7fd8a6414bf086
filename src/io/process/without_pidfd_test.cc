// Tests children if the kernel has no pidfds, or no descriptor is left for one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/sys.h"
#include "io/process/process.h"
#include "loop/loop.h"
#include "support/processes.h"

namespace rondo {
namespace {

using Exit = const Result<ProcessExit>&;

// Replaces the kernel's result of one call.
class Refuse final : public sys::Faults {
 public:
  Refuse(const char* call, int code) : call_(call), code_(code) { sys::fault_plan = this; }
  ~Refuse() override { sys::fault_plan = nullptr; }
  bool inject(const char* call, int, long& result) override {
    if (std::string_view(call) != call_) return false;
    errno = code_;
    result = -1;
    return true;
  }

 private:
  std::string_view call_;
  int code_;
};

TEST(Process, WithoutPidfdsSigchldReportsTheEnd) {
  Refuse refuse("pidfd_open", ENOSYS);
  const pid_t other = ::fork();
  if (other == 0) ::_exit(0);
  Loop loop;
  std::vector<Owned<Process>> processes;
  int calls = 0;
  for (int i = 0; i < 20; ++i) {
    processes.push_back(loop.make<Process>());
    ASSERT_TRUE(processes.back()->spawn(shell("exit " + std::to_string(i)),
                                        [&calls, i](Process& self, Exit exit) {
                                          ++calls;
                                          EXPECT_EQ(exit->status, i);
                                          EXPECT_EQ(self.kill(0).error().code, ESRCH);
                                        }));
    EXPECT_TRUE(processes.back()->kill(0));
    if (i % 2 == 0) await_end(processes.back()->pid());
  }
  loop.run();
  EXPECT_EQ(calls, 20);
  struct sigaction action {};
  ::sigaction(SIGCHLD, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);  // Restored.
  EXPECT_EQ(::waitpid(other, nullptr, 0), other);
  EXPECT_EQ(zombies(), 0);
}

TEST(Process, WithoutPidfdsTooACallbackMaySpawnAndDrop) {
  Refuse refuse("pidfd_open", EPERM);
  Loop loop;
  auto first = loop.make<Process>(), second = loop.make<Process>(), third = loop.make<Process>();
  int calls = 0;
  ASSERT_TRUE(first->spawn(shell(":"), [&](Process& self, Exit) {
    ++calls;
    second.reset();
    ASSERT_TRUE(self.spawn(shell(":"), [&](Process&, Exit) { ++calls; }));
    ASSERT_TRUE(third->spawn(shell(":"), [&](Process&, Exit) { ++calls; }));
  }));
  ASSERT_TRUE(second->spawn(shell("exec sleep 1000"), nullptr));
  const pid_t orphan = second->pid();
  loop.run();
  EXPECT_EQ(calls, 3);
  ::kill(orphan, SIGKILL);
  await_end(orphan);
  ASSERT_TRUE(first->spawn(shell(":"), nullptr));
  loop.run();
  while (zombies() > 0) loop.run_nowait();
}

TEST(Process, WithoutAPlaceForThePidfdThereIsNoChild) {
  Refuse refuse("pidfd_open", EMFILE);
  Loop loop;
  auto process = loop.make<Process>();
  Result<void> spawned = process->spawn(shell("exec sleep 1000"), nullptr);
  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code, EMFILE);
  EXPECT_EQ(zombies(), 0);
  EXPECT_FALSE(loop.run());
}

}  // namespace
}  // namespace rondo
