#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "io/fs/sync.h"
#include "support/await_fs.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

TEST(FsSyncTree, MakesMissingFoldersAndReturnsTheFirst) {
  TempDir dir;
  const std::string deep = dir / "a/b/c";
  EXPECT_EQ(*fs_sync::mkdir_all(deep.c_str(), 0700), dir / "a");
  EXPECT_TRUE(fs_sync::stat(deep.c_str())->is_directory());
  EXPECT_EQ(*fs_sync::mkdir_all(deep.c_str(), 0700), "");
  EXPECT_EQ(*fs_sync::mkdir_all((dir / "a/b//d///e//").c_str(), 0700), dir / "a/b//d");
  EXPECT_EQ(*fs_sync::mkdir_all("/", 0700), "");
  EXPECT_EQ(*fs_sync::mkdir_all(".", 0700), "");
}

TEST(FsSyncTree, MakesDirectoriesOneSystemCallAtATime) {
  TempDir dir;
  const auto calls = [](const std::string& path) {
    fs_sync::MkdirAll steps(path, 0700);
    int count = 1;
    while (steps.step()) ++count;
    EXPECT_TRUE(steps.result());
    return count;
  };
  EXPECT_EQ(calls(dir / "a"), 1);
  EXPECT_EQ(calls(dir / "a/b/c/d"),
            5);                    // Three from the deepest upwards, two more on the way back.
  EXPECT_EQ(calls(dir / "a"), 2);  // And a check that the path is a directory.
}

TEST(FsSyncTree, ListsAWholeTreeLevelByLevel) {
  TempDir dir;
  ASSERT_TRUE(fs_sync::mkdir_all((dir / "b/d").c_str(), 0700));
  ASSERT_TRUE(fs_sync::mkdir_all((dir / "c").c_str(), 0700));
  dir.write("a", "");
  dir.write("b/e", "");
  dir.write("b/d/f", "");
  dir.write("c/g", "");
  ASSERT_EQ(::symlink("c", (dir / "link").c_str()), 0);
  const auto names = [&](bool follows_links) {
    std::string failed, text;
    const Result<std::vector<Dirent>> found =
        fs_sync::readdir_all((dir / "").c_str(), follows_links, &failed);
    for (const Dirent& entry : *found) text += entry.name + ' ';
    return text;
  };
  EXPECT_EQ(names(false), "a b c link b/d b/e c/g b/d/f ");
  EXPECT_EQ(names(true), "a b c link b/d b/e c/g link/g b/d/f ");
  std::string failed;
  EXPECT_FALSE(fs_sync::readdir_all((dir / "none").c_str(), false, &failed));
  EXPECT_EQ(failed, dir / "none");
}

TEST(FsSyncTree, CopiesAWholeTree) {
  TempDir dir;
  ASSERT_TRUE(fs_sync::mkdir_all((dir / "from/below").c_str(), 0700));
  dir.write("from/file", "content");
  dir.write("from/below/other", "");
  ASSERT_EQ(::chmod((dir / "from/file").c_str(), 04711), 0);
  ASSERT_EQ(::chmod((dir / "from/below").c_str(), 0750), 0);
  ASSERT_EQ(::symlink("below/../file", (dir / "from/link").c_str()), 0);
  ASSERT_TRUE(fs_sync::copy_tree(dir / "from", dir / "to", 0, false));
  EXPECT_EQ(fs_sync::stat((dir / "to/file").c_str())->mode & 07777, 04711u);
  EXPECT_EQ(fs_sync::stat((dir / "to/below").c_str())->mode & 07777, 0750u);
  EXPECT_EQ(*fs_sync::readlink((dir / "to/link").c_str()), dir / "from/file");
  ASSERT_TRUE(fs_sync::copy_tree(dir / "from", dir / "kept", 0, true));
  EXPECT_EQ(*fs_sync::readlink((dir / "kept/link").c_str()), "below/../file");
  expect_error(fs_sync::copy_tree(dir / "from", dir / "to", 0, false), EEXIST, "mkdir");
  ASSERT_EQ(::mkfifo((dir / "from/fifo").c_str(), 0600), 0);
  expect_error(fs_sync::copy_tree(dir / "from", dir / "more", 0, false), ENOTSUP, "cp");
}

TEST(FsSyncTree, FilesInTheWayAreErrors) {
  TempDir dir;
  const std::string file = dir.write("file", "");
  expect_error(fs_sync::mkdir_all(file.c_str(), 0700), EEXIST, "mkdir");
  expect_error(fs_sync::mkdir_all((file + "/x").c_str(), 0700), ENOTDIR, "mkdir");
  expect_error(fs_sync::mkdir_all("", 0700), ENOENT, "mkdir");
}

// Node never returns from this call.
TEST(FsSyncTree, FailsIfNoDirectoryCanBeMade) {
  expect_error(fs_sync::mkdir_all("/proc/none/x", 0700), ENOENT, "mkdir");
  TempDir dir;
  ASSERT_EQ(::symlink("nowhere", (dir / "dangling").c_str()), 0);
  EXPECT_FALSE(fs_sync::mkdir_all((dir / "dangling/x").c_str(), 0700));
}

}  // namespace
}  // namespace rondo
