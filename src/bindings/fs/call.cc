#include "bindings/fs/call.h"

#include <fcntl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/file_name.h"
#include "runtime/trace/places.h"
#include "runtime/values/system_error.h"
#include "runtime/values/text.h"

namespace rondo::bindings::fs {

namespace {

// The length of the arrays for statistics: that of the longest result.
constexpr size_t kMostNumbers = 18;
// Files of this size or more make V8 check its external memory.
constexpr size_t kMuch = size_t{64} << 10;

v8::Local<v8::ArrayBuffer> copy_of(v8::Isolate* isolate, std::string_view bytes) {
  const v8::Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, bytes.size());
  if (!bytes.empty()) std::memcpy(buffer->Data(), bytes.data(), bytes.size());
  return buffer;
}

v8::MaybeLocal<v8::Value> name_value(v8::Isolate* isolate, Form form, const std::string& name) {
  if (form == Form::bytes || form == Form::bytes_and_types) return copy_of(isolate, name);
  v8::Local<v8::String> text;
  if (!runtime::utf8_string(isolate, reinterpret_cast<const uint8_t*>(name.data()), name.size())
           .ToLocal(&text)) {
    return {};
  }
  return text;
}

}  // namespace

PathArg::PathArg(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsString()) {
    const v8::Local<v8::String> text = value.As<v8::String>();
    const auto length = static_cast<size_t>(text->Length());
    // A UTF-16 code unit needs at most three bytes.
    if (length * 3 < kInline) {
      const size_t size =
          runtime::write_utf8(isolate, text, reinterpret_cast<uint8_t*>(inline_), kInline - 1)
              .bytes;
      inline_[size] = '\0';
      view_ = {inline_, size};
      return;
    }
    long_ = runtime::to_std(isolate, value);
  } else {
    runtime::Bytes bytes;
    if (runtime::bytes_of(value, &bytes) && bytes.size > 0) {
      long_.assign(reinterpret_cast<const char*>(bytes.data), bytes.size);
    }
  }
  view_ = long_;
}

namespace {

// Only open() reads the flags, which are its second argument.
bool writes_to(const Arguments& info, FsOp op) { return may_change_file(op, int_arg(info[1])); }

bool is_left_out(FsAccess access) {
  return access == FsAccess::flushes || access == FsAccess::sends;
}

// The file's name, from the path or from the descriptor that is the first argument.
std::string file_of(const Arguments& info, const PathArg* path) {
  if (path != nullptr) return absolute_path(path->view());
  if (!info[0]->IsInt32()) return {};
  return name_of_descriptor(info[0].As<v8::Int32>()->Value());
}

}  // namespace

void settle_effects(const Arguments& info, Loop& loop, FsOp op, const PathArg* path,
                    const PathArg* dest) {
  const FsAccess access = row_of(op).access;
  if (access == FsAccess::closes || is_left_out(access)) return;
  Touch touch;
  touch.first = file_of(info, path);
  if (dest != nullptr) touch.second = absolute_path(dest->view());
  touch.writes = dest != nullptr || writes_to(info, op);
  if (touch.first.empty() || touch.first[0] != '/') return;
  loop.internals().settle_effects(touch);
  loop.internals().choice()->touched(touch.text(), touch.writes);
}

int int_arg(v8::Local<v8::Value> value) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : static_cast<int>(uint_arg(value));
}

uint32_t uint_arg(v8::Local<v8::Value> value) { return static_cast<uint32_t>(int64_arg(value, 0)); }

int64_t int64_arg(v8::Local<v8::Value> value, int64_t otherwise) {
  if (value->IsInt32()) return value.As<v8::Int32>()->Value();
  if (value->IsNumber()) {
    const double number = value.As<v8::Number>()->Value();
    if (!(std::abs(number) < 0x1p63)) return otherwise;
    return static_cast<int64_t>(number);
  }
  if (value->IsBigInt()) return value.As<v8::BigInt>()->Int64Value();
  return otherwise;
}

uint8_t paths_of(const Error& error, uint8_t paths) {
  const auto is_on_descriptor = [&error](const FsOperationRow& row) {
    return row.target == FsTarget::descriptor && std::string_view(row.syscall) == error.syscall;
  };
  return std::ranges::any_of(kFsOperations, is_on_descriptor) ? 0 : paths;
}

State::~State() {
  while (PendingBase* pending = in_flight_.pop_front()) pending->orphan();
}

void note_touch(const Arguments& info, TraceFile& trace, FsOp op, uint64_t id, const PathArg* path,
                const PathArg* dest) {
  const FsAccess access = row_of(op).access;
  if (is_left_out(access)) return;
  const double whose = id == 0 ? trace.current() : -static_cast<double>(id);
  // A synchronous operation has no other record with its place in the program.
  runtime::TracePlaces::Origin origin{};
  if (id == 0) origin = Realm::of(info.GetIsolate()).state<runtime::TracePlaces>().here();
  const auto note = [&](const std::string& file, TraceTouch touch) {
    if (file.empty() || file[0] != '/') return;
    const uint32_t name = trace.ring().text("file:" + file);
    trace.note(TraceCode::touches, static_cast<uint32_t>(touch), name, whose,
               std::bit_cast<double>(origin.place | static_cast<uint64_t>(origin.called) << 32));
  };
  note(file_of(info, path), access == FsAccess::closes ? TraceTouch::closes
                            : writes_to(info, op)      ? TraceTouch::writes
                                                       : TraceTouch::reads);
  if (dest != nullptr) note(absolute_path(dest->view()), TraceTouch::writes);
}

void note_begun(const Arguments& info, FsOp op, uint64_t id) {
  TraceFile* const trace = Realm::of(info.GetIsolate()).options().trace;
  if (trace == nullptr) return;
  const PathArg path(info.GetIsolate(), info[0]);
  note_touch(info, *trace, op, id, &path, nullptr);
}

void note_at_once(const Arguments& info, FsOp op) {
  Realm& realm = Realm::of(info.GetIsolate());
  if (realm.options().trace == nullptr && realm.loop().internals().choice() == nullptr) return;
  const PathArg path(info.GetIsolate(), info[0]);
  note_at_once(info, op, &path, nullptr);
}

v8::Local<v8::Value> State::numbers(const double* values, size_t count) {
  v8::Isolate* const isolate = realm_.isolate();
  if (numbers_data_ == nullptr) {
    const v8::Local<v8::ArrayBuffer> buffer =
        v8::ArrayBuffer::New(isolate, kMostNumbers * sizeof(double));
    numbers_data_ = static_cast<double*>(buffer->Data());
    numbers_.Reset(isolate, v8::Float64Array::New(buffer, 0, kMostNumbers));
  }
  RONDO_ASSERT(count <= kMostNumbers);
  std::copy_n(values, count, numbers_data_);
  return numbers_.Get(isolate);
}

v8::Local<v8::Value> State::big_numbers(const int64_t* values, size_t count) {
  v8::Isolate* const isolate = realm_.isolate();
  if (big_numbers_data_ == nullptr) {
    const v8::Local<v8::ArrayBuffer> buffer =
        v8::ArrayBuffer::New(isolate, kMostNumbers * sizeof(int64_t));
    big_numbers_data_ = static_cast<int64_t*>(buffer->Data());
    big_numbers_.Reset(isolate, v8::BigInt64Array::New(buffer, 0, kMostNumbers));
  }
  RONDO_ASSERT(count <= kMostNumbers);
  std::copy_n(values, count, big_numbers_data_);
  return big_numbers_.Get(isolate);
}

v8::MaybeLocal<v8::Value> to_value(State& state, Form /*form*/, int value) {
  return v8::Integer::New(state.realm().isolate(), value);
}

v8::MaybeLocal<v8::Value> to_value(State& state, Form /*form*/, size_t value) {
  v8::Isolate* const isolate = state.realm().isolate();
  if (value <= INT32_MAX) return v8::Integer::New(isolate, static_cast<int32_t>(value));
  return v8::Number::New(isolate, static_cast<double>(value));
}

v8::MaybeLocal<v8::Value> to_value(State& state, Form form, const Stat& value) {
  if (form == Form::big) {
    const auto whole = [](uint64_t number) { return static_cast<int64_t>(number); };
    // Seconds and nanoseconds are separate: their sum overflows 64 bits after the year 2262.
    const int64_t numbers[] = {
        whole(value.dev),
        value.mode,
        whole(value.nlink),
        value.uid,
        value.gid,
        whole(value.rdev),
        value.block_size,
        whole(value.ino),
        whole(value.size),
        whole(value.blocks),
        value.atime.tv_sec,
        value.atime.tv_nsec,
        value.mtime.tv_sec,
        value.mtime.tv_nsec,
        value.ctime.tv_sec,
        value.ctime.tv_nsec,
        value.birthtime.tv_sec,
        value.birthtime.tv_nsec,
    };
    return state.big_numbers(numbers, std::size(numbers));
  }
  const auto real = [](uint64_t number) { return static_cast<double>(number); };
  const double numbers[] = {
      real(value.dev),
      real(value.mode),
      real(value.nlink),
      real(value.uid),
      real(value.gid),
      real(value.rdev),
      real(value.block_size),
      real(value.ino),
      real(value.size),
      real(value.blocks),
      static_cast<double>(value.atime.tv_sec),
      static_cast<double>(value.atime.tv_nsec),
      static_cast<double>(value.mtime.tv_sec),
      static_cast<double>(value.mtime.tv_nsec),
      static_cast<double>(value.ctime.tv_sec),
      static_cast<double>(value.ctime.tv_nsec),
      static_cast<double>(value.birthtime.tv_sec),
      static_cast<double>(value.birthtime.tv_nsec),
  };
  return state.numbers(numbers, std::size(numbers));
}

v8::MaybeLocal<v8::Value> to_value(State& state, Form form, const StatFs& value) {
  const uint64_t whole[] = {value.type,   value.block_size,  value.fragment_size,
                            value.blocks, value.blocks_free, value.blocks_available,
                            value.files,  value.files_free};
  if (form == Form::big) {
    int64_t numbers[std::size(whole)];
    std::copy(std::begin(whole), std::end(whole), numbers);
    return state.big_numbers(numbers, std::size(numbers));
  }
  double numbers[std::size(whole)];
  std::transform(std::begin(whole), std::end(whole), numbers,
                 [](uint64_t number) { return static_cast<double>(number); });
  return state.numbers(numbers, std::size(numbers));
}

v8::MaybeLocal<v8::Value> to_value(State& state, Form form, const std::string& value) {
  if (form == Form::optional && value.empty()) return v8::Undefined(state.realm().isolate());
  return name_value(state.realm().isolate(), form, value);
}

v8::MaybeLocal<v8::Value> to_value(State& state, Form form, const std::vector<Dirent>& value) {
  v8::Isolate* const isolate = state.realm().isolate();
  std::vector<v8::Local<v8::Value>> names;
  names.reserve(value.size());
  for (const Dirent& entry : value) {
    v8::Local<v8::Value> name;
    if (!name_value(isolate, form, entry.name).ToLocal(&name)) return {};
    names.push_back(name);
  }
  const v8::Local<v8::Array> list = v8::Array::New(isolate, names.data(), names.size());
  if (form != Form::types && form != Form::bytes_and_types) return list;
  std::vector<v8::Local<v8::Value>> types;
  types.reserve(value.size());
  for (const Dirent& entry : value) {
    types.push_back(v8::Integer::New(isolate, static_cast<int>(entry.type)));
  }
  v8::Local<v8::Value> pair[] = {list, v8::Array::New(isolate, types.data(), types.size())};
  return v8::Array::New(isolate, pair, std::size(pair));
}

v8::MaybeLocal<v8::Value> to_value(State& state, Form form, FileBytes& value) {
  v8::Isolate* const isolate = state.realm().isolate();
  if (form == Form::text) {
    v8::Local<v8::String> text;
    const auto* const data = reinterpret_cast<const uint8_t*>(value.data());
    if (!runtime::utf8_string(isolate, data, value.size()).ToLocal(&text)) return {};
    return text;
  }
  // The buffer takes over the memory without a copy. V8 only checks how much external memory the
  // young generation holds, and collects it, when it allocates some itself: so let it do that.
  const size_t size = value.size();
  if (size >= kMuch) v8::ArrayBuffer::NewBackingStore(isolate, 1);
  return runtime::own_memory(isolate, value.release(), size);
}

namespace {

void warn_of_descriptor(Realm& realm, int fd, std::string_view what) {
  v8::Local<v8::String> text;
  const std::string message = "File descriptor " + std::to_string(fd) + std::string(what);
  if (!runtime::to_js(realm.isolate(), message).ToLocal(&text)) return;
  runtime::JsEntry::call_undrained(realm, runtime::Hook::emit_warning, {text});
}

}  // namespace

void record_opened(Realm& realm, int fd) {
  if (!realm.descriptors().add(fd)) {
    warn_of_descriptor(realm, fd, " opened in unmanaged mode twice");
  }
}

void record_closed(Realm& realm, int fd) {
  if (!realm.descriptors().remove(fd)) {
    warn_of_descriptor(realm, fd, " closed but not opened in unmanaged mode");
  }
}

void throw_failure(const Arguments& info, const Error& error, const PathArg* path,
                   const PathArg* dest) {
  v8::Isolate* const isolate = info.GetIsolate();
  isolate->ThrowException(
      runtime::system_error(isolate, error, path != nullptr ? path->view() : std::string_view(),
                            dest != nullptr ? dest->view() : std::string_view()));
}

void call_back_failure(Realm& realm, v8::Local<v8::Function> callback, const Error& error,
                       uint8_t paths, std::string_view path, std::string_view dest) {
  if (paths < 1) path = {};
  if (paths < 2) dest = {};
  runtime::JsEntry::call(realm, callback,
                         {runtime::system_error(realm.isolate(), error, path, dest)});
}

void call_back(Realm& realm, v8::Local<v8::Function> callback, v8::MaybeLocal<v8::Value> value,
               v8::Local<v8::Value> thrown) {
  v8::Local<v8::Value> result;
  if (!value.ToLocal(&result)) {
    runtime::JsEntry::call(realm, callback, {thrown});
    return;
  }
  if (result->IsUndefined()) {
    runtime::JsEntry::call(realm, callback, {v8::Null(realm.isolate())});
  } else {
    runtime::JsEntry::call(realm, callback, {v8::Null(realm.isolate()), result});
  }
}

}  // namespace rondo::bindings::fs
