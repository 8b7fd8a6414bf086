#include "io/net/awaiters.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/co/when.h"
#include "loop/co/awaiters.h"
#include "loop/co/timeout.h"
#include "support/net.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

std::string show(const Result<size_t>& result) {
  return result ? std::to_string(*result) : result.error().name();
}
std::string show(const Result<void>& result) { return result ? "ok" : result.error().name(); }

Task<std::string> read_text(Stream& stream, size_t most = 1024) {
  std::string buffer(most, '\0');
  Result<size_t> size = co_await stream.read(std::as_writable_bytes(std::span(buffer)));
  co_return size ? buffer.substr(0, *size) : size.error().name();
}

// Everything until the end.
Task<std::string> read_all(Stream& stream, size_t piece) {
  std::string all;
  for (;;) {
    const std::string part = co_await read_text(stream, piece);
    if (part.empty()) co_return all;
    all += part;
  }
}

Task<Result<void>> write_text(Stream& stream, std::string text) {
  co_return co_await stream.write(bytes(text));
}

TEST(CoStream, ReadsWhatThePeerSendsAndThenItsEnd) {
  Loop loop;
  TcpPair pair(loop);
  pair.peer.send("hello there");
  EXPECT_EQ(loop.run_task(read_text(*pair.socket, 5)), "hello");
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), " there");
  pair.peer.shutdown();
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), "");
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), "");
  EXPECT_EQ(pair.socket->bytes_read(), 11u);
}

TEST(CoStream, AReadWaitsForWhatComes) {
  Loop loop;
  TcpPair pair(loop);
  auto timer = loop.make<Timer>();
  timer->start(2ms, [&](Timer&) { pair.peer.send("late"); });
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), "late");
}

TEST(CoStream, APeerThatResetsIsAnError) {
  Loop loop;
  TcpPair pair(loop);
  pair.peer.reset();
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), "ECONNRESET");
}

TEST(CoStream, WithoutAConnectionNeitherReadNorWriteGoes) {
  Loop loop;
  auto socket = loop.make<TcpSocket>();
  EXPECT_EQ(loop.run_task(read_text(*socket)), "ENOTCONN");
  EXPECT_EQ(show(loop.run_task(write_text(*socket, "x"))), "ENOTCONN");
}

TEST(CoStream, AnEmptyBufferIsRefusedForItWouldLookLikeTheEnd) {
  Loop loop;
  TcpPair pair(loop);
  EXPECT_EQ(loop.run_task(read_text(*pair.socket, 0)), "EINVAL");
}

TEST(CoStream, AReadInACallbackPhaseOfItsOwn) {
  Loop loop;
  TcpPair pair(loop);
  pair.peer.send("x");
  auto main = [](Loop& on, Stream& stream) -> Task<Phase> {
    (void)co_await read_text(stream);
    co_return on.phase();
  };
  EXPECT_EQ(loop.run_task(main(loop, *pair.socket)), Phase::poll);
}

TEST(CoStream, CancelledWhileWaitingAReadLosesNothing) {
  Loop loop;
  TcpPair pair(loop);
  CancelSource source;
  auto timer = loop.make<Timer>();
  timer->start(1ms, [&](Timer&) { source.cancel(); });
  EXPECT_EQ(loop.run_task(read_text(*pair.socket), source.token()), "ECANCELED");
  pair.peer.send("still here");
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), "still here");
}

TEST(CoStream, CancelledInTheVeryTurnInWhichBytesComeAReadLosesNothing) {
  for (int round = 0; round < 20; ++round) {
    Loop loop;
    TcpPair pair(loop);
    CancelSource source;
    auto timer = loop.make<Timer>();
    timer->start(1ms, [&](Timer&) {
      pair.peer.send("bytes");
      source.cancel();
    });
    std::string got = loop.run_task(read_text(*pair.socket), source.token());
    if (got == "ECANCELED") got = loop.run_task(read_text(*pair.socket));
    EXPECT_EQ(got, "bytes");
  }
}

TEST(CoStream, CancelledBeforehandNothingIsReadOrWritten) {
  Loop loop;
  TcpPair pair(loop);
  CancelSource source;
  source.cancel();
  pair.peer.send("x");
  EXPECT_EQ(loop.run_task(read_text(*pair.socket), source.token()), "ECANCELED");
  EXPECT_EQ(show(loop.run_task(write_text(*pair.socket, "y"), source.token())), "ECANCELED");
  EXPECT_EQ(pair.peer.receive(), "");
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), "x");
}

TEST(CoStream, ClosingTheStreamEndsReadsAndWrites) {
  Loop loop;
  TcpPair pair(loop);
  const int small = 4096;
  ::setsockopt(pair.socket->fd(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  auto timer = loop.make<Timer>();
  timer->start(2ms, [&](Timer&) { pair.socket->close(); });
  auto main = [](Stream& stream) -> Task<std::string> {
    auto [read, written] =
        co_await when_all(read_text(stream), write_text(stream, std::string(8 << 20, 'x')));
    std::string seen = read + " " + show(written);
    // The same for a stream that is closed already.
    seen += " " + co_await read_text(stream);
    seen += " " + show(co_await write_text(stream, "y"));
    co_return seen;
  };
  EXPECT_EQ(loop.run_task(main(*pair.socket)), "ECANCELED ECANCELED ECANCELED ECANCELED");
}

TEST(CoStream, AWriteIsOverWhenAllOfItIsOut) {
  Loop loop;
  TcpPair pair(loop);
  EXPECT_EQ(show(loop.run_task(write_text(*pair.socket, "one "))), "ok");
  EXPECT_EQ(show(loop.run_task(write_text(*pair.socket, "two"))), "ok");
  EXPECT_EQ(show(loop.run_task(write_text(*pair.socket, ""))), "ok");
  EXPECT_EQ(pair.peer.receive(), "one two");
}

TEST(CoStream, AWriteToAPeerThatDoesNotReadCanBeCancelled) {
  Loop loop;
  TcpPair pair(loop);
  CancelSource source;
  auto timer = loop.make<Timer>();
  timer->start(2ms, [&](Timer&) { source.cancel(); });
  const std::string much(32 << 20, 'x');
  EXPECT_EQ(show(loop.run_task(write_text(*pair.socket, much), source.token())), "ECANCELED");
  // Part of it was sent, so the rest of the stream would be broken.
  EXPECT_EQ(show(loop.run_task(write_text(*pair.socket, "y"))), "EPIPE");
}

TEST(CoStream, WritesThatWaitBehindABrokenOneFail) {
  Loop loop;
  TcpPair pair(loop);
  auto main = [](Loop& on, Stream& stream) -> Task<std::string> {
    auto [winner, results] = co_await when_any(write_text(stream, std::string(32 << 20, 'x')),
                                               [](Loop& where) -> Task<Result<void>> {
                                                 Result<void> slept = co_await where.sleep(2ms);
                                                 co_return slept;
                                               }(on));
    co_return std::to_string(winner) + show(std::get<0>(results));
  };
  Task<Result<void>> behind = write_text(*pair.socket, "behind");
  TaskGroup group(loop);
  std::string outcome;
  group.spawn([&]() -> Task<void> {
    co_await loop.yield();
    outcome = show(co_await std::move(behind));
  });
  EXPECT_EQ(loop.run_task(main(loop, *pair.socket)), "1ECANCELED");
  loop.run();
  EXPECT_EQ(outcome, "EPIPE");
}

TEST(CoStream, AWriteThatHasNotBegunIsCancelledWithoutHarm) {
  Loop loop;
  TcpPair pair(loop);
  TaskGroup first(loop);
  TaskGroup second(loop);
  std::string log;
  const std::string much(32 << 20, 'x');  // More than the kernel buffers without a reader.
  auto write = [](Stream& stream, std::string_view data, std::string& to) -> Task<void> {
    Result<void> sent = co_await stream.write(bytes(data));
    to += show(sent) + " ";
  };
  first.spawn(write(*pair.socket, much, log));
  loop.run_nowait();
  second.spawn(write(*pair.socket, "never", log));
  second.cancel();
  first.spawn(write(*pair.socket, "last", log));
  std::string received;
  EXPECT_TRUE(run_until(loop, [&] {
    received += pair.peer.receive();
    return received.size() == much.size() + 4;
  }));
  loop.run();
  EXPECT_EQ(received.substr(much.size()), "last");
  EXPECT_EQ(log, "ECANCELED ok ok ");
}

TEST(CoStream, ReadsAndWritesOfTwoTasksGoSideBySide) {
  Loop loop;
  TcpPair pair(loop);
  auto other = loop.make<TcpSocket>();
  const std::string much(3'000'000, 'z');
  // Through our own end of the pair and back: the peer is an echo in a task of the same loop.
  ASSERT_TRUE(other->open(Fd(::fcntl(pair.peer.fd(), F_DUPFD_CLOEXEC, 0))));
  auto echo = [](Stream& stream) -> Task<size_t> {
    std::array<std::byte, 10'000> buffer;
    size_t total = 0;
    for (;;) {
      Result<size_t> size = co_await stream.read(buffer);
      if (!size || *size == 0) break;
      total += *size;
      Result<void> sent = co_await stream.write(std::span(buffer).first(*size));
      if (!sent) break;
    }
    stream.shutdown();
    co_return total;
  };
  auto send = [](Stream& stream, const std::string& text) -> Task<void> {
    (void)co_await stream.write(bytes(text));
    stream.shutdown();
  };
  auto main = [&](Stream& near, Stream& far) -> Task<bool> {
    auto [echoed, sent, got] =
        co_await when_all(echo(far), send(near, much), read_all(near, 7'777));
    co_return echoed == much.size() && got == much;
  };
  EXPECT_TRUE(loop.run_task(main(*pair.socket, *other)));
}

TEST(CoStream, ChangingFromCallbacksToAwaitsLosesNothing) {
  Loop loop;
  TcpPair pair(loop);
  std::string got;
  std::string sent;
  for (int round = 0; round < 30; ++round) {
    const std::string part = "round " + std::to_string(round) + ";";
    pair.peer.send(part);
    sent += part;
    if (round % 2 == 0) {
      ASSERT_TRUE(pair.socket->read_start([&](Stream& stream, Result<std::span<std::byte>> data) {
        got += text_of(*data);
        stream.read_stop();
      }));
      pair.peer.send("+");
      sent += "+";
      EXPECT_TRUE(run_until(loop, [&] { return !pair.socket->is_reading(); }));
    } else {
      got += loop.run_task(read_text(*pair.socket, 3));
    }
  }
  pair.peer.shutdown();
  got += loop.run_task(read_all(*pair.socket, 5));
  EXPECT_EQ(got, sent);
}

TEST(CoStream, AnEventWithoutAReaderDoesNotKeepTheLoopBusy) {
  Loop loop;
  TcpPair pair(loop);
  pair.peer.send("a");
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), "a");
  pair.peer.send("b");
  auto nap = [](Loop& on) -> Task<uint64_t> {
    const uint64_t from = on.metrics().events;
    co_await on.sleep(20ms);
    co_return on.metrics().events - from;
  };
  EXPECT_LE(loop.run_task(nap(loop)), 1u);
  EXPECT_EQ(loop.run_task(read_text(*pair.socket)), "b");
}

TEST(CoStream, ATimeoutEndsARead) {
  Loop loop;
  TcpPair pair(loop);
  auto read = [](Stream& stream) -> Task<Result<size_t>> {
    std::byte buffer[8];
    co_return co_await stream.read(buffer);
  };
  auto main = [&](Stream& stream) -> Task<std::string> {
    co_return show(co_await with_timeout(2ms, read(stream)));
  };
  EXPECT_EQ(loop.run_task(main(*pair.socket)), "ETIMEDOUT");
}

TEST(CoPipe, TheEndsOfAPipe) {
  Loop loop;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  auto reading = loop.make<PipeSocket>();
  auto writing = loop.make<PipeSocket>();
  ASSERT_TRUE(reading->open(Fd(ends[0])));
  ASSERT_TRUE(writing->open(Fd(ends[1])));
  auto main = [&]() -> Task<std::string> {
    (void)co_await writing->write(bytes("through a pipe"));
    writing.reset();
    co_return co_await read_all(*reading, 4);
  };
  EXPECT_EQ(loop.run_task(main()), "through a pipe");
}

TEST(CoConnect, ReachesAServerAndIsRefusedWithoutOne) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen());
  const SocketAddress address = *server->address();
  auto main = [](Loop& on, TcpServer& at, const SocketAddress& where) -> Task<std::string> {
    auto connect = [](Loop& with, const SocketAddress& to) -> Task<std::string> {
      Owned<TcpSocket> socket = with.make<TcpSocket>();
      Result<void> connected = co_await socket->connect(to);
      if (!connected) co_return connected.error().name();
      co_return co_await read_text(*socket);
    };
    auto serve = [](TcpServer& from) -> Task<void> {
      Result<Owned<TcpSocket>> client = co_await from.accept();
      (void)co_await (*client)->write(bytes("welcome"));
    };
    auto [greeting, nothing] = co_await when_all(connect(on, where), serve(at));
    at.close();
    // The kernel may take a moment to release the server's port.
    std::string late = "ok";
    for (int tries = 0; tries < 1000 && late != "ECONNREFUSED"; ++tries) {
      co_await on.sleep(1ms);
      late = co_await connect(on, where);
    }
    co_return greeting + " " + late;
  };
  EXPECT_EQ(loop.run_task(main(loop, *server, address)), "welcome ECONNREFUSED");
}

TEST(CoConnect, AnAttemptCanBeGivenUpAndMadeAgain) {
  Loop loop;
  // A backlog that is full: further attempts wait for the server.
  Fd full(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  SocketAddress any = SocketAddress::loopback();
  ASSERT_EQ(::bind(full.get(), any.data(), any.size()), 0);
  ASSERT_EQ(::listen(full.get(), 0), 0);
  const SocketAddress address = *SocketAddress::of_socket(full.get());
  BarePeer filler = BarePeer::connect(address);
  auto socket = loop.make<TcpSocket>();
  auto connect = [](Socket& with, const SocketAddress& to) -> Task<Result<void>> {
    co_return co_await with.connect(to);
  };
  auto main = [&](Socket& with, const SocketAddress& to) -> Task<std::string> {
    co_return show(co_await with_timeout(5ms, connect(with, to)));
  };
  EXPECT_EQ(loop.run_task(main(*socket, address)), "ETIMEDOUT");
  EXPECT_FALSE(socket->is_connecting());
  EXPECT_FALSE(socket->is_open());

  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen());
  EXPECT_EQ(show(loop.run_task(connect(*socket, *server->address()))), "ok");
}

TEST(CoConnect, CancelledBeforehandNoAttemptIsMade) {
  Loop loop;
  auto socket = loop.make<TcpSocket>();
  CancelSource source;
  source.cancel();
  auto connect = [](Socket& with) -> Task<Result<void>> {
    co_return co_await with.connect(SocketAddress::loopback());
  };
  EXPECT_EQ(show(loop.run_task(connect(*socket), source.token())), "ECANCELED");
  EXPECT_FALSE(socket->is_connecting());
}

// The number of connections a task accepts, up to `most`, one after the other.
Task<int> accept_many(TcpServer& server, int most) {
  int count = 0;
  while (count < most) {
    Result<Owned<TcpSocket>> client = co_await server.accept();
    if (!client) break;
    ++count;
  }
  co_return count;
}

TEST(CoAccept, TakesConnectionsOneAfterTheOther) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen());
  std::vector<BarePeer> peers;
  for (int i = 0; i < 50; ++i) peers.push_back(BarePeer::connect(*server->address()));
  EXPECT_EQ(loop.run_task(accept_many(*server, 50)), 50);
}

TEST(CoAccept, ConnectionsBetweenTwoAcceptsAreNotLost) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen());
  std::vector<BarePeer> peers;
  for (int i = 0; i < 3; ++i) peers.push_back(BarePeer::connect(*server->address()));
  EXPECT_EQ(loop.run_task(accept_many(*server, 1)), 1);
  for (int i = 0; i < 300; ++i) peers.push_back(BarePeer::connect(*server->address()));
  auto nap = [](Loop& on) -> Task<void> { co_await on.sleep(2ms); };
  loop.run_task(nap(loop));
  EXPECT_EQ(loop.run_task(accept_many(*server, 302)), 302);
  for (BarePeer& peer : peers) EXPECT_EQ(peer.receive(), "<end>");  // Accepted and dropped.
}

TEST(CoAccept, CancelledWhileWaitingItLeavesTheNextConnectionToTheNext) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen());
  CancelSource source;
  auto timer = loop.make<Timer>();
  timer->start(1ms, [&](Timer&) { source.cancel(); });
  EXPECT_EQ(loop.run_task(accept_many(*server, 1), source.token()), 0);
  BarePeer peer = BarePeer::connect(*server->address());
  EXPECT_EQ(loop.run_task(accept_many(*server, 1)), 1);
}

TEST(CoAccept, ClosingTheServerEndsTheWait) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen());
  auto timer = loop.make<Timer>();
  timer->start(1ms, [&](Timer&) { server->close(); });
  EXPECT_EQ(loop.run_task(accept_many(*server, 1)), 0);
}

TEST(CoAccept, WithoutListenIsAnError) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  auto accept = [](TcpServer& from) -> Task<std::string> {
    Result<Owned<TcpSocket>> client = co_await from.accept();
    co_return client ? "ok" : client.error().name();
  };
  EXPECT_EQ(loop.run_task(accept(*server)), "EINVAL");
}

TEST(CoAccept, AServerWithoutAcceptDoesNotKeepTheLoopAlive) {
  Loop loop;
  auto server = loop.make<TcpServer>();
  ASSERT_TRUE(server->bind(SocketAddress::loopback()));
  ASSERT_TRUE(server->listen());
  EXPECT_FALSE(loop.run());
}

}  // namespace
}  // namespace rondo
