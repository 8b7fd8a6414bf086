// Names of files, for people and for telling whether two are the same. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace rondo {

// What a descriptor is open on: a path, or what the kernel calls it. Empty if it is not open.
std::string name_of_descriptor(int fd);
// From the root, without `.` and `..`; links are not followed. Empty if the path is, or if there is
// no current folder.
std::string absolute_path(std::string_view path);

}  // namespace rondo
