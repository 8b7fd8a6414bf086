// uv_fs_*(): each fills a uv_fs_t, and runs it at once or, with a callback, on the pool.
#include <climits>
#include <cstring>

#include "uv/core/memory.h"
#include "uv/fs/execute.h"
#include "uv/fs/touch.h"
#include "uv/run/orders.h"
#include "uv/work/job.h"

namespace rondo::uv {
namespace {

void finish(uv_req_t* any, int status) {
  auto* const req = reinterpret_cast<uv_fs_t*>(any);
  if (status == UV_ECANCELED) req->result = UV_ECANCELED;
  req->cb(req);
}

int init(uv_fs_t* req, uv_loop_t* loop, uv_fs_type type, uv_fs_cb cb) {
  if (req == nullptr) return UV_EINVAL;
  req->type = UV_FS;
  req->fs_type = type;
  req->result = 0;
  req->ptr = nullptr;
  req->loop = loop;
  req->path = nullptr;
  req->new_path = nullptr;
  req->bufs = nullptr;
  req->nbufs = 0;
  req->cb = cb;
  req->reserved[0] = nullptr;
  return 0;
}

// With a chosen order: operations in flight on the same file may have taken effect already.
void before_synchronous(const uv_fs_t& req) {
  uv_loop_t* const loop = ordered_loop();
  if (loop == nullptr) return;
  LoopInternals internals = loop_of(loop).internals();
  const Touch touch = touch_of(req);
  if (touch.is_nothing()) return;
  internals.settle_effects(touch);
  internals.choice()->touched(touch.text(), touch.writes);
}

int run(uv_fs_t* req) {
  if (req->cb == nullptr) {
    before_synchronous(*req);
    execute(req);
    return static_cast<int>(req->result);
  }
  Job::submit(
      req->loop, req, UV_FS, "fs", [](uv_req_t* any) { execute(reinterpret_cast<uv_fs_t*>(any)); },
      finish, req->cb);
  return 0;
}

// The program's paths need not outlive the call, so a worker gets a copy: of both, in one block.
int take_paths(uv_fs_t* req, const char* path, const char* new_path = nullptr) {
  RONDO_ASSERT(path != nullptr);
  const bool is_changed = req->fs_type == UV_FS_MKDTEMP || req->fs_type == UV_FS_MKSTEMP;
  if (req->cb == nullptr && !is_changed) {
    req->path = path;
    req->new_path = new_path;
    return 0;
  }
  const size_t first = std::strlen(path) + 1;
  const size_t second = new_path == nullptr ? 0 : std::strlen(new_path) + 1;
  auto* const copy = static_cast<char*>(allocate(first + second));
  if (copy == nullptr) return UV_ENOMEM;
  std::memcpy(copy, path, first);
  req->path = copy;
  if (new_path == nullptr) return 0;
  std::memcpy(copy + first, new_path, second);
  req->new_path = copy + first;
  return 0;
}

int run_on(uv_fs_t* req, const char* path, const char* new_path = nullptr) {
  const int failed = take_paths(req, path, new_path);
  return failed != 0 ? failed : run(req);
}

int transfer(uv_fs_t* req, uv_file file, const uv_buf_t bufs[], unsigned count, int64_t offset) {
  if (bufs == nullptr || count == 0) return UV_EINVAL;
  req->file = file;
  req->off = offset;
  req->bufs = req->bufsml;
  if (count > std::size(req->bufsml)) {
    req->bufs = static_cast<uv_buf_t*>(allocate(count * sizeof *bufs));
    if (req->bufs == nullptr) return UV_ENOMEM;
  }
  req->nbufs = count;
  std::memcpy(req->bufs, bufs, count * sizeof *bufs);
  const int result = run(req);
  if (req->cb == nullptr && req->bufs != req->bufsml) release(req->bufs);
  if (req->cb == nullptr) req->bufs = nullptr;
  return result;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

// Operations on a path, without or with one more argument that is stored in a field.
#define RONDO_ON_PATH(name, type)                                                    \
  int uv_fs_##name(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {   \
    if (const int refused = init(req, loop, type, cb); refused != 0) return refused; \
    return run_on(req, path);                                                        \
  }
#define RONDO_ON_FILE(name, type)                                                    \
  int uv_fs_##name(uv_loop_t* loop, uv_fs_t* req, uv_file file, uv_fs_cb cb) {       \
    if (const int refused = init(req, loop, type, cb); refused != 0) return refused; \
    req->file = file;                                                                \
    return run(req);                                                                 \
  }

extern "C" {

RONDO_ON_PATH(unlink, UV_FS_UNLINK)
RONDO_ON_PATH(rmdir, UV_FS_RMDIR)
RONDO_ON_PATH(opendir, UV_FS_OPENDIR)
RONDO_ON_PATH(stat, UV_FS_STAT)
RONDO_ON_PATH(lstat, UV_FS_LSTAT)
RONDO_ON_PATH(statfs, UV_FS_STATFS)
RONDO_ON_PATH(readlink, UV_FS_READLINK)
RONDO_ON_PATH(realpath, UV_FS_REALPATH)
RONDO_ON_PATH(mkdtemp, UV_FS_MKDTEMP)
RONDO_ON_PATH(mkstemp, UV_FS_MKSTEMP)
RONDO_ON_FILE(close, UV_FS_CLOSE)
RONDO_ON_FILE(fstat, UV_FS_FSTAT)
RONDO_ON_FILE(fsync, UV_FS_FSYNC)
RONDO_ON_FILE(fdatasync, UV_FS_FDATASYNC)

int uv_fs_open(uv_loop_t* loop, uv_fs_t* req, const char* path, int flags, int mode, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_OPEN, cb); refused != 0) return refused;
  req->flags = flags;
  req->mode = static_cast<mode_t>(mode);
  return run_on(req, path);
}

int uv_fs_read(uv_loop_t* loop, uv_fs_t* req, uv_file file, const uv_buf_t bufs[],
               unsigned int nbufs, int64_t offset, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_READ, cb); refused != 0) return refused;
  return transfer(req, file, bufs, nbufs, offset);
}

int uv_fs_write(uv_loop_t* loop, uv_fs_t* req, uv_file file, const uv_buf_t bufs[],
                unsigned int nbufs, int64_t offset, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_WRITE, cb); refused != 0) return refused;
  return transfer(req, file, bufs, nbufs, offset);
}

int uv_fs_copyfile(uv_loop_t* loop, uv_fs_t* req, const char* path, const char* new_path, int flags,
                   uv_fs_cb cb) {
  constexpr int kKnown =
      UV_FS_COPYFILE_EXCL | UV_FS_COPYFILE_FICLONE | UV_FS_COPYFILE_FICLONE_FORCE;
  if (const int refused = init(req, loop, UV_FS_COPYFILE, cb); refused != 0) return refused;
  if ((flags & ~kKnown) != 0) return UV_EINVAL;
  req->flags = flags;
  return run_on(req, path, new_path);
}

int uv_fs_mkdir(uv_loop_t* loop, uv_fs_t* req, const char* path, int mode, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_MKDIR, cb); refused != 0) return refused;
  req->mode = static_cast<mode_t>(mode);
  return run_on(req, path);
}

int uv_fs_scandir(uv_loop_t* loop, uv_fs_t* req, const char* path, int flags, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_SCANDIR, cb); refused != 0) return refused;
  req->flags = flags;
  return run_on(req, path);
}

int uv_fs_readdir(uv_loop_t* loop, uv_fs_t* req, uv_dir_t* dir, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_READDIR, cb); refused != 0) return refused;
  if (dir == nullptr || dir->dir == nullptr || dir->dirents == nullptr) return UV_EINVAL;
  req->ptr = dir;
  return run(req);
}

int uv_fs_closedir(uv_loop_t* loop, uv_fs_t* req, uv_dir_t* dir, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_CLOSEDIR, cb); refused != 0) return refused;
  if (dir == nullptr) return UV_EINVAL;
  req->ptr = dir;
  return run(req);
}

int uv_fs_rename(uv_loop_t* loop, uv_fs_t* req, const char* path, const char* new_path,
                 uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_RENAME, cb); refused != 0) return refused;
  return run_on(req, path, new_path);
}

int uv_fs_link(uv_loop_t* loop, uv_fs_t* req, const char* path, const char* new_path, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_LINK, cb); refused != 0) return refused;
  return run_on(req, path, new_path);
}

int uv_fs_symlink(uv_loop_t* loop, uv_fs_t* req, const char* path, const char* new_path, int flags,
                  uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_SYMLINK, cb); refused != 0) return refused;
  req->flags = flags;
  return run_on(req, path, new_path);
}

int uv_fs_ftruncate(uv_loop_t* loop, uv_fs_t* req, uv_file file, int64_t offset, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_FTRUNCATE, cb); refused != 0) return refused;
  req->file = file;
  req->off = offset;
  return run(req);
}

int uv_fs_sendfile(uv_loop_t* loop, uv_fs_t* req, uv_file out_fd, uv_file in_fd, int64_t in_offset,
                   size_t length, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_SENDFILE, cb); refused != 0) return refused;
  req->flags = in_fd;
  req->file = out_fd;
  req->off = in_offset;
  req->bufsml[0].len = length;
  return run(req);
}

int uv_fs_access(uv_loop_t* loop, uv_fs_t* req, const char* path, int mode, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_ACCESS, cb); refused != 0) return refused;
  req->flags = mode;
  return run_on(req, path);
}

int uv_fs_chmod(uv_loop_t* loop, uv_fs_t* req, const char* path, int mode, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_CHMOD, cb); refused != 0) return refused;
  req->mode = static_cast<mode_t>(mode);
  return run_on(req, path);
}

int uv_fs_fchmod(uv_loop_t* loop, uv_fs_t* req, uv_file file, int mode, uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_FCHMOD, cb); refused != 0) return refused;
  req->file = file;
  req->mode = static_cast<mode_t>(mode);
  return run(req);
}

int uv_fs_utime(uv_loop_t* loop, uv_fs_t* req, const char* path, double atime, double mtime,
                uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_UTIME, cb); refused != 0) return refused;
  req->atime = atime;
  req->mtime = mtime;
  return run_on(req, path);
}

int uv_fs_lutime(uv_loop_t* loop, uv_fs_t* req, const char* path, double atime, double mtime,
                 uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_LUTIME, cb); refused != 0) return refused;
  req->atime = atime;
  req->mtime = mtime;
  return run_on(req, path);
}

int uv_fs_futime(uv_loop_t* loop, uv_fs_t* req, uv_file file, double atime, double mtime,
                 uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_FUTIME, cb); refused != 0) return refused;
  req->file = file;
  req->atime = atime;
  req->mtime = mtime;
  return run(req);
}

int uv_fs_chown(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_uid_t uid, uv_gid_t gid,
                uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_CHOWN, cb); refused != 0) return refused;
  req->uid = uid;
  req->gid = gid;
  return run_on(req, path);
}

int uv_fs_lchown(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_uid_t uid, uv_gid_t gid,
                 uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_LCHOWN, cb); refused != 0) return refused;
  req->uid = uid;
  req->gid = gid;
  return run_on(req, path);
}

int uv_fs_fchown(uv_loop_t* loop, uv_fs_t* req, uv_file file, uv_uid_t uid, uv_gid_t gid,
                 uv_fs_cb cb) {
  if (const int refused = init(req, loop, UV_FS_FCHOWN, cb); refused != 0) return refused;
  req->file = file;
  req->uid = uid;
  req->gid = gid;
  return run(req);
}

void uv_fs_req_cleanup(uv_fs_t* req) {
  if (req == nullptr) return;
  const bool is_own_path =
      req->cb != nullptr || req->fs_type == UV_FS_MKDTEMP || req->fs_type == UV_FS_MKSTEMP;
  if (req->path != nullptr && is_own_path) release(const_cast<char*>(req->path));
  req->path = nullptr;
  req->new_path = nullptr;
  if (req->fs_type == UV_FS_READDIR && req->ptr != nullptr) {
    free_names(req);
    req->ptr = nullptr;  // The uv_dir_t lives until uv_fs_closedir().
  }
  if (req->bufs != nullptr && req->bufs != req->bufsml) release(req->bufs);
  req->bufs = nullptr;
  if (req->fs_type != UV_FS_OPENDIR && req->ptr != &req->statbuf) release(req->ptr);
  req->ptr = nullptr;
}

uv_fs_type uv_fs_get_type(const uv_fs_t* req) { return req->fs_type; }
ssize_t uv_fs_get_result(const uv_fs_t* req) { return req->result; }
int uv_fs_get_system_error(const uv_fs_t* req) { return static_cast<int>(-req->result); }
void* uv_fs_get_ptr(const uv_fs_t* req) { return req->ptr; }
const char* uv_fs_get_path(const uv_fs_t* req) { return req->path; }
uv_stat_t* uv_fs_get_statbuf(uv_fs_t* req) { return &req->statbuf; }

}  // extern "C"
