#include "base/file_name.h"

#include <unistd.h>

#include <climits>
#include <filesystem>
#include <system_error>

namespace rondo {

std::string name_of_descriptor(int fd) {
  char name[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t size = ::readlink(link.c_str(), name, sizeof name);
  return size > 0 ? std::string(name, static_cast<size_t>(size)) : std::string();
}

std::string absolute_path(std::string_view path) {
  if (path.empty()) return {};
  std::filesystem::path whole(path);
  if (whole.is_relative()) {
    std::error_code failed;
    whole = std::filesystem::current_path(failed) / whole;
    if (failed) return {};
  }
  return whole.lexically_normal().string();
}

}  // namespace rondo
