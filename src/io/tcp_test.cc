#include "io/tcp.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <list>

#include "io/pipe.h"
#include "support/faults.h"
#include "support/net.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using Data = Result<std::span<std::byte>>;

// An echo server whose connections live until their peers end.
struct EchoServer {
  explicit EchoServer(Loop& on) : loop(on), server(on.make<TcpServer>()) {
    EXPECT_TRUE(server->bind(SocketAddress::loopback()));
    EXPECT_TRUE(server->listen([this](Listener&, Result<Fd> fd) {
      if (!fd) {
        errors.push_back(fd.error().code);
        return;
      }
      ++accepted;
      auto place = sockets.insert(sockets.end(), loop.make<TcpSocket>());
      ASSERT_TRUE((*place)->open(std::move(*fd)));
      ASSERT_TRUE((*place)->read_start([this, place](Stream& stream, Data data) {
        if (data && !data->empty()) {
          stream.write(std::string(text_of(*data)));
        } else {
          sockets.erase(place);
        }
      }));
    }));
  }
  SocketAddress address() const { return *server->address(); }

  Loop& loop;
  std::list<Owned<TcpSocket>> sockets;
  Owned<TcpServer> server;
  int accepted = 0;
  std::vector<int> errors;
};

TEST(Tcp, ConnectsTalksAndEnds) {
  Loop loop;
  EchoServer echo(loop);
  auto client = loop.make<TcpSocket>();
  std::string got;
  client->connect(echo.address(), [&](Socket& socket, Result<void> connected) {
    ASSERT_TRUE(connected);
    ASSERT_TRUE(socket.read_start([&](Stream& stream, Data data) {
      got += text_of(*data);
      if (got != "early late") return;
      stream.close();
      echo.server->close();
    }));
    socket.write("late");
  });
  EXPECT_TRUE(client->is_connecting());
  client->write("early ");  // Waits for the connection.
  loop.run();
  EXPECT_EQ(got, "early late");
}

TEST(Tcp, PEN_04_ARefusedConnectionIsToldFromTheLoopNeverFromInsideConnect) {
  Loop loop;
  SocketAddress closed;
  {
    TcpPair pair(loop);  // A port that was just free.
    closed = *pair.socket->local_address();
  }
  auto client = loop.make<TcpSocket>();
  std::string log;
  client->connect(closed, [&](Socket&, Result<void> connected) {
    log += connected ? "connected" : connected.error().name();
    EXPECT_STREQ(connected.error().syscall, "connect");
  });
  client->write("lost", [&](Stream&, Result<void> r) { log += r ? " written" : " unwritten"; });
  EXPECT_EQ(log, "");
  loop.run();
  EXPECT_EQ(log, "ECONNREFUSED unwritten");
  EXPECT_FALSE(client->is_open());
}

TEST(Tcp, PEN_01_ARefusalKnownAtOnceRunsInPending) {
  Loop loop({.backend = Backend::epoll});
  auto client = loop.make<TcpSocket>();
  FaultPlan faults;
  faults.fail("connect", ECONNREFUSED);
  Phase phase = Phase::none;
  client->connect(SocketAddress::loopback(9), [&](Socket& socket, Result<void> connected) {
    EXPECT_EQ(connected.error().code, ECONNREFUSED);
    phase = socket.loop().phase();
  });
  loop.run();
  EXPECT_EQ(phase, Phase::pending);
}

TEST(Tcp, CloseWhileConnectingCancelsIt) {
  Loop loop;
  EchoServer echo(loop);
  std::string log;
  auto client = loop.make<TcpSocket>();
  client->connect(echo.address(),
                  [&](Socket&, Result<void> r) { log += r ? "?" : r.error().name(); });
  client->close([&](Handle&) { log += " closed"; });
  EXPECT_TRUE(run_until(loop, [&] { return !log.empty(); }));
  EXPECT_EQ(log, "ECANCELED closed");
  echo.server->close();
  loop.run();
}

TEST(Tcp, AConnectedSocketRefusesASecondConnection) {
  Loop loop;
  TcpPair pair(loop);
  int code = 0;
  pair.socket->connect(SocketAddress::loopback(9),
                       [&](Socket&, Result<void> r) { code = r.error().code; });
  loop.run();
  EXPECT_EQ(code, EISCONN);
  EXPECT_TRUE(pair.socket->is_open());
}

TEST(Tcp, AddressInUseIsToldByBind) {
  Loop loop;
  EchoServer echo(loop);
  auto second = loop.make<TcpServer>();
  Result<void> bound = second->bind(echo.address());
  if (bound) bound = second->listen([](Listener&, Result<Fd>) {});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().code, EADDRINUSE);
}

TEST(Tcp, SetsItsOptionsBeforeAndAfterConnecting) {
  Loop loop;
  EchoServer echo(loop);
  auto client = loop.make<TcpSocket>();
  ASSERT_TRUE(client->set_no_delay(true));
  EXPECT_EQ(client->set_keep_alive(true, 0s).error().code, EINVAL);
  bool is_done = false;
  client->connect(echo.address(), [&](Socket& socket, Result<void>) {
    int value = 0;
    socklen_t size = sizeof value;
    ::getsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &value, &size);
    EXPECT_NE(value, 0);
    ASSERT_TRUE(client->set_keep_alive(true, 30s));
    ::getsockopt(socket.fd(), IPPROTO_TCP, TCP_KEEPIDLE, &value, &size);
    EXPECT_EQ(value, 30);
    is_done = true;
  });
  EXPECT_TRUE(run_until(loop, [&] { return is_done; }));
}

TEST(Tcp, CloseResetReachesThePeerAsAReset) {
  Loop loop;
  TcpPair pair(loop);
  ASSERT_TRUE(pair.socket->read_start([](Stream&, Data) {}));
  loop.run_nowait();
  ASSERT_TRUE(pair.socket->close_reset());
  EXPECT_TRUE(run_until(loop, [&] { return pair.peer.receive() == "<ECONNRESET>"; }));
}

TEST(Tcp, Ipv6WorksWhereTheMachineHasIt) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  if (Result<void> bound = server->bind(SocketAddress::loopback6()); !bound) {
    GTEST_SKIP() << "no IPv6 here: " << bound.error().message();
  }
  int accepted = 0;
  ASSERT_TRUE(server->listen([&](Listener&, Result<Fd> fd) { accepted += bool(fd); }));
  auto client = loop.make<TcpSocket>();
  client->connect(*server->address(), [](Socket&, Result<void> r) { EXPECT_TRUE(r); });
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 1; }));
}

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

// Leaves the process no descriptors, for as long as it lives or until some are freed.
class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next_free = Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)).get();
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(next_free + 16);
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (;;) {
      Fd next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!next) break;
      fill_.push_back(std::move(next));
    }
  }
  ~NoDescriptors() {
    fill_.clear();
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  void free_some() { fill_.clear(); }

 private:
  rlimit before_{};
  std::vector<Fd> fill_;
};

TEST(Listener, RunningOutOfDescriptorsDoesNotSpinAndRecovers) {
  Loop loop;
  EchoServer echo(loop);
  loop.run_nowait();
  // The peers need descriptors as well: make them first, then let accept find none.
  std::vector<BarePeer> peers;
  echo.server->pause();
  for (int i = 0; i < 3; ++i) peers.push_back(BarePeer::connect(echo.address()));
  auto none = std::make_unique<NoDescriptors>();
  echo.server->resume();
  auto pause = loop.make<Timer>();
  bool is_over = false;
  pause->start(60ms, [&](Timer&) { is_over = true; });
  const uint64_t turns_before = loop.metrics().turns;
  while (!is_over) loop.run_once();
  // Sanitizers need descriptors, too: so free some before anything is checked.
  const uint64_t turns = loop.metrics().turns - turns_before;
  const int accepted_without = echo.accepted;
  none->free_some();
  EXPECT_EQ(accepted_without, 0);
  EXPECT_EQ(echo.errors, std::vector<int>{EMFILE});  // Told once.
  EXPECT_LT(turns, 40u);                             // 5, 10, 20, 40 ms: no busy loop.
  EXPECT_TRUE(run_until(loop, [&] { return echo.accepted == 3; }));
}

TEST(Listener, TroubleOfOneConnectionDoesNotStopTheServer) {
  Loop loop({.backend = Backend::epoll});
  EchoServer echo(loop);
  FaultPlan faults;
  faults.fail("accept", ECONNABORTED, {.times = 2});
  faults.fail("accept", EINTR, {.times = 2});
  BarePeer peer = BarePeer::connect(echo.address());
  EXPECT_TRUE(run_until(loop, [&] { return echo.accepted == 1; }));
  EXPECT_TRUE(echo.errors.empty());
}

TEST(Listener, ClosingInsideItsCallbackDropsTheRestOfTheBacklogQuietly) {
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

// The other side of ten thousand connections, in a process of its own for its descriptors. Bare
// calls only; its exit code says how far it came.
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

TEST(Pipe, UnixSocketsConnectAndCleanTheirFileUp) {
  Loop loop;
  TempDir directory;
  const std::string path = directory.path() + "/socket";
  const SocketAddress address = *SocketAddress::unix_path(path);
  auto server = loop.make<PipeServer>();
  ASSERT_TRUE(server->bind(address));
  std::string got;
  Owned<PipeSocket> accepted;
  ASSERT_TRUE(server->listen([&](Listener&, Result<Fd> fd) {
    accepted = loop.make<PipeSocket>();
    ASSERT_TRUE(accepted->open(std::move(*fd)));
    ASSERT_TRUE(accepted->read_start([&](Stream&, Data data) { got += text_of(*data); }));
  }));
  EXPECT_EQ(loop.make<PipeServer>()->bind(address).error().code, EADDRINUSE);
  auto client = loop.make<PipeSocket>();
  client->connect(address, [](Socket&, Result<void> r) { EXPECT_TRUE(r); });
  client->write("over unix");
  EXPECT_TRUE(run_until(loop, [&] { return got == "over unix"; }));
  EXPECT_EQ(::access(path.c_str(), F_OK), 0);
  server->close();
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
  auto late = loop.make<PipeSocket>();
  int code = 0;
  late->connect(address, [&](Socket&, Result<void> r) { code = r.error().code; });
  EXPECT_TRUE(run_until(loop, [&] { return code == ENOENT; }));
}

}  // namespace
}  // namespace rondo
