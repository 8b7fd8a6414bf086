#include "bindings/zlib/arguments.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/values/text.h"

namespace rondo::bindings::zlib {

namespace {

std::shared_ptr<v8::BackingStore> store_of(v8::Local<v8::Value> value) {
  if (value->IsArrayBufferView()) {
    return value.As<v8::ArrayBufferView>()->Buffer()->GetBackingStore();
  }
  if (value->IsSharedArrayBuffer()) return value.As<v8::SharedArrayBuffer>()->GetBackingStore();
  if (value->IsArrayBuffer()) return value.As<v8::ArrayBuffer>()->GetBackingStore();
  return nullptr;
}

template <class T>
std::vector<T> copy_of(v8::Local<v8::Value> value) {
  runtime::Bytes bytes;
  if (!runtime::bytes_of(value, &bytes)) return {};
  std::vector<T> copy(bytes.size / sizeof(T));
  if (!copy.empty()) std::memcpy(copy.data(), bytes.data, copy.size() * sizeof(T));
  return copy;
}

}  // namespace

size_t size_arg(v8::Local<v8::Value> value) {
  int32_t small;
  if (runtime::small_integer(value, &small)) return static_cast<size_t>(std::max(small, 0));
  const double number = value->IsNumber() ? value.As<v8::Number>()->Value() : 0;
  return number > 0 && number <= 0x1p53 ? static_cast<size_t>(number) : 0;
}

int int_arg(v8::Local<v8::Value> value) {
  if (value->IsInt32()) return value.As<v8::Int32>()->Value();
  return static_cast<int>(std::min(size_arg(value), size_t{INT32_MAX}));
}

bool take_memory(v8::Isolate* isolate, v8::Local<v8::Value> value, v8::Local<v8::Value> offset,
                 v8::Local<v8::Value> size, const char* name, Memory* memory) {
  // First: this moves the memory of a small array out of V8's heap.
  memory->store = store_of(value);
  runtime::Bytes bytes;
  const size_t start = size_arg(offset);
  memory->size = size_arg(size);
  // A negative size comes from a program that changed the stream's private fields.
  const bool is_negative = size->IsNumber() && size.As<v8::Number>()->Value() < 0;
  if (!runtime::bytes_of(value, &bytes) || is_negative || start > bytes.size ||
      memory->size > bytes.size - start) {
    runtime::throw_coded(isolate, runtime::ErrorClass::range_error, "ERR_OUT_OF_RANGE",
                         std::string(name) + " buffer is out of bounds");
    return false;
  }
  memory->data = bytes.data + start;
  if (memory->size == 0 || !memory->store->IsResizableByUserJavaScript()) return true;
  std::shared_ptr<v8::BackingStore> copy = v8::ArrayBuffer::NewBackingStore(isolate, memory->size);
  std::memcpy(copy->Data(), memory->data, memory->size);
  memory->data = static_cast<uint8_t*>(copy->Data());
  memory->store = std::move(copy);
  return true;
}

CodecArguments::CodecArguments(const runtime::Arguments& info, int first) {
  const int number = int_arg(info[first]);
  if (number <= static_cast<int>(Mode::none) || number >= static_cast<int>(Mode::count)) return;
  mode = static_cast<Mode>(number);
  dictionary_ = copy_of<uint8_t>(info[first + 2]);
  if (is_zlib()) {
    const std::vector<int32_t> values = copy_of<int32_t>(info[first + 1]);
    if (values.size() != 4) return;
    settings.window_bits = values[0];
    settings.level = values[1];
    settings.mem_level = values[2];
    settings.strategy = values[3];
    settings.rejects_garbage = info[first + 3]->IsTrue();
    settings.dictionary = std::move(dictionary_);
  } else {
    values_ = copy_of<uint32_t>(info[first + 1]);
    rejects_garbage_ = info[first + 3]->IsTrue();
    if (info[first + 4]->IsNumber()) pledged_size_ = size_arg(info[first + 4]);
  }
  is_valid = true;
}

std::unique_ptr<Codec> CodecArguments::make(v8::Isolate* isolate) {
  if (is_zlib()) return make_zlib_codec(mode, std::move(settings));
  const bool is_brotli = mode == Mode::brotli_encode || mode == Mode::brotli_decode;
  Failure failure;
  Parameters parameters{values_, std::move(dictionary_), pledged_size_, rejects_garbage_};
  std::unique_ptr<Codec> codec = is_brotli
                                     ? make_brotli_codec(mode, std::move(parameters), &failure)
                                     : make_zstd_codec(mode, parameters, &failure);
  if (codec == nullptr) {
    runtime::throw_coded(isolate, runtime::ErrorClass::error, "ERR_ZLIB_INITIALIZATION_FAILED",
                         is_brotli ? std::string("Initialization failed") : failure.message);
  }
  return codec;
}

v8::Local<v8::Value> to_js(v8::Isolate* isolate, const Failure& failure) {
  v8::Local<v8::Value> parts[] = {
      runtime::to_js(isolate, failure.message).ToLocalChecked(),
      v8::Integer::New(isolate, failure.number),
      runtime::literal(isolate, failure.code),
  };
  return v8::Array::New(isolate, parts, std::size(parts));
}

}  // namespace rondo::bindings::zlib
