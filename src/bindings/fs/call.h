// Shared by the functions of internalBinding('fs'): converts arguments, runs the operation and
// converts its result. With a function as last argument a call is asynchronous: the function is
// called in poll with (null, value) or (error). If it settles a promise, the symbol kUsePromises
// follows it. Without a function the call returns or throws.
// Thread: the loop's only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/list.h"
#include "bindings/fs/arguments.h"
#include "io/fs/fs.h"
#include "io/fs/operations.h"
#include "loop/internals.h"
#include "loop/trace/file.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/values.h"

namespace rondo::bindings::fs {

using runtime::Realm;

// The form of a result in JavaScript.
enum class Form : uint8_t {
  plain,
  big,    // Numbers as BigInts.
  bytes,  // Names as ArrayBuffers instead of strings.
  types,  // Names of a directory with their types: [names, types].
  bytes_and_types,
  text,      // The bytes of a file as UTF-8.
  optional,  // An empty name as undefined.
};

// Records the descriptors that a worker owns. As in Node, emits a warning if other code has closed
// or opened the descriptor.
void record_opened(Realm& realm, int fd);
void record_closed(Realm& realm, int fd);

// The part of an operation in flight that does not depend on its result type.
struct PendingBase {
  Realm* realm = nullptr;  // Null once the realm has ended.
  v8::Global<v8::Function> callback;
  ListLink link;
  Form form = Form::plain;
  uint8_t paths = 0;      // The number of paths in error messages.
  bool must_run = false;  // Not cancelled with the realm: the operation closes a descriptor.
  bool settles_promise = false;

  virtual ~PendingBase() = default;
  // Called when the realm ends: drops the callback.
  virtual void orphan() = 0;
  virtual const Request& operation() const = 0;
};

template <class T>
struct Pending final : PendingBase {
  explicit Pending(Realm& owner) : request(owner.loop()) { realm = &owner; }
  void orphan() override {
    realm = nullptr;
    callback.Reset();
    // Best effort: an operation that has started runs to its end.
    if (!must_run) std::ignore = request.cancel();
  }
  const Request& operation() const override { return request; }

  FsRequest<T> request;
  // The memory of the data, kept alive until the operation has ended.
  std::shared_ptr<v8::BackingStore> memory;
  std::vector<std::shared_ptr<v8::BackingStore>> memories;  // For several parts.
  std::vector<iovec> parts;
};

// Per realm: operations in flight, and finished ones for reuse.
class State {
 public:
  explicit State(Realm& realm) : realm_(realm) {}
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static State& of(v8::Isolate* isolate) { return Realm::of(isolate).state<State>(); }
  Realm& realm() const { return realm_; }

  template <class T>
  Pending<T>& take(v8::Local<v8::Function> callback, Form form, uint8_t paths) {
    auto& idle = idle_of<T>();
    Pending<T>* pending;
    if (idle.empty()) {
      pending = new Pending<T>(realm_);
    } else {
      pending = idle.back().release();
      idle.pop_back();
    }
    pending->callback.Reset(realm_.isolate(), callback);
    pending->form = form;
    pending->paths = paths;
    in_flight_.push_back(*pending);
    return *pending;
  }
  template <class T>
  void give_back(Pending<T>& pending) {
    in_flight_.remove(pending);
    pending.callback.Reset();
    auto& idle = idle_of<T>();
    if (idle.size() < kMostIdle) {
      idle.emplace_back(&pending);
    } else {
      delete &pending;
    }
  }

  // Calls visit(PendingBase&) for each operation in flight.
  template <class Visit>
  void for_each(Visit&& visit) const {
    in_flight_.for_each(visit);
  }

  // The numbers of a Stat or StatFs, in an array that the next call overwrites.
  v8::Local<v8::Value> numbers(const double* values, size_t count);
  v8::Local<v8::Value> big_numbers(const int64_t* values, size_t count);

 private:
  // Finished operations beyond this number are freed instead of reused.
  static constexpr size_t kMostIdle = 256;
  template <class T>
  using Idle = std::vector<std::unique_ptr<Pending<T>>>;
  template <class T>
  Idle<T>& idle_of() {
    return std::get<Idle<T>>(idle_);
  }

  Realm& realm_;
  List<PendingBase, &PendingBase::link> in_flight_;
  std::tuple<Idle<void>, Idle<int>, Idle<size_t>, Idle<Stat>, Idle<StatFs>, Idle<std::string>,
             Idle<std::vector<Dirent>>, Idle<FileBytes>>
      idle_;
  v8::Global<v8::Value> numbers_;
  double* numbers_data_ = nullptr;
  v8::Global<v8::Value> big_numbers_;
  int64_t* big_numbers_data_ = nullptr;
};

// Converts a result to JavaScript. Empty if that threw, for example if a text is too long.
v8::MaybeLocal<v8::Value> to_value(State& state, Form form, int value);
v8::MaybeLocal<v8::Value> to_value(State& state, Form form, size_t value);
v8::MaybeLocal<v8::Value> to_value(State& state, Form form, const Stat& value);
v8::MaybeLocal<v8::Value> to_value(State& state, Form form, const StatFs& value);
v8::MaybeLocal<v8::Value> to_value(State& state, Form form, const std::string& value);
v8::MaybeLocal<v8::Value> to_value(State& state, Form form, const std::vector<Dirent>& value);
v8::MaybeLocal<v8::Value> to_value(State& state, Form form, FileBytes& value);

void throw_failure(const Arguments& info, const Error& error, const PathArg* path,
                   const PathArg* dest);
void call_back_failure(Realm& realm, v8::Local<v8::Function> callback, const Error& error,
                       uint8_t paths, std::string_view path, std::string_view dest);
// Calls back with the value, or with `thrown` if converting the value failed.
void call_back(Realm& realm, v8::Local<v8::Function> callback, v8::MaybeLocal<v8::Value> value,
               v8::Local<v8::Value> thrown);

// As in Node, an error names the path only if the failed call took it: open(), but not read().
uint8_t paths_of(const Error& error, uint8_t paths);

template <class T>
void answer(const Arguments& info, Form form, Result<T> result, const PathArg* path,
            const PathArg* dest) {
  if (!result) {
    if (paths_of(result.error(), 1) == 0) path = dest = nullptr;
    return throw_failure(info, result.error(), path, dest);
  }
  if constexpr (!std::is_void_v<T>) {
    v8::Local<v8::Value> value;
    if (to_value(State::of(info.GetIsolate()), form, *result).ToLocal(&value)) {
      info.GetReturnValue().Set(value);
    }
  }
}

template <class T>
void complete(Pending<T>* pending) {
  if (pending->realm == nullptr) {
    if constexpr (std::is_same_v<T, int>) {  // Close the file: nothing uses it any more.
      if (const Result<int> fd = pending->request.take_result(); fd) const Fd unused(*fd);
    }
    delete pending;
    return;
  }
  Realm& realm = *pending->realm;
  State& state = realm.state<State>();
  v8::Isolate* const isolate = realm.isolate();
  const v8::HandleScope handles(isolate);
  const v8::Local<v8::Function> callback = pending->callback.Get(isolate);
  if constexpr (std::is_same_v<T, size_t> || std::is_void_v<T>) {
    pending->memory.reset();
    pending->memories.clear();
  }
  Result<T> result = pending->request.take_result();
  if (!result) {
    // Copied, because the request may be reused in the callback.
    const std::string path(pending->request.path());
    const std::string dest(pending->request.second_path());
    const uint8_t paths = paths_of(result.error(), pending->paths);
    state.give_back(*pending);
    return call_back_failure(realm, callback, result.error(), paths, path, dest);
  }
  const Form form = pending->form;
  state.give_back(*pending);
  if constexpr (std::is_void_v<T>) {
    runtime::JsEntry::call(realm, callback, {v8::Null(isolate)});
  } else if constexpr (std::is_same_v<T, FileBytes> || std::is_same_v<T, std::string> ||
                       std::is_same_v<T, std::vector<Dirent>>) {
    v8::MaybeLocal<v8::Value> value;
    v8::Local<v8::Value> thrown;
    {
      const v8::TryCatch caught(isolate);
      value = to_value(state, form, *result);
      if (value.IsEmpty()) thrown = caught.Exception();
    }
    call_back(realm, callback, value, thrown);
  } else {
    if constexpr (std::is_same_v<T, int>) record_opened(realm, *result);
    v8::Local<v8::Value> value = to_value(state, form, *result).ToLocalChecked();
    runtime::JsEntry::call(realm, callback, {v8::Null(isolate), value});
  }
}

// For traces: records the access of operation `id`, or of the running callback if `id` is 0. The
// file is given by the path, or by the descriptor that is the first argument.
void note_touch(const Arguments& info, TraceFile& trace, FsOp op, uint64_t id, const PathArg* path,
                const PathArg* dest);
// As note_touch(), for a path that is the first argument.
void note_begun(const Arguments& info, FsOp op, uint64_t id);
// Before a synchronous operation on a loop with a Choice: see LoopInternals::settle_effects().
void settle_effects(const Arguments& info, Loop& loop, FsOp op, const PathArg* path,
                    const PathArg* dest);
// Called before a synchronous operation.
inline void note_at_once(const Arguments& info, FsOp op, const PathArg* path, const PathArg* dest) {
  Realm& realm = Realm::of(info.GetIsolate());
  if (TraceFile* const trace = realm.options().trace; trace != nullptr) {
    note_touch(info, *trace, op, 0, path, dest);
  }
  if (realm.loop().internals().choice() != nullptr) [[unlikely]]
    settle_effects(info, realm.loop(), op, path, dest);
}
void note_at_once(const Arguments& info, FsOp op);

// Runs `async(fs, request, on_done)` if the call has a callback, otherwise `sync()`.
template <class T, FsOp kOp, class Sync, class Async>
void run(const Arguments& info, Form form, const PathArg* path, const PathArg* dest, Sync sync,
         Async async) {
  const CallbackArg callback(info);
  if (!callback) {
    note_at_once(info, kOp, path, dest);
    return answer<T>(info, form, sync(), path, dest);
  }
  State& state = State::of(info.GetIsolate());
  const auto paths = static_cast<uint8_t>((path != nullptr ? 1 : 0) + (dest != nullptr ? 1 : 0));
  Pending<T>* const pending =
      &state.take<T>(info[callback.index].template As<v8::Function>(), form, paths);
  pending->must_run = kOp == FsOp::close;
  pending->settles_promise = callback.settles_promise;
  async(Fs(state.realm().loop()), *pending, [pending](FsRequest<T>&) { complete(pending); });
  if (TraceFile* const trace = state.realm().options().trace; trace != nullptr) {
    note_touch(info, *trace, kOp, pending->request.id(), path, dest);
  }
}

}  // namespace rondo::bindings::fs
