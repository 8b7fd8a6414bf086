// The table of all file operations: the one place that says how each is named, which file it
// accesses, how, and whether io_uring can run it. Fs, the binding `fs`, traces, `rondo why` and
// `rondo explore` use it; lib gets it as internalBinding('fs').operations.
#pragma once

#include <fcntl.h>
#include <linux/io_uring.h>

#include <cstddef>
#include <cstdint>

namespace rondo {

// The order is that of kFsOperations.
enum class FsOp : uint8_t {
  open,
  close,
  read,
  readv,
  write,
  writev,
  write_all,
  sendfile,
  read_file,
  read_rest,
  write_file,
  stat,
  lstat,
  fstat,
  statfs,
  access,
  exists,
  chmod,
  fchmod,
  chown,
  lchown,
  fchown,
  utimes,
  lutimes,
  futimes,
  fsync,
  fdatasync,
  truncate,
  ftruncate,
  readdir,
  opendir,
  mkdir,
  mkdir_all,
  rmdir,
  rm,
  mkdtemp,
  mkstemp,
  unlink,
  rename,
  link,
  symlink,
  readlink,
  realpath,
  copy_file,
  copy_tree,
  watch,
  count,
};

// The effect of an operation on its file. With two paths it is that on the first; the second is
// always written.
enum class FsAccess : uint8_t {
  reads,
  writes,
  opens,    // Writes if it creates or truncates the file.
  closes,   // Neither reads nor writes.
  flushes,  // The content stays the same. Traces leave it out.
  sends,    // Writes to the descriptor of the output. Traces leave it out.
};

// The arguments that name the file.
enum class FsTarget : uint8_t { path, two_paths, descriptor };

struct FsOperationRow {
  FsOp op;
  const char* label;    // The name in traces.
  const char* api;      // The name of the public function, for people.
  const char* syscall;  // The name in errors.
  FsAccess access;
  FsTarget target;
  const char* action;              // "the read of", for people; "": `label`, then "of".
  uint8_t opcode = IORING_OP_NOP;  // On the ring. IORING_OP_NOP: never runs there.
  uint32_t ring_flags = 0;         // Of the opcode.
};

namespace fs_table {
using enum FsAccess;
using enum FsTarget;

inline constexpr FsOperationRow kFsOperations[] = {
    {FsOp::open, "fs.open", "fs.open", "open", opens, path, "the opening of"},
    {FsOp::close, "fs.close", "fs.close", "close", closes, descriptor, "", IORING_OP_CLOSE},
    {FsOp::read, "fs.read", "fs.read", "read", reads, descriptor, "the read of", IORING_OP_READ},
    {FsOp::readv, "fs.readv", "fs.readv", "read", reads, descriptor, "the read of",
     IORING_OP_READV},
    {FsOp::write, "fs.write", "fs.write", "write", writes, descriptor, "the write of",
     IORING_OP_WRITE},
    {FsOp::writev, "fs.writev", "fs.writev", "write", writes, descriptor, "the write of",
     IORING_OP_WRITEV},
    {FsOp::write_all, "fs.write_all", "fs.writeFile", "write", writes, descriptor, "the write of",
     IORING_OP_WRITE},
    {FsOp::sendfile, "fs.sendfile", "fs.sendfile", "sendfile", sends, descriptor, ""},
    {FsOp::read_file, "fs.read_file", "fs.readFile", "open", reads, path, "the read of"},
    {FsOp::read_rest, "fs.read_rest", "fs.readRest", "read", reads, descriptor, "the read of"},
    {FsOp::write_file, "fs.write_file", "fs.writeFile", "open", writes, path, "the write of"},
    {FsOp::stat, "fs.stat", "fs.stat", "stat", reads, path, "the stat of"},
    {FsOp::lstat, "fs.lstat", "fs.lstat", "lstat", reads, path, "the lstat of"},
    {FsOp::fstat, "fs.fstat", "fs.fstat", "fstat", reads, descriptor, "the stat of"},
    {FsOp::statfs, "fs.statfs", "fs.statfs", "statfs", reads, path, ""},
    {FsOp::access, "fs.access", "fs.access", "access", reads, path, "the check of"},
    {FsOp::exists, "fs.exists", "fs.exists", "access", reads, path, "the check of"},
    {FsOp::chmod, "fs.chmod", "fs.chmod", "chmod", writes, path, "the chmod of"},
    {FsOp::fchmod, "fs.fchmod", "fs.fchmod", "fchmod", writes, descriptor, ""},
    {FsOp::chown, "fs.chown", "fs.chown", "chown", writes, path, ""},
    {FsOp::lchown, "fs.lchown", "fs.lchown", "lchown", writes, path, ""},
    {FsOp::fchown, "fs.fchown", "fs.fchown", "fchown", writes, descriptor, ""},
    {FsOp::utimes, "fs.utimes", "fs.utimes", "utime", writes, path, "the utimes of"},
    {FsOp::lutimes, "fs.lutimes", "fs.lutimes", "lutime", writes, path, ""},
    {FsOp::futimes, "fs.futimes", "fs.futimes", "futime", writes, descriptor, ""},
    {FsOp::fsync, "fs.fsync", "fs.fsync", "fsync", flushes, descriptor, "", IORING_OP_FSYNC},
    {FsOp::fdatasync, "fs.fdatasync", "fs.fdatasync", "fdatasync", flushes, descriptor, "",
     IORING_OP_FSYNC, IORING_FSYNC_DATASYNC},
    {FsOp::truncate, "fs.truncate", "fs.truncate", "truncate", writes, path, "the truncation of"},
    {FsOp::ftruncate, "fs.ftruncate", "fs.ftruncate", "ftruncate", writes, descriptor,
     "the truncation of"},
    {FsOp::readdir, "fs.readdir", "fs.readdir", "scandir", reads, path, "the listing of"},
    {FsOp::opendir, "fs.opendir", "fs.opendir", "opendir", reads, path, "the listing of"},
    {FsOp::mkdir, "fs.mkdir", "fs.mkdir", "mkdir", writes, path, "the creation of"},
    {FsOp::mkdir_all, "fs.mkdir_all", "fs.mkdirAll", "mkdir", writes, path, "the creation of"},
    {FsOp::rmdir, "fs.rmdir", "fs.rmdir", "rmdir", writes, path, "the removal of"},
    {FsOp::rm, "fs.rm", "fs.rm", "rm", writes, path, "the removal of"},
    {FsOp::mkdtemp, "fs.mkdtemp", "fs.mkdtemp", "mkdtemp", writes, path, "the creation of"},
    {FsOp::mkstemp, "fs.mkstemp", "fs.mkstemp", "mkstemp", writes, path, ""},
    {FsOp::unlink, "fs.unlink", "fs.unlink", "unlink", writes, path, "the removal of"},
    {FsOp::rename, "fs.rename", "fs.rename", "rename", writes, two_paths, "the renaming of"},
    {FsOp::link, "fs.link", "fs.link", "link", reads, two_paths, "the linking of"},
    {FsOp::symlink, "fs.symlink", "fs.symlink", "symlink", reads, two_paths, "the linking of"},
    {FsOp::readlink, "fs.readlink", "fs.readlink", "readlink", reads, path, ""},
    {FsOp::realpath, "fs.realpath", "fs.realpath", "realpath", reads, path, ""},
    {FsOp::copy_file, "fs.copy_file", "fs.copyFile", "copyfile", reads, two_paths,
     "the copying of"},
    {FsOp::copy_tree, "fs.copy_tree", "fs.copyTree", "cp", reads, two_paths, ""},
    {FsOp::watch, "fs.watch", "fs.watch", "watch", reads, path, ""},
};
}  // namespace fs_table
using fs_table::kFsOperations;

consteval bool are_fs_operations_complete() {
  size_t index = 0;
  for (const FsOperationRow& row : kFsOperations) {
    if (static_cast<size_t>(row.op) != index++) return false;
  }
  return index == static_cast<size_t>(FsOp::count);
}
static_assert(are_fs_operations_complete());

constexpr const FsOperationRow& row_of(FsOp op) { return kFsOperations[static_cast<size_t>(op)]; }

// True if the operation changes its file, or the first of its two. `flags` are those of open().
constexpr bool changes_file(FsOp op, int flags) {
  switch (row_of(op).access) {
    case FsAccess::writes:
    case FsAccess::sends: return true;
    case FsAccess::opens: return (flags & (O_CREAT | O_TRUNC)) != 0;
    case FsAccess::reads:
    case FsAccess::closes:
    case FsAccess::flushes: return false;
  }
  return false;
}

// The same, but opening a file for writing counts, too: the rule of traces and of synchronous
// calls.
constexpr bool may_change_file(FsOp op, int flags) {
  const bool is_open = row_of(op).access == FsAccess::opens;
  return changes_file(op, flags) || (is_open && (flags & O_ACCMODE) != O_RDONLY);
}

// True if the operation changes its file or either of its two.
constexpr bool changes_any_file(FsOp op, int flags) {
  return row_of(op).target == FsTarget::two_paths || changes_file(op, flags);
}

}  // namespace rondo
