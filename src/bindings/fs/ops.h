// The functions of internalBinding('fs'), by subject. fs.cc registers them. Each takes an optional
// callback as its last argument: see fs/call.h.
#pragma once

#include "runtime/values/values.h"

namespace rondo::bindings::fs {

using runtime::Arguments;

// fs/data.cc: content of files.
void open(const Arguments& info);
void close(const Arguments& info);
void read(const Arguments& info);
void readv(const Arguments& info);
void write(const Arguments& info);
void writev(const Arguments& info);
void write_all(const Arguments& info);
void read_file(const Arguments& info);
void write_file(const Arguments& info);
void sendfile(const Arguments& info);
void fsync(const Arguments& info);
void fdatasync(const Arguments& info);
void ftruncate(const Arguments& info);
void truncate(const Arguments& info);

// fs/stat.cc: metadata of files.
void stat(const Arguments& info);
void lstat(const Arguments& info);
void fstat(const Arguments& info);
void statfs(const Arguments& info);
void access(const Arguments& info);
void exists(const Arguments& info);
void chmod(const Arguments& info);
void fchmod(const Arguments& info);
void chown(const Arguments& info);
void fchown(const Arguments& info);
void lchown(const Arguments& info);
void utimes(const Arguments& info);
void futimes(const Arguments& info);
void lutimes(const Arguments& info);

// fs/names.cc: directories and names.
void readdir(const Arguments& info);
void readdir_all(const Arguments& info);
void mkdir(const Arguments& info);
void mkdir_all(const Arguments& info);
void rmdir(const Arguments& info);
void mkdtemp(const Arguments& info);
void unlink(const Arguments& info);
void rename(const Arguments& info);
void link(const Arguments& info);
void symlink(const Arguments& info);
void readlink(const Arguments& info);
void realpath(const Arguments& info);
void copy_file(const Arguments& info);
void copy_tree(const Arguments& info);

}  // namespace rondo::bindings::fs
