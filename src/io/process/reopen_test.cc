#include "io/process/reopen.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rondo {
namespace {

TEST(Reopen, GivesAPipeASecondDescriptionAndASocketNone) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd reader(ends[0]), writer(ends[1]);
  Result<Fd> twin = reopen(writer.get(), false);
  ASSERT_TRUE(twin);
  EXPECT_EQ(::fcntl(twin->get(), F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_WRONLY | O_NONBLOCK);
  EXPECT_NE(::fcntl(twin->get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(::fcntl(writer.get(), F_GETFL) & O_NONBLOCK, 0);
  ASSERT_EQ(::write(twin->get(), "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(reader.get(), &byte, 1), 1);
  const Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(reopen(socket.get(), true).error().code, ENOTSUP);
  EXPECT_EQ(reopen(-1, true).error().code, EBADF);
}

TEST(Reopen, OpensAPipeWithoutWaitingForItsOtherEnd) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd reader(ends[0]);
  Fd(ends[1]).reset();
  Result<Fd> twin = reopen(reader.get(), true);
  ASSERT_TRUE(twin);
  EXPECT_EQ(::fcntl(twin->get(), F_GETFL) & O_NONBLOCK, 0);
  char byte = 0;
  EXPECT_EQ(::read(twin->get(), &byte, 1), 0);
}

TEST(Reopen, GivesATerminalASecondDescriptionAndItsMasterNone) {
  int master = -1, slave = -1;
  ASSERT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  const Fd own_master(master), own_slave(slave);
  Result<Fd> twin = reopen(slave, false);
  ASSERT_TRUE(twin);
  EXPECT_TRUE(::isatty(twin->get()));
  EXPECT_EQ(::fcntl(slave, F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(::fcntl(twin->get(), F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDWR | O_NONBLOCK);
  EXPECT_EQ(reopen(master, false).error().code, ENOTSUP);
}

}  // namespace
}  // namespace rondo
