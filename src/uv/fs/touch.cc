#include "uv/fs/touch.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>

namespace rondo::uv {

namespace {

enum class Effect : uint8_t { none, reads, writes };

struct Kind {
  uv_fs_type type;
  const char* label;
  Effect effect;
  bool is_by_descriptor;
};

constexpr Kind kKinds[] = {{UV_FS_OPEN, "fs.open", Effect::reads, false},
                           {UV_FS_CLOSE, "fs.close", Effect::none, true},
                           {UV_FS_READ, "fs.read", Effect::reads, true},
                           {UV_FS_WRITE, "fs.write", Effect::writes, true},
                           {UV_FS_SENDFILE, "fs.sendfile", Effect::writes, true},
                           {UV_FS_STAT, "fs.stat", Effect::reads, false},
                           {UV_FS_LSTAT, "fs.lstat", Effect::reads, false},
                           {UV_FS_FSTAT, "fs.fstat", Effect::reads, true},
                           {UV_FS_FTRUNCATE, "fs.ftruncate", Effect::writes, true},
                           {UV_FS_UTIME, "fs.utimes", Effect::writes, false},
                           {UV_FS_FUTIME, "fs.futimes", Effect::writes, true},
                           {UV_FS_ACCESS, "fs.access", Effect::reads, false},
                           {UV_FS_CHMOD, "fs.chmod", Effect::writes, false},
                           {UV_FS_FCHMOD, "fs.fchmod", Effect::writes, true},
                           {UV_FS_FSYNC, "fs.fsync", Effect::none, true},
                           {UV_FS_FDATASYNC, "fs.fdatasync", Effect::none, true},
                           {UV_FS_UNLINK, "fs.unlink", Effect::writes, false},
                           {UV_FS_RMDIR, "fs.rmdir", Effect::writes, false},
                           {UV_FS_MKDIR, "fs.mkdir", Effect::writes, false},
                           {UV_FS_MKDTEMP, "fs.mkdtemp", Effect::writes, false},
                           {UV_FS_RENAME, "fs.rename", Effect::writes, false},
                           {UV_FS_SCANDIR, "fs.readdir", Effect::reads, false},
                           {UV_FS_LINK, "fs.link", Effect::writes, false},
                           {UV_FS_SYMLINK, "fs.symlink", Effect::writes, false},
                           {UV_FS_READLINK, "fs.readlink", Effect::reads, false},
                           {UV_FS_CHOWN, "fs.chown", Effect::writes, false},
                           {UV_FS_FCHOWN, "fs.fchown", Effect::writes, true},
                           {UV_FS_REALPATH, "fs.realpath", Effect::reads, false},
                           {UV_FS_COPYFILE, "fs.copyFile", Effect::writes, false},
                           {UV_FS_LCHOWN, "fs.lchown", Effect::writes, false},
                           {UV_FS_OPENDIR, "fs.opendir", Effect::reads, false},
                           {UV_FS_READDIR, "fs.readdir", Effect::none, false},
                           {UV_FS_CLOSEDIR, "fs.closedir", Effect::none, false},
                           {UV_FS_STATFS, "fs.statfs", Effect::none, false},
                           {UV_FS_MKSTEMP, "fs.mkstemp", Effect::writes, false},
                           {UV_FS_LUTIME, "fs.lutimes", Effect::writes, false}};

const Kind* kind_of(const uv_fs_t& operation) {
  for (const Kind& each : kKinds) {
    if (each.type == operation.fs_type) return &each;
  }
  return nullptr;
}

std::string absolute(const char* path) {
  if (path == nullptr || *path == '\0') return "";
  char folder[PATH_MAX];
  if (*path == '/' || ::getcwd(folder, sizeof folder) == nullptr) return path;
  std::string_view rest = path;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  return std::string(folder).append("/").append(rest);
}

// Of an open file; empty for sockets and pipes.
std::string path_of(uv_file file) {
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  return size > 0 && path[0] == '/' ? std::string(path, static_cast<size_t>(size)) : "";
}

}  // namespace

const char* label_of(const uv_fs_t& operation) {
  const Kind* const kind = kind_of(operation);
  return kind == nullptr ? "fs" : kind->label;
}

Touch touch_of(const uv_fs_t& operation) {
  const Kind* const kind = kind_of(operation);
  Touch touch;
  if (kind == nullptr || kind->effect == Effect::none) return touch;
  touch.writes = kind->effect == Effect::writes;
  if (operation.fs_type == UV_FS_OPEN) touch.writes = (operation.flags & (O_CREAT | O_TRUNC)) != 0;
  touch.first = kind->is_by_descriptor ? path_of(operation.file) : absolute(operation.path);
  if (!kind->is_by_descriptor) touch.second = absolute(operation.new_path);
  return touch;
}

}  // namespace rondo::uv
