#include "uv/fs/execute.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <vector>

#include "io/fs/sync.h"
#include "uv/core/memory.h"

namespace rondo::uv {

void copy_stat(const Stat& from, uv_stat_t& out) {
  const auto time_of = [](const timespec& time) {
    return uv_timespec_t{time.tv_sec, time.tv_nsec};
  };
  out.st_dev = from.dev;
  out.st_mode = from.mode;
  out.st_nlink = from.nlink;
  out.st_uid = from.uid;
  out.st_gid = from.gid;
  out.st_rdev = from.rdev;
  out.st_ino = from.ino;
  out.st_size = from.size;
  out.st_blksize = from.block_size;
  out.st_blocks = from.blocks;
  out.st_flags = out.st_gen = 0;
  out.st_atim = time_of(from.atime);
  out.st_mtim = time_of(from.mtime);
  out.st_ctim = time_of(from.ctime);
  out.st_birthtim = time_of(from.birthtime);
}

namespace {

ssize_t result_of(const Result<void>& result) { return result ? 0 : -result.error().code; }

template <class Number>
ssize_t count_of(const Result<Number>& result) {
  return result ? static_cast<ssize_t>(*result) : -result.error().code;
}

ssize_t text_of(uv_fs_t* req, const Result<std::string>& result) {
  if (!result) return -result.error().code;
  req->ptr = duplicate(result->c_str());
  return req->ptr == nullptr ? ssize_t{UV_ENOMEM} : 0;
}

ssize_t stat_of(uv_fs_t* req, const Result<Stat>& result) {
  if (!result) return -result.error().code;
  copy_stat(*result, req->statbuf);
  req->ptr = &req->statbuf;
  return 0;
}

ssize_t statfs_of(uv_fs_t* req, const Result<StatFs>& result) {
  if (!result) return -result.error().code;
  auto* const out = static_cast<uv_statfs_t*>(allocate_zeroed(1, sizeof(uv_statfs_t)));
  if (out == nullptr) return UV_ENOMEM;
  out->f_type = result->type;
  out->f_bsize = result->block_size;
  out->f_frsize = result->fragment_size;
  out->f_blocks = result->blocks;
  out->f_bfree = result->blocks_free;
  out->f_bavail = result->blocks_available;
  out->f_files = result->files;
  out->f_ffree = result->files_free;
  req->ptr = out;
  return 0;
}

timespec time_from(double seconds) {
  if (std::isinf(seconds)) return {0, UTIME_NOW};
  if (std::isnan(seconds)) return {0, UTIME_OMIT};
  const double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
}

std::span<const iovec> parts_of(const uv_fs_t* req) {
  return {reinterpret_cast<const iovec*>(req->bufs), req->nbufs};
}

// Negative: the file's current position.
int64_t offset_of(const uv_fs_t* req) { return req->off < 0 ? -1 : req->off; }

// Unlike write(2), continues after a short count. An error after that is found by the next write.
ssize_t write_all(uv_fs_t* req) {
  std::vector<iovec> rest;
  std::span<const iovec> parts = parts_of(req);
  int64_t offset = offset_of(req);
  ssize_t total = 0;
  for (;;) {
    const Result<size_t> written = fs_sync::writev(req->file, parts, offset);
    if (!written) return total > 0 ? total : -written.error().code;
    total += static_cast<ssize_t>(*written);
    if (offset >= 0) offset += static_cast<int64_t>(*written);
    size_t left = *written;
    while (!parts.empty() && left >= parts.front().iov_len) {
      left -= parts.front().iov_len;
      parts = parts.subspan(1);
    }
    if (parts.empty() || *written == 0) return total;
    std::vector<iovec> behind(parts.begin(), parts.end());
    rest.swap(behind);
    rest.front() = {static_cast<char*>(rest.front().iov_base) + left, rest.front().iov_len - left};
    parts = rest;
  }
}

// The pattern is replaced by the name, in the request's copy.
ssize_t make_temporary(uv_fs_t* req) {
  auto* const path = const_cast<char*>(req->path);
  if (req->fs_type == UV_FS_MKDTEMP) {
    const Result<std::string> made = fs_sync::mkdtemp(path);
    if (!made) return -made.error().code;
    std::memcpy(path, made->c_str(), made->size());
    return 0;
  }
  const Result<TempFile> made = fs_sync::mkstemp(path);
  if (!made) {
    path[0] = '\0';
    return -made.error().code;
  }
  std::memcpy(path, made->path.c_str(), made->path.size());
  return made->fd;
}

ssize_t change_times(const uv_fs_t* req) {
  const timespec atime = time_from(req->atime);
  const timespec mtime = time_from(req->mtime);
  if (req->fs_type == UV_FS_UTIME) return result_of(fs_sync::utimes(req->path, atime, mtime));
  if (req->fs_type == UV_FS_LUTIME) return result_of(fs_sync::lutimes(req->path, atime, mtime));
  return result_of(fs_sync::futimes(req->file, atime, mtime));
}

ssize_t change_owner(const uv_fs_t* req) {
  if (req->fs_type == UV_FS_CHOWN) return result_of(fs_sync::chown(req->path, req->uid, req->gid));
  if (req->fs_type == UV_FS_LCHOWN) {
    return result_of(fs_sync::lchown(req->path, req->uid, req->gid));
  }
  return result_of(fs_sync::fchown(req->file, req->uid, req->gid));
}

ssize_t run_on_descriptor(uv_fs_t* req) {
  switch (req->fs_type) {
    case UV_FS_CLOSE: {
      const ssize_t result = result_of(fs_sync::close(req->file));
      return result == UV_EINTR ? 0 : result;  // It is closed.
    }
    case UV_FS_READ: return count_of(fs_sync::readv(req->file, parts_of(req), offset_of(req)));
    case UV_FS_WRITE: return write_all(req);
    case UV_FS_SENDFILE:
      return count_of(fs_sync::sendfile(req->file, req->flags, req->off, req->bufsml[0].len));
    case UV_FS_FSTAT: return stat_of(req, fs_sync::fstat(req->file));
    case UV_FS_FTRUNCATE: return result_of(fs_sync::ftruncate(req->file, req->off));
    case UV_FS_FCHMOD: return result_of(fs_sync::fchmod(req->file, req->mode));
    case UV_FS_FSYNC: return result_of(fs_sync::fsync(req->file));
    case UV_FS_FDATASYNC: return result_of(fs_sync::fdatasync(req->file));
    case UV_FS_FUTIME: return change_times(req);
    case UV_FS_FCHOWN: return change_owner(req);
    default: return UV_ENOSYS;
  }
}

ssize_t run_on_path(uv_fs_t* req) {
  const char* const path = req->path;
  switch (req->fs_type) {
    case UV_FS_OPEN: return count_of(fs_sync::open(path, req->flags, req->mode));
    case UV_FS_STAT: return stat_of(req, fs_sync::stat(path));
    case UV_FS_LSTAT: return stat_of(req, fs_sync::lstat(path));
    case UV_FS_STATFS: return statfs_of(req, fs_sync::statfs(path));
    case UV_FS_ACCESS: return result_of(fs_sync::access(path, req->flags));
    case UV_FS_CHMOD: return result_of(fs_sync::chmod(path, req->mode));
    case UV_FS_UNLINK: return result_of(fs_sync::unlink(path));
    case UV_FS_RMDIR: return result_of(fs_sync::rmdir(path));
    case UV_FS_MKDIR: return result_of(fs_sync::mkdir(path, req->mode));
    case UV_FS_RENAME: return result_of(fs_sync::rename(path, req->new_path));
    case UV_FS_LINK: return result_of(fs_sync::link(path, req->new_path));
    case UV_FS_SYMLINK: return result_of(fs_sync::symlink(path, req->new_path));
    case UV_FS_READLINK: return text_of(req, fs_sync::readlink(path));
    case UV_FS_REALPATH: return text_of(req, fs_sync::realpath(path));
    case UV_FS_COPYFILE: return result_of(fs_sync::copy_file(path, req->new_path, req->flags));
    case UV_FS_MKDTEMP:
    case UV_FS_MKSTEMP: return make_temporary(req);
    case UV_FS_UTIME:
    case UV_FS_LUTIME: return change_times(req);
    case UV_FS_CHOWN:
    case UV_FS_LCHOWN: return change_owner(req);
    case UV_FS_SCANDIR: return list_directory(req);
    case UV_FS_OPENDIR: return open_directory(req);
    default: return UV_ENOSYS;
  }
}

}  // namespace

void execute(uv_fs_t* req) {
  if (req->fs_type == UV_FS_READDIR) {
    req->result = read_directory(req);
  } else if (req->fs_type == UV_FS_CLOSEDIR) {
    req->result = close_directory(req);
  } else {
    req->result = req->path != nullptr ? run_on_path(req) : run_on_descriptor(req);
  }
}

}  // namespace rondo::uv
