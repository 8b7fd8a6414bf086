// What the functions of internalBinding('fs') share: how a call from lib becomes a file operation,
// and what comes of it a value. Each takes its arguments and, last, a function or nothing: with one
// it is asynchronous and answers (null, value) or (error) in poll, without it returns or throws.
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
#include "io/fs.h"
#include "loop/trace_file.h"
#include "runtime/js_entry.h"
#include "runtime/values.h"

namespace rondo::bindings::fs {

using runtime::Arguments;
using runtime::Realm;

// A path is a string or bytes; lib has seen to it that there is no NUL byte in it.
class PathArg {
 public:
  PathArg(v8::Isolate* isolate, v8::Local<v8::Value> value);
  PathArg(const PathArg&) = delete;
  PathArg& operator=(const PathArg&) = delete;

  const char* c_str() const { return view_.data(); }
  std::string_view view() const { return view_; }

 private:
  // Nearly all paths are shorter than this.
  static constexpr size_t kInline = 512;
  char inline_[kInline];
  std::string long_;
  std::string_view view_;
};

// Numbers, whatever lib passes: 0, or the given value, for what is none.
int int_arg(v8::Local<v8::Value> value);
uint32_t uint_arg(v8::Local<v8::Value> value);
int64_t int64_arg(v8::Local<v8::Value> value, int64_t otherwise);

// How a result is shown, where there is a choice.
enum class Form : uint8_t {
  plain,
  big,    // Numbers as BigInts.
  bytes,  // Names as ArrayBuffers in place of strings.
  types,  // Names of a directory with their types: [names, types].
  bytes_and_types,
  text,      // The bytes of a file as UTF-8.
  optional,  // An empty name as undefined.
};

// Part of an operation in flight that does not depend on what it ends with.
struct PendingBase {
  Realm* realm = nullptr;  // Null once the realm has gone.
  v8::Global<v8::Function> callback;
  ListLink link;
  Form form = Form::plain;
  uint8_t paths = 0;      // How many are in the error's message.
  bool must_run = false;  // Even if nobody waits for it any more: it closes a descriptor.

  virtual ~PendingBase() = default;
  // The realm ends: nobody is to be called any more.
  virtual void orphan() = 0;
  virtual const Request& operation() const = 0;
};

template <class T>
struct Pending final : PendingBase {
  explicit Pending(Realm& owner) : request(owner.loop()) { realm = &owner; }
  void orphan() override {
    realm = nullptr;
    callback.Reset();
    // Where it is too late for that it runs to its end.
    if (!must_run) std::ignore = request.cancel();
  }
  const Request& operation() const override { return request; }

  FsRequest<T> request;
  // What data is moved from or to, kept until it was.
  std::shared_ptr<v8::BackingStore> memory;
  std::vector<std::shared_ptr<v8::BackingStore>> memories;  // Of several parts.
  std::vector<iovec> parts;
};

// Per realm: operations in flight, and those that wait to be used again.
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

  // visit(PendingBase&) for each operation in flight.
  template <class Visit>
  void for_each(Visit&& visit) const {
    in_flight_.for_each(visit);
  }

  // The numbers of a Stat or StatFs, in an array that the next one overwrites.
  v8::Local<v8::Value> numbers(const double* values, size_t count);
  v8::Local<v8::Value> big_numbers(const int64_t* values, size_t count);

 private:
  // As many as a busy server may have in flight; more are freed after use.
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

// What a result is in JavaScript. Empty if something was thrown (a text that is too long).
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
// Answers with what was thrown while the value was made, if there is none.
void call_back(Realm& realm, v8::Local<v8::Function> callback, v8::MaybeLocal<v8::Value> value,
               v8::Local<v8::Value> thrown);

// Node names the path only where it was part of the call that failed: opening, not reading.
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
    if constexpr (std::is_same_v<T, int>) {  // A file that was opened for nobody.
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
    // Its text is copied before the request is used again.
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
    if constexpr (std::is_same_v<T, int>) realm.descriptors().add(*result);
    v8::Local<v8::Value> value = to_value(state, form, *result).ToLocalChecked();
    runtime::JsEntry::call(realm, callback, {v8::Null(isolate), value});
  }
}

// The last argument, if it is a function.
inline bool has_callback(const Arguments& info) {
  return info.Length() > 0 && info[info.Length() - 1]->IsFunction();
}

// What an operation does to its file, for traces: the second path is always written.
enum class Touch : uint8_t { nothing, reads, writes, opens, closes };
template <class T>
inline constexpr Touch kUsualTouch = std::is_void_v<T>           ? Touch::writes
                                     : std::is_same_v<T, int>    ? Touch::opens
                                     : std::is_same_v<T, size_t> ? Touch::nothing
                                                                 : Touch::reads;
// Notes it for the operation `id`, or for the callback that waits for it now, if that is 0. The
// file is the path, or that of the descriptor which is the first argument.
void note_touch(const Arguments& info, TraceFile& trace, Touch touch, uint64_t id,
                const PathArg* path, const PathArg* dest);
// The same for a path that is the first argument.
void note_begun(const Arguments& info, Touch touch, uint64_t id);
// Before something is done at once on a loop with a Choice: see PollPhase::settle_effects().
void settle_effects(const Arguments& info, Loop& loop, Touch kind, const PathArg* path,
                    const PathArg* dest);
// Before something is done at once.
inline void note_at_once(const Arguments& info, Touch touch, const PathArg* path,
                         const PathArg* dest) {
  Realm& realm = Realm::of(info.GetIsolate());
  if (TraceFile* const trace = realm.options().trace; trace != nullptr) {
    note_touch(info, *trace, touch, 0, path, dest);
  }
  if (realm.loop().choice() != nullptr) [[unlikely]] {
    settle_effects(info, realm.loop(), touch, path, dest);
  }
}
void note_at_once(const Arguments& info, Touch touch);

// Runs `sync()` now, or `async(fs, request, on_done)`, as the call asks for.
template <class T, Touch kTouch = kUsualTouch<T>, class Sync, class Async>
void run(const Arguments& info, Form form, const PathArg* path, const PathArg* dest, Sync sync,
         Async async) {
  if (!has_callback(info)) {
    note_at_once(info, kTouch, path, dest);
    return answer<T>(info, form, sync(), path, dest);
  }
  State& state = State::of(info.GetIsolate());
  const auto paths = static_cast<uint8_t>((path != nullptr ? 1 : 0) + (dest != nullptr ? 1 : 0));
  Pending<T>* const pending =
      &state.take<T>(info[info.Length() - 1].template As<v8::Function>(), form, paths);
  pending->must_run = kTouch == Touch::closes;
  async(Fs(state.realm().loop()), *pending, [pending](FsRequest<T>&) { complete(pending); });
  if (TraceFile* const trace = state.realm().options().trace; trace != nullptr) {
    note_touch(info, *trace, kTouch, pending->request.id(), path, dest);
  }
}

}  // namespace rondo::bindings::fs
