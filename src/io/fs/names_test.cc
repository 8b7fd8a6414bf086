#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "io/fs/fs.h"
#include "io/net/address.h"
#include "support/await_fs.h"
#include "support/temp_dir.h"

// Operations on directories, names and metadata.
namespace rondo {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

class FsNamesTest : public ::testing::Test {
 protected:
  struct ::stat status(const std::string& path) {
    struct ::stat out {};
    EXPECT_EQ(::lstat(path.c_str(), &out), 0) << path;
    return out;
  }
  Result<std::vector<Dirent>> list(const std::string& path) {
    return await_fs<std::vector<Dirent>>(loop_, &Fs::readdir, path);
  }

  TempDir dir_;
  Loop loop_;
};

TEST_F(FsNamesTest, ReaddirReturnsNamesAndTypesInOrder) {
  EXPECT_TRUE(list(dir_.path())->empty());
  dir_.write("b", "");
  dir_.write("a", "");
  dir_.write("B", "");
  ASSERT_EQ(::mkdir((dir_ / "sub").c_str(), 0700), 0);
  ASSERT_EQ(::symlink("nowhere", (dir_ / "link").c_str()), 0);
  ASSERT_EQ(::mkfifo((dir_ / "fifo").c_str(), 0600), 0);
  const Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const SocketAddress address = *SocketAddress::unix_path(dir_ / "socket");
  ASSERT_EQ(::bind(socket.get(), address.data(), address.size()), 0);
  const Result<std::vector<Dirent>> entries = list(dir_.path());
  ASSERT_TRUE(entries);
  const std::vector<Dirent> expected = {{"B", FileType::file},       {"a", FileType::file},
                                        {"b", FileType::file},       {"fifo", FileType::fifo},
                                        {"link", FileType::symlink}, {"socket", FileType::socket},
                                        {"sub", FileType::directory}};
  EXPECT_EQ(*entries, expected);
}

TEST_F(FsNamesTest, ReaddirOfManyEntries) {
  for (int i = 0; i < 2000; ++i) dir_.write("entry-" + std::to_string(i), "");
  const Result<std::vector<Dirent>> entries = list(dir_.path());
  ASSERT_TRUE(entries);
  EXPECT_EQ(entries->size(), 2000u);
  EXPECT_EQ(entries->front().name, "entry-0");
  EXPECT_EQ(entries->back().name, "entry-999");
}

TEST_F(FsNamesTest, ReaddirReportsAsScandir) {
  dir_.write("file", "");
  expect_error(list(dir_ / "none"), ENOENT, "scandir");
  expect_error(list(dir_ / "file"), ENOTDIR, "scandir");
  expect_error(list("a\0b"s), EINVAL, "scandir");
}

TEST_F(FsNamesTest, DirectoriesAreMadeAndRemoved) {
  const std::string path = dir_ / "sub";
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::mkdir, path, mode_t{0750}));
  EXPECT_TRUE(S_ISDIR(status(path).st_mode));
  expect_error(await_fs<void>(loop_, &Fs::mkdir, path, mode_t{0750}), EEXIST, "mkdir");
  expect_error(await_fs<void>(loop_, &Fs::mkdir, dir_ / "a/b", mode_t{0750}), ENOENT, "mkdir");
  dir_.write("sub/file", "");
  expect_error(await_fs<void>(loop_, &Fs::rmdir, path), ENOTEMPTY, "rmdir");
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::unlink, path + "/file"));
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::rmdir, path));
  expect_error(await_fs<void>(loop_, &Fs::rmdir, path), ENOENT, "rmdir");
}

TEST_F(FsNamesTest, UnlinkRemovesFilesOnly) {
  const std::string path = dir_.write("file", "");
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::unlink, path));
  expect_error(await_fs<void>(loop_, &Fs::unlink, path), ENOENT, "unlink");
  expect_error(await_fs<void>(loop_, &Fs::unlink, dir_.path()), EISDIR, "unlink");
}

TEST_F(FsNamesTest, RenameReplacesAnExistingFile) {
  dir_.write("old", "content");
  dir_.write("new", "to be replaced");
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::rename, dir_ / "old", dir_ / "new"));
  EXPECT_EQ(read_whole(dir_ / "new"), "content");
  expect_error(await_fs<void>(loop_, &Fs::rename, dir_ / "old", dir_ / "x"), ENOENT, "rename");
  expect_error(await_fs<void>(loop_, &Fs::rename, dir_ / "new", dir_.path()), ENOTEMPTY, "rename");
  // A NUL byte in a path does not end it.
  expect_error(await_fs<void>(loop_, &Fs::rename, dir_ / "new", "a\0b"s), EINVAL, "rename");
  expect_error(await_fs<void>(loop_, &Fs::rename, "a\0b"s, dir_ / "new"), EINVAL, "rename");
  EXPECT_EQ(read_whole(dir_ / "new"), "content");
}

TEST_F(FsNamesTest, LinksHardAndSymbolic) {
  const std::string path = dir_.write("file", "shared");
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::link, path, dir_ / "hard"));
  EXPECT_EQ(status(path).st_nlink, 2u);
  expect_error(await_fs<void>(loop_, &Fs::link, path, dir_ / "hard"), EEXIST, "link");
  expect_error(await_fs<void>(loop_, &Fs::link, dir_ / "none", dir_ / "x"), ENOENT, "link");
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::symlink, "file"sv, dir_ / "soft"));
  EXPECT_EQ(read_whole(dir_ / "soft"), "shared");
  expect_error(await_fs<void>(loop_, &Fs::symlink, "file"sv, dir_ / "soft"), EEXIST, "symlink");
  expect_error(await_fs<void>(loop_, &Fs::symlink, "a\0b"sv, dir_ / "y"), EINVAL, "symlink");
}

TEST_F(FsNamesTest, ReadlinkReturnsTargetsOfAnyLength) {
  for (size_t length : {1, 255, 256, 257, 4000}) {
    const std::string target(length, 't');
    const std::string path = dir_ / ("link-" + std::to_string(length));
    ASSERT_EQ(::symlink(target.c_str(), path.c_str()), 0);
    const Result<std::string> read = await_fs<std::string>(loop_, &Fs::readlink, path);
    ASSERT_TRUE(read) << length;
    EXPECT_EQ(*read, target);
  }
  expect_error(await_fs<std::string>(loop_, &Fs::readlink, dir_ / "none"), ENOENT, "readlink");
  expect_error(await_fs<std::string>(loop_, &Fs::readlink, dir_.path()), EINVAL, "readlink");
}

TEST_F(FsNamesTest, RealpathResolvesLinksAndDots) {
  const std::string base = *await_fs<std::string>(loop_, &Fs::realpath, dir_.path());
  dir_.write("file", "");
  ASSERT_EQ(::symlink("file", (dir_ / "link").c_str()), 0);
  EXPECT_EQ(*await_fs<std::string>(loop_, &Fs::realpath,
                                   dir_ / "./../" + base.substr(base.rfind('/') + 1) + "/link"),
            base + "/file");
  ASSERT_EQ(::symlink("loop", (dir_ / "loop").c_str()), 0);
  expect_error(await_fs<std::string>(loop_, &Fs::realpath, dir_ / "loop"), ELOOP, "realpath");
  expect_error(await_fs<std::string>(loop_, &Fs::realpath, dir_ / "none"), ENOENT, "realpath");
}

TEST_F(FsNamesTest, TemporaryNamesAreMadeFromAPattern) {
  const Result<std::string> first = await_fs<std::string>(loop_, &Fs::mkdtemp, dir_ / "dir-XXXXXX");
  const Result<std::string> second =
      await_fs<std::string>(loop_, &Fs::mkdtemp, dir_ / "dir-XXXXXX");
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_NE(*first, *second);
  EXPECT_EQ(first->substr(0, dir_.path().size() + 5), dir_ / "dir-");
  EXPECT_TRUE(S_ISDIR(status(*first).st_mode));
  expect_error(await_fs<std::string>(loop_, &Fs::mkdtemp, dir_ / "dir"), EINVAL, "mkdtemp");
  expect_error(await_fs<std::string>(loop_, &Fs::mkdtemp, dir_ / "no/XXXXXX"), ENOENT, "mkdtemp");

  const Result<TempFile> file = await_fs<TempFile>(loop_, &Fs::mkstemp, dir_ / "file-XXXXXX");
  ASSERT_TRUE(file);
  const Fd fd(file->fd);
  EXPECT_NE(::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(::write(fd.get(), "temp", 4), 4);
  EXPECT_EQ(read_whole(file->path), "temp");
  EXPECT_EQ(status(file->path).st_mode & 07777, 0600u);
  expect_error(await_fs<TempFile>(loop_, &Fs::mkstemp, dir_ / "XXXXX"), EINVAL, "mkstemp");
}

TEST_F(FsNamesTest, CopyFileCopiesContentAndPermissions) {
  const std::string content(300'000, 'c');
  const std::string from = dir_.write("from", content);
  ::chmod(from.c_str(), 0755);
  const std::string to = dir_ / "to";
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::copy_file, from, to, 0));
  EXPECT_EQ(read_whole(to), content);
  EXPECT_EQ(status(to).st_mode & 07777, 0755u);
  expect_error(await_fs<void>(loop_, &Fs::copy_file, from, to, int{kCopyExclusive}), EEXIST,
               "copyfile");
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::copy_file, from, to, int{kCopyClone}));
  EXPECT_EQ(read_whole(to), content);
  expect_error(await_fs<void>(loop_, &Fs::copy_file, dir_ / "none", to, 0), ENOENT, "copyfile");
  expect_error(await_fs<void>(loop_, &Fs::copy_file, dir_.path(), to, 0), EISDIR, "copyfile");
  expect_error(await_fs<void>(loop_, &Fs::copy_file, from, to, 64), EINVAL, "copyfile");
}

TEST_F(FsNamesTest, PermissionsAndOwners) {
  const std::string path = dir_.write("file", "");
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::chmod, path, mode_t{0751}));
  EXPECT_EQ(status(path).st_mode & 07777, 0751u);
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::fchmod, fd.get(), mode_t{0600}));
  EXPECT_EQ(status(path).st_mode & 07777, 0600u);
  expect_error(await_fs<void>(loop_, &Fs::chmod, dir_ / "none", mode_t{0}), ENOENT, "chmod");
  expect_error(await_fs<void>(loop_, &Fs::fchmod, -1, mode_t{0}), EBADF, "fchmod");

  // Every user may pass its own id; only root may pass others.
  const bool is_root = ::geteuid() == 0;
  const uid_t uid = is_root ? 1234 : ::geteuid();
  const gid_t gid = is_root ? 4321 : ::getegid();
  ASSERT_EQ(::symlink("file", (dir_ / "link").c_str()), 0);
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::chown, dir_ / "link", uid, gid));
  EXPECT_EQ(status(path).st_uid, uid);
  EXPECT_EQ(status(path).st_gid, gid);
  EXPECT_EQ(status(dir_ / "link").st_uid, ::geteuid());
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::lchown, dir_ / "link", uid, gid));
  EXPECT_EQ(status(dir_ / "link").st_gid, gid);
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::fchown, fd.get(), ::geteuid(), ::getegid()));
  EXPECT_EQ(status(path).st_uid, ::geteuid());
  expect_error(await_fs<void>(loop_, &Fs::chown, dir_ / "none", uid, gid), ENOENT, "chown");
  expect_error(await_fs<void>(loop_, &Fs::lchown, dir_ / "none", uid, gid), ENOENT, "lchown");
  expect_error(await_fs<void>(loop_, &Fs::fchown, -1, uid, gid), EBADF, "fchown");
}

TEST_F(FsNamesTest, TimesAreSetToTheNanosecond) {
  const std::string path = dir_.write("file", "");
  const timespec atime{1'000'000'000, 123'456'789}, mtime{-5, 987'654'321};
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::utimes, path, atime, mtime));
  EXPECT_EQ(status(path).st_atim.tv_sec, atime.tv_sec);
  EXPECT_EQ(status(path).st_atim.tv_nsec, atime.tv_nsec);
  EXPECT_EQ(status(path).st_mtim.tv_sec, mtime.tv_sec);
  EXPECT_EQ(status(path).st_mtim.tv_nsec, mtime.tv_nsec);
  const Fd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  const timespec omit{0, UTIME_OMIT};
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::futimes, fd.get(), omit, atime));
  EXPECT_EQ(status(path).st_atim.tv_sec, atime.tv_sec);
  EXPECT_EQ(status(path).st_mtim.tv_nsec, atime.tv_nsec);
  ASSERT_EQ(::symlink("file", (dir_ / "link").c_str()), 0);
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::lutimes, dir_ / "link", mtime, mtime));
  EXPECT_EQ(status(dir_ / "link").st_mtim.tv_nsec, mtime.tv_nsec);
  EXPECT_EQ(status(path).st_mtim.tv_nsec, atime.tv_nsec);
  const timespec bad{0, 1'000'000'000};
  expect_error(await_fs<void>(loop_, &Fs::utimes, path, bad, bad), EINVAL, "utime");
  expect_error(await_fs<void>(loop_, &Fs::utimes, dir_ / "none", atime, atime), ENOENT, "utime");
  expect_error(await_fs<void>(loop_, &Fs::lutimes, dir_ / "none", atime, atime), ENOENT, "lutime");
  expect_error(await_fs<void>(loop_, &Fs::futimes, -1, atime, atime), EBADF, "futime");
}

TEST_F(FsNamesTest, SyncAndTruncate) {
  const std::string path = dir_.write("file", "0123456789");
  const Fd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::fsync, fd.get()));
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::fdatasync, fd.get()));
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::ftruncate, fd.get(), int64_t{4}));
  EXPECT_EQ(read_whole(path), "0123");
  EXPECT_TRUE(await_fs<void>(loop_, &Fs::truncate, path, int64_t{6}));
  EXPECT_EQ(read_whole(path), "0123\0\0"sv);
  expect_error(await_fs<void>(loop_, &Fs::truncate, path, int64_t{-1}), EINVAL, "truncate");
  expect_error(await_fs<void>(loop_, &Fs::truncate, dir_.path(), int64_t{0}), EISDIR, "truncate");
  expect_error(await_fs<void>(loop_, &Fs::ftruncate, -1, int64_t{0}), EBADF, "ftruncate");
  expect_error(await_fs<void>(loop_, &Fs::fsync, -1), EBADF, "fsync");
  expect_error(await_fs<void>(loop_, &Fs::fdatasync, -1), EBADF, "fdatasync");
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd in(ends[0]), out(ends[1]);
  expect_error(await_fs<void>(loop_, &Fs::fsync, in.get()), EINVAL, "fsync");
}

}  // namespace
}  // namespace rondo
