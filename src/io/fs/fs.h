// Fs starts file operations on a loop. The request's callback runs in poll, never inside the call
// (API-01), even for invalid arguments.
//
//   FsRequest<size_t> request(loop);
//   Fs(loop).read(request, fd, buffer, 0, [&](FsRequest<size_t>&, Result<size_t> count) { ... });
//
// The caller owns buffers, data and arrays of iovec, which must live until the callback. Paths are
// copied. Errors have the errno and the system call name that Node reports. A path with a NUL byte
// gives EINVAL. Every operation has the form (request, arguments..., on_done), so that an adapter
// only needs the request's type. Operations run in parallel and end in any order: wait for one
// whose effect another needs. Thread: the loop's only. For blocking calls without a loop see
// io/fs/sync.h.
#pragma once

#include <fcntl.h>
#include <sys/uio.h>

#include <cstddef>
#include <ctime>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/fs/request.h"
#include "io/fs/sync.h"
#include "io/fs/types.h"

namespace rondo {

// Cheap to copy: pass it by value.
class Fs {
 public:
  template <class T>
  using OnDone = typename FsRequest<T>::OnDone;
  using Count = FsRequest<size_t>;
  using Done = FsRequest<void>;

  explicit Fs(Loop& loop) : loop_(&loop) {}
  Loop& loop() const { return *loop_; }

  // Descriptors are close-on-exec. Opening a FIFO waits on a worker for its other side.
  void open(FsRequest<int>& request, std::string_view path, int flags, mode_t mode,
            OnDone<int> on_done);
  // The descriptor is closed even after an error, except ECANCELED.
  void close(Done& request, int fd, OnDone<void> on_done);

  // An offset of -1 means the file's current position, which then moves. Requests are shortened to
  // the kernel's limits per call (2 GiB, 1024 parts of readv). A count of 0 is the end of the file,
  // and writes may be short. Pass -1 for pipes and sockets: other offsets give ESPIPE or, on
  // io_uring, are ignored.
  void read(Count& request, int fd, std::span<std::byte> buffer, int64_t offset,
            OnDone<size_t> on_done);
  void readv(Count& request, int fd, std::span<const iovec> parts, int64_t offset,
             OnDone<size_t> on_done);
  void write(Count& request, int fd, std::span<const std::byte> data, int64_t offset,
             OnDone<size_t> on_done);
  void writev(Count& request, int fd, std::span<const iovec> parts, int64_t offset,
              OnDone<size_t> on_done);
  // Repeats writes until all data is written. After an error part of it may be written.
  void write_all(Count& request, int fd, std::span<const std::byte> data, int64_t offset,
                 OnDone<size_t> on_done);
  // Sends from a file to any descriptor, until `length` bytes are sent or the file ends. Fails only
  // if nothing was sent, for example with EAGAIN if a non-blocking socket is full.
  void sendfile(Count& request, int out_fd, int in_fd, int64_t offset, size_t length,
                OnDone<size_t> on_done);

  // Reads a whole file as one operation, with `flags` in addition to O_RDONLY. Files of size 0, as
  // in /proc, are read to their end, too. EFBIG if the file has more than `limit` bytes, usually
  // fs_sync::kMostOfFile.
  void read_file(FsRequest<FileBytes>& request, std::string_view path, int flags, size_t limit,
                 OnDone<FileBytes> on_done);
  // read_file() from a descriptor's current position on.
  void read_rest(FsRequest<FileBytes>& request, int fd, size_t limit, OnDone<FileBytes> on_done);
  // `flags` are usually O_WRONLY | O_CREAT | O_TRUNC.
  void write_file(Done& request, std::string_view path, std::span<const std::byte> data, int flags,
                  mode_t mode, OnDone<void> on_done);

  void stat(FsRequest<Stat>& request, std::string_view path, OnDone<Stat> on_done);
  void lstat(FsRequest<Stat>& request, std::string_view path, OnDone<Stat> on_done);
  void fstat(FsRequest<Stat>& request, int fd, OnDone<Stat> on_done);
  void statfs(FsRequest<StatFs>& request, std::string_view path, OnDone<StatFs> on_done);
  void access(Done& request, std::string_view path, int mode, OnDone<void> on_done);

  // Names and types without "." and "..", sorted by bytes.
  void readdir(FsRequest<std::vector<Dirent>>& request, std::string_view path,
               OnDone<std::vector<Dirent>> on_done);
  // Lists a whole tree as one operation: see fs_sync::readdir_all(). After an error path() names
  // the directory that could not be read.
  void readdir_all(FsRequest<std::vector<Dirent>>& request, std::string_view path,
                   bool follows_links, OnDone<std::vector<Dirent>> on_done);
  void mkdir(Done& request, std::string_view path, mode_t mode, OnDone<void> on_done);
  // Creates missing parents, too. The result is the first created directory, or an empty string.
  void mkdir_all(FsRequest<std::string>& request, std::string_view path, mode_t mode,
                 OnDone<std::string> on_done);
  void rmdir(Done& request, std::string_view path, OnDone<void> on_done);
  // The pattern must end in XXXXXX, otherwise EINVAL. The result is the created path.
  void mkdtemp(FsRequest<std::string>& request, std::string_view pattern,
               OnDone<std::string> on_done);
  void mkstemp(FsRequest<TempFile>& request, std::string_view pattern, OnDone<TempFile> on_done);

  void unlink(Done& request, std::string_view path, OnDone<void> on_done);
  void rename(Done& request, std::string_view from, std::string_view to, OnDone<void> on_done);
  void link(Done& request, std::string_view existing, std::string_view path, OnDone<void> on_done);
  void symlink(Done& request, std::string_view target, std::string_view path, OnDone<void> on_done);
  void readlink(FsRequest<std::string>& request, std::string_view path,
                OnDone<std::string> on_done);
  void realpath(FsRequest<std::string>& request, std::string_view path,
                OnDone<std::string> on_done);
  // Copies permissions, too. `flags` are CopyFlags. After an error a new destination is removed,
  // and an existing one may be partially written.
  void copy_file(Done& request, std::string_view from, std::string_view to, int flags,
                 OnDone<void> on_done);

  // See fs_sync::copy_tree().
  void copy_tree(Done& request, std::string_view from, std::string_view to, int flags,
                 bool keeps_links, OnDone<void> on_done);

  void chmod(Done& request, std::string_view path, mode_t mode, OnDone<void> on_done);
  void fchmod(Done& request, int fd, mode_t mode, OnDone<void> on_done);
  void chown(Done& request, std::string_view path, uid_t uid, gid_t gid, OnDone<void> on_done);
  void lchown(Done& request, std::string_view path, uid_t uid, gid_t gid, OnDone<void> on_done);
  void fchown(Done& request, int fd, uid_t uid, gid_t gid, OnDone<void> on_done);
  // With nanoseconds. UTIME_NOW and UTIME_OMIT are allowed. lutimes does not follow a link.
  void utimes(Done& request, std::string_view path, timespec atime, timespec mtime,
              OnDone<void> on_done);
  void lutimes(Done& request, std::string_view path, timespec atime, timespec mtime,
               OnDone<void> on_done);
  void futimes(Done& request, int fd, timespec atime, timespec mtime, OnDone<void> on_done);

  void fsync(Done& request, int fd, OnDone<void> on_done);
  void fdatasync(Done& request, int fd, OnDone<void> on_done);
  void truncate(Done& request, std::string_view path, int64_t length, OnDone<void> on_done);
  void ftruncate(Done& request, int fd, int64_t length, OnDone<void> on_done);

 private:
  template <class T>
  typename FsRequest<T>::Args& prepare(FsRequest<T>& request) const {
    RONDO_ASSERT(&request.loop() == loop_);
    return request.prepare();
  }

  Loop* loop_;
};

}  // namespace rondo
