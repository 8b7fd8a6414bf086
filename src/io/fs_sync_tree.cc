#include <sys/stat.h>

#include <string>
#include <vector>

#include "io/fs_sync.h"

namespace rondo::fs_sync {
namespace {

// The path without its last part; empty where there is only one.
std::string parent_of(const std::string& path) {
  size_t end = path.find_last_not_of('/');
  if (end == path.npos) return path.empty() ? "" : "/";
  end = path.rfind('/', end);
  if (end == path.npos) return "";
  const size_t last = path.find_last_not_of('/', end);
  return last == path.npos ? "/" : path.substr(0, last + 1);
}

}  // namespace

Result<std::string> mkdir_all(const char* path, mode_t mode) {
  std::string first;
  std::vector<std::string> missing{path};
  bool has_made_way = false;  // The directory above is there, as far as we could see.
  while (!missing.empty()) {
    const std::string& here = missing.back();
    const Result<void> made = mkdir(here.c_str(), mode);
    if (made) {
      if (first.empty()) first = here;
      missing.pop_back();
      has_made_way = true;
      continue;
    }
    const int code = made.error().code;
    if (code == ENOENT) {
      std::string parent = parent_of(here);
      // What is missing below a directory that is there can be made by nobody: in /proc, or where a
      // link leads nowhere.
      if (has_made_way || parent.empty() || parent == here) return made.error();
      missing.push_back(std::move(parent));
      continue;
    }
    if (code == EACCES || code == ENOTDIR || code == EPERM) return made.error();
    const Result<Stat> status = stat(here.c_str());
    if (!status) return Error{status.error().code, "mkdir"};
    if (!status->is_directory()) return Error{missing.size() > 1 ? ENOTDIR : EEXIST, "mkdir"};
    missing.pop_back();
    has_made_way = true;
  }
  return first;
}

}  // namespace rondo::fs_sync
