// internalBinding('fs'): file operations for lib/internal/fs. With a callback as last argument a
// function is asynchronous, without one it blocks, and returns or throws (fs/call.h).
#include <string>
#include <vector>

#include "bindings/fs/call.h"
#include "bindings/fs/ops.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace {

// promisedRequests(): the ids of the operations in flight that settle a promise.
void promised_requests(const runtime::Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  std::vector<v8::Local<v8::Value>> ids;
  fs::State::of(isolate).for_each([&](const fs::PendingBase& pending) {
    if (!pending.settles_promise) return;
    ids.push_back(v8::Number::New(isolate, static_cast<double>(pending.operation().id())));
  });
  info.GetReturnValue().Set(v8::Array::New(isolate, ids.data(), ids.size()));
}

constexpr runtime::Method kMethods[] = {
    {"open", fs::open},
    {"close", fs::close},
    {"read", fs::read},
    {"readv", fs::readv},
    {"write", fs::write},
    {"writev", fs::writev},
    {"writeAll", fs::write_all},
    {"readFile", fs::read_file},
    {"writeFile", fs::write_file},
    {"sendfile", fs::sendfile},
    {"fsync", fs::fsync},
    {"fdatasync", fs::fdatasync},
    {"ftruncate", fs::ftruncate},
    {"truncate", fs::truncate},
    {"stat", fs::stat},
    {"lstat", fs::lstat},
    {"fstat", fs::fstat},
    {"statfs", fs::statfs},
    {"access", fs::access},
    {"exists", fs::exists},
    {"chmod", fs::chmod},
    {"fchmod", fs::fchmod},
    {"chown", fs::chown},
    {"fchown", fs::fchown},
    {"lchown", fs::lchown},
    {"utimes", fs::utimes},
    {"futimes", fs::futimes},
    {"lutimes", fs::lutimes},
    {"readdir", fs::readdir},
    {"readdirAll", fs::readdir_all},
    {"mkdir", fs::mkdir},
    {"mkdirAll", fs::mkdir_all},
    {"rmdir", fs::rmdir},
    {"mkdtemp", fs::mkdtemp},
    {"unlink", fs::unlink},
    {"rename", fs::rename},
    {"link", fs::link},
    {"symlink", fs::symlink},
    {"readlink", fs::readlink},
    {"realpath", fs::realpath},
    {"copyFile", fs::copy_file},
    {"copyTree", fs::copy_tree},
    {"promisedRequests", promised_requests},
};

// operations: {'fs.read_file': {api, action, isByDescriptor, isOpening}, ...}, see FsOperationRow.
void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  const auto make = [isolate] {
    return v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  };
  const auto flag = [isolate](bool is_so) {
    return v8::Boolean::New(isolate, is_so).As<v8::Value>();
  };
  const v8::Local<v8::Object> operations = make();
  for (const FsOperationRow& row : kFsOperations) {
    const v8::Local<v8::Object> operation = make();
    runtime::set(isolate, operation, "api", std::string_view(row.api));
    runtime::set(isolate, operation, "action", std::string_view(row.action));
    runtime::set(isolate, operation, "isByDescriptor", flag(row.target == FsTarget::descriptor));
    runtime::set(isolate, operation, "isOpening", flag(row.access == FsAccess::opens));
    runtime::set(isolate, operations, row.label, operation.As<v8::Value>());
  }
  runtime::set(isolate, target, "operations", operations.As<v8::Value>());
  // As in Node: follows the callback in a call whose callback settles a promise.
  runtime::set(isolate, target, "kUsePromises",
               v8::Symbol::New(isolate, runtime::literal(isolate, "fs_use_promises_symbol"))
                   .As<v8::Value>());
}

}  // namespace

extern const runtime::Binding fs_files;
const runtime::Binding fs_files{"fs", kMethods, add_constants};

}  // namespace rondo::bindings
