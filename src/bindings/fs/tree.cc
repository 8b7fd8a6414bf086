// internalBinding('fs_tree'): fs.rm() of trees. Node calls from lib for each name, which costs more
// than the removal itself. To keep Node's order, the callback comes after as many trips through the
// pool's queue as in Node. The first and last steps are separate jobs, so that other operations see
// the tree in the same states as in Node (FS-02).
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
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

// Removes a file or tree in steps. Files that others remove meanwhile are not an error.
class Removal {
 public:
  explicit Removal(std::string path) : path_(std::move(path)) {}

  // Runs one step, on a worker or synchronously. Returns true if there is another one, after
  // `*trips_between` trips through the pool's queue.
  bool step(uint32_t* trips_between) {
    *trips_between = 0;
    switch (std::exchange(next_, Step::none)) {
      case Step::look: look(); break;
      case Step::remove_file:
        if (::unlink(path_.c_str()) != 0) fail("unlink");
        break;
      case Step::remove_if_empty:
        if (::rmdir(path_.c_str()) == 0) break;
        if (errno == ENOTEMPTY || errno == EEXIST || errno == EPERM) {
          next_ = Step::list;
        } else {
          fail("rmdir");
        }
        break;
      case Step::list:
        list();
        if (next_ == Step::remove_content) *trips_between = 1;  // lstat of each entry.
        break;
      case Step::remove_content:
        *trips_between = std::max(remove_content(), 2U) - 2;  // Minus this step and the one before.
        if (!has_failed()) next_ = Step::remove_directory;
        break;
      case Step::remove_directory:
        if (::rmdir(path_.c_str()) != 0) fail("rmdir");
        break;
      case Step::none: break;
    }
    return next_ != Step::none;
  }

  bool has_failed() const { return error_.code != 0; }
  const Error& error() const { return error_; }
  const std::string& path() const { return path_; }  // The path of the failed call, if any.

 private:
  enum class Step : uint8_t {
    look,
    remove_file,
    remove_if_empty,
    list,
    remove_content,
    remove_directory,
    none
  };
  static constexpr uint32_t kTripsOfFile = 2;       // lstat, unlink.
  static constexpr uint32_t kTripsOfEmpty = 2;      // lstat, rmdir.
  static constexpr uint32_t kTripsOfDirectory = 4;  // lstat, a failed rmdir, readdir, rmdir.

  void fail(const char* call) {
    if (errno != ENOENT) error_ = Error::last(call);
  }

  void look() {
    if (path_.find('\0') != std::string::npos) {
      error_ = {EINVAL, "lstat"};
      return;
    }
    struct ::stat status {};
    if (::lstat(path_.c_str(), &status) != 0) {
      fail("lstat");
    } else {
      next_ = S_ISDIR(status.st_mode) ? Step::remove_if_empty : Step::remove_file;
    }
  }

  // Checks for entries: another operation may have removed them or the directory meanwhile.
  void list() {
    const std::unique_ptr<DIR, CloseDir> directory(::opendir(path_.c_str()));
    if (!directory) return fail("scandir");
    next_ = Step::remove_directory;
    while (const ::dirent* const entry = ::readdir(directory.get())) {
      if (is_dot(*entry)) continue;
      next_ = Step::remove_content;
      return;
    }
  }

  static bool is_dot(const ::dirent& entry) {
    return std::strcmp(entry.d_name, ".") == 0 || std::strcmp(entry.d_name, "..") == 0;
  }

  // Removes the content of the directory path_, and restores path_ unless it fails. Returns how
  // many sequential jobs Node runs for this: it removes the entries of one directory in parallel.
  // Only one directory is open at a time, because trees may be deeper than the limit of
  // descriptors.
  uint32_t remove_content() {
    std::vector<std::string> directories;
    uint32_t trips = 0;
    if (!remove_files(&directories, &trips)) return trips;
    const size_t length = path_.size();
    for (const std::string& name : directories) {
      path_.append(path_.back() == '/' ? "" : "/").append(name);
      const uint32_t inside = remove_content();
      if (has_failed()) return trips;
      if (::rmdir(path_.c_str()) != 0) fail("rmdir");
      if (has_failed()) return trips;
      trips = std::max(trips, inside == 0 ? kTripsOfEmpty : kTripsOfDirectory + inside);
      path_.resize(length);
    }
    return trips;
  }

  bool remove_files(std::vector<std::string>* directories, uint32_t* trips) {
    const std::unique_ptr<DIR, CloseDir> directory(::opendir(path_.c_str()));
    if (!directory) {
      if (errno != ENOENT) error_ = Error::last("scandir");
      return false;
    }
    for (;;) {
      errno = 0;
      const ::dirent* const entry = ::readdir(directory.get());
      if (entry == nullptr) {
        if (errno != 0) error_ = Error::last("scandir");
        return errno == 0;
      }
      if (is_dot(*entry)) continue;
      if (is_directory(directory.get(), *entry)) {
        directories->push_back(entry->d_name);
        continue;
      }
      *trips = kTripsOfFile;
      if (::unlinkat(::dirfd(directory.get()), entry->d_name, 0) != 0 && errno != ENOENT) {
        error_ = Error::last("unlink");
        path_.append("/").append(entry->d_name);
        return false;
      }
    }
  }

  static bool is_directory(DIR* directory, const ::dirent& entry) {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
    struct ::stat status {};
    return ::fstatat(::dirfd(directory), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
  }

  std::string path_;
  Step next_ = Step::look;
  Error error_;
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
          uint32_t trips_between = 0;
          if (removal_.step(&trips_between)) work_.work_again();
          work_.add_trips(trips_between);
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
  for (uint32_t unused = 0; removal.step(&unused);) {
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
