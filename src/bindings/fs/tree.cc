// internalBinding('fs_tree'): fs.rm() of trees. Node calls from lib for each name, which costs more
// than the removal itself. To keep Node's order, the removal takes as many trips through the pool's
// queue as in Node, and other operations see the tree in the same states between them (FS-02).
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "bindings/fs/call.h"
#include "loop/loop.h"
#include "loop/work.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;

struct CloseDir {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Removes a file or tree in steps. A step makes one system call for each name that is worked on, as
// Node does in one trip through the pool: it looks at all entries of a directory at the same time,
// then removes them, and so on. Files that others remove meanwhile are not an error.
class Removal {
 public:
  explicit Removal(std::string path) { add(std::move(path), nullptr); }

  // Runs one step, on a worker or synchronously. Returns true if there is another one.
  bool step() {
    for (Name* const name : std::exchange(active_, {})) {
      run(*name);
      if (has_failed()) return false;
    }
    return !active_.empty();
  }

  bool has_failed() const { return error_.code != 0; }
  const Error& error() const { return error_; }
  const std::string& path() const { return failed_path_; }  // The path of the failed call, if any.

 private:
  enum class Call : uint8_t { lstat, unlink, rmdir, scandir, rmdir_at_last };
  struct Name {
    std::string path;
    Name* parent;  // Null for the root.
    Call next = Call::lstat;
    Error unlink_error{};  // Of a name that unlink() takes for a directory.
    size_t children = 0;
  };

  void add(std::string path, Name* parent) {
    names_.push_back({.path = std::move(path), .parent = parent});
    active_.push_back(&names_.back());
  }

  void go_on(Name& name, Call next) {
    name.next = next;
    active_.push_back(&name);
  }

  void run(Name& name) {
    switch (name.next) {
      case Call::lstat: return look(name);
      case Call::unlink: return unlink(name);
      case Call::rmdir: return remove_if_empty(name);
      case Call::scandir: return list(name);
      case Call::rmdir_at_last:
        if (::rmdir(name.path.c_str()) != 0) return end(name, Error::last("rmdir"));
        return end(name, {});
    }
  }

  void look(Name& name) {
    if (name.path.find('\0') != std::string::npos) return end(name, {EINVAL, "lstat"});
    struct ::stat status {};
    if (::lstat(name.path.c_str(), &status) == 0) {
      return go_on(name, S_ISDIR(status.st_mode) ? Call::rmdir : Call::unlink);
    }
    if (errno == ENOENT) return end(name, {});
    go_on(name, Call::unlink);  // Reports the error.
  }

  void unlink(Name& name) {
    if (::unlink(name.path.c_str()) == 0) return end(name, {});
    name.unlink_error = Error::last("unlink");
    if (errno == EISDIR || errno == EPERM) return go_on(name, Call::rmdir);
    end(name, name.unlink_error);
  }

  void remove_if_empty(Name& name) {
    if (::rmdir(name.path.c_str()) == 0) return end(name, {});
    const Error error = Error::last("rmdir");
    switch (error.code) {
      case ENOTEMPTY:
      case EEXIST:
      case EPERM: return go_on(name, Call::scandir);
      case ENOTDIR: return end(name, name.unlink_error);
      default: return end(name, error);
    }
  }

  void list(Name& name) {
    const std::unique_ptr<DIR, CloseDir> directory(::opendir(name.path.c_str()));
    if (!directory) return end(name, Error::last("scandir"));
    const std::string prefix = name.path.ends_with('/') ? name.path : name.path + '/';
    for (;;) {
      errno = 0;
      const ::dirent* const entry = ::readdir(directory.get());
      if (entry == nullptr) break;
      if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
      add(prefix + entry->d_name, &name);
      name.children++;
    }
    if (errno != 0) return end(name, Error::last("scandir"));
    if (name.children == 0) go_on(name, Call::rmdir_at_last);
  }

  // The name is removed, or cannot be.
  void end(Name& name, const Error& error) {
    if (error.code != 0 && error.code != ENOENT) {
      error_ = error;
      failed_path_ = std::move(name.path);
      return;
    }
    name.path = {};
    if (name.parent != nullptr && --name.parent->children == 0) {
      go_on(*name.parent, Call::rmdir_at_last);
    }
  }

  std::deque<Name> names_;  // Their addresses stay.
  std::vector<Name*> active_;
  Error error_;
  std::string failed_path_;
};

std::string path_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (!value->IsUint8Array()) return runtime::to_std(isolate, value);
  const auto view = value.As<v8::Uint8Array>();
  std::string path(view->ByteLength(), '\0');
  view->CopyContents(path.data(), path.size());
  return path;
}

v8::Local<v8::Value> text(v8::Isolate* isolate, std::string_view text) {
  v8::Local<v8::String> value;
  if (!runtime::to_js(isolate, text).ToLocal(&value)) return v8::Undefined(isolate);
  return value;
}

// One removal on workers. Deletes itself.
class RemovalRequest {
 public:
  RemovalRequest(Realm& realm, std::string path, v8::Local<v8::Function> callback)
      : realm_(realm),
        work_(realm.loop(), row_of(FsOp::rm).label,
              FsOperation::touch_of(FsOp::rm, path, {}, -1, 0)),
        removal_(std::move(path)),
        callback_(realm.isolate(), callback) {
    work_.submit(
        [this] {
          if (removal_.step()) work_.work_again();
        },
        [this](Work&, Result<void>) { finish(); });
  }

  uint64_t id() const { return work_.id(); }

 private:
  void finish() {
    const std::unique_ptr<RemovalRequest> owner(this);
    if (realm_.is_exiting()) return;
    v8::Isolate* const isolate = realm_.isolate();
    const v8::HandleScope handles(isolate);
    const v8::Local<v8::Function> callback = callback_.Get(isolate);
    if (!removal_.has_failed()) {
      JsEntry::call(realm_, callback, {v8::Integer::New(isolate, 0)});
      return;
    }
    JsEntry::call(realm_, callback,
                  {v8::Integer::New(isolate, -removal_.error().code),
                   text(isolate, removal_.error().syscall), text(isolate, removal_.path())});
  }

  Realm& realm_;
  Work work_;
  Removal removal_;
  v8::Global<v8::Function> callback_;
};

// remove(path, callback): callback(errno, syscall, path)
void remove(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsFunction());
  const auto* const request =
      new RemovalRequest(Realm::of(isolate), path_of(isolate, info[0]), info[1].As<v8::Function>());
  fs::note_begun(info, FsOp::rm, request->id());
}

// removeSync(path) => undefined, or [errno, syscall, path]
void remove_sync(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  fs::note_at_once(info, FsOp::rm);
  Removal removal(path_of(isolate, info[0]));
  while (removal.step()) {
  }
  if (!removal.has_failed()) return;
  v8::Local<v8::Value> failure[] = {v8::Integer::New(isolate, -removal.error().code),
                                    text(isolate, removal.error().syscall),
                                    text(isolate, removal.path())};
  info.GetReturnValue().Set(v8::Array::New(isolate, failure, std::size(failure)));
}

constexpr runtime::Method kMethods[] = {
    {"remove", remove},
    {"removeSync", remove_sync},
};

}  // namespace

extern const runtime::Binding fs_tree;
const runtime::Binding fs_tree{"fs_tree", kMethods};

}  // namespace rondo::bindings
