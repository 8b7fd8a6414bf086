#include <fcntl.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.h"
#include "base/sys.h"
#include "io/fs/sync.h"

namespace rondo::fs_sync {
namespace {

// The buffer size for copies that the kernel cannot do.
constexpr size_t kChunk = size_t{64} << 10;
// The size of the first read of a file of unknown size, and the minimum of later ones.
constexpr size_t kProbe = size_t{8} << 10;
// The smallest page size of any processor.
constexpr size_t kPage = size_t{4} << 10;

// The most memory that is allocated in advance for a file that is not cached.
constexpr size_t kMostRoom = size_t{32} << 20;

Result<size_t> counted(const char* name, long result) {
  if (result < 0) return Error::last(name);
  return static_cast<size_t>(result);
}

int part_count(std::span<const iovec> parts) {
  return static_cast<int>(std::min(parts.size(), kMostParts));
}

int64_t later(int64_t offset, size_t done) {
  return offset < 0 ? offset : offset + static_cast<int64_t>(done);
}

bool is_regular(int fd) {
  struct ::stat status {};
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

// True if the kernel cannot copy directly between the two files.
bool is_unsupported(int code) {
  return code == EINVAL || code == ENOSYS || code == EOPNOTSUPP || code == EXDEV;
}

// Implements sendfile(2) with read() and write().
Result<size_t> pump(int out_fd, int in_fd, int64_t offset, size_t length) {
  std::byte chunk[kChunk];
  size_t sent = 0;
  while (sent < length) {
    const size_t wanted = std::min(sizeof chunk, length - sent);
    const Result<size_t> got = read(in_fd, {chunk, wanted}, later(offset, sent));
    if (!got) return sent > 0 ? Result<size_t>(sent) : Error{got.error().code, "sendfile"};
    if (*got == 0) break;
    for (size_t written = 0; written < *got;) {
      const Result<size_t> put = write(out_fd, {chunk + written, *got - written}, -1);
      if (put) {
        written += *put;
        continue;
      }
      // Seek back over data that was read but not written, for the next attempt.
      if (offset < 0)
        ::lseek(in_fd, static_cast<off_t>(written) - static_cast<off_t>(*got), SEEK_CUR);
      sent += written;
      return sent > 0 ? Result<size_t>(sent) : Error{put.error().code, "sendfile"};
    }
    sent += *got;
  }
  return sent;
}

// Reads a small file with one call, without fstat(). EAGAIN if it is not small, not cached or not a
// regular file.
Result<FileBytes> read_small_cached(int fd, size_t most) {
  std::byte probe[kProbe];
  const iovec part{probe, sizeof probe};
  const long count = sys::unbroken(
      "read_cached", fd, [&]() -> long { return ::preadv2(fd, &part, 1, 0, RWF_NOWAIT); });
  // The cache holds whole pages, so a count that is not a multiple of a page ends the file.
  const auto size = static_cast<size_t>(count);
  if (count <= 0 || size % kPage == 0 || size > most) return Error{EAGAIN, "read"};
  FileBytes content;
  if (!content.resize(size)) return Error{EAGAIN, "read"};
  std::copy_n(probe, size, content.data());
  return content;
}

}  // namespace

Result<size_t> read(int fd, std::span<std::byte> buffer, int64_t offset) {
  const size_t size = std::min(buffer.size(), kMostBytes);
  if (offset == -1) return counted("read", sys::read(fd, buffer.data(), size));
  return counted("read", sys::unbroken("read", fd, [=]() -> long {
                   return ::pread(fd, buffer.data(), sys::shortened("read", fd, size), offset);
                 }));
}

Result<size_t> readv(int fd, std::span<const iovec> parts, int64_t offset) {
  // preadv2() takes -1 as the current position, too.
  return counted("read", sys::unbroken("readv", fd, [=]() -> long {
                   return ::preadv2(fd, parts.data(), part_count(parts), offset, 0);
                 }));
}

Result<size_t> write(int fd, std::span<const std::byte> data, int64_t offset) {
  const size_t size = std::min(data.size(), kMostBytes);
  if (offset == -1) return counted("write", sys::write(fd, data.data(), size));
  return counted("write", sys::unbroken("write", fd, [=]() -> long {
                   return ::pwrite(fd, data.data(), sys::shortened("write", fd, size), offset);
                 }));
}

// The kernel takes kMostParts per call. A longer list is still one operation, so that the caller
// need not submit the rest again.
Result<size_t> writev(int fd, std::span<const iovec> parts, int64_t offset) {
  size_t done = 0;
  do {
    const std::span<const iovec> now = parts.first(std::min(parts.size(), kMostParts));
    const Result<size_t> count =
        counted("write", sys::unbroken("writev", fd, [&]() -> long {
                  return ::pwritev2(fd, now.data(), part_count(now), later(offset, done), 0);
                }));
    if (!count) return done > 0 ? Result<size_t>(done) : count;
    done += *count;
    size_t requested = 0;
    for (const iovec& part : now) requested += part.iov_len;
    if (*count < requested) break;
    parts = parts.subspan(now.size());
  } while (!parts.empty());
  return done;
}

Result<size_t> write_all(int fd, std::span<const std::byte> data, int64_t offset) {
  size_t done = 0;
  while (done < data.size()) {
    Result<size_t> count = write(fd, data.subspan(done), later(offset, done));
    if (!count) return count;
    if (*count == 0) return Error{EIO, "write"};  // Prevents an endless loop.
    done += *count;
  }
  return done;
}

Result<size_t> read_cached(int fd, std::span<std::byte> buffer, int64_t offset, size_t* done) {
  *done = 0;
  for (;;) {
    const long count = sys::unbroken("read_cached", fd, [&]() -> long {
      const size_t size = buffer.size() - *done;
      const iovec rest{buffer.data() + *done, sys::shortened("read_cached", fd, size)};
      return ::preadv2(fd, &rest, 1, later(offset, *done), RWF_NOWAIT);
    });
    if (count < 0) {
      const Error error = Error::last("read");
      if (*done == 0) return error;
      // For a pipe without more data this is a short read; for a file, a worker must read the rest.
      if (error.code == EAGAIN && is_regular(fd)) return error;
      return *done;
    }
    *done += static_cast<size_t>(count);
    if (count == 0 || *done == buffer.size()) return *done;
  }
}

Result<size_t> sendfile(int out_fd, int in_fd, int64_t offset, size_t length) {
  size_t sent = 0;
  while (sent < length) {
    off_t position = later(offset, sent);
    const size_t wanted = std::min(length - sent, kMostBytes);
    const long count = sys::unbroken("sendfile", out_fd, [&]() -> long {
      return ::sendfile(out_fd, in_fd, offset < 0 ? nullptr : &position,
                        sys::shortened("sendfile", out_fd, wanted));
    });
    if (count < 0) {
      const Error error = Error::last("sendfile");
      if (sent > 0) break;
      return is_unsupported(error.code) ? pump(out_fd, in_fd, offset, length) : error;
    }
    if (count == 0) break;
    sent += static_cast<size_t>(count);
  }
  return sent;
}

Result<FileBytes> read_file(const char* path, int flags, size_t limit) {
  // The mode is for flags that create the file.
  const Result<int> opened = open(path, O_RDONLY | flags, 0666);
  if (!opened) return opened.error();
  const Fd fd(*opened);
  if (Result<FileBytes> small = read_small_cached(fd.get(), limit)) return small;
  return read_rest(fd.get(), limit);
}

Result<FileBytes> read_file_cached(const char* path, size_t most, int* fd, FileBytes* room) {
  // Without O_NONBLOCK this would wait for the other side of a FIFO. Closing a FIFO again would
  // break its writer, so the descriptor is kept open; for all other kinds of files, too.
  const Result<int> opened = open_cached(path, O_RDONLY | O_NONBLOCK);
  if (!opened) return opened.error();
  Fd file(*opened);
  if (Result<FileBytes> small = read_small_cached(*opened, most)) return small;
  struct ::stat status {};
  if (::fstat(*opened, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<size_t>(status.st_size);
    FileBytes content;
    const bool has_room = size <= kMostRoom && content.resize(size);
    if (has_room && size <= most) {
      size_t done = 0;
      const Result<size_t> count = read_cached(*opened, {content.data(), size}, 0, &done);
      if (count && *count == size) return content;
    }
    if (has_room) *room = std::move(content);
  }
  *fd = file.release();
  return Error{EAGAIN, "open"};
}

Result<FileBytes> read_opened(int fd, size_t limit, FileBytes room) {
  const Fd file(fd);
  struct ::stat status {};
  if (room.empty() && ::fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags >= 0) ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    // A FIFO without a writer would be at its end: wait for a writer.
    if (S_ISFIFO(status.st_mode)) {
      pollfd waiting{fd, POLLIN, 0};
      while (::poll(&waiting, 1, -1) < 0 && errno == EINTR) {
      }
    }
  }
  return read_rest(fd, limit, std::move(room));
}

Result<FileBytes> read_rest(int fd, size_t limit, FileBytes room) {
  // The size is a hint: files of /proc report 0, and others may grow or shrink meanwhile.
  FileBytes content = std::move(room);
  size_t size = 0;
  if (content.empty()) {
    struct ::stat status {};
    if (::fstat(fd, &status) < 0) return Error::last("fstat");
    if (S_ISREG(status.st_mode)) {
      const auto expected = static_cast<size_t>(status.st_size);
      if (expected > limit) return Error{EFBIG, "read"};
      if (!content.resize(expected)) return Error{ENOMEM, "read"};
    }
  }
  const size_t reported_size = content.size();
  if (content.size() > limit) return Error{EFBIG, "read"};
  std::byte probe[kProbe];
  for (;;) {
    const bool is_full = size == content.size();
    if (is_full && size == reported_size && reported_size > 0)
      break;  // Data appended meanwhile is not read.
    // Checks for more data with a buffer on the stack, because usually there is none.
    const std::span<std::byte> place =
        is_full ? std::span(probe) : std::span(content.data() + size, content.size() - size);
    const Result<size_t> count = read(fd, place, -1);
    if (!count) return count.error();
    if (*count == 0) break;
    if (is_full) {
      if (*count > limit - size) return Error{EFBIG, "read"};
      // Doubled, so that the content is copied only a few times.
      if (!content.resize(std::min(limit, size + std::max(size, sizeof probe)))) {
        return Error{ENOMEM, "read"};
      }
      std::copy_n(probe, *count, content.data() + size);
    }
    size += *count;
  }
  if (size != content.size() && !content.resize(size)) return Error{ENOMEM, "read"};
  return content;
}

Result<void> write_file(const char* path, std::span<const std::byte> data, int flags, mode_t mode) {
  const Result<int> opened = open(path, flags, mode);
  if (!opened) return opened.error();
  Fd fd(*opened);
  if (const Result<size_t> written = write_all(fd.get(), data, -1); !written) {
    return written.error();
  }
  // Some file systems report a full disk only here.
  return close(fd.release());
}

}  // namespace rondo::fs_sync
