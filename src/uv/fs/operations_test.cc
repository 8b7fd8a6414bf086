#include <fcntl.h>

#include "support/temp_dir.h"
#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

TEST(UvFs, RunsAtOnceWithoutACallback) {
  const TempDir dir;
  const std::string path = dir / "file";
  uv_fs_t req;
  const int fd = uv_fs_open(nullptr, &req, path.c_str(), O_RDWR | O_CREAT, 0600, nullptr);
  ASSERT_GE(fd, 0);
  uv_fs_req_cleanup(&req);
  uv_buf_t parts[5];
  for (uv_buf_t& part : parts) part = uv_buf_init(const_cast<char*>("abc"), 3);
  EXPECT_EQ(uv_fs_write(nullptr, &req, fd, parts, 5, -1, nullptr), 15);
  uv_fs_req_cleanup(&req);
  char memory[8];
  const uv_buf_t room = uv_buf_init(memory, sizeof memory);
  EXPECT_EQ(uv_fs_read(nullptr, &req, fd, &room, 1, 12, nullptr), 3);
  uv_fs_req_cleanup(&req);
  EXPECT_EQ(uv_fs_read(nullptr, &req, fd, nullptr, 0, 0, nullptr), UV_EINVAL);
  EXPECT_EQ(uv_fs_fstat(nullptr, &req, fd, nullptr), 0);
  EXPECT_EQ(req.statbuf.st_size, 15U);
  EXPECT_EQ(req.ptr, &req.statbuf);
  uv_fs_req_cleanup(&req);
  EXPECT_EQ(uv_fs_close(nullptr, &req, fd, nullptr), 0);
  uv_fs_req_cleanup(&req);
}

TEST(UvFs, WithACallbackItRunsOnThePoolWithACopyOfThePath) {
  uv_fs_t req;
  TestUvLoop loop;
  static ssize_t result;
  result = 0;
  {
    std::string path = "/nonexistent/file";
    ASSERT_EQ(uv_fs_stat(loop.get(), &req, path.c_str(),
                         [](uv_fs_t* self) {
                           result = self->result;
                           EXPECT_STREQ(self->path, "/nonexistent/file");
                           uv_fs_req_cleanup(self);
                         }),
              0);
    path.assign(path.size(), 'x');
  }
  EXPECT_EQ(loop.get()->active_reqs.count, 1U);
  loop.run();
  EXPECT_EQ(result, UV_ENOENT);
}

TEST(UvFs, ListsDirectories) {
  const TempDir dir;
  dir.write("b", "");
  dir.write("a", "");
  uv_fs_t req;
  ASSERT_EQ(uv_fs_scandir(nullptr, &req, dir.path().c_str(), 0, nullptr), 2);
  uv_dirent_t entry;
  ASSERT_EQ(uv_fs_scandir_next(&req, &entry), 0);
  EXPECT_STREQ(entry.name, "a");
  EXPECT_EQ(entry.type, UV_DIRENT_FILE);
  ASSERT_EQ(uv_fs_scandir_next(&req, &entry), 0);
  EXPECT_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
  uv_fs_req_cleanup(&req);

  ASSERT_EQ(uv_fs_opendir(nullptr, &req, dir.path().c_str(), nullptr), 0);
  auto* const opened = static_cast<uv_dir_t*>(req.ptr);
  uv_fs_req_cleanup(&req);
  uv_dirent_t entries[1];
  opened->dirents = entries;
  opened->nentries = 1;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(uv_fs_readdir(nullptr, &req, opened, nullptr), 1);
    uv_fs_req_cleanup(&req);
  }
  EXPECT_EQ(uv_fs_readdir(nullptr, &req, opened, nullptr), 0);
  uv_fs_req_cleanup(&req);
  EXPECT_EQ(uv_fs_closedir(nullptr, &req, opened, nullptr), 0);
  uv_fs_req_cleanup(&req);
}

TEST(UvFs, TemporaryNamesReplaceThePattern) {
  const TempDir dir;
  const std::string pattern = dir / "x-XXXXXX";
  uv_fs_t req;
  ASSERT_EQ(uv_fs_mkdtemp(nullptr, &req, pattern.c_str(), nullptr), 0);
  EXPECT_NE(pattern, req.path);
  EXPECT_EQ(std::string(req.path).size(), pattern.size());
  uv_fs_req_cleanup(&req);
  EXPECT_EQ(uv_fs_mkstemp(nullptr, &req, "/nonexistent/XXXXXX", nullptr), UV_ENOENT);
  EXPECT_STREQ(req.path, "");
  uv_fs_req_cleanup(&req);
}

TEST(UvFs, TimesMayBeNowOrUnchanged) {
  const TempDir dir;
  const std::string path = dir.write("file", "");
  uv_fs_t req;
  EXPECT_EQ(uv_fs_utime(nullptr, &req, path.c_str(), 1.5, -2.25, nullptr), 0);
  uv_fs_req_cleanup(&req);
  ASSERT_EQ(uv_fs_stat(nullptr, &req, path.c_str(), nullptr), 0);
  EXPECT_EQ(req.statbuf.st_atim.tv_sec, 1);
  EXPECT_EQ(req.statbuf.st_atim.tv_nsec, 500'000'000);
  EXPECT_EQ(req.statbuf.st_mtim.tv_sec, -3);
  EXPECT_EQ(req.statbuf.st_mtim.tv_nsec, 750'000'000);
  uv_fs_req_cleanup(&req);
  EXPECT_EQ(uv_fs_utime(nullptr, &req, path.c_str(), UV_FS_UTIME_OMIT, UV_FS_UTIME_NOW, nullptr),
            0);
  uv_fs_req_cleanup(&req);
  ASSERT_EQ(uv_fs_stat(nullptr, &req, path.c_str(), nullptr), 0);
  EXPECT_EQ(req.statbuf.st_atim.tv_sec, 1);
  EXPECT_GT(req.statbuf.st_mtim.tv_sec, 1);
  uv_fs_req_cleanup(&req);
  // Nanoseconds, as far as a double has them.
  EXPECT_EQ(uv_fs_utime(nullptr, &req, path.c_str(), 1580702706.789, 2.0, nullptr), 0);
  uv_fs_req_cleanup(&req);
  ASSERT_EQ(uv_fs_stat(nullptr, &req, path.c_str(), nullptr), 0);
  EXPECT_EQ(req.statbuf.st_atim.tv_nsec, 789'000'034);
  uv_fs_req_cleanup(&req);
}

}  // namespace
}  // namespace rondo::uv
