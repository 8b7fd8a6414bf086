#include "uv/fs/touch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <climits>

namespace rondo::uv {
namespace {

uv_fs_t operation(uv_fs_type type, const char* path) {
  uv_fs_t made{};
  made.fs_type = type;
  made.path = path;
  return made;
}

TEST(UvTouch, PathsAreAbsolute) {
  char folder[PATH_MAX];
  ASSERT_NE(::getcwd(folder, sizeof folder), nullptr);
  EXPECT_EQ(touch_of(operation(UV_FS_STAT, "./a")).first, std::string(folder) + "/a");
  EXPECT_EQ(touch_of(operation(UV_FS_STAT, "/b")).first, "/b");
}

TEST(UvTouch, ChangesAreToldFromReads) {
  EXPECT_FALSE(touch_of(operation(UV_FS_STAT, "/b")).writes);
  EXPECT_TRUE(touch_of(operation(UV_FS_UNLINK, "/b")).writes);
  uv_fs_t opening = operation(UV_FS_OPEN, "/b");
  EXPECT_FALSE(touch_of(opening).writes);
  opening.flags = O_WRONLY | O_TRUNC;
  EXPECT_TRUE(touch_of(opening).writes);
}

TEST(UvTouch, ARenameTouchesBothNames) {
  uv_fs_t renaming = operation(UV_FS_RENAME, "/old");
  renaming.new_path = "/new";
  EXPECT_EQ(touch_of(renaming).text(), "/old -> /new");
}

TEST(UvTouch, DescriptorsAreThoseOfTheirFiles) {
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  uv_fs_t reading = operation(UV_FS_READ, nullptr);
  reading.file = file;
  EXPECT_EQ(touch_of(reading).first, "/dev/null");
  EXPECT_STREQ(label_of(reading), "fs.read");
  reading.fs_type = UV_FS_CLOSE;
  EXPECT_TRUE(touch_of(reading).is_nothing());
  ::close(file);
}

}  // namespace
}  // namespace rondo::uv
