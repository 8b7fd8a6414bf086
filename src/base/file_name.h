// Names of files, for display and for comparison. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace rondo {

// The path of an open descriptor, or the kernel's name for it. Empty if it is not open.
std::string name_of_descriptor(int fd);
// An absolute path without `.` and `..`; symbolic links are not resolved. Empty if `path` is empty,
// or if there is no current folder.
std::string absolute_path(std::string_view path);

}  // namespace rondo
