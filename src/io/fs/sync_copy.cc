#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.h"
#include "base/sys.h"
#include "io/fs/sync.h"

namespace rondo::fs_sync {
namespace {

constexpr int kKnownFlags = kCopyExclusive | kCopyClone | kCopyCloneForce;
// The size of one call, so that a worker does not block for too long.
constexpr size_t kMostAtOnce = size_t{1} << 30;

Error failed(int code) { return Error{code, "copyfile"}; }
Error failed() { return failed(errno); }

struct Destination {
  Fd fd;
  bool is_new = false;  // Created by this copy: removed if the copy fails.
};

Result<Destination> open_destination(const char* path, mode_t mode, bool is_exclusive) {
  // Truncated later, once it is known not to be the source. O_EXCL shows whether the file is new.
  // The second call has O_CREAT, too, for a dangling symbolic link.
  Result<int> fd = open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
  const bool is_new = fd.has_value();
  if (!is_new && fd.error().code == EEXIST && !is_exclusive) {
    fd = open(path, O_WRONLY | O_CREAT, mode);
  }
  if (!fd) return failed(fd.error().code);
  return Destination{Fd(*fd), is_new};
}

// Returns false, and copies nothing, if the kernel cannot copy between these two files.
Result<bool> copy_in_kernel(int in, int out) {
  size_t total = 0;
  for (;;) {
    const long count = sys::unbroken("copy_file_range", out, [=]() -> long {
      const size_t size = sys::shortened("copy_file_range", out, kMostAtOnce);
      return ::copy_file_range(in, nullptr, out, nullptr, size, 0);
    });
    if (count > 0) {
      total += static_cast<size_t>(count);
      continue;
    }
    // Files of /proc have size 0, so the kernel copies nothing.
    if (count == 0) return total > 0;
    switch (errno) {
      case EXDEV:
      case ENOSYS:
      case EOPNOTSUPP:
      case EINVAL:
      case EPERM:
      case ETXTBSY:
        if (total == 0) return false;
        [[fallthrough]];
      default: return failed();
    }
  }
}

Result<void> copy_bytes(int in, int out) {
  const Result<bool> copied = copy_in_kernel(in, out);
  if (!copied) return copied.error();
  if (*copied) return {};
  for (;;) {
    const Result<size_t> sent = sendfile(out, in, -1, kMostAtOnce);
    if (!sent) return failed(sent.error().code);
    if (*sent == 0) return {};
  }
}

Result<void> clone_or_copy(int in, int out, int flags) {
  if ((flags & (kCopyClone | kCopyCloneForce)) != 0) {
    const long cloned =
        sys::unbroken("ficlone", out, [=]() -> long { return ::ioctl(out, FICLONE, in); });
    if (cloned == 0) return {};
    if ((flags & kCopyCloneForce) != 0) {
      // ENOTTY and EINVAL mean that the file system cannot clone.
      return failed(errno == ENOTTY || errno == EINVAL ? EOPNOTSUPP : errno);
    }
  }
  return copy_bytes(in, out);
}

Result<void> copy_between(int in, const struct ::stat& source, int out, int flags) {
  struct ::stat target {};
  if (::fstat(out, &target) < 0) return failed();
  if (source.st_dev == target.st_dev && source.st_ino == target.st_ino) return {};
  if (S_ISREG(target.st_mode) && ::ftruncate(out, 0) < 0) return failed();
  // Sets the permissions of the source, regardless of the umask. Some network file systems reject
  // this, which is no reason to fail the copy.
  if (::fchmod(out, source.st_mode & 0777) < 0 && errno != EPERM) return failed();
  return clone_or_copy(in, out, flags);
}

}  // namespace

Result<void> copy_file(const char* from, const char* to, int flags) {
  if ((flags & ~kKnownFlags) != 0) return failed(EINVAL);
  const Result<int> source = open(from, O_RDONLY, 0);
  if (!source) return failed(source.error().code);
  const Fd in(*source);
  struct ::stat status {};
  if (::fstat(in.get(), &status) < 0) return failed();
  if (S_ISDIR(status.st_mode)) return failed(EISDIR);

  Result<Destination> target =
      open_destination(to, status.st_mode & 0777, (flags & kCopyExclusive) != 0);
  if (!target) return target.error();
  Result<void> copied = copy_between(in.get(), status, target->fd.get(), flags);
  if (const Result<void> closed = close(target->fd.release()); copied && !closed) {
    copied = failed(closed.error().code);
  }
  if (!copied && target->is_new) ::unlink(to);
  return copied;
}

}  // namespace rondo::fs_sync
