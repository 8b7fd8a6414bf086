// Converts strings and bytes between V8 and the codecs of base/encoding, for buffer.cc, encoding.cc
// and messaging.cc.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/values/v8.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

// Borrows a cached memory block, because allocating and freeing one costs more than its use. One
// block per thread; null if it is in use, or too small.
void* borrow_memory(size_t size);
void return_memory(void* memory);

// Memory for the duration of a call, uninitialised: on the stack if it is small.
template <class T, size_t kInline = 2048 / sizeof(T)>
class Scratch {
 public:
  explicit Scratch(size_t size) {
    if (size <= kInline) {
      data_ = inline_;
      return;
    }
    data_ = static_cast<T*>(borrow_memory(size * sizeof(T)));
    is_borrowed_ = data_ != nullptr;
    if (!is_borrowed_) data_ = static_cast<T*>(std::malloc(size * sizeof(T)));
  }
  ~Scratch() {
    if (is_borrowed_) {
      return_memory(data_);
    } else if (data_ != inline_) {
      std::free(data_);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // True if the memory is from malloc and can be released to another owner.
  bool is_own() const { return data_ != inline_ && !is_borrowed_; }
  bool has_failed() const { return data_ == nullptr; }
  T* data() { return data_; }
  T* release() {
    T* data = data_;
    data_ = inline_;
    return data;
  }

 private:
  T inline_[kInline];
  T* data_;
  bool is_borrowed_ = false;
};

// Prefetches memory that is about to be written: new buffers are not in a cache.
inline void prefetch(const uint8_t* memory, size_t size) {
  constexpr size_t kMost = 4096;
  constexpr size_t kLine = 64;
  for (size_t i = 0; i < size && i < kMost; i += kLine) __builtin_prefetch(memory + i, 1);
}

// The size up to which V8 holds the elements of a typed array on its heap.
inline constexpr size_t kMostOnHeap = 64;

// The memory of an ArrayBufferView, an ArrayBuffer or a SharedArrayBuffer. It must not be used
// after JavaScript has run again. A detached buffer has no bytes.
struct Bytes {
  uint8_t* data = nullptr;
  size_t size = 0;
  bool is_detached = false;
};
// Returns false for any other value.
bool bytes_of(v8::Local<v8::Value> value, Bytes* bytes);

enum class ErrorClass : uint8_t { error, range_error, type_error };
// Throws an error with a code, like those of lib.
void throw_coded(v8::Isolate* isolate, ErrorClass kind, std::string_view code,
                 std::string_view message);
void throw_string_too_long(v8::Isolate* isolate);
void throw_out_of_memory(v8::Isolate* isolate);
template <class T>
bool is_allocated(v8::Isolate* isolate, const T& scratch) {
  if (!scratch.has_failed()) return true;
  throw_out_of_memory(isolate);
  return false;
}

// Returns a size to JavaScript. Most sizes are small integers, which need no allocation.
inline void set_size(const Arguments& info, size_t size) {
  if (size <= INT32_MAX) {
    info.GetReturnValue().Set(static_cast<int32_t>(size));
  } else {
    info.GetReturnValue().Set(static_cast<double>(size));
  }
}

// These functions throw and return an empty handle if the string would be too long for V8, or if
// memory is exhausted.
v8::MaybeLocal<v8::String> latin1_string(v8::Isolate* isolate, const uint8_t* data, size_t size);
v8::MaybeLocal<v8::String> utf16_string(v8::Isolate* isolate, const char16_t* data, size_t size);
v8::MaybeLocal<v8::String> utf8_string(v8::Isolate* isolate, const uint8_t* data, size_t size);
// Creates a string from the memory of `units`, narrowed to one byte each if all fit.
v8::MaybeLocal<v8::String> take_utf16(v8::Isolate* isolate, Scratch<char16_t>& units, size_t size,
                                      bool fits_latin1);
v8::MaybeLocal<v8::String> take_latin1(v8::Isolate* isolate, Scratch<uint8_t>& bytes, size_t size);

// Copies characters. Also flattens the string, so that reading the next part is cheap.
void read_latin1(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* out, size_t start,
                 size_t size);
void read_utf16(v8::Isolate* isolate, v8::Local<v8::String> text, char16_t* out, size_t start,
                size_t size);

size_t utf8_length(v8::Isolate* isolate, v8::Local<v8::String> text);

struct Written {
  size_t read;   // Units of the string.
  size_t bytes;  // Bytes written to `out`.
};
// Writes as many whole characters as fit.
Written write_utf8(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* out, size_t capacity);
// write_utf8() for a flat string of one byte per character.
Written write_latin1_as_utf8(const uint8_t* text, size_t length, uint8_t* out, size_t capacity);
// The whole string as UTF-8, in memory from malloc; null if memory is exhausted.
uint8_t* utf8_copy(v8::Isolate* isolate, v8::Local<v8::String> text, size_t* size);

// An ArrayBuffer of memory from malloc, which it owns. `data` may be null if `size` is 0.
v8::Local<v8::ArrayBuffer> own_memory(v8::Isolate* isolate, void* data, size_t size);

}  // namespace rondo::runtime
