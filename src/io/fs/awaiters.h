// Files for coroutines: every operation of Fs as an awaitable.
//
//   CoFs fs(loop);
//   Result<Fd> file = co_await fs.open("notes.txt", O_RDONLY);
//   Result<size_t> size = co_await fs.read(file->get(), buffer, 0);
//
// Each awaits to the Result that io/fs/fs.h documents. Buffers and data must live until the await
// is over, which locals of the awaiting task do. A cancelled task gets ECANCELED if the operation
// had not begun; otherwise the await waits for the operation, which uses the memory, and returns
// its result. Phase: poll. Thread: the loop's only.
#pragma once

#include "base/fd.h"
#include "io/fs/fs.h"
#include "loop/co/request_awaiter.h"

namespace rondo {

// Returns the descriptor as an Fd, so that it cannot leak.
template <class Start>
class [[nodiscard]] OpenAwaiter : public Awaited<FsRequest<int>, Start> {
 public:
  using Awaited<FsRequest<int>, Start>::Awaited;
  Result<Fd> await_resume() {
    Result<int> fd = Awaited<FsRequest<int>, Start>::await_resume();
    return fd ? Result<Fd>(Fd(*fd)) : Result<Fd>(fd.error());
  }
};

// Cheap to copy: pass it by value.
class CoFs {
  // All operations have the same shape: the request, their arguments, the callback.
  template <class T, class Operation, class... Arguments>
  auto run(Operation operation, Arguments... arguments) {
    return awaited<FsRequest<T>>(loop(), [=, fs = fs_](FsRequest<T>& request, auto done) mutable {
      (fs.*operation)(request, arguments..., done);
    });
  }

 public:
  using Bytes = std::span<std::byte>;
  using ConstBytes = std::span<const std::byte>;
  using Parts = std::span<const iovec>;
  using Path = std::string_view;

  explicit CoFs(Loop& loop) : fs_(loop) {}
  Loop& loop() const { return fs_.loop(); }

  auto open(Path path, int flags, mode_t mode = 0666) {
    auto start = [=, fs = fs_](FsRequest<int>& request, auto on_done) mutable {
      fs.open(request, path, flags, mode, on_done);
    };
    return OpenAwaiter<decltype(start)>(loop(), start);
  }
  // Runs even in a cancelled task, so that the descriptor is not leaked.
  auto close(Fd fd) {
    auto start = [fs = fs_, number = fd.release()](FsRequest<void>& request, auto on_done) mutable {
      fs.close(request, number, on_done);
    };
    return Awaited<FsRequest<void>, decltype(start)>(loop(), start, false);
  }

  // Without an offset: from the file's current position, which then moves.
  auto read(int fd, Bytes buffer, int64_t offset = -1) {
    return run<size_t>(&Fs::read, fd, buffer, offset);
  }
  auto readv(int fd, Parts parts, int64_t offset = -1) {
    return run<size_t>(&Fs::readv, fd, parts, offset);
  }
  auto write(int fd, ConstBytes data, int64_t offset = -1) {
    return run<size_t>(&Fs::write, fd, data, offset);
  }
  auto writev(int fd, Parts parts, int64_t offset = -1) {
    return run<size_t>(&Fs::writev, fd, parts, offset);
  }
  auto write_all(int fd, ConstBytes data, int64_t offset = -1) {
    return run<size_t>(&Fs::write_all, fd, data, offset);
  }
  auto sendfile(int out_fd, int in_fd, int64_t offset, size_t length) {
    return run<size_t>(&Fs::sendfile, out_fd, in_fd, offset, length);
  }
  auto read_file(Path path, size_t limit = fs_sync::kMostOfFile) {
    return run<FileBytes>(&Fs::read_file, path, 0, limit);
  }
  auto write_file(Path path, ConstBytes data, int flags = O_WRONLY | O_CREAT | O_TRUNC,
                  mode_t mode = 0666) {
    return run<void>(&Fs::write_file, path, data, flags, mode);
  }

  auto stat(Path path) { return run<Stat>(&Fs::stat, path); }
  auto lstat(Path path) { return run<Stat>(&Fs::lstat, path); }
  auto fstat(int fd) { return run<Stat>(&Fs::fstat, fd); }
  auto statfs(Path path) { return run<StatFs>(&Fs::statfs, path); }
  auto access(Path path, int mode) { return run<void>(&Fs::access, path, mode); }

  auto readdir(Path path) { return run<std::vector<Dirent>>(&Fs::readdir, path); }
  auto mkdir(Path path, mode_t mode = 0777) { return run<void>(&Fs::mkdir, path, mode); }
  auto rmdir(Path path) { return run<void>(&Fs::rmdir, path); }
  auto mkdtemp(Path pattern) { return run<std::string>(&Fs::mkdtemp, pattern); }
  auto mkstemp(Path pattern) { return run<TempFile>(&Fs::mkstemp, pattern); }

  auto unlink(Path path) { return run<void>(&Fs::unlink, path); }
  auto rename(Path from, Path to) { return run<void>(&Fs::rename, from, to); }
  auto link(Path existing, Path path) { return run<void>(&Fs::link, existing, path); }
  auto symlink(Path target, Path path) { return run<void>(&Fs::symlink, target, path); }
  auto readlink(Path path) { return run<std::string>(&Fs::readlink, path); }
  auto realpath(Path path) { return run<std::string>(&Fs::realpath, path); }
  auto copy_file(Path from, Path to, int flags = 0) {
    return run<void>(&Fs::copy_file, from, to, flags);
  }

  auto chmod(Path path, mode_t mode) { return run<void>(&Fs::chmod, path, mode); }
  auto fchmod(int fd, mode_t mode) { return run<void>(&Fs::fchmod, fd, mode); }
  auto chown(Path path, uid_t uid, gid_t gid) { return run<void>(&Fs::chown, path, uid, gid); }
  auto lchown(Path path, uid_t uid, gid_t gid) { return run<void>(&Fs::lchown, path, uid, gid); }
  auto fchown(int fd, uid_t uid, gid_t gid) { return run<void>(&Fs::fchown, fd, uid, gid); }
  auto utimes(Path path, timespec atime, timespec mtime) {
    return run<void>(&Fs::utimes, path, atime, mtime);
  }
  auto lutimes(Path path, timespec atime, timespec mtime) {
    return run<void>(&Fs::lutimes, path, atime, mtime);
  }
  auto futimes(int fd, timespec atime, timespec mtime) {
    return run<void>(&Fs::futimes, fd, atime, mtime);
  }

  auto fsync(int fd) { return run<void>(&Fs::fsync, fd); }
  auto fdatasync(int fd) { return run<void>(&Fs::fdatasync, fd); }
  auto truncate(Path path, int64_t length) { return run<void>(&Fs::truncate, path, length); }
  auto ftruncate(int fd, int64_t length) { return run<void>(&Fs::ftruncate, fd, length); }

 private:
  Fs fs_;
};

}  // namespace rondo
