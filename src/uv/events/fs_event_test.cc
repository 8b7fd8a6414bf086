#include <sys/stat.h>

#include "support/temp_dir.h"
#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

TEST(UvFsEvent, ReportsTheNameOfANewFile) {
  uv_fs_event_t handle;
  TestUvLoop loop;
  const TempDir dir;
  static std::string seen;
  seen.clear();
  uv_fs_event_init(loop.get(), &handle);
  ASSERT_EQ(uv_fs_event_start(
                &handle,
                [](uv_fs_event_t* self, const char* name, int events, int status) {
                  EXPECT_EQ(status, 0);
                  EXPECT_EQ(events, UV_RENAME);
                  seen = name;
                  uv_fs_event_stop(self);
                },
                dir.path().c_str(), 0),
            0);
  char path[4];
  size_t size = sizeof path;
  EXPECT_EQ(uv_fs_event_getpath(&handle, path, &size), UV_ENOBUFS);
  EXPECT_EQ(size, dir.path().size() + 1);
  dir.write("new", "");
  loop.run();
  EXPECT_EQ(seen, "new");
  EXPECT_EQ(uv_fs_event_getpath(&handle, path, &size), UV_EINVAL);
}

TEST(UvFsPoll, ReportsAFileThatAppears) {
  uv_fs_poll_t handle;
  TestUvLoop loop;
  const TempDir dir;
  const std::string path = dir / "file";
  static int errors;
  static uint64_t size;
  errors = 0;
  size = 0;
  uv_fs_poll_init(loop.get(), &handle);
  handle.data = const_cast<TempDir*>(&dir);
  ASSERT_EQ(uv_fs_poll_start(
                &handle,
                [](uv_fs_poll_t* self, int status, const uv_stat_t*, const uv_stat_t* now) {
                  if (status == UV_ENOENT) {
                    ++errors;
                    static_cast<TempDir*>(self->data)->write("file", "four");
                    return;
                  }
                  size = now->st_size;
                  uv_fs_poll_stop(self);
                },
                path.c_str(), 1),
            0);
  loop.run();
  EXPECT_EQ(errors, 1);
  EXPECT_EQ(size, 4U);
}

}  // namespace
}  // namespace rondo::uv
