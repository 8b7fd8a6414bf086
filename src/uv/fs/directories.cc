// Directories of uv_fs_t: uv_dir_t, and the list of uv_fs_scandir().
#include <dirent.h>

#include <cerrno>
#include <cstring>

#include "io/fs/sync.h"
#include "uv/core/memory.h"
#include "uv/fs/execute.h"

namespace rondo::uv {
namespace {

uv_dirent_type_t type_of(FileType type) {
  switch (type) {
    case FileType::file: return UV_DIRENT_FILE;
    case FileType::directory: return UV_DIRENT_DIR;
    case FileType::symlink: return UV_DIRENT_LINK;
    case FileType::fifo: return UV_DIRENT_FIFO;
    case FileType::socket: return UV_DIRENT_SOCKET;
    case FileType::character_device: return UV_DIRENT_CHAR;
    case FileType::block_device: return UV_DIRENT_BLOCK;
    default: return UV_DIRENT_UNKNOWN;
  }
}

uv_dirent_type_t type_of(unsigned char type) {
  switch (type) {
    case DT_REG: return UV_DIRENT_FILE;
    case DT_DIR: return UV_DIRENT_DIR;
    case DT_LNK: return UV_DIRENT_LINK;
    case DT_FIFO: return UV_DIRENT_FIFO;
    case DT_SOCK: return UV_DIRENT_SOCKET;
    case DT_CHR: return UV_DIRENT_CHAR;
    case DT_BLK: return UV_DIRENT_BLOCK;
    default: return UV_DIRENT_UNKNOWN;
  }
}

}  // namespace

// One block of memory: the entries, then their names. uv_fs_scandir_next() counts in req->nbufs.
ssize_t list_directory(uv_fs_t* req) {
  const Result<std::vector<Dirent>> found = fs_sync::readdir(req->path);
  if (!found) return -found.error().code;
  if (found->empty()) return 0;
  size_t size = found->size() * sizeof(uv_dirent_t);
  for (const Dirent& entry : *found) size += entry.name.size() + 1;
  auto* const list = static_cast<uv_dirent_t*>(allocate(size));
  if (list == nullptr) return UV_ENOMEM;
  auto* names = reinterpret_cast<char*>(list + found->size());
  for (size_t i = 0; i < found->size(); ++i) {
    const Dirent& entry = (*found)[i];
    std::memcpy(names, entry.name.c_str(), entry.name.size() + 1);
    list[i] = {names, type_of(entry.type)};
    names += entry.name.size() + 1;
  }
  req->ptr = list;
  req->nbufs = 0;
  return static_cast<ssize_t>(found->size());
}

ssize_t open_directory(uv_fs_t* req) {
  auto* const dir = static_cast<uv_dir_t*>(allocate_zeroed(1, sizeof(uv_dir_t)));
  if (dir == nullptr) return UV_ENOMEM;
  dir->dir = ::opendir(req->path);
  if (dir->dir == nullptr) {
    const int code = errno;
    release(dir);
    return -code;
  }
  req->ptr = dir;
  return 0;
}

ssize_t read_directory(uv_fs_t* req) {
  auto* const dir = static_cast<uv_dir_t*>(req->ptr);
  size_t count = 0;
  while (count < dir->nentries) {
    errno = 0;
    const dirent* const entry = ::readdir(dir->dir);
    if (entry == nullptr && errno == 0) break;
    if (entry != nullptr &&
        (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0)) {
      continue;
    }
    const int code = entry == nullptr ? errno : ENOMEM;
    char* const name = entry == nullptr ? nullptr : duplicate(entry->d_name);
    if (name == nullptr) {
      req->result = static_cast<ssize_t>(count);
      free_names(req);
      return -code;
    }
    dir->dirents[count++] = {name, type_of(entry->d_type)};
  }
  return static_cast<ssize_t>(count);
}

void free_names(uv_fs_t* req) {
  auto* const dir = static_cast<uv_dir_t*>(req->ptr);
  for (ssize_t i = 0; i < req->result; ++i) {
    release(const_cast<char*>(dir->dirents[i].name));
    dir->dirents[i].name = nullptr;
  }
}

ssize_t close_directory(uv_fs_t* req) {
  auto* const dir = static_cast<uv_dir_t*>(req->ptr);
  ::closedir(dir->dir);
  release(dir);
  req->ptr = nullptr;
  return 0;
}

}  // namespace rondo::uv

extern "C" int uv_fs_scandir_next(uv_fs_t* req, uv_dirent_t* ent) {
  if (req->result < 0) return static_cast<int>(req->result);
  if (req->ptr == nullptr || req->nbufs >= static_cast<size_t>(req->result)) return UV_EOF;
  *ent = static_cast<const uv_dirent_t*>(req->ptr)[req->nbufs++];
  return 0;
}
