#include "io/fs/sync.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "base/sys.h"

// Each function here is one system call. Operations on data are in fs/sync_io.cc, those on
// directories and metadata in fs/sync_dir.cc, copying is in fs/sync_copy.cc.
namespace rondo::fs_sync {
namespace {

// Runs a system call that returns 0 or -1, and repeats it after EINTR.
template <class Call>
Result<void> completed(const char* name, int fd, Call call) {
  if (sys::unbroken(name, fd, call) < 0) return Error::last(name);
  return {};
}

// Sizes of buffers: if readlink(2) fills one completely, the result may have been cut.
constexpr size_t kFirstLink = 256;
constexpr size_t kMostOfLink = size_t{1} << 20;

}  // namespace

Result<int> open(const char* path, int flags, mode_t mode) {
  const long fd =
      sys::unbroken("open", -1, [=]() -> long { return ::open(path, flags | O_CLOEXEC, mode); });
  if (fd < 0) return Error::last("open");
  return static_cast<int>(fd);
}

Result<int> open_cached(const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_CACHED;
  const long fd = sys::unbroken("openat2", -1, [&]() -> long {
    return ::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  });
  if (fd >= 0) return static_cast<int>(fd);
  switch (errno) {
    case ENOENT:
    case ENOTDIR:
    case EACCES:
    case ELOOP:
    case EMFILE: return Error::last("open");
    // EAGAIN: uncached, a lease to wait for, or a kernel or sandbox without openat2().
    default: return Error{EAGAIN, "open"};
  }
}

Result<void> close(int fd) {
  // Never repeated: the descriptor is closed even after an error, and its number may already be
  // reused.
  const long result = sys::guarded("close", fd, [=]() -> long { return ::close(fd); });
  if (result < 0 && errno != EINTR && errno != EINPROGRESS) return Error::last("close");
  return {};
}

Result<void> access(const char* path, int mode) {
  return completed("access", -1, [=]() -> long { return ::access(path, mode); });
}

Result<void> mkdir(const char* path, mode_t mode) {
  return completed("mkdir", -1, [=]() -> long { return ::mkdir(path, mode); });
}

Result<void> rmdir(const char* path) {
  return completed("rmdir", -1, [=]() -> long { return ::rmdir(path); });
}

Result<std::string> mkdtemp(std::string pattern) {
  if (::mkdtemp(pattern.data()) == nullptr) return Error::last("mkdtemp");
  return pattern;
}

Result<TempFile> mkstemp(std::string pattern) {
  const int fd = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (fd < 0) return Error::last("mkstemp");
  return TempFile{std::move(pattern), fd};
}

Result<void> unlink(const char* path) {
  return completed("unlink", -1, [=]() -> long { return ::unlink(path); });
}

Result<void> rename(const char* from, const char* to) {
  return completed("rename", -1, [=]() -> long { return ::rename(from, to); });
}

Result<void> link(const char* existing, const char* path) {
  return completed("link", -1, [=]() -> long { return ::link(existing, path); });
}

Result<void> symlink(const char* target, const char* path) {
  return completed("symlink", -1, [=]() -> long { return ::symlink(target, path); });
}

Result<std::string> readlink(const char* path) {
  // The size of lstat() is not used: in /proc it is 0 or a guess.
  for (size_t size = kFirstLink; size <= kMostOfLink; size *= 4) {
    std::string target(size, '\0');
    const long count = sys::unbroken(
        "readlink", -1, [&]() -> long { return ::readlink(path, target.data(), target.size()); });
    if (count < 0) return Error::last("readlink");
    if (static_cast<size_t>(count) == size) continue;
    target.resize(static_cast<size_t>(count));
    return target;
  }
  return Error{ENAMETOOLONG, "readlink"};
}

Result<std::string> realpath(const char* path) {
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  const std::unique_ptr<char, Free> resolved(::realpath(path, nullptr));
  if (!resolved) return Error::last("realpath");
  return std::string(resolved.get());
}

Result<void> chmod(const char* path, mode_t mode) {
  return completed("chmod", -1, [=]() -> long { return ::chmod(path, mode); });
}

Result<void> fchmod(int fd, mode_t mode) {
  return completed("fchmod", fd, [=]() -> long { return ::fchmod(fd, mode); });
}

Result<void> chown(const char* path, uid_t uid, gid_t gid) {
  return completed("chown", -1, [=]() -> long { return ::chown(path, uid, gid); });
}

Result<void> lchown(const char* path, uid_t uid, gid_t gid) {
  return completed("lchown", -1, [=]() -> long { return ::lchown(path, uid, gid); });
}

Result<void> fchown(int fd, uid_t uid, gid_t gid) {
  return completed("fchown", fd, [=]() -> long { return ::fchown(fd, uid, gid); });
}

Result<void> utimes(const char* path, timespec atime, timespec mtime) {
  const timespec times[] = {atime, mtime};
  return completed("utime", -1, [&]() -> long { return ::utimensat(AT_FDCWD, path, times, 0); });
}

Result<void> lutimes(const char* path, timespec atime, timespec mtime) {
  const timespec times[] = {atime, mtime};
  return completed("lutime", -1, [&]() -> long {
    return ::utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
  });
}

Result<void> futimes(int fd, timespec atime, timespec mtime) {
  const timespec times[] = {atime, mtime};
  return completed("futime", fd, [&]() -> long { return ::futimens(fd, times); });
}

Result<void> fsync(int fd) {
  return completed("fsync", fd, [=]() -> long { return ::fsync(fd); });
}

Result<void> fdatasync(int fd) {
  return completed("fdatasync", fd, [=]() -> long { return ::fdatasync(fd); });
}

Result<void> truncate(const char* path, int64_t length) {
  return completed("truncate", -1, [=]() -> long { return ::truncate(path, length); });
}

Result<void> ftruncate(int fd, int64_t length) {
  return completed("ftruncate", fd, [=]() -> long { return ::ftruncate(fd, length); });
}

}  // namespace rondo::fs_sync
