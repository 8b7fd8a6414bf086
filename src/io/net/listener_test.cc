#include "io/net/listener.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "support/echo_server.h"
#include "support/faults.h"
#include "support/net.h"
#include "support/no_descriptors.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(Listener, PauseLeavesConnectionsInTheBacklogUntilResume) {
  Loop loop;
  EchoServer echo(loop);
  loop.run_nowait();
  echo.server->pause();
  BarePeer peer = BarePeer::connect(echo.address());
  for (int i = 0; i < 20; ++i) loop.run_nowait();
  EXPECT_EQ(echo.accepted, 0);
  echo.server->resume();
  EXPECT_TRUE(run_until(loop, [&] { return echo.accepted == 1; }));
}

TEST(Listener, APausedServerKeepsWhatTheKernelHasLetIn) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  std::vector<Fd> taken;
  // Pauses in each callback, though more of them are in the same batch.
  ASSERT_TRUE(server->listen([&](Listener& listener, Result<Fd> connection) {
    ASSERT_TRUE(connection);
    taken.push_back(std::move(*connection));
    listener.pause();
  }));
  std::vector<BarePeer> peers;
  for (int i = 0; i < 20; ++i) peers.push_back(BarePeer::connect(*server->address()));
  EXPECT_TRUE(run_until(loop, [&] { return taken.size() == 1; }));
  for (int i = 0; i < 10; ++i) loop.run_nowait();
  EXPECT_EQ(taken.size(), 1u);
  EXPECT_TRUE(run_until(loop, [&] {
    server->resume();
    return taken.size() == 20;
  }));
  for (BarePeer& peer : peers) EXPECT_EQ(peer.receive(), "");  // Not one was dropped.
}

TEST(Listener, NET_03_OneEventBringsOneConnection) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  int accepted = 0;
  ASSERT_TRUE(server->listen([&](Listener&, Result<Fd> fd) { accepted += bool(fd); }));
  std::vector<BarePeer> peers;
  for (int i = 0; i < 3; ++i) peers.push_back(BarePeer::connect(*server->address()));
  for (int turn = 1; turn <= 3; ++turn) {
    loop.run_nowait();
    EXPECT_EQ(accepted, turn);
  }
}

TEST(Listener, NET_09_WithoutDescriptorsWaitingConnectionsAreClosed) {
  Loop loop;
  EchoServer echo(loop);
  loop.run_nowait();
  // The peers need descriptors as well: make them first, then let accept find none.
  std::vector<BarePeer> peers;
  echo.server->pause();
  for (int i = 0; i < 3; ++i) peers.push_back(BarePeer::connect(echo.address()));
  auto none = std::make_unique<NoDescriptors>();
  echo.server->resume();
  while (echo.errors.empty()) loop.run_once();
  // Sanitizers need descriptors, too: so free some before anything is checked.
  const int accepted_without = echo.accepted;
  none->free_some();
  EXPECT_EQ(accepted_without, 0);
  EXPECT_EQ(echo.errors, std::vector<int>{EMFILE});
  for (BarePeer& peer : peers) {
    std::string got;
    EXPECT_TRUE(run_until(loop, [&] { return !(got += peer.receive()).empty(); }));
    EXPECT_EQ(got, "<end>");
  }
  EXPECT_EQ(echo.accepted, 0);
  BarePeer later = BarePeer::connect(echo.address());
  EXPECT_TRUE(run_until(loop, [&] { return echo.accepted == 1; }));
}

TEST(Listener, TroubleOfOneConnectionDoesNotStopTheServer) {
  Loop loop;
  EchoServer echo(loop);
  FaultPlan faults;
  faults.fail("accept", ECONNABORTED, {.times = 2});
  faults.fail("accept", EINTR, {.times = 2});
  BarePeer peer = BarePeer::connect(echo.address());
  EXPECT_TRUE(run_until(loop, [&] { return echo.accepted == 1; }));
  EXPECT_TRUE(echo.errors.empty());
}

TEST(Listener, ClosingInsideItsCallbackDropsTheRestOfTheBacklogWithoutErrors) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  int accepted = 0;
  ASSERT_TRUE(server->listen([&](Listener& self, Result<Fd> fd) {
    accepted += bool(fd);
    self.close();
  }));
  std::vector<BarePeer> peers;
  for (int i = 0; i < 5; ++i) peers.push_back(BarePeer::connect(*server->address()));
  loop.run();
  EXPECT_EQ(accepted, 1);
}

// The other side of ten thousand connections, in its own process for its descriptors. System calls
// only; the exit code says how far it got.
int talk_over_many(const SocketAddress& address, int count) {
  std::vector<int> fds;
  for (int i = 0; i < count; ++i) {
    fds.push_back(::socket(AF_INET, SOCK_STREAM, 0));
    if (fds.back() < 0) return 1;
    if (::connect(fds.back(), address.data(), address.size()) < 0) return 2;
  }
  char byte = 'x';
  for (const int fd : fds) {
    if (::send(fd, &byte, 1, MSG_NOSIGNAL) != 1) return 3;
  }
  for (const int fd : fds) {
    if (::recv(fd, &byte, 1, 0) != 1) return 4;
  }
  return 0;  // Its end closes them all at once.
}

TEST(Listener, TenThousandConnectionsAtOnce) {
  constexpr int kCount = 10'000;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < kCount + 200) GTEST_SKIP() << "RLIMIT_NOFILE is " << limit.rlim_max;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  Loop loop;
  EchoServer echo(loop);
  const SocketAddress address = echo.address();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(talk_over_many(address, kCount));
  size_t most = 0;
  EXPECT_TRUE(run_until(loop, [&] {
    most = std::max(most, echo.sockets.size());
    return echo.accepted == kCount && echo.sockets.empty();
  }));
  EXPECT_EQ(most, size_t{kCount});
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Listener, TakesOverASocketThatIsBound) {
  Loop loop;
  Fd bound(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const SocketAddress any = SocketAddress::loopback();
  ASSERT_EQ(::bind(bound.get(), any.data(), any.size()), 0);
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->open(bound.release()));
  EXPECT_EQ(server->open(0).error().code, EINVAL);
  int accepted = 0;
  ASSERT_TRUE(server->listen([&](Listener&, Result<Fd> fd) { accepted += fd ? 1 : 0; }));
  BarePeer peer = BarePeer::connect(*server->address());
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 1; }));
}

TEST(Listener, TheCallerKeepsADescriptorThatIsNotASocket) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  Fd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(server->open(file.get()).error().code, EINVAL);
  EXPECT_EQ(server->open(-1).error().code, EBADF);
  EXPECT_GE(::fcntl(file.get(), F_GETFD), 0);
}

TEST(Listener, AReleasedSocketListensElsewhere) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen([](Listener&, Result<Fd>) { ADD_FAILURE(); }));
  BarePeer peer = BarePeer::connect(*server->address());
  Fd fd = server->release();
  server->close();
  Loop other;
  auto heir = other.make<TcpServer>();
  ASSERT_TRUE(heir->open(fd.release()));
  int accepted = 0;
  ASSERT_TRUE(heir->listen([&](Listener&, Result<Fd> one) { accepted += one ? 1 : 0; }));
  for (int i = 0; i < 5; ++i) loop.run_nowait();
  EXPECT_TRUE(run_until(other, [&] { return accepted == 1; }));
}

}  // namespace
}  // namespace rondo
