#include "io/net/pipe.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "support/net.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using Data = Result<std::span<std::byte>>;

TEST(Pipe, CarriesBytesThroughAPipe2WithoutSigpipe) {
  Loop loop;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  auto reader = loop.make<PipeSocket>();
  auto writer = loop.make<PipeSocket>();
  ASSERT_TRUE(reader->open(Fd(ends[0])));
  ASSERT_TRUE(writer->open(Fd(ends[1])));
  std::string got;
  ASSERT_TRUE(reader->read_start(into(got)));
  std::string big(1 << 20, 'x');
  writer->write(big);
  EXPECT_TRUE(run_until(loop, [&] { return got.size() == big.size(); }));
  bool is_closed = false;
  reader->close([&](Handle&) { is_closed = true; });
  ASSERT_TRUE(run_until(loop, [&] { return is_closed; }));
  int code = 0;
  writer->write("no reader", [&](Stream&, Result<void> r) { code = r ? -1 : r.error().code; });
  loop.run();
  EXPECT_EQ(code, EPIPE);
  // No signal stays pending.
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST(Pipe, TheEndOfTheWriterIsTheEndOfTheReader) {
  Loop loop;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  auto reader = loop.make<PipeSocket>();
  ASSERT_TRUE(reader->open(Fd(ends[0])));
  std::string got;
  ASSERT_TRUE(reader->read_start(into(got)));
  ASSERT_EQ(::write(ends[1], "last", 4), 4);
  ::close(ends[1]);
  loop.run();
  EXPECT_EQ(got, "last<end>");
}

TEST(Pipe, RejectsDescriptorsThatAreNeitherPipeNorSocket) {
  Loop loop;
  auto pipe = loop.make<PipeSocket>();
  EXPECT_EQ(pipe->open(Fd(::open("/dev/null", O_RDWR | O_CLOEXEC))).error().code, EINVAL);
  EXPECT_EQ(pipe->open(Fd()).error().code, EBADF);
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
