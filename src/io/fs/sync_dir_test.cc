#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/fd.h"
#include "io/fs/sync.h"
#include "support/await_fs.h"
#include "support/faults.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

TEST(FsSyncDir, StatWorksWithoutStatx) {
  TempDir dir;
  const std::string path = dir.write("file", "12345");
  ASSERT_EQ(::symlink("file", (dir / "link").c_str()), 0);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const Result<Stat> modern = fs_sync::stat(path.c_str());
  for (int code : {ENOSYS, EPERM}) {
    FaultPlan faults;
    faults.fail("statx", code, {.times = FaultPlan::kAlways});
    const Result<Stat> old = fs_sync::stat(path.c_str());
    ASSERT_TRUE(old);
    EXPECT_EQ(old->dev, modern->dev);
    EXPECT_EQ(old->ino, modern->ino);
    EXPECT_EQ(old->mode, modern->mode);
    EXPECT_EQ(old->size, 5u);
    EXPECT_EQ(old->blocks, modern->blocks);
    EXPECT_EQ(old->ctime.tv_nsec, modern->ctime.tv_nsec);
    EXPECT_EQ(old->birthtime.tv_nsec, modern->ctime.tv_nsec);
    EXPECT_TRUE(fs_sync::lstat((dir / "link").c_str())->is_symlink());
    EXPECT_EQ(fs_sync::fstat(fd.get())->ino, modern->ino);
    expect_error(fs_sync::stat((dir / "none").c_str()), ENOENT, "stat");
    expect_error(fs_sync::lstat((dir / "none").c_str()), ENOENT, "lstat");
  }
}

TEST(FsSyncDir, TypesComeFromTheMode) {
  EXPECT_EQ(file_type_of_mode(S_IFREG | 0600), FileType::file);
  EXPECT_EQ(file_type_of_mode(S_IFBLK), FileType::block_device);
  EXPECT_EQ(file_type_of_mode(S_IFSOCK), FileType::socket);
  EXPECT_EQ(file_type_of_mode(0600), FileType::unknown);
}

}  // namespace
}  // namespace rondo
