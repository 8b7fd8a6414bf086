#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "io/fs/sync.h"
#include "support/await_fs.h"
#include "support/faults.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

class CopyFile : public ::testing::Test {
 protected:
  Result<void> copy(int flags = 0) { return fs_sync::copy_file(from_.c_str(), to_.c_str(), flags); }
  bool is_there() const { return ::access(to_.c_str(), F_OK) == 0; }

  TempDir dir_;
  std::string from_ = dir_.write("from", "content");
  std::string to_ = dir_ / "to";
};

TEST_F(CopyFile, RepeatsShortCopies) {
  FaultPlan faults;
  faults.shorten("copy_file_range", 2);
  EXPECT_TRUE(copy());
  EXPECT_EQ(read_whole(to_), "content");
}

TEST_F(CopyFile, FindsAnotherWayWhereTheKernelHasNone) {
  for (int code : {EXDEV, ENOSYS, EOPNOTSUPP, EINVAL, EPERM}) {
    FaultPlan faults;
    faults.fail("copy_file_range", code);
    EXPECT_TRUE(copy()) << code;
    EXPECT_EQ(read_whole(to_), "content");
    EXPECT_GE(faults.calls("sendfile"), 1u);
  }
  FaultPlan faults;
  faults.fail("copy_file_range", EXDEV);
  faults.fail("sendfile", EINVAL, {.times = FaultPlan::kAlways});
  EXPECT_TRUE(copy());
  EXPECT_EQ(read_whole(to_), "content");
}

TEST_F(CopyFile, RemovesItsFileAfterAnError) {
  FaultPlan faults;
  faults.shorten("copy_file_range", 2);
  faults.fail("copy_file_range", ENOSPC, {.skip = 1});
  expect_error(copy(), ENOSPC, "copyfile");
  EXPECT_FALSE(is_there());
  faults.clear();
  faults.fail("close", EDQUOT);
  expect_error(copy(), EDQUOT, "copyfile");
  EXPECT_FALSE(is_there());
}

TEST_F(CopyFile, LeavesAFileThatWasThereBefore) {
  dir_.write("to", "before");
  FaultPlan faults;
  faults.fail("copy_file_range", EIO);
  expect_error(copy(), EIO, "copyfile");
  EXPECT_TRUE(is_there());
}

TEST_F(CopyFile, ReplacesLongerContent) {
  dir_.write("to", "something much longer");
  EXPECT_TRUE(copy());
  EXPECT_EQ(read_whole(to_), "content");
}

TEST_F(CopyFile, OntoItselfChangesNothing) {
  to_ = from_;
  EXPECT_TRUE(copy());
  EXPECT_EQ(read_whole(from_), "content");
  to_ = dir_ / "hard";
  ASSERT_EQ(::link(from_.c_str(), to_.c_str()), 0);
  EXPECT_TRUE(copy());
  EXPECT_EQ(read_whole(from_), "content");
}

TEST_F(CopyFile, FollowsALinkToNothing) {
  ASSERT_EQ(::symlink("target", to_.c_str()), 0);
  EXPECT_TRUE(copy());
  EXPECT_EQ(read_whole(dir_ / "target"), "content");
  expect_error(copy(kCopyExclusive), EEXIST, "copyfile");
}

TEST_F(CopyFile, CopiesFilesWithoutASize) {
  from_ = "/proc/self/status";
  EXPECT_TRUE(copy());
  EXPECT_GT(read_whole(to_).size(), 100u);
}

TEST_F(CopyFile, CopiesAnEmptyFile) {
  dir_.write("from", "");
  dir_.write("to", "before");
  EXPECT_TRUE(copy());
  EXPECT_EQ(read_whole(to_), "");
}

TEST_F(CopyFile, ClonesWhereItCanAndCopiesWhereItCannot) {
  FaultPlan faults;
  faults.fail("ficlone", EOPNOTSUPP);
  EXPECT_TRUE(copy(kCopyClone));
  EXPECT_EQ(read_whole(to_), "content");
  EXPECT_GE(faults.calls("copy_file_range"), 1u);
  ::unlink(to_.c_str());
  for (int code : {EOPNOTSUPP, ENOTTY, EINVAL}) {
    faults.fail("ficlone", code);
    expect_error(copy(kCopyCloneForce), EOPNOTSUPP, "copyfile");
    EXPECT_FALSE(is_there());
  }
  const size_t copied = faults.calls("copy_file_range");
  faults.answer("ficlone", 0);
  EXPECT_TRUE(copy(kCopyCloneForce));
  EXPECT_EQ(faults.calls("copy_file_range"), copied);
}

TEST_F(CopyFile, ReportsWhereTheDestinationCannotBe) {
  to_ = dir_ / "no/such/dir";
  expect_error(copy(), ENOENT, "copyfile");
  to_ = dir_.path();
  expect_error(copy(), EISDIR, "copyfile");
}

}  // namespace
}  // namespace rondo
