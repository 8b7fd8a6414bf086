#include "io/fs/sync.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "support/await_fs.h"
#include "support/faults.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

TEST(FsSync, CloseIsNeverRepeated) {
  FaultPlan faults;
  faults.fail("close", EINTR);
  EXPECT_TRUE(fs_sync::close(1'000'000));  // The kernel would return EBADF.
  EXPECT_EQ(faults.calls("close"), 1u);
  faults.fail("close", EIO);
  expect_error(fs_sync::close(1'000'000), EIO, "close");
}

TEST(FsSync, InterruptedCallsAreRepeated) {
  TempDir dir;
  const std::string path = dir / "file";
  FaultPlan faults;
  for (const char* call : {"open", "chmod", "ftruncate", "fsync", "unlink", "statfs", "access"}) {
    faults.fail(call, EINTR, {.times = 2});
  }
  const Result<int> fd = fs_sync::open(path.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_TRUE(fd);
  EXPECT_TRUE(fs_sync::chmod(path.c_str(), 0640));
  EXPECT_TRUE(fs_sync::ftruncate(*fd, 10));
  EXPECT_TRUE(fs_sync::fsync(*fd));
  EXPECT_TRUE(fs_sync::access(path.c_str(), R_OK));
  EXPECT_TRUE(fs_sync::statfs(path.c_str()));
  EXPECT_TRUE(fs_sync::unlink(path.c_str()));
  EXPECT_TRUE(fs_sync::close(*fd));
  EXPECT_EQ(faults.injected("open"), 2u);
}

}  // namespace
}  // namespace rondo
