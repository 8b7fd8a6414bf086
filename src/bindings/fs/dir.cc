// internalBinding('fs_dir'): fs.Dir, a directory that is read some entries at a time, for
// directories that are too large for fs.readdir().
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/fs/call.h"
#include "io/fs/types.h"
#include "loop/loop.h"
#include "loop/work.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;
using runtime::Wrap;

FileType type_of(DIR* directory, const ::dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return file_type_of_mode(DTTOIF(entry.d_type));
  // Some file systems do not store types in directories.
  struct ::stat status {};
  const int result = ::fstatat(::dirfd(directory), entry.d_name, &status, AT_SYMLINK_NOFOLLOW);
  return result == 0 ? file_type_of_mode(status.st_mode) : FileType::unknown;
}

// One open directory. Used by one thread at a time: lib starts an operation when the last one has
// ended.
class Directory {
 public:
  static Result<std::shared_ptr<Directory>> open(const std::string& path) {
    if (path.find('\0') != std::string::npos) return Error{EINVAL, "opendir"};
    DIR* const directory = ::opendir(path.c_str());
    if (directory == nullptr) return Error::last("opendir");
    return std::make_shared<Directory>(directory);
  }
  explicit Directory(DIR* directory) : directory_(directory) {}
  ~Directory() { close(); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  // At most `count` entries; none at the end.
  Result<std::vector<Dirent>> read(size_t count) {
    std::vector<Dirent> entries;
    if (directory_ == nullptr) return Error{EBADF, "scandir"};
    while (entries.size() < count) {
      errno = 0;
      const ::dirent* const entry = ::readdir(directory_);
      if (entry == nullptr) {
        if (errno != 0) return Error::last("scandir");
        break;
      }
      if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
      entries.push_back({entry->d_name, type_of(directory_, *entry)});
    }
    return entries;
  }

  void close() {
    if (directory_ != nullptr) ::closedir(directory_);
    directory_ = nullptr;
  }

 private:
  DIR* directory_;
};

// The object that lib holds. An operation in flight keeps the directory alive without it.
class DirHandle final : public Wrap {
 public:
  DirHandle(Realm& realm, std::shared_ptr<Directory> directory)
      : Wrap(realm, kind_of<DirHandle>()), directory_(std::move(directory)) {
    release();
  }
  const std::shared_ptr<Directory>& directory() const { return directory_; }

 private:
  std::shared_ptr<Directory> directory_;
};

v8::Local<v8::Value> to_name(v8::Isolate* isolate, const std::string& name, bool wants_bytes) {
  if (wants_bytes) {
    const v8::Local<v8::ArrayBuffer> bytes = v8::ArrayBuffer::New(isolate, name.size());
    name.copy(static_cast<char*>(bytes->GetBackingStore()->Data()), name.size());
    return bytes;
  }
  return runtime::to_js(isolate, name).ToLocalChecked();  // Names are never too long for V8.
}

// [name, type, name, type, ...], or null at the end.
v8::Local<v8::Value> to_array(v8::Isolate* isolate, const std::vector<Dirent>& entries,
                              bool wants_bytes) {
  if (entries.empty()) return v8::Null(isolate);
  std::vector<v8::Local<v8::Value>> values;
  values.reserve(entries.size() * 2);
  for (const Dirent& entry : entries) {
    values.push_back(to_name(isolate, entry.name, wants_bytes));
    values.push_back(v8::Integer::New(isolate, static_cast<int>(entry.type)));
  }
  return v8::Array::New(isolate, values.data(), values.size());
}

// One operation on a worker. Deletes itself after callback(errno, value), where the value is the
// handle or the entries.
class DirRequest {
 public:
  enum class Kind : uint8_t { open, read, close };

  static uint64_t start(Realm& realm, Kind kind, std::shared_ptr<Directory> directory,
                        std::string path, size_t count, bool wants_bytes,
                        v8::Local<v8::Value> callback) {
    // Reads may or may not see later changes, so only opening counts as access for traces.
    Touch touch;
    if (kind == Kind::open) touch = FsOperation::touch_of(FsOp::opendir, path, {}, -1, 0);
    DirRequest* const request = new DirRequest(realm, kind, std::move(touch));
    request->directory_ = std::move(directory);
    request->path_ = std::move(path);
    request->count_ = count;
    request->wants_bytes_ = wants_bytes;
    request->callback_.Reset(realm.isolate(), callback.As<v8::Function>());
    request->work_.submit([request] { request->run(); },
                          [request](Work&, Result<void>) { request->finish(); });
    return request->work_.id();
  }

 private:
  DirRequest(Realm& realm, Kind kind, Touch touch)
      : realm_(realm),
        work_(realm.loop(), row_of(FsOp::opendir).label, std::move(touch)),
        kind_(kind) {}

  void run() {  // On a worker.
    if (kind_ == Kind::open) {
      Result<std::shared_ptr<Directory>> opened = Directory::open(path_);
      if (!opened) {
        code_ = opened.error().code;
        return;
      }
      directory_ = std::move(*opened);
    } else if (kind_ == Kind::close) {
      directory_->close();
    } else if (Result<std::vector<Dirent>> entries = directory_->read(count_); entries) {
      entries_ = std::move(*entries);
    } else {
      code_ = entries.error().code;
    }
  }

  void finish() {
    const std::unique_ptr<DirRequest> owner(this);
    if (realm_.is_exiting()) return;
    v8::Isolate* const isolate = realm_.isolate();
    const v8::HandleScope handles(isolate);
    v8::Local<v8::Value> value = v8::Undefined(isolate);
    if (code_ == 0 && kind_ == Kind::open) {
      value = (new DirHandle(realm_, std::move(directory_)))->object();
    } else if (code_ == 0 && kind_ == Kind::read) {
      value = to_array(isolate, entries_, wants_bytes_);
    }
    JsEntry::call(realm_, callback_.Get(isolate), {v8::Integer::New(isolate, -code_), value});
  }

  Realm& realm_;
  Work work_;
  Kind kind_;
  bool wants_bytes_ = false;
  int code_ = 0;
  size_t count_ = 0;
  std::shared_ptr<Directory> directory_;
  std::string path_;
  std::vector<Dirent> entries_;
  v8::Global<v8::Function> callback_;
};

std::string path_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (!value->IsUint8Array()) return runtime::to_std(isolate, value);
  const auto view = value.As<v8::Uint8Array>();
  std::string path(view->ByteLength(), '\0');
  view->CopyContents(path.data(), path.size());
  return path;
}

// open(path, callback)
void open(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsFunction());
  const uint64_t id = DirRequest::start(Realm::of(isolate), DirRequest::Kind::open, nullptr,
                                        path_of(isolate, info[0]), 0, false, info[1]);
  fs::note_begun(info, FsOp::opendir, id);
}

// openSync(path) => a handle, or a negative errno
void open_sync(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  fs::note_at_once(info, FsOp::opendir);
  Result<std::shared_ptr<Directory>> opened = Directory::open(path_of(isolate, info[0]));
  if (!opened) return info.GetReturnValue().Set(-opened.error().code);
  info.GetReturnValue().Set((new DirHandle(Realm::of(isolate), std::move(*opened)))->object());
}

// read(handle, count, wantsBytes, callback)
void read(const Arguments& info) {
  RONDO_EXPECT(info, info[1]->IsUint32());
  RONDO_EXPECT(info, info[3]->IsFunction());
  const DirHandle* const handle = Wrap::of<DirHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  DirRequest::start(Realm::of(info.GetIsolate()), DirRequest::Kind::read, handle->directory(), {},
                    info[1].As<v8::Uint32>()->Value(), info[2]->IsTrue(), info[3]);
}

// readSync(handle, count, wantsBytes) => entries, null at the end, or a negative errno
void read_sync(const Arguments& info) {
  RONDO_EXPECT(info, info[1]->IsUint32());
  const DirHandle* const handle = Wrap::of<DirHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  const Result<std::vector<Dirent>> entries =
      handle->directory()->read(info[1].As<v8::Uint32>()->Value());
  if (!entries) return info.GetReturnValue().Set(-entries.error().code);
  info.GetReturnValue().Set(to_array(info.GetIsolate(), *entries, info[2]->IsTrue()));
}

// close(handle, callback), synchronous without a callback.
void close(const Arguments& info) {
  const DirHandle* const handle = Wrap::of<DirHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  if (!info[1]->IsFunction()) return handle->directory()->close();
  DirRequest::start(Realm::of(info.GetIsolate()), DirRequest::Kind::close, handle->directory(), {},
                    0, false, info[1]);
}

constexpr runtime::Method kMethods[] = {
    {"open", open},          {"openSync", open_sync}, {"read", read},
    {"readSync", read_sync}, {"close", close},
};

}  // namespace

extern const runtime::Binding fs_dir;
const runtime::Binding fs_dir{"fs_dir", kMethods};

}  // namespace rondo::bindings
