// internalBinding('fs'): files for lib/internal/fs. Every function answers in two ways: with a
// callback as its last argument it is asynchronous, without it returns or throws (fs_call.h).
#include "bindings/fs_ops.h"
#include "runtime/binding.h"

namespace rondo::bindings {

namespace {

constexpr runtime::Method kMethods[] = {
    {"open", fs::open},           {"close", fs::close},        {"read", fs::read},
    {"readv", fs::readv},         {"write", fs::write},        {"writev", fs::writev},
    {"writeAll", fs::write_all},  {"readFile", fs::read_file}, {"writeFile", fs::write_file},
    {"sendfile", fs::sendfile},   {"fsync", fs::fsync},        {"fdatasync", fs::fdatasync},
    {"ftruncate", fs::ftruncate}, {"truncate", fs::truncate},  {"stat", fs::stat},
    {"lstat", fs::lstat},         {"fstat", fs::fstat},        {"statfs", fs::statfs},
    {"access", fs::access},       {"exists", fs::exists},      {"chmod", fs::chmod},
    {"fchmod", fs::fchmod},       {"chown", fs::chown},        {"fchown", fs::fchown},
    {"lchown", fs::lchown},       {"utimes", fs::utimes},      {"futimes", fs::futimes},
    {"lutimes", fs::lutimes},     {"readdir", fs::readdir},    {"mkdir", fs::mkdir},
    {"mkdirAll", fs::mkdir_all},  {"rmdir", fs::rmdir},        {"mkdtemp", fs::mkdtemp},
    {"unlink", fs::unlink},       {"rename", fs::rename},      {"link", fs::link},
    {"symlink", fs::symlink},     {"readlink", fs::readlink},  {"realpath", fs::realpath},
    {"copyFile", fs::copy_file},
};

}  // namespace

extern const runtime::Binding fs_files;
const runtime::Binding fs_files{"fs", kMethods};

}  // namespace rondo::bindings
