#include <sys/stat.h>

#include <string>
#include <vector>

#include "base/file_name.h"
#include "io/fs/sync.h"

namespace rondo::fs_sync {
namespace {

// The path without its last component; empty if there is only one.
std::string parent_of(const std::string& path) {
  size_t end = path.find_last_not_of('/');
  if (end == path.npos) return path.empty() ? "" : "/";
  end = path.rfind('/', end);
  if (end == path.npos) return "";
  const size_t last = path.find_last_not_of('/', end);
  return last == path.npos ? "/" : path.substr(0, last + 1);
}

bool is_directory(const std::string& path) {
  const Result<Stat> status = stat(path.c_str());
  return status && status->is_directory();
}

}  // namespace

Result<std::vector<Dirent>> readdir_all(const char* path, bool follows_links, std::string* failed) {
  const std::string root = path;
  const std::string below = root.ends_with('/') ? root : root + '/';
  std::vector<Dirent> all;
  // The first entry that has not been visited yet.
  size_t next = 0;
  std::string prefix;
  for (std::string directory = root;;) {
    Result<std::vector<Dirent>> found = readdir(directory.c_str());
    if (!found) {
      *failed = directory;
      return found.error();
    }
    for (Dirent& entry : *found) {
      entry.name.insert(0, prefix);
      all.push_back(std::move(entry));
    }
    const auto leads_on = [&](const Dirent& entry) {
      if (entry.type == FileType::directory) return true;
      return follows_links && entry.type != FileType::file && is_directory(below + entry.name);
    };
    while (next < all.size() && !leads_on(all[next])) ++next;
    if (next == all.size()) return all;
    directory = below + all[next].name;
    prefix = all[next].name + '/';
    ++next;
  }
}

bool MkdirAll::step() { return is_refused_ ? check() : make(); }

bool MkdirAll::make() {
  const std::string& here = missing_.back();
  const Result<void> made = mkdir(here.c_str(), mode_);
  if (made) {
    if (result_->empty()) result_ = here;
    missing_.pop_back();
    has_made_way_ = true;
    return !missing_.empty();
  }
  const int code = made.error().code;
  if (code == ENOENT) {
    std::string parent = parent_of(here);
    // The parent exists and mkdir still fails: the path is in /proc, or a link on it is dangling.
    if (has_made_way_ || parent.empty() || parent == here) return fail(code);
    missing_.push_back(std::move(parent));
    return true;
  }
  if (code == EACCES || code == ENOTDIR || code == EPERM) return fail(code);
  is_refused_ = true;
  return true;
}

bool MkdirAll::check() {
  is_refused_ = false;
  const Result<Stat> status = stat(missing_.back().c_str());
  if (!status) return fail(status.error().code);
  if (!status->is_directory()) return fail(missing_.size() > 1 ? ENOTDIR : EEXIST);
  missing_.pop_back();
  has_made_way_ = true;
  return !missing_.empty();
}

bool MkdirAll::fail(int code) {
  result_ = Error{code, "mkdir"};
  return false;
}

Result<std::string> mkdir_all(const char* path, mode_t mode) {
  MkdirAll steps(path, mode);
  while (steps.step()) {
  }
  return steps.result();
}

namespace {

Result<void> copy_link(const std::string& from, const std::string& to, bool keeps_links) {
  Result<std::string> target = readlink(from.c_str());
  if (!target) return target.error();
  if (!keeps_links && !target->starts_with('/')) {
    *target = absolute_path(from + "/../" + *target);
  }
  return symlink(target->c_str(), to.c_str());
}

// Copies all mode bits: copy_file() leaves out setuid, setgid and sticky.
Result<void> copy_plain(const char* from, const char* to, int flags) {
  if (Result<void> copied = copy_file(from, to, flags); !copied) return copied;
  const Result<Stat> status = stat(from);
  if (!status || (status->mode & 07000) == 0) return {};
  return chmod(to, status->mode & 07777);
}

Result<void> copy_entry(const std::string& from, const std::string& to, FileType type, int flags,
                        bool keeps_links) {
  switch (type) {
    case FileType::file: return copy_plain(from.c_str(), to.c_str(), flags);
    case FileType::directory: return copy_tree(from, to, flags, keeps_links);
    case FileType::symlink: return copy_link(from, to, keeps_links);
    default: return Error{ENOTSUP, "cp"};
  }
}

}  // namespace

Result<void> copy_tree(const std::string& from, const std::string& to, int flags,
                       bool keeps_links) {
  if (Result<void> made = mkdir(to.c_str(), 0777); !made) return made;
  const Result<std::vector<Dirent>> entries = readdir(from.c_str());
  if (!entries) return entries.error();
  for (const Dirent& entry : *entries) {
    Result<void> copied =
        copy_entry(from + '/' + entry.name, to + '/' + entry.name, entry.type, flags, keeps_links);
    if (!copied) return copied;
  }
  // Last, because the mode may forbid writing into the directory.
  const Result<Stat> status = stat(from.c_str());
  if (!status) return status.error();
  return chmod(to.c_str(), status->mode & 07777);
}

}  // namespace rondo::fs_sync
