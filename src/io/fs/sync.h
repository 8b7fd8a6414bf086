// Blocking file operations, for workers that run Fs requests and for code without a loop. Thread:
// any.
//
// Each returns the value or {errno, name}, with the name that Node reports ("scandir" for readdir).
// Interrupted calls are repeated. New descriptors are close-on-exec. Paths end at their first NUL
// byte: check untrusted paths before.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/fs/types.h"

namespace rondo::fs_sync {

// The kernel's limit for one call. Longer requests are shortened.
inline constexpr size_t kMostBytes = 0x7ffff000;
inline constexpr size_t kMostParts = 1024;  // Of readv and writev.
// The largest file that is read into memory, as in Node; EFBIG for larger files.
inline constexpr size_t kMostOfFile = 0x7fffffff;

Result<int> open(const char* path, int flags, mode_t mode);
// open(), but EAGAIN if a part of the path is not cached by the kernel.
Result<int> open_cached(const char* path, int flags);
Result<void> close(int fd);

// An offset of -1 means the file's current position, which then moves. Counts may be short, as with
// read(2) and write(2).
Result<size_t> read(int fd, std::span<std::byte> buffer, int64_t offset);
Result<size_t> readv(int fd, std::span<const iovec> parts, int64_t offset);
Result<size_t> write(int fd, std::span<const std::byte> data, int64_t offset);
Result<size_t> writev(int fd, std::span<const iovec> parts, int64_t offset);
// Repeats short writes until all is written or one fails.
Result<size_t> write_all(int fd, std::span<const std::byte> data, int64_t offset);
// read(), but EAGAIN or EOPNOTSUPP if it would block. Counts are short only at the end of a regular
// file. If the rest would block, `*done` is the number of bytes read so far.
Result<size_t> read_cached(int fd, std::span<std::byte> buffer, int64_t offset, size_t* done);
// Sends until `length` bytes are sent or the input ends. After an error, returns the number sent so
// far.
Result<size_t> sendfile(int out_fd, int in_fd, int64_t offset, size_t length);

Result<FileBytes> read_file(const char* path, int flags, size_t limit);
// Reads from the current position to the end, into the memory of `room` if it fits.
Result<FileBytes> read_rest(int fd, size_t limit, FileBytes room = {});
// read_file() of a regular file of at most `most` bytes, but only if names and data are cached.
// Otherwise EAGAIN: if `*fd` is open then, continue with read_opened(). `*room` is memory for a
// larger file, because allocating on one thread causes fewer page faults.
Result<FileBytes> read_file_cached(const char* path, size_t most, int* fd, FileBytes* room);
// Reads an open file and closes `fd`. Waits for the other side of a FIFO, as opening would have
// done.
Result<FileBytes> read_opened(int fd, size_t limit, FileBytes room);
// stat() and lstat(), but EAGAIN if the data is not cached.
Result<Stat> stat_cached(const char* path, bool follows_links);
Result<void> write_file(const char* path, std::span<const std::byte> data, int flags, mode_t mode);

Result<Stat> stat(const char* path);
Result<Stat> lstat(const char* path);
Result<Stat> fstat(int fd);
Result<StatFs> statfs(const char* path);
Result<void> access(const char* path, int mode);

// Without "." and "..", sorted by bytes.
Result<std::vector<Dirent>> readdir(const char* path);
Result<void> mkdir(const char* path, mode_t mode);
// Creates missing parents, too. Returns the first created directory, or an empty string.
Result<std::string> mkdir_all(const char* path, mode_t mode);

// mkdir_all(), one system call at a time.
class MkdirAll {
 public:
  MkdirAll(std::string path, mode_t mode) : missing_{std::move(path)}, mode_(mode) {}

  // Makes the next call. Returns true if there is another one.
  bool step();
  // After the last step.
  const Result<std::string>& result() const { return result_; }

 private:
  bool make();
  bool check();
  bool fail(int code);

  std::vector<std::string> missing_;  // The last one is created next.
  mode_t mode_;
  bool has_made_way_ = false;  // The parent exists.
  bool is_refused_ = false;    // The last mkdir() failed: the directory may exist.
  Result<std::string> result_{std::string()};
};
// Lists a tree: the entries of a directory, then those of its subdirectories, in order. Names are
// relative to `path`. After an error `*failed` is the directory that could not be read.
Result<std::vector<Dirent>> readdir_all(const char* path, bool follows_links, std::string* failed);
// Copies a tree to a path that does not exist. Relative links are changed to point to the same
// file, unless `keeps_links`. ENOTSUP for anything but files, directories and links. After an error
// the part copied so far stays.
Result<void> copy_tree(const std::string& from, const std::string& to, int flags, bool keeps_links);
Result<void> rmdir(const char* path);
Result<std::string> mkdtemp(std::string pattern);  // The pattern ends in XXXXXX.
Result<TempFile> mkstemp(std::string pattern);

Result<void> unlink(const char* path);
Result<void> rename(const char* from, const char* to);
Result<void> link(const char* existing, const char* path);
Result<void> symlink(const char* target, const char* path);
Result<std::string> readlink(const char* path);
Result<std::string> realpath(const char* path);
Result<void> copy_file(const char* from, const char* to, int flags);

Result<void> chmod(const char* path, mode_t mode);
Result<void> fchmod(int fd, mode_t mode);
Result<void> chown(const char* path, uid_t uid, gid_t gid);
Result<void> lchown(const char* path, uid_t uid, gid_t gid);
Result<void> fchown(int fd, uid_t uid, gid_t gid);
// UTIME_NOW and UTIME_OMIT are allowed.
Result<void> utimes(const char* path, timespec atime, timespec mtime);
Result<void> lutimes(const char* path, timespec atime, timespec mtime);
Result<void> futimes(int fd, timespec atime, timespec mtime);

Result<void> fsync(int fd);
Result<void> fdatasync(int fd);
Result<void> truncate(const char* path, int64_t length);
Result<void> ftruncate(int fd, int64_t length);

}  // namespace rondo::fs_sync
