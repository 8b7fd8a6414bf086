#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/fd.h"
#include "base/sys.h"
#include "io/fs/sync.h"

namespace rondo {

FileType file_type_of_mode(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return FileType::file;
    case S_IFDIR: return FileType::directory;
    case S_IFLNK: return FileType::symlink;
    case S_IFIFO: return FileType::fifo;
    case S_IFSOCK: return FileType::socket;
    case S_IFCHR: return FileType::character_device;
    case S_IFBLK: return FileType::block_device;
    default: return FileType::unknown;
  }
}

namespace fs_sync {
namespace {

timespec time_of(const statx_timestamp& time) {
  return {time.tv_sec, static_cast<long>(time.tv_nsec)};
}

Stat stat_of(const struct ::statx& from) {
  Stat to;
  to.dev = ::makedev(from.stx_dev_major, from.stx_dev_minor);
  to.ino = from.stx_ino;
  to.nlink = from.stx_nlink;
  to.rdev = ::makedev(from.stx_rdev_major, from.stx_rdev_minor);
  to.size = from.stx_size;
  to.blocks = from.stx_blocks;
  to.mode = from.stx_mode;
  to.uid = from.stx_uid;
  to.gid = from.stx_gid;
  to.block_size = from.stx_blksize;
  to.atime = time_of(from.stx_atime);
  to.mtime = time_of(from.stx_mtime);
  to.ctime = time_of(from.stx_ctime);
  const bool knows_birth = (from.stx_mask & STATX_BTIME) != 0;
  to.birthtime = knows_birth ? time_of(from.stx_btime) : to.ctime;
  return to;
}

Stat stat_of(const struct ::stat& from) {
  Stat to;
  to.dev = from.st_dev;
  to.ino = from.st_ino;
  to.nlink = from.st_nlink;
  to.rdev = from.st_rdev;
  to.size = static_cast<uint64_t>(from.st_size);
  to.blocks = static_cast<uint64_t>(from.st_blocks);
  to.mode = from.st_mode;
  to.uid = from.st_uid;
  to.gid = from.st_gid;
  to.block_size = static_cast<uint32_t>(from.st_blksize);
  to.atime = from.st_atim;
  to.mtime = from.st_mtim;
  to.ctime = to.birthtime = from.st_ctim;
  return to;
}

Result<Stat> stat_at(int fd, const char* path, int flags, const char* name) {
  struct ::statx full {};
  const long result = sys::unbroken("statx", fd, [&]() -> long {
    return ::statx(fd, path, flags, STATX_BASIC_STATS | STATX_BTIME, &full);
  });
  if (result == 0) return stat_of(full);
  // Old kernels have no statx(). Old sandboxes report that as EPERM.
  if (errno != ENOSYS && errno != EPERM && errno != EINVAL) return Error::last(name);
  struct ::stat plain {};
  const long second =
      sys::unbroken(name, fd, [&]() -> long { return ::fstatat(fd, path, &plain, flags); });
  if (second < 0) return Error::last(name);
  return stat_of(plain);
}

FileType type_of(const ::dirent& entry) {
  switch (entry.d_type) {
    case DT_REG: return FileType::file;
    case DT_DIR: return FileType::directory;
    case DT_LNK: return FileType::symlink;
    case DT_FIFO: return FileType::fifo;
    case DT_SOCK: return FileType::socket;
    case DT_CHR: return FileType::character_device;
    case DT_BLK: return FileType::block_device;
    default: return FileType::unknown;
  }
}

// The type of an entry, for file systems that do not store types in directories.
FileType type_by_stat(int directory, const char* name) {
  const Result<Stat> status = stat_at(directory, name, AT_SYMLINK_NOFOLLOW, "scandir");
  return status ? status->type() : FileType::unknown;
}

struct CloseDir {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

}  // namespace

Result<Stat> stat(const char* path) { return stat_at(AT_FDCWD, path, 0, "stat"); }
Result<Stat> lstat(const char* path) {
  return stat_at(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, "lstat");
}
Result<Stat> fstat(int fd) {
  if (fd < 0) return Error{EBADF, "fstat"};  // AT_FDCWD is negative, too.
  return stat_at(fd, "", AT_EMPTY_PATH, "fstat");
}

Result<Stat> stat_cached(const char* path, bool follows_links) {
  const Result<int> opened = open_cached(path, O_PATH | (follows_links ? 0 : O_NOFOLLOW));
  if (!opened) return Error{opened.error().code, follows_links ? "stat" : "lstat"};
  const Fd fd(*opened);
  // Does not query the server of a network file system, which would block.
  return stat_at(fd.get(), "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
                 follows_links ? "stat" : "lstat");
}

Result<StatFs> statfs(const char* path) {
  struct ::statfs status {};
  if (sys::unbroken("statfs", -1, [&]() -> long { return ::statfs(path, &status); }) < 0) {
    return Error::last("statfs");
  }
  StatFs out;
  out.type = static_cast<uint64_t>(status.f_type);
  out.block_size = static_cast<uint64_t>(status.f_bsize);
  out.fragment_size = static_cast<uint64_t>(status.f_frsize);
  out.blocks = status.f_blocks;
  out.blocks_free = status.f_bfree;
  out.blocks_available = status.f_bavail;
  out.files = status.f_files;
  out.files_free = status.f_ffree;
  return out;
}

Result<std::vector<Dirent>> readdir(const char* path) {
  const std::unique_ptr<DIR, CloseDir> directory(::opendir(path));
  if (!directory) return Error::last("scandir");
  std::vector<Dirent> entries;
  for (;;) {
    errno = 0;
    const ::dirent* entry = ::readdir(directory.get());
    if (entry == nullptr) {
      if (errno != 0) return Error::last("scandir");
      break;
    }
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    FileType type = type_of(*entry);
    if (type == FileType::unknown) type = type_by_stat(::dirfd(directory.get()), entry->d_name);
    entries.push_back({entry->d_name, type});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Dirent& left, const Dirent& right) { return left.name < right.name; });
  return entries;
}

}  // namespace fs_sync
}  // namespace rondo
