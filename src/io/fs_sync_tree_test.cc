#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "io/fs_sync.h"
#include "support/await_fs.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

TEST(FsSyncTree, MakesWhatIsMissingAndTellsTheFirst) {
  TempDir dir;
  const std::string deep = dir / "a/b/c";
  EXPECT_EQ(*fs_sync::mkdir_all(deep.c_str(), 0700), dir / "a");
  EXPECT_TRUE(fs_sync::stat(deep.c_str())->is_directory());
  EXPECT_EQ(*fs_sync::mkdir_all(deep.c_str(), 0700), "");
  EXPECT_EQ(*fs_sync::mkdir_all((dir / "a/b//d///e//").c_str(), 0700), dir / "a/b//d");
  EXPECT_EQ(*fs_sync::mkdir_all("/", 0700), "");
  EXPECT_EQ(*fs_sync::mkdir_all(".", 0700), "");
}

TEST(FsSyncTree, FilesInTheWayAreErrors) {
  TempDir dir;
  const std::string file = dir.write("file", "");
  expect_error(fs_sync::mkdir_all(file.c_str(), 0700), EEXIST, "mkdir");
  expect_error(fs_sync::mkdir_all((file + "/x").c_str(), 0700), ENOTDIR, "mkdir");
  expect_error(fs_sync::mkdir_all("", 0700), ENOENT, "mkdir");
}

// Node goes round in circles there.
TEST(FsSyncTree, EndsWhereNobodyCanMakeADirectory) {
  expect_error(fs_sync::mkdir_all("/proc/none/x", 0700), ENOENT, "mkdir");
  TempDir dir;
  ASSERT_EQ(::symlink("nowhere", (dir / "dangling").c_str()), 0);
  EXPECT_FALSE(fs_sync::mkdir_all((dir / "dangling/x").c_str(), 0700));
}

}  // namespace
}  // namespace rondo
