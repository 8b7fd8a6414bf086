// internalBinding('fs_watch'): fs.watch(), one file or one directory per watcher.
#include <string>
#include <string_view>

#include "bindings/fs/call.h"
#include "io/fs/watch.h"
#include "loop/loop.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/handle_wrap.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;

// Lives until lib closes it, even if JavaScript holds no reference.
class Watcher final : public runtime::HandleWrap<FsWatch> {
 public:
  Watcher(Realm& realm, v8::Local<v8::Function> on_change, bool wants_bytes)
      : HandleWrap(realm, kind_of<Watcher>(), realm.loop().make<FsWatch>()),
        on_change_(realm.isolate(), on_change),
        wants_bytes_(wants_bytes) {}

  Result<void> start(std::string_view path) {
    return handle().start(
        path, [this](FsWatch&, Result<FsWatch::Change> change) { report(std::move(change)); });
  }

 private:
  // Calls onChange(errno, isRename, name). The name is a string, or bytes if requested.
  void report(Result<FsWatch::Change> change) {
    v8::Isolate* const isolate = realm().isolate();
    const v8::HandleScope handles(isolate);
    const v8::Local<v8::Function> on_change = on_change_.Get(isolate);
    if (!change) {
      JsEntry::call(
          realm(), on_change,
          {v8::Integer::New(isolate, -change.error().code), v8::False(isolate), v8::Null(isolate)});
      return;
    }
    const bool is_rename = change->kind == FsWatch::Kind::rename;
    JsEntry::call(
        realm(), on_change,
        {v8::Integer::New(isolate, 0), v8::Boolean::New(isolate, is_rename), name_of(*change)});
  }

  v8::Local<v8::Value> name_of(const FsWatch::Change& change) {
    v8::Isolate* const isolate = realm().isolate();
    if (wants_bytes_) {
      const v8::Local<v8::ArrayBuffer> bytes = v8::ArrayBuffer::New(isolate, change.name.size());
      change.name.copy(static_cast<char*>(bytes->GetBackingStore()->Data()), change.name.size());
      return bytes;
    }
    v8::Local<v8::String> name;
    if (!runtime::to_js(isolate, change.name).ToLocal(&name)) return v8::Null(isolate);
    return name;
  }

  v8::Global<v8::Function> on_change_;
  bool wants_bytes_;
};

// A path is a string or a Uint8Array.
std::string path_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (!value->IsUint8Array()) return runtime::to_std(isolate, value);
  const auto view = value.As<v8::Uint8Array>();
  std::string path(view->ByteLength(), '\0');
  view->CopyContents(path.data(), path.size());
  return path;
}

// start(path, onChange, wantsBytes): a handle, or a negative errno.
void start(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsFunction());
  Watcher* const watcher =
      new Watcher(Realm::of(isolate), info[1].As<v8::Function>(), info[2]->IsTrue());
  const Result<void> started = watcher->start(path_of(isolate, info[0]));
  if (!started) {
    watcher->destroy();
    return info.GetReturnValue().Set(-started.error().code);
  }
  fs::note_begun(info, FsOp::watch, watcher->handle().id());
  info.GetReturnValue().Set(watcher->object());
}

constexpr runtime::Method kMethods[] = {
    {"start", start},
};

}  // namespace

extern const runtime::Binding fs_watch;
const runtime::Binding fs_watch{"fs_watch", kMethods};

}  // namespace rondo::bindings
