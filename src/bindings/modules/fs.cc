// The few file operations that the module loaders need, synchronous and without fs: they run before
// fs is loaded, and many times per start.
#include <fcntl.h>
#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/fs/sync.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::throw_type_error;
using runtime::to_std;

// A path with a NUL byte would name another file.
bool take_path(const Arguments& args, std::string* path) {
  if (!args[0]->IsString()) {
    throw_type_error(args.GetIsolate(), "a path is a string");
    return false;
  }
  *path = to_std(args.GetIsolate(), args[0]);
  return true;
}

bool has_nul(const std::string& path) { return path.find('\0') != std::string::npos; }

// stat(path) => 0 for a file (or anything but a directory), 1 for a directory, otherwise -errno
void stat(const Arguments& args) {
  std::string path;
  if (!take_path(args, &path)) return;
  if (has_nul(path)) return args.GetReturnValue().Set(-ENOENT);
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return args.GetReturnValue().Set(-errno);
  args.GetReturnValue().Set(S_ISDIR(info.st_mode) ? 1 : 0);
}

void return_text(const Arguments& args, const FileBytes& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  v8::Local<v8::String> string;
  if (runtime::to_js(args.GetIsolate(), text).ToLocal(&string)) {
    return args.GetReturnValue().Set(string);
  }
  args.GetReturnValue().Set(-EFBIG);
}

// readFile(path) => its text, or -errno
void read_file(const Arguments& args) {
  std::string path;
  if (!take_path(args, &path)) return;
  if (has_nul(path)) return args.GetReturnValue().Set(-ENOENT);
  const Result<FileBytes> bytes = fs_sync::read_file(path.c_str(), O_RDONLY, fs_sync::kMostOfFile);
  if (!bytes) return args.GetReturnValue().Set(-bytes.error().code);
  return_text(args, *bytes);
}

// readPackage(path of a package.json) => its text, undefined if there is none, or -errno
void read_package(const Arguments& args) {
  std::string path;
  if (!take_path(args, &path) || has_nul(path)) return;
  const Result<FileBytes> bytes = fs_sync::read_file(path.c_str(), O_RDONLY, fs_sync::kMostOfFile);
  if (bytes) return return_text(args, *bytes);
  const int error = bytes.error().code;
  if (error == ENOENT || error == ENOTDIR || error == EISDIR) return;
  args.GetReturnValue().Set(-error);
}

// realpath(path) => the path without links, or -errno
void realpath(const Arguments& args) {
  std::string path;
  if (!take_path(args, &path)) return;
  if (has_nul(path)) return args.GetReturnValue().Set(-ENOENT);
  const Result<std::string> real = fs_sync::realpath(path.c_str());
  if (!real) return args.GetReturnValue().Set(-real.error().code);
  // The usual case, without a new string.
  if (*real == path) return args.GetReturnValue().Set(args[0]);
  v8::Local<v8::String> string;
  if (runtime::to_js(args.GetIsolate(), *real).ToLocal(&string)) {
    args.GetReturnValue().Set(string);
  }
}

// isLink(path) => true if the last part of the path is a link itself
void is_link(const Arguments& args) {
  std::string path;
  if (!take_path(args, &path)) return;
  struct stat info;
  args.GetReturnValue().Set(!has_nul(path) && ::lstat(path.c_str(), &info) == 0 &&
                            S_ISLNK(info.st_mode));
}

constexpr runtime::Method kMethods[] = {
    {"stat", stat},         {"readFile", read_file}, {"readPackage", read_package},
    {"realpath", realpath}, {"isLink", is_link},
};

}  // namespace

extern const runtime::Binding module_fs;
const runtime::Binding module_fs{"module_fs", kMethods};

}  // namespace rondo::bindings
