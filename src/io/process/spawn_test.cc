#include "io/process/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "loop/loop.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using Direction = Stdio::Direction;

ProcessOptions program(std::vector<std::string> args) {
  ProcessOptions options;
  options.file = args.front();
  options.args = std::move(args);
  return options;
}

ProcessOptions shell(std::string command) { return program({"/bin/sh", "-c", std::move(command)}); }

// The open descriptors, without the one used to list them.
std::set<int> descriptors() {
  std::set<int> open;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int fd = std::atoi(entry.path().filename().c_str());
    open.insert(fd);
  }
  std::erase_if(open, [](int fd) { return ::fcntl(fd, F_GETFD) < 0; });
  return open;
}

std::string read_to_end(const Fd& fd) {
  std::string text;
  char buffer[4096];
  while (true) {
    pollfd ready{fd.get(), POLLIN, 0};
    ::poll(&ready, 1, -1);
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<size_t>(count));
  }
}

int status_of(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// The program's standard output, or the name of the error.
std::string output_of(ProcessOptions options) {
  if (options.stdio.size() < 2) options.stdio.resize(2);
  options.stdio[1] = Stdio::pipe(Direction::child_writes);
  Result<Spawned> spawned = spawn(options);
  if (!spawned) return spawned.error().name();
  const std::string text = read_to_end(spawned->stdio[1]);
  const int status = status_of(spawned->pid);
  return status == 0 ? text : text + "(" + std::to_string(status) + ")";
}

// Each test runs with both implementations: changing the user (here: to the current one) needs a
// fork.
class Spawn : public testing::TestWithParam<bool> {
 protected:
  ProcessOptions by_either_way(ProcessOptions options) const {
    if (GetParam()) options.gid = ::getgid();
    return options;
  }
  std::string run(ProcessOptions options) const {
    return output_of(by_either_way(std::move(options)));
  }
  std::string error_of(ProcessOptions options) const {
    const std::set<int> before = descriptors();
    options.stdio.assign(3, Stdio::pipe(Direction::duplex));
    Result<Spawned> spawned = spawn(by_either_way(std::move(options)));
    if (spawned) {
      ::kill(spawned->pid, SIGKILL);
      status_of(spawned->pid);
      return "spawned";
    }
    EXPECT_EQ(std::string(spawned.error().syscall), "spawn");
    EXPECT_EQ(descriptors(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // No child, no zombie.
    return spawned.error().name();
  }
};

INSTANTIATE_TEST_SUITE_P(Ways, Spawn, testing::Bool(), [](const auto& way) {
  return std::string(way.param ? "ByFork" : "ByPosixSpawn");
});

TEST_P(Spawn, PassesArgumentsAsTheyAre) {
  EXPECT_EQ(run(program({"/bin/sh", "-c", "printf '<%s>' \"$0\" \"$@\"", "", "a b", "*", "$x"})),
            "<><a b><*><$x>");
  ProcessOptions alone;
  alone.file = "pwd";
  EXPECT_FALSE(run(alone).empty());
}

TEST_P(Spawn, RunsInTheGivenDirectory) {
  TempDir dir;
  ProcessOptions options = program({"/bin/pwd"});
  options.cwd = dir.path();
  EXPECT_EQ(run(options), std::filesystem::canonical(dir.path()).string() + "\n");
}

TEST_P(Spawn, ARelativeFileIsRelativeToThatDirectory) {
  TempDir dir;
  ::chmod(dir.write("tool", "#!/bin/sh\necho here\n").c_str(), 0700);
  ProcessOptions options = program({"./tool"});
  EXPECT_EQ(run(options), "ENOENT");
  options.cwd = dir.path();
  EXPECT_EQ(run(options), "here\n");
}

TEST_P(Spawn, TheEnvironmentIsTheOneGivenOrOurs) {
  ::setenv("RONDO_TEST_MARK", "ours", 1);
  EXPECT_EQ(run(shell("echo $RONDO_TEST_MARK")), "ours\n");
  ProcessOptions options = program({"/usr/bin/env"});
  options.env = {"A=1", "B=two words"};
  EXPECT_EQ(run(options), "A=1\nB=two words\n");
  options.env = std::vector<std::string>();
  EXPECT_EQ(run(options), "");
  ::unsetenv("RONDO_TEST_MARK");
}

TEST_P(Spawn, TheSearchGoesAlongThePathOfTheChild) {
  TempDir dir, other;
  ::chmod(dir.write("tool", "#!/bin/sh\necho first\n").c_str(), 0700);
  ::chmod(other.write("tool", "#!/bin/sh\necho second\n").c_str(), 0700);
  ProcessOptions options = program({"tool"});
  EXPECT_EQ(run(options), "ENOENT");  // Not in ours.
  options.env = {"PATH=/nowhere:" + dir.path() + ":" + other.path()};
  EXPECT_EQ(run(options), "first\n");
  ::chmod((dir / "tool").c_str(), 0600);  // Found, but not executable: the search continues.
  if (::geteuid() != 0) {
    EXPECT_EQ(run(options), "second\n");
  }
  ::unlink((dir / "tool").c_str());
  ::mkdir((dir / "tool").c_str(), 0700);
  EXPECT_EQ(run(options), "second\n");
  options.env = {"PATH=" + dir.path()};
  EXPECT_EQ(run(options), "EACCES");
  // An empty entry is the child's own directory.
  options.env = {"PATH=/nowhere::/none"};
  options.cwd = other.path();
  EXPECT_EQ(run(options), "second\n");
  ProcessOptions usual = program({"sh", "-c", "echo found"});
  usual.env = std::vector<std::string>();
  EXPECT_EQ(run(usual), "found\n");
}

TEST_P(Spawn, AScriptWithoutAnInterpreterLineIsRunByTheShell) {
  TempDir dir;
  const std::string path = dir.write("script", "echo \"$0 $1\"\n");
  ::chmod(path.c_str(), 0700);
  EXPECT_EQ(run(program({path, "argument"})), path + " argument\n");
}

TEST_P(Spawn, AFailedStartIsAnErrorAndLeavesNothingBehind) {
  TempDir dir;
  const std::string plain = dir.write("plain", "text");
  EXPECT_EQ(error_of(program({dir / "missing"})), "ENOENT");
  EXPECT_EQ(error_of(program({"surely-no-such-program"})), "ENOENT");
  EXPECT_EQ(error_of(program({""})), "ENOENT");
  EXPECT_EQ(error_of(program({plain})), "EACCES");
  EXPECT_EQ(error_of(program({dir.path()})), "EACCES");
  EXPECT_EQ(error_of(program({plain + "/below"})), "ENOTDIR");
  const std::string broken = dir.write("broken", "#!/no/such/interpreter\n");
  ::chmod(broken.c_str(), 0700);
  EXPECT_EQ(error_of(program({broken})), "ENOENT");
  ProcessOptions lost = shell(":");
  lost.cwd = dir / "missing";
  EXPECT_EQ(error_of(lost), "ENOENT");
  lost.cwd = plain;
  EXPECT_EQ(error_of(lost), "ENOTDIR");
}

TEST_P(Spawn, StringsWithAZeroInsideAreRefused) {
  const std::string bad("a\0b", 3);
  EXPECT_EQ(error_of(program({bad})), "EINVAL");
  EXPECT_EQ(error_of(program({"/bin/true", bad})), "EINVAL");
  ProcessOptions options = program({"/bin/true"});
  options.cwd = bad;
  EXPECT_EQ(error_of(options), "EINVAL");
  options.cwd.clear();
  options.env = {bad};
  EXPECT_EQ(error_of(options), "EINVAL");
}

TEST_P(Spawn, TooManyArgumentsAreE2big) {
  ProcessOptions options = program({"/bin/true"});
  options.args.insert(options.args.end(), 100, std::string(120'000, 'x'));
  EXPECT_EQ(error_of(options), "E2BIG");
}

TEST_P(Spawn, ADescriptorThatIsNotOpenIsEbadf) {
  ProcessOptions options = by_either_way(program({"/bin/true"}));
  options.stdio = {Stdio::pipe(Direction::duplex), Stdio::inherit(987)};
  const std::set<int> before = descriptors();
  Result<Spawned> spawned = spawn(options);
  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code, EBADF);
  EXPECT_EQ(descriptors(), before);
}

TEST_P(Spawn, WhereverTheDescriptorsRunOutNothingIsLeftBehind) {
  ProcessOptions options = by_either_way(program({"/bin/true"}));
  options.stdio = {Stdio::pipe(Direction::child_reads), Stdio::pipe(Direction::child_writes),
                   Stdio::pipe(Direction::duplex), Stdio::inherit(2)};
  const std::set<int> before = descriptors();
  rlimit saved{};
  ::getrlimit(RLIMIT_NOFILE, &saved);
  int failures = 0;
  // From no free descriptor at all to enough of them.
  for (rlim_t room = 0;; ++room) {
    rlimit tight = saved;
    tight.rlim_cur = room;
    ::setrlimit(RLIMIT_NOFILE, &tight);
    Result<Spawned> spawned = spawn(options);
    ::setrlimit(RLIMIT_NOFILE, &saved);
    if (spawned) {
      EXPECT_TRUE(spawned->pidfd);
      EXPECT_EQ(status_of(spawned->pid), 0);
      break;
    }
    ++failures;
    ASSERT_EQ(spawned.error().code, EMFILE) << "with room up to " << room;
    ASSERT_EQ(descriptors(), before);
    ASSERT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    ASSERT_LT(failures, 1000);
  }
  EXPECT_GE(failures, 5);
}

TEST_P(Spawn, ADetachedChildLeadsASession) {
  // The sixth field of stat is the session.
  ProcessOptions options =
      shell("read a b c d e f rest < /proc/self/stat; test $f = $$ && echo yes");
  EXPECT_EQ(run(options), "(1)");
  options.detached = true;
  EXPECT_EQ(run(options), "yes\n");
}

TEST_P(Spawn, TheChildStartsWithUsualSignals) {
  sigset_t block, saved;
  ::sigemptyset(&block);
  ::sigaddset(&block, SIGUSR1);
  ::sigaddset(&block, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &block, &saved);
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  const std::string text = run(program({"/bin/cat", "/proc/self/status"}));
  ::sigaction(SIGPIPE, &before, nullptr);
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, &saved, &after);
  EXPECT_NE(text.find("SigBlk:\t0000000000000000\n"), std::string::npos) << text;
  const size_t ignored = text.find("SigIgn:\t");
  ASSERT_NE(ignored, std::string::npos) << text;
  // The C library reserves 32 and 33, and leaves them ignored.
  EXPECT_EQ(std::strtoul(text.c_str() + ignored + 8, nullptr, 16) & ~0x180000000UL, 0UL) << text;
  EXPECT_TRUE(::sigismember(&after, SIGUSR1));  // Our mask is unchanged.
}

TEST_P(Spawn, IgnoredStandardStreamsAreTheNullDevice) {
  ProcessOptions options = program({"/bin/readlink", "/proc/self/fd/0", "/proc/self/fd/2"});
  EXPECT_EQ(run(options), "/dev/null\n/dev/null\n");
}

TEST_P(Spawn, NothingOfOursLeaksIntoTheChild) {
  // Ignores descriptors that the test itself inherited.
  std::set<int> foreign;
  for (int fd : descriptors()) {
    if (fd > 2 && (::fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0) foreign.insert(fd);
  }
  Loop loop;
  ProcessOptions options = program({"/bin/ls", "/proc/self/fd"});
  options.stdio = {Stdio::pipe(Direction::child_reads), Stdio::ignore(),
                   Stdio::pipe(Direction::duplex)};
  std::istringstream listed(run(options));
  std::set<int> seen;
  for (int fd; listed >> fd;) seen.insert(fd);
  for (int fd : foreign) seen.erase(fd);
  // The three standard descriptors, and the directory that ls reads.
  EXPECT_EQ(seen.size(), 4U) << listed.str();
  EXPECT_EQ(*std::next(seen.begin(), 2), 2);
}

TEST_P(Spawn, DescriptorsMayChangePlaces) {
  TempDir dir;
  const Fd first(::open(dir.write("1", "one").c_str(), O_RDONLY | O_CLOEXEC));
  const Fd second(::open(dir.write("2", "two").c_str(), O_RDONLY | O_CLOEXEC));
  const Fd third(::open(dir.write("3", "three").c_str(), O_RDONLY | O_CLOEXEC));
  const int a = first.get(), b = second.get(), c = third.get();
  ProcessOptions options;
  options.file = "cat";
  options.args = {"cat"};
  for (int fd : {a, b, c}) options.args.push_back("/proc/self/fd/" + std::to_string(fd));
  options.stdio.resize(static_cast<size_t>(std::max({a, b, c})) + 1);
  const auto at = [&](int fd) -> Stdio& { return options.stdio[static_cast<size_t>(fd)]; };
  at(a) = Stdio::inherit(b);  // Each would overwrite the source of the next one.
  at(b) = Stdio::inherit(a);
  at(c) = Stdio::inherit(c);  // Close-on-exec in the parent, but not in the child.
  EXPECT_EQ(run(options), "twoonethree");
  at(a) = Stdio::inherit(c);
  at(b) = Stdio::inherit(c);
  at(c) = Stdio::inherit(a);
  // The three descriptors share one position; opened again through /proc they start at the
  // beginning.
  EXPECT_EQ(run(options), "threethreeone");
  EXPECT_NE(::fcntl(c, F_GETFD) & FD_CLOEXEC, 0);
}

TEST_P(Spawn, AnIgnoredDescriptorAboveTheStandardOnesIsClosed) {
  const Fd open_one(::open("/dev/null", O_RDONLY));  // Not close-on-exec.
  const auto number = static_cast<size_t>(open_one.get());
  ProcessOptions options = shell("test -e /proc/self/fd/" + std::to_string(number) + " || echo no");
  EXPECT_EQ(run(options), "");
  options.stdio.resize(number + 1);
  EXPECT_EQ(run(options), "no\n");
}

TEST_P(Spawn, OurEndsOfPipesAreNonBlockingAndStayOurs) {
  ProcessOptions options = by_either_way(program({"/bin/cat"}));
  options.stdio = {Stdio::pipe(Direction::child_reads), Stdio::pipe(Direction::child_writes),
                   Stdio::ignore(), Stdio::pipe(Direction::duplex)};
  Result<Spawned> spawned = spawn(options);
  ASSERT_TRUE(spawned);
  ASSERT_EQ(spawned->stdio.size(), 4U);
  EXPECT_FALSE(spawned->stdio[2]);
  for (int i : {0, 1, 3}) {
    const int fd = spawned->stdio[static_cast<size_t>(i)].get();
    EXPECT_NE(::fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
    EXPECT_NE(::fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
  }
  ASSERT_EQ(::write(spawned->stdio[0].get(), "echo", 4), 4);
  spawned->stdio[0].reset();
  EXPECT_EQ(read_to_end(spawned->stdio[1]), "echo");
  EXPECT_EQ(status_of(spawned->pid), 0);
}

TEST_P(Spawn, PipedStreamsCanBeOpenedByTheirNamesInDev) {
  ProcessOptions options = by_either_way(shell("cat /dev/stdin; echo err > /dev/stderr"));
  options.stdio = {Stdio::pipe(Direction::child_reads), Stdio::pipe(Direction::child_writes),
                   Stdio::pipe(Direction::child_writes)};
  Result<Spawned> spawned = spawn(options);
  ASSERT_TRUE(spawned);
  ASSERT_EQ(::write(spawned->stdio[0].get(), "in", 2), 2);
  spawned->stdio[0].reset();
  EXPECT_EQ(read_to_end(spawned->stdio[1]), "in");
  EXPECT_EQ(read_to_end(spawned->stdio[2]), "err\n");
  EXPECT_EQ(status_of(spawned->pid), 0);
}

TEST_P(Spawn, ANonBlockingPipeOfOursBlocksInTheChild) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const Fd reader(ends[0]), writer(ends[1]);
  ProcessOptions options = program({"/bin/cat", "/proc/self/fdinfo/0"});
  options.stdio = {Stdio::inherit(reader.get())};
  const std::string info = run(options);
  const size_t flags = info.find("flags:\t");
  ASSERT_NE(flags, std::string::npos) << info;
  EXPECT_EQ(std::strtol(info.c_str() + flags + 7, nullptr, 8) & O_NONBLOCK, 0);
  EXPECT_NE(::fcntl(reader.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST(SpawnEndingWithItsParent, IsKilledWhenTheThreadThatSpawnedItEnds) {
  ProcessOptions options = program({"/bin/sleep", "1000"});
  options.ends_with_parent = true;
  pid_t pid = -1;
  std::thread parent([&options, &pid] {
    Result<Spawned> spawned = spawn(options);
    if (spawned) pid = spawned->pid;
  });
  parent.join();
  ASSERT_GT(pid, 0);
  EXPECT_EQ(status_of(pid), 1000 + SIGKILL);
}

TEST(SpawnEndingWithItsParent, KeepsTheUserAndTheGroups) {
  ProcessOptions options = shell("id -u; id -g; id -G");
  const std::string ours = output_of(options);
  options.ends_with_parent = true;
  EXPECT_EQ(output_of(options), ours);
}

TEST(SpawnAsAnotherUser, TakesTheIdsAndGivesUpTheGroups) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  ProcessOptions options = shell("id -u; id -g; id -G");
  options.uid = 65534;
  options.gid = 65533;
  EXPECT_EQ(output_of(options), "65534\n65533\n65533\n");
}

TEST(SpawnAsAnotherUser, WithoutTheRightToIsEperm) {
  ProcessOptions options = program({"/bin/true"});
  if (::geteuid() == 0) {
    // Runs in a child without privileges, since the test may have them.
    const pid_t pid = ::fork();
    if (pid == 0) {
      if (::setuid(65534) < 0) ::_exit(1);
      options.uid = 0;
      Result<Spawned> spawned = spawn(options);
      ::_exit(!spawned && spawned.error().code == EPERM ? 0 : 2);
    }
    EXPECT_EQ(status_of(pid), 0);
    return;
  }
  options.uid = 0;
  EXPECT_EQ(output_of(options), "EPERM");
}

}  // namespace
}  // namespace rondo
