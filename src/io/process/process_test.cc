#include "io/process/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/net/pipe.h"
#include "loop/loop.h"
#include "support/processes.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using Exit = const Result<ProcessExit>&;
using Direction = Stdio::Direction;

int open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<int>(std::distance(begin(all), end(all)));
}

// Reads all output of a child on one of its descriptors.
class Reader {
 public:
  Reader(Loop& loop, Fd fd) : pipe_(loop.make<PipeSocket>()) {
    EXPECT_TRUE(pipe_->open(std::move(fd)));
    EXPECT_TRUE(pipe_->read_start([this](Stream&, Result<std::span<std::byte>> data) {
      ASSERT_TRUE(data) << data.error().message();
      if (data->empty()) {
        pipe_.reset();
        return;
      }
      text_.append(reinterpret_cast<const char*>(data->data()), data->size());
    }));
  }
  const std::string& text() const { return text_; }

 private:
  Owned<PipeSocket> pipe_;
  std::string text_;
};

// Runs a program to its end and returns its standard output.
std::string output_of(ProcessOptions options) {
  Loop loop;
  auto process = loop.make<Process>();
  options.stdio.resize(std::max<size_t>(options.stdio.size(), 2));
  options.stdio[1] = Stdio::pipe(Direction::child_writes);
  int status = -1;
  Result<void> spawned = process->spawn(options, [&](Process&, Exit exit) {
    ASSERT_TRUE(exit);
    status = exit->signal != 0 ? 1000 + exit->signal : exit->status;
  });
  if (!spawned) return "error: " + spawned.error().message();
  Reader reader(loop, process->take_stdio(1));
  loop.run();
  EXPECT_EQ(status, 0);
  return reader.text();
}

TEST(Process, ReportsItsExitStatusInPoll) {
  Loop loop;
  auto process = loop.make<Process>();
  int status = -1;
  ASSERT_TRUE(process->spawn(shell("exit 7"), [&](Process& self, Exit exit) {
    EXPECT_EQ(loop.phase(), Phase::poll);
    EXPECT_FALSE(self.is_active());
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->signal, 0);
    status = exit->status;
  }));
  const pid_t pid = process->pid();
  EXPECT_GT(pid, 0);
  EXPECT_TRUE(process->is_active());
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(status, 7);
  EXPECT_EQ(process->pid(), pid);
  EXPECT_EQ(zombies(), 0);
}

TEST(Process, ReportsTheSignalThatKilledIt) {
  Loop loop;
  auto process = loop.make<Process>();
  ProcessExit seen;
  ASSERT_TRUE(process->spawn(shell("kill -TERM $$"), [&](Process&, Exit exit) { seen = *exit; }));
  loop.run();
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.signal, SIGTERM);
}

TEST(Process, CanBeKilledInEveryState) {
  Loop loop;
  auto process = loop.make<Process>();
  EXPECT_EQ(process->kill(SIGTERM).error().code, ESRCH);  // Never started.
  ProcessExit seen;
  ASSERT_TRUE(process->spawn(shell("exec sleep 1000"), [&](Process& self, Exit exit) {
    seen = *exit;
    EXPECT_EQ(self.kill(SIGTERM).error().code, ESRCH);  // Ended, in its callback.
  }));
  EXPECT_TRUE(process->kill(0));
  EXPECT_EQ(process->kill(1000).error().code, EINVAL);
  EXPECT_EQ(process->kill(-1).error().code, EINVAL);
  EXPECT_TRUE(process->kill(SIGKILL));
  await_end(process->pid());
  (void)process->kill(SIGKILL);  // Ended, not reported: either result is valid.
  loop.run();
  EXPECT_EQ(seen.signal, SIGKILL);
  EXPECT_EQ(process->kill(0).error().code, ESRCH);  // Reported.
  process->close(
      [](Handle& handle) { EXPECT_EQ(static_cast<Process&>(handle).kill(0).error().code, ESRCH); });
  EXPECT_EQ(process->kill(0).error().code, ESRCH);  // Closing.
  loop.run();
}

TEST(Process, AHundredAtOnceEachReportTheirOwnEnd) {
  constexpr int kCount = 100;
  Loop loop;
  std::vector<Owned<Process>> processes;
  int calls = 0;
  auto first = loop.make<Process>();  // The pipe for signals is opened with the first child.
  ASSERT_TRUE(first->spawn(shell("exit"), nullptr));
  loop.run();
  const int before = open_descriptors();
  for (int i = 0; i < kCount; ++i) {
    processes.push_back(loop.make<Process>());
    ASSERT_TRUE(processes.back()->spawn(shell("exit " + std::to_string(i)),
                                        [&calls, i](Process&, Exit exit) {
                                          ++calls;
                                          EXPECT_EQ(exit->status, i);
                                        }));
  }
  loop.run();
  EXPECT_EQ(calls, kCount);
  EXPECT_EQ(zombies(), 0);
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Process, PRC_01_ChildrenThatEndedBeforeAPollAreReportedInSpawnOrder) {
  Loop loop;
  std::string order;
  std::vector<Owned<Process>> processes;
  std::vector<Fd> ends;
  for (const char* name : {"a ", "b ", "c "}) {
    processes.push_back(loop.make<Process>());
    ProcessOptions options = shell(*name == 'a' ? "sleep 0.1" : "exit 0");
    options.stdio.resize(2);
    options.stdio[1] = Stdio::pipe(Direction::child_writes);
    ASSERT_TRUE(
        processes.back()->spawn(options, [&order, name](Process&, Exit) { order += name; }));
    ends.push_back(processes.back()->take_stdio(1));
  }
  // The loop does not run until all have ended: until they are zombies.
  for (const auto& process : processes) {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(process->pid()), &info, WEXITED | WNOWAIT) < 0) {
    }
  }
  loop.run_once();
  EXPECT_EQ(order, "a b c ");
  loop.run();
}

TEST(Process, AChildThatIsClosedByAnEarlierCallbackIsNotReported) {
  Loop loop;
  int calls = 0;
  auto first = loop.make<Process>(), second = loop.make<Process>();
  ASSERT_TRUE(first->spawn(shell("exit 0"), [&](Process&, Exit) {
    ++calls;
    second->close();
  }));
  ASSERT_TRUE(second->spawn(shell("exit 0"), [&](Process&, Exit) { ++calls; }));
  for (const pid_t pid : {first->pid(), second->pid()}) {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0) {
    }
  }
  loop.run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(zombies(), 0);
}

TEST(Process, LoopsOnSeveralThreadsMaySpawnAtTheSameTime) {
  std::atomic<int> calls{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&calls] {
      Loop loop;
      std::vector<Owned<Process>> processes;
      for (int i = 0; i < 15; ++i) {
        processes.push_back(loop.make<Process>());
        ProcessOptions options = shell("cat >/dev/null; exit 5");
        options.stdio = {Stdio::pipe(Direction::child_reads)};
        ASSERT_TRUE(processes.back()->spawn(
            options, [&](Process&, Exit exit) { calls += exit && exit->status == 5; }));
        // If a child of another thread had this end open, ours would never see the end of input.
        processes.back()->take_stdio(0).reset();
      }
      loop.run();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 4 * 15);
  EXPECT_EQ(zombies(), 0);
}

TEST(Process, EchoesThroughPipes) {
  Loop loop;
  auto process = loop.make<Process>();
  ProcessOptions options;
  options.file = "cat";
  options.stdio = {Stdio::pipe(Direction::child_reads), Stdio::pipe(Direction::child_writes)};
  int status = -1;
  ASSERT_TRUE(process->spawn(options, [&](Process&, Exit exit) { status = exit->status; }));
  Reader reader(loop, process->take_stdio(1));
  auto input = loop.make<PipeSocket>();
  ASSERT_TRUE(input->open(process->take_stdio(0)));
  std::string sent;
  for (int i = 0; i < 40'000; ++i) sent += "line " + std::to_string(i) + "\n";  // Fills any pipe.
  input->write(sent);
  input->shutdown();
  loop.run();
  EXPECT_EQ(status, 0);
  EXPECT_EQ(reader.text().size(), sent.size());
  EXPECT_TRUE(reader.text() == sent);
}

TEST(Process, EchoesThroughOneDuplexChannel) {
  Loop loop;
  auto process = loop.make<Process>();
  ProcessOptions options = shell("exec cat >&0");
  options.stdio = {Stdio::pipe(Direction::duplex)};
  ASSERT_TRUE(process->spawn(options, nullptr));
  auto channel = loop.make<PipeSocket>();
  ASSERT_TRUE(channel->open(process->take_stdio(0)));
  std::string echo;
  ASSERT_TRUE(channel->read_start([&](Stream&, Result<std::span<std::byte>> data) {
    ASSERT_TRUE(data);
    echo.append(reinterpret_cast<const char*>(data->data()), data->size());
  }));
  channel->write("hello");
  channel->shutdown();
  loop.run();
  EXPECT_EQ(echo, "hello");
}

TEST(Process, AChildThatDoesNotReadIsAWriteErrorAndNotTheEndOfUs) {
  Loop loop;
  auto process = loop.make<Process>();
  ProcessOptions options = shell("exit 0");
  options.stdio = {Stdio::pipe(Direction::child_reads)};
  ASSERT_TRUE(process->spawn(options, nullptr));
  auto input = loop.make<PipeSocket>();
  ASSERT_TRUE(input->open(process->take_stdio(0)));
  await_end(process->pid());
  int code = 0;
  input->write("hello", [&](Stream&, Result<void> outcome) { code = outcome.error().code; });
  loop.run();
  EXPECT_EQ(code, EPIPE);
}

TEST(Process, SpawnsAgainWhenTheLastChildHasEnded) {
  Loop loop;
  auto process = loop.make<Process>();
  std::string order;
  ASSERT_TRUE(process->spawn(shell("exit 1"), [&](Process& self, Exit exit) {
    order += std::to_string(exit->status);
    ASSERT_TRUE(self.spawn(
        shell("exit 2"), [&](Process&, Exit second) { order += std::to_string(second->status); }));
  }));
  Result<void> twice = process->spawn(shell("exit 3"), nullptr);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, EALREADY);
  loop.run();
  EXPECT_EQ(order, "12");
}

TEST(Process, MayBeClosedOrDroppedInsideItsCallback) {
  Loop loop;
  auto dropped = loop.make<Process>();
  auto closed = loop.make<Process>();
  int calls = 0;
  ASSERT_TRUE(dropped->spawn(shell(":"), [&](Process&, Exit) {
    ++calls;
    dropped.reset();
  }));
  ASSERT_TRUE(closed->spawn(shell(":"), [&](Process& self, Exit) {
    ++calls;
    self.close();
  }));
  loop.run();
  EXPECT_EQ(calls, 2);
}

TEST(Process, POL_06_ClosedByAnotherCallbackIsNotCalled) {
  Loop loop;
  std::vector<Owned<Process>> processes;
  int calls = 0;
  for (int i = 0; i < 8; ++i) {
    processes.push_back(loop.make<Process>());
    ASSERT_TRUE(processes.back()->spawn(shell(":"), [&](Process&, Exit) {
      ++calls;
      processes.clear();
    }));
  }
  for (const Owned<Process>& process : processes) await_end(process->pid());
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(Process, WithoutARefItDoesNotKeepTheLoopAlive) {
  Loop loop;
  auto process = loop.make<Process>();
  ASSERT_TRUE(process->spawn(shell("exec sleep 1000"), nullptr));
  process->unref();
  EXPECT_FALSE(loop.run());
  process->ref();
  EXPECT_TRUE(process->kill(SIGKILL));
  loop.run();
  EXPECT_EQ(zombies(), 0);
}

TEST(Process, ClosedBeforeItsEndItRunsOnAndIsStillCollected) {
  Loop loop;
  TempDir dir;
  auto process = loop.make<Process>();
  ProcessOptions options = shell("read line; echo $line > \"$0\"");
  options.args.push_back(dir / "out");
  options.stdio = {Stdio::pipe(Direction::child_reads)};
  ASSERT_TRUE(process->spawn(options, [](Process&, Exit) { FAIL() << "the handle is closed"; }));
  const pid_t pid = process->pid();
  const Fd input = process->take_stdio(0);
  process.reset();
  EXPECT_FALSE(loop.run());      // Does not wait for the child...
  EXPECT_EQ(::kill(pid, 0), 0);  // ... which still runs.
  ASSERT_EQ(::write(input.get(), "done\n", 5), 5);
  await_end(pid);
  auto timer = loop.make<Timer>();
  timer->start(
      Millis{1},
      [&](Timer&) {
        if (::kill(pid, 0) < 0) timer.reset();
      },
      Millis{1});
  loop.run();  // Ends when the child has been reaped.
  EXPECT_EQ(read_whole(dir / "out"), "done\n");
}

TEST(Process, OneThatOutlivesItsLoopIsCollectedByTheNextSpawn) {
  pid_t pid = 0;
  {
    Loop loop;
    auto process = loop.make<Process>();
    ASSERT_TRUE(process->spawn(shell("exec sleep 1000"), nullptr));
    pid = process->pid();
  }
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  await_end(pid);
  Loop loop;
  auto process = loop.make<Process>();
  ASSERT_TRUE(process->spawn(shell(":"), nullptr));
  EXPECT_EQ(::kill(pid, 0), -1);
  loop.run();
  EXPECT_EQ(zombies(), 0);
}

TEST(Process, OtherChildrenOfTheProgramAreNotTouched) {
  const pid_t other = ::fork();
  if (other == 0) ::_exit(9);
  await_end(other);
  EXPECT_EQ(output_of(shell("echo hi")), "hi\n");
  int status = 0;
  EXPECT_EQ(::waitpid(other, &status, WNOHANG), other);
  EXPECT_EQ(WEXITSTATUS(status), 9);
}

TEST(Process, AChildReapedByOtherCodeIsReportedAsEchild) {
  Loop loop;
  auto process = loop.make<Process>();
  int code = 0;
  ASSERT_TRUE(process->spawn(shell("exit 3"),
                             [&](Process&, Exit exit) { code = exit ? 0 : exit.error().code; }));
  ASSERT_EQ(::waitpid(process->pid(), nullptr, 0), process->pid());
  loop.run();
  EXPECT_EQ(code, ECHILD);
}

}  // namespace
}  // namespace rondo
