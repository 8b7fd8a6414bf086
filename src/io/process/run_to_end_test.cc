#include "io/process/run_to_end.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/faults.h"

namespace rondo {
namespace {

RunOptions shell(std::string command) {
  RunOptions options;
  options.process.file = "/bin/sh";
  options.process.args = {"sh", "-c", std::move(command)};
  for (int i = 0; i < 3; ++i) {
    options.process.stdio.push_back(Stdio::pipe(Stdio::Direction::duplex));
  }
  options.kill_signal = SIGTERM;
  return options;
}

std::string text_of(ByteBuffer& bytes) {
  const size_t size = bytes.size();
  uint8_t* const data = bytes.release();
  std::string text(reinterpret_cast<char*>(data), size);
  std::free(data);
  return text;
}

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

int open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<int>(std::distance(begin(all), end(all)));
}

TEST(RunToEnd, GathersWhatTheChildWritesAndHowItEnds) {
  const int before = open_descriptors();
  RunResult result = run_to_end(shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(result.error, 0);
  EXPECT_GT(result.pid, 0);
  ASSERT_TRUE(result.exit);
  EXPECT_EQ(result.exit->status, 7);
  EXPECT_EQ(text_of(result.outputs[1]), "out\n");
  EXPECT_EQ(text_of(result.outputs[2]), "err\n");
  EXPECT_EQ(open_descriptors(), before);
}

TEST(RunToEnd, ReportsASignal) {
  const RunResult result = run_to_end(shell("kill -9 $$"));
  ASSERT_TRUE(result.exit);
  EXPECT_EQ(result.exit->signal, SIGKILL);
}

TEST(RunToEnd, AProgramThatIsNotThereNeverRan) {
  RunOptions options = shell("");
  options.process.file = "/nope";
  const RunResult result = run_to_end(options);
  EXPECT_EQ(result.error, ENOENT);
  EXPECT_EQ(result.pid, 0);
  EXPECT_FALSE(result.exit);
}

TEST(RunToEnd, MuchInputAndMuchOutputDoNotWaitForEachOther) {
  const std::string input(3 << 20, 'x');
  RunOptions options = shell("cat");
  options.input = bytes_of(input);
  RunResult result = run_to_end(options);
  EXPECT_EQ(result.error, 0);
  EXPECT_EQ(text_of(result.outputs[1]), input);
}

TEST(RunToEnd, ShortWritesAndReadsLoseNothing) {
  FaultPlan faults;
  faults.shorten("send", 3);
  faults.shorten("read", 2);
  faults.fail("send", EINTR, {.skip = 2, .times = 2});
  RunOptions options = shell("cat");
  const std::string input = "some words and then more of them";
  options.input = bytes_of(input);
  RunResult result = run_to_end(options);
  EXPECT_EQ(text_of(result.outputs[1]), input);
}

TEST(RunToEnd, AChildThatDoesNotReadIsABrokenPipe) {
  const std::string input(10 << 20, 'x');
  RunOptions options = shell("exit 3");
  options.input = bytes_of(input);
  const RunResult result = run_to_end(options);
  EXPECT_EQ(result.error, EPIPE);
  ASSERT_TRUE(result.exit);
  EXPECT_EQ(result.exit->status, 3);
}

// Repeats the run with an increasing timeout, until the child gets far enough before it.
template <class IsFarEnough>
RunResult run_in_time(RunOptions options, IsFarEnough&& is_far_enough) {
  for (options.timeout = Millis(200);; options.timeout *= 2) {
    RunResult result = run_to_end(options);
    if (is_far_enough(result)) return result;
  }
}

TEST(RunToEnd, TimeIsUp) {
  const int before = open_descriptors();
  RunResult result = run_in_time(shell("echo early; exec sleep 60"),
                                 [](const RunResult& one) { return one.outputs[1].size() > 0; });
  EXPECT_EQ(result.error, ETIMEDOUT);
  ASSERT_TRUE(result.exit);
  EXPECT_EQ(result.exit->signal, SIGTERM);
  EXPECT_EQ(text_of(result.outputs[1]), "early\n");
  EXPECT_EQ(open_descriptors(), before);
}

TEST(RunToEnd, AGrandchildHoldsThePipeUntilTimeIsUp) {
  RunResult result = run_in_time(shell("sleep 60 & echo $!; exit 4"), [](const RunResult& one) {
    return one.exit && one.exit->signal == 0;
  });
  EXPECT_EQ(result.error, ETIMEDOUT);
  ASSERT_TRUE(result.exit);
  EXPECT_EQ(result.exit->status, 4);
  ::kill(std::stoi(text_of(result.outputs[1])), SIGKILL);
}

TEST(RunToEnd, TooMuchOutputEndsTheChild) {
  // The child writes no more: otherwise it could end by SIGPIPE before the signal.
  RunOptions options = shell("head -c 200 /dev/zero; exec sleep 60");
  options.most_output = 100;
  const RunResult result = run_to_end(options);
  EXPECT_EQ(result.error, ENOBUFS);
  ASSERT_TRUE(result.exit);
  EXPECT_EQ(result.exit->signal, SIGTERM);
}

TEST(RunToEnd, ASignalThatThereIsNotIsReplacedByOneThatWorks) {
  RunOptions options = shell("exec sleep 60");
  options.timeout = Millis(50);
  options.kill_signal = 1000;
  const RunResult result = run_to_end(options);
  EXPECT_EQ(result.error, ETIMEDOUT);
  ASSERT_TRUE(result.exit);
  EXPECT_EQ(result.exit->signal, SIGKILL);
}

TEST(RunToEnd, WithoutAPidfdTheChildIsReapedToo) {
  FaultPlan faults;
  faults.fail("pidfd_open", ENOSYS, {.times = FaultPlan::kAlways});
  RunResult result = run_to_end(shell("exec 1>&- 2>&-; sleep 0.05; exit 9"));
  EXPECT_EQ(result.error, 0);
  ASSERT_TRUE(result.exit);
  EXPECT_EQ(result.exit->status, 9);
}

TEST(RunToEnd, OtherCodeHasWaited) {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before {};
  ::sigaction(SIGCHLD, &ignore, &before);
  RunResult result = run_to_end(shell("echo out; exit 5"));
  ::sigaction(SIGCHLD, &before, nullptr);
  EXPECT_FALSE(result.exit);
  EXPECT_EQ(text_of(result.outputs[1]), "out\n");
}

}  // namespace
}  // namespace rondo
