#include "base/file_name.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/fd.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

TEST(FileName, OfADescriptorIsItsPath) {
  const TempDir folder;
  const std::string path = folder.write("a.txt", "a");
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(name_of_descriptor(fd.get()), path);
}

TEST(FileName, WithoutAPathIsTheKernelsName) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd in(ends[0]), out(ends[1]);
  EXPECT_TRUE(name_of_descriptor(in.get()).starts_with("pipe:["));
  EXPECT_EQ(name_of_descriptor(-1), "");
}

TEST(FileName, AnAbsolutePathHasNoDots) {
  EXPECT_EQ(absolute_path("/a/./b/../c"), "/a/c");
  EXPECT_EQ(absolute_path("x.txt"), (std::filesystem::current_path() / "x.txt").string());
  EXPECT_EQ(absolute_path(""), "");
}

}  // namespace
}  // namespace rondo
