#include "io/fs/fs.h"

#include <unistd.h>

#include "io/fs/operations.h"

// Every operation has the same shape: a constant Kind, the arguments, start(). Measurements decided
// which operations run on the ring: see docs/adr/io/0007.
namespace rondo {
namespace {

// Cached files up to this size are read on the loop's thread: copying is faster than a worker.
constexpr size_t kMostCached = size_t{64} << 10;

// The bytes that Node reads with one job, if the size is known and if it is not.
constexpr size_t kNodeChunk = size_t{512} << 10;
constexpr size_t kNodeUnknownChunk = size_t{64} << 10;

uint32_t chunks_of(size_t size, size_t chunk) {
  return static_cast<uint32_t>((size + chunk - 1) / chunk);
}

// The number of further jobs in Node after the first one, which opens the file and reads a small
// one completely: one for each part of a large file, and one that closes it.
uint32_t more_trips_of_file(const Result<FileBytes>& content) {
  if (!content || content->size() <= kNodeChunk) return 0;
  return chunks_of(content->size(), kNodeChunk) + 1;
}

// The number of further jobs in Node after fstat(): one for each part, and one that finds the end
// unless the size was right.
uint32_t more_trips_of_rest(const Result<FileBytes>& content, const Result<Stat>& status) {
  if (!content || !status) return 0;
  const bool is_known = status->is_file() && status->size > 0;
  const uint32_t chunks = chunks_of(content->size(), is_known ? kNodeChunk : kNodeUnknownChunk);
  return is_known && content->size() == status->size ? chunks : chunks + 1;
}

// Casts data that the kernel only reads, for a field that is used for both directions.
void* unconst(const void* data) { return const_cast<void*>(data); }

}  // namespace

void Fs::open(FsRequest<int>& request, std::string_view path, int flags, mode_t mode,
              OnDone<int> on_done) {
  static constexpr FsRequest<int>::Kind kKind{
      FsOp::open,
      [](FsPathArgs& args) { return fs_sync::open(args.path(), args.flags, args.mode); }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.flags = flags;
  args.mode = mode;
  request.start(kKind, std::move(on_done));
}

void Fs::close(Done& request, int fd, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      .op = FsOp::close, .run = [](FsPathArgs& args) { return fs_sync::close(args.fd); }};
  prepare(request).fd = fd;
  request.start(kKind, std::move(on_done));
}

// ---- Data

void Fs::read(Count& request, int fd, std::span<std::byte> buffer, int64_t offset,
              OnDone<size_t> on_done) {
  static constexpr Count::Kind kKind{
      .op = FsOp::read,
      .run =
          [](FsDataArgs& args) {
            Result<size_t> count = fs_sync::read(args.fd, args.rest(), args.rest_offset());
            // If the rest fails, the cached first part is still a valid short read.
            return args.done > 0 ? Result<size_t>(args.done + count.value_or(0)) : count;
          },
      .may_be_cached = true};
  FsDataArgs& args = prepare(request);
  args = {.fd = fd, .data = buffer.data(), .size = buffer.size(), .offset = offset};
  request.start(kKind, std::move(on_done));
}

void Fs::readv(Count& request, int fd, std::span<const iovec> parts, int64_t offset,
               OnDone<size_t> on_done) {
  static constexpr Count::Kind kKind{
      .op = FsOp::readv,
      .run = [](FsDataArgs& args) { return fs_sync::readv(args.fd, args.parts(), args.offset); },
      .is_vector = true};
  FsDataArgs& args = prepare(request);
  args = {.fd = fd, .data = unconst(parts.data()), .size = parts.size(), .offset = offset};
  request.start(kKind, std::move(on_done));
}

void Fs::write(Count& request, int fd, std::span<const std::byte> data, int64_t offset,
               OnDone<size_t> on_done) {
  static constexpr Count::Kind kKind{.op = FsOp::write, .run = [](FsDataArgs& args) {
                                       return fs_sync::write(args.fd, args.rest(), args.offset);
                                     }};
  FsDataArgs& args = prepare(request);
  args = {.fd = fd, .data = unconst(data.data()), .size = data.size(), .offset = offset};
  request.start(kKind, std::move(on_done));
}

void Fs::writev(Count& request, int fd, std::span<const iovec> parts, int64_t offset,
                OnDone<size_t> on_done) {
  static constexpr Count::Kind kKind{
      .op = FsOp::writev,
      .run = [](FsDataArgs& args) { return fs_sync::writev(args.fd, args.parts(), args.offset); },
      .is_vector = true};
  FsDataArgs& args = prepare(request);
  args = {.fd = fd, .data = unconst(parts.data()), .size = parts.size(), .offset = offset};
  request.start(kKind, std::move(on_done));
}

void Fs::write_all(Count& request, int fd, std::span<const std::byte> data, int64_t offset,
                   OnDone<size_t> on_done) {
  static constexpr Count::Kind kKind{
      .op = FsOp::write_all,
      .run = [](FsDataArgs& args) { return fs_sync::write_all(args.fd, args.rest(), args.offset); },
      .is_whole = true};
  FsDataArgs& args = prepare(request);
  args = {.fd = fd, .data = unconst(data.data()), .size = data.size(), .offset = offset};
  request.start(kKind, std::move(on_done));
}

void Fs::sendfile(Count& request, int out_fd, int in_fd, int64_t offset, size_t length,
                  OnDone<size_t> on_done) {
  static constexpr Count::Kind kKind{FsOp::sendfile, [](FsDataArgs& args) {
                                       return fs_sync::sendfile(args.out_fd, args.fd, args.offset,
                                                                args.size);
                                     }};
  FsDataArgs& args = prepare(request);
  args = {.fd = in_fd, .out_fd = out_fd, .size = length, .offset = offset};
  request.start(kKind, std::move(on_done));
}

void Fs::read_file(FsRequest<FileBytes>& request, std::string_view path, int flags, size_t limit,
                   OnDone<FileBytes> on_done) {
  static constexpr FsRequest<FileBytes>::Kind kKind{
      .op = FsOp::read_file,
      .run =
          [](FsPathArgs& args) {
            const auto most = static_cast<size_t>(args.length);
            Result<FileBytes> content =
                args.fd >= 0
                    ? fs_sync::read_opened(std::exchange(args.fd, -1), most, std::move(args.room))
                    : fs_sync::read_file(args.path(), args.flags, most);
            args.more_trips = more_trips_of_file(content);
            return content;
          },
      .is_shared = true,
      .run_cached =
          [](FsPathArgs& args, Result<FileBytes>& result) {
            if (args.flags != O_RDONLY) return false;
            const size_t most = std::min(static_cast<size_t>(args.length), kMostCached);
            result = fs_sync::read_file_cached(args.path(), most, &args.fd, &args.room);
            return result || result.error().code != EAGAIN;
          },
      .abandon =
          [](FsPathArgs& args) {
            if (args.fd >= 0) ::close(std::exchange(args.fd, -1));
            args.room = {};
          }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.fd = -1;
  args.flags = flags;
  args.length = static_cast<int64_t>(std::min(limit, size_t{INT64_MAX}));
  request.start(kKind, std::move(on_done));
}

void Fs::read_rest(FsRequest<FileBytes>& request, int fd, size_t limit, OnDone<FileBytes> on_done) {
  static constexpr FsRequest<FileBytes>::Kind kKind{
      FsOp::read_rest, [](FsPathArgs& args) {
        const Result<Stat> status = fs_sync::fstat(args.fd);
        Result<FileBytes> content = fs_sync::read_rest(args.fd, static_cast<size_t>(args.length));
        args.more_trips = more_trips_of_rest(content, status);
        return content;
      }};
  FsPathArgs& args = prepare(request);
  args.fd = fd;
  args.length = static_cast<int64_t>(std::min(limit, size_t{INT64_MAX}));
  request.start(kKind, std::move(on_done));
}

void Fs::write_file(Done& request, std::string_view path, std::span<const std::byte> data,
                    int flags, mode_t mode, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::write_file, [](FsPathArgs& args) {
                                      return fs_sync::write_file(args.path(), args.data, args.flags,
                                                                 args.mode);
                                    }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.data = data;
  args.flags = flags;
  args.mode = mode;
  request.start(kKind, std::move(on_done));
}

// ---- Metadata

void Fs::stat(FsRequest<Stat>& request, std::string_view path, OnDone<Stat> on_done) {
  static constexpr FsRequest<Stat>::Kind kKind{
      .op = FsOp::stat,
      .run = [](FsPathArgs& args) { return fs_sync::stat(args.path()); },
      .is_cached_alone = true,
      .run_cached =
          [](FsPathArgs& args, Result<Stat>& result) {
            result = fs_sync::stat_cached(args.path(), true);
            return result || result.error().code != EAGAIN;
          }};
  prepare(request).set_path(path);
  request.start(kKind, std::move(on_done));
}

void Fs::lstat(FsRequest<Stat>& request, std::string_view path, OnDone<Stat> on_done) {
  static constexpr FsRequest<Stat>::Kind kKind{
      .op = FsOp::lstat,
      .run = [](FsPathArgs& args) { return fs_sync::lstat(args.path()); },
      .is_cached_alone = true,
      .run_cached =
          [](FsPathArgs& args, Result<Stat>& result) {
            result = fs_sync::stat_cached(args.path(), false);
            return result || result.error().code != EAGAIN;
          }};
  prepare(request).set_path(path);
  request.start(kKind, std::move(on_done));
}

void Fs::fstat(FsRequest<Stat>& request, int fd, OnDone<Stat> on_done) {
  static constexpr FsRequest<Stat>::Kind kKind{
      FsOp::fstat, [](FsPathArgs& args) { return fs_sync::fstat(args.fd); }};
  prepare(request).fd = fd;
  request.start(kKind, std::move(on_done));
}

void Fs::statfs(FsRequest<StatFs>& request, std::string_view path, OnDone<StatFs> on_done) {
  static constexpr FsRequest<StatFs>::Kind kKind{
      FsOp::statfs, [](FsPathArgs& args) { return fs_sync::statfs(args.path()); }};
  prepare(request).set_path(path);
  request.start(kKind, std::move(on_done));
}

void Fs::access(Done& request, std::string_view path, int mode, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::access, [](FsPathArgs& args) { return fs_sync::access(args.path(), args.flags); }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.flags = mode;
  request.start(kKind, std::move(on_done));
}

void Fs::chmod(Done& request, std::string_view path, mode_t mode, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::chmod, [](FsPathArgs& args) { return fs_sync::chmod(args.path(), args.mode); }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.mode = mode;
  request.start(kKind, std::move(on_done));
}

void Fs::fchmod(Done& request, int fd, mode_t mode, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::fchmod, [](FsPathArgs& args) { return fs_sync::fchmod(args.fd, args.mode); }};
  FsPathArgs& args = prepare(request);
  args.fd = fd;
  args.mode = mode;
  request.start(kKind, std::move(on_done));
}

void Fs::chown(Done& request, std::string_view path, uid_t uid, gid_t gid, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::chown, [](FsPathArgs& args) {
                                      return fs_sync::chown(args.path(), args.mode, args.gid);
                                    }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.mode = uid;
  args.gid = gid;
  request.start(kKind, std::move(on_done));
}

void Fs::lchown(Done& request, std::string_view path, uid_t uid, gid_t gid, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::lchown, [](FsPathArgs& args) {
                                      return fs_sync::lchown(args.path(), args.mode, args.gid);
                                    }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.mode = uid;
  args.gid = gid;
  request.start(kKind, std::move(on_done));
}

void Fs::fchown(Done& request, int fd, uid_t uid, gid_t gid, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::fchown, [](FsPathArgs& args) { return fs_sync::fchown(args.fd, args.mode, args.gid); }};
  FsPathArgs& args = prepare(request);
  args.fd = fd;
  args.mode = uid;
  args.gid = gid;
  request.start(kKind, std::move(on_done));
}

void Fs::utimes(Done& request, std::string_view path, timespec atime, timespec mtime,
                OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::utimes, [](FsPathArgs& args) {
                                      return fs_sync::utimes(args.path(), args.atime, args.mtime);
                                    }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.atime = atime;
  args.mtime = mtime;
  request.start(kKind, std::move(on_done));
}

void Fs::lutimes(Done& request, std::string_view path, timespec atime, timespec mtime,
                 OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::lutimes, [](FsPathArgs& args) {
                                      return fs_sync::lutimes(args.path(), args.atime, args.mtime);
                                    }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.atime = atime;
  args.mtime = mtime;
  request.start(kKind, std::move(on_done));
}

void Fs::futimes(Done& request, int fd, timespec atime, timespec mtime, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::futimes, [](FsPathArgs& args) {
                                      return fs_sync::futimes(args.fd, args.atime, args.mtime);
                                    }};
  FsPathArgs& args = prepare(request);
  args.fd = fd;
  args.atime = atime;
  args.mtime = mtime;
  request.start(kKind, std::move(on_done));
}

// ---- Syncing

void Fs::fsync(Done& request, int fd, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      .op = FsOp::fsync, .run = [](FsPathArgs& args) { return fs_sync::fsync(args.fd); }};
  prepare(request).fd = fd;
  request.start(kKind, std::move(on_done));
}

void Fs::fdatasync(Done& request, int fd, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      .op = FsOp::fdatasync, .run = [](FsPathArgs& args) { return fs_sync::fdatasync(args.fd); }};
  prepare(request).fd = fd;
  request.start(kKind, std::move(on_done));
}

void Fs::truncate(Done& request, std::string_view path, int64_t length, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::truncate, [](FsPathArgs& args) { return fs_sync::truncate(args.path(), args.length); }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.length = length;
  request.start(kKind, std::move(on_done));
}

void Fs::ftruncate(Done& request, int fd, int64_t length, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::ftruncate, [](FsPathArgs& args) { return fs_sync::ftruncate(args.fd, args.length); }};
  FsPathArgs& args = prepare(request);
  args.fd = fd;
  args.length = length;
  request.start(kKind, std::move(on_done));
}

}  // namespace rondo
