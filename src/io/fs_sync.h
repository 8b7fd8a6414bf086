// File operations that block: what a worker runs on behalf of an Fs request, and what a program
// that has no loop to hold up calls itself. Any thread.
//
// Each returns the value or {errno, name}, where the name is the one that Node reports ("scandir"
// for readdir). Interrupted calls are repeated. New descriptors are close-on-exec. Paths end at
// their first NUL byte: whoever has bytes of unknown origin looks for one before.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/fs_types.h"

namespace rondo::fs_sync {

// The most that the kernel moves in one call; longer requests are cut to it.
inline constexpr size_t kMostBytes = 0x7ffff000;
inline constexpr size_t kMostParts = 1024;  // Of readv and writev.
// More than this is not read into memory (EFBIG): the most that a JavaScript buffer can be.
inline constexpr size_t kMostOfFile = 0x7fffffff;

Result<int> open(const char* path, int flags, mode_t mode);
// As open, if the kernel has all parts of the path in memory: otherwise EAGAIN.
Result<int> open_cached(const char* path, int flags);
Result<void> close(int fd);

// An offset of -1 means the file's current position, which then moves. Short counts as read(2)
// and write(2) have them.
Result<size_t> read(int fd, std::span<std::byte> buffer, int64_t offset);
Result<size_t> readv(int fd, std::span<const iovec> parts, int64_t offset);
Result<size_t> write(int fd, std::span<const std::byte> data, int64_t offset);
Result<size_t> writev(int fd, std::span<const iovec> parts, int64_t offset);
// Goes on after short writes, until all is written or one fails.
Result<size_t> write_all(int fd, std::span<const std::byte> data, int64_t offset);
// As read, but EAGAIN or EOPNOTSUPP where it would have to wait. A count is short only at the end
// of a regular file; `*done` says how much was read where the rest would block.
Result<size_t> read_cached(int fd, std::span<std::byte> buffer, int64_t offset, size_t* done);
// Goes on until `length` bytes have been sent or the input ends; after an error, how many were.
Result<size_t> sendfile(int out_fd, int in_fd, int64_t offset, size_t length);

Result<FileBytes> read_file(const char* path, int flags, size_t limit);
// From the current position to the end, into `room` as far as it goes.
Result<FileBytes> read_rest(int fd, size_t limit, FileBytes room = {});
// As read_file of a regular file of at most `most` bytes, but only with what is in memory: names,
// and data. Otherwise EAGAIN, and `*fd` may be open: read_opened() goes on with it. `*room` is then
// memory for a larger file: whoever allocates always on the same thread has less to do with pages.
Result<FileBytes> read_file_cached(const char* path, size_t most, int* fd, FileBytes* room);
// Closes it. Waits for a FIFO's other side as opening it would have done.
Result<FileBytes> read_opened(int fd, size_t limit, FileBytes room);
// As stat and lstat, with what is in memory; else EAGAIN.
Result<Stat> stat_cached(const char* path, bool follows_links);
Result<void> write_file(const char* path, std::span<const std::byte> data, int flags, mode_t mode);

Result<Stat> stat(const char* path);
Result<Stat> lstat(const char* path);
Result<Stat> fstat(int fd);
Result<StatFs> statfs(const char* path);
Result<void> access(const char* path, int mode);

// Without "." and "..", in the order of their bytes.
Result<std::vector<Dirent>> readdir(const char* path);
Result<void> mkdir(const char* path, mode_t mode);
// With all directories that are missing above it. The first one that had to be made; none if it was
// there.
Result<std::string> mkdir_all(const char* path, mode_t mode);

// The same, one system call at a time.
class MkdirAll {
 public:
  MkdirAll(std::string path, mode_t mode) : missing_{std::move(path)}, mode_(mode) {}

  // Makes the next call. Whether there is another one to make.
  bool step();
  // After the last step.
  const Result<std::string>& result() const { return result_; }

 private:
  bool make();
  bool check();
  bool fail(int code);

  std::vector<std::string> missing_;  // The last one is made next.
  mode_t mode_;
  bool has_made_way_ = false;  // The directory above is there, as far as we could see.
  bool is_refused_ = false;    // The last one could not be made: it may be there.
  Result<std::string> result_{std::string()};
};
// A whole tree: the entries of a directory, then those of the directories in it, in order. Names
// begin below `path`. After an error `*failed` names the directory that could not be read.
Result<std::vector<Dirent>> readdir_all(const char* path, bool follows_links, std::string* failed);
// A whole tree to where nothing is. Relative links lead to the same file from there, unless they
// are kept as they are. ENOTSUP for what is neither a file, a directory nor a link; what was copied
// before an error stays.
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
