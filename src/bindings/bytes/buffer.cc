// internalBinding('buffer'): the native part of Buffer. lib/internal/buffer checks the arguments,
// except for the functions that are methods of Buffer.prototype (slices and writes).
#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/encoding/ascii.h"
#include "base/encoding/base64.h"
#include "base/encoding/search.h"
#include "bindings/bytes/buffer_text.h"
#include "runtime/values/binding.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using encoding::Base64Alphabet;
using runtime::Arguments;
using runtime::Bytes;
using runtime::bytes_of;
using runtime::ErrorClass;
using runtime::is_allocated;
using runtime::own_memory;
using runtime::read_latin1;
using runtime::Scratch;
using runtime::set_size;
using runtime::small_integer;
using runtime::take_latin1;
using runtime::throw_coded;
using runtime::throw_out_of_memory;
using runtime::utf8_copy;
using runtime::utf8_length;
using runtime::write_utf8;
using runtime::Written;

Encoding encoding_of(v8::Local<v8::Value> value) {
  int32_t id = -1;
  // lib passes only known ids.
  return small_integer(value, &id) && id >= 0 && id <= 7 ? static_cast<Encoding>(id)
                                                         : Encoding::utf8;
}

// An argument that lib has checked, unless a method was called on another receiver. Invalid sizes
// count as 0, and sizes that are too large are cut where they are used.
size_t size_of(v8::Local<v8::Value> value) {
  int32_t small = 0;
  if (small_integer(value, &small)) return static_cast<size_t>(std::max(small, 0));
  constexpr double kLargest = 9007199254740991;
  const double number = value->IsNumber() ? value.As<v8::Number>()->Value() : 0;
  return number > 0 ? static_cast<size_t>(std::min(number, kLargest)) : 0;
}
// The memory of an argument. If it is not a buffer, throws and returns no bytes, which every
// function here accepts.
Bytes known_bytes(v8::Local<v8::Value> value) {
  Bytes bytes;
  if (!bytes_of(value, &bytes)) {
    throw_coded(v8::Isolate::GetCurrent(), ErrorClass::type_error, "ERR_INVALID_ARG_TYPE",
                "argument must be a buffer");
  }
  return bytes;
}

// Reads an index of the program. Returns false if the conversion threw.
bool read_index(v8::Isolate* isolate, v8::Local<v8::Value> value, size_t fallback, size_t* index) {
  int32_t small = 0;
  if (small_integer(value, &small) && small >= 0) {
    *index = static_cast<size_t>(small);
    return true;
  }
  if (value->IsUndefined()) {
    *index = fallback;
    return true;
  }
  int64_t number = 0;
  if (!value->IntegerValue(isolate->GetCurrentContext()).To(&number)) return false;
  if (number < 0) {
    throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", "Index out of range");
    return false;
  }
  *index = static_cast<size_t>(number);
  return true;
}

// Reading such an index ran no code of the program.
bool is_plain_index(v8::Local<v8::Value> value) {
  int32_t small = 0;
  return small_integer(value, &small) || value->IsUndefined();
}

bool read_this(const Arguments& info, Bytes* bytes) {
  if (info.This()->IsArrayBufferView() && bytes_of(info.This(), bytes)) return true;
  throw_coded(info.GetIsolate(), ErrorClass::type_error, "ERR_INVALID_ARG_TYPE",
              "argument must be a buffer");
  return false;
}

// buffer.utf8Slice(start, end) and the like.
template <Encoding kEncoding>
void slice(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Bytes bytes;
  size_t start = 0;
  size_t end = 0;
  if (!read_this(info, &bytes)) return;
  if (!read_index(isolate, info[0], 0, &start)) return;
  if (!read_index(isolate, info[1], bytes.size, &end)) return;
  // Converting the arguments may have run code of the program that changed the buffer.
  if (!is_plain_index(info[0]) || !is_plain_index(info[1])) bytes = known_bytes(info.This());
  if (end < start) end = start;
  if (end > bytes.size) {
    throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", "Index out of range");
    return;
  }
  v8::Local<v8::String> text;
  if (decode_bytes(isolate, kEncoding, bytes.data + start, end - start).ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

// buffer.utf8Write(string, offset, length) and the like.
template <Encoding kEncoding>
void write(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Bytes bytes;
  if (!read_this(info, &bytes)) return;
  if (!info[0]->IsString()) {
    throw_coded(isolate, ErrorClass::type_error, "ERR_INVALID_ARG_TYPE",
                "argument must be a string");
    return;
  }
  size_t offset = 0;
  size_t length = 0;
  if (!read_index(isolate, info[1], 0, &offset)) return;
  if (offset > bytes.size) {
    throw_coded(isolate, ErrorClass::range_error, "ERR_BUFFER_OUT_OF_BOUNDS",
                "\"offset\" is outside of buffer bounds");
    return;
  }
  if (!read_index(isolate, info[2], bytes.size - offset, &length)) return;
  if (!is_plain_index(info[1]) || !is_plain_index(info[2])) bytes = known_bytes(info.This());
  if (offset > bytes.size) offset = bytes.size;
  length = std::min(length, bytes.size - offset);
  size_t written = 0;
  if (length > 0 && !write_text(isolate, kEncoding, info[0].As<v8::String>(), bytes.data + offset,
                                length, &written)) {
    return;
  }
  set_size(info, written);
}

// writeWhole(bytes, string, offset, encoding): writes the whole string, or returns -1 if it does
// not fit. Optimised code calls fast_write_whole() directly.
void write_whole(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const Bytes bytes = known_bytes(info[0]);
  RONDO_EXPECT(info, info[1]->IsString());
  const v8::Local<v8::String> text = info[1].As<v8::String>();
  const size_t offset = size_of(info[2]);
  const Encoding encoding = encoding_of(info[3]);
  RONDO_EXPECT(info, offset <= bytes.size);
  const size_t capacity = bytes.size - offset;
  const auto length = static_cast<size_t>(text->Length());
  size_t written = 0;
  bool is_whole = true;
  if (encoding == Encoding::utf8) {
    is_whole = length <= capacity;
    if (is_whole) {
      const Written done = write_utf8(isolate, text, bytes.data + offset, capacity);
      is_whole = done.read == length;
      written = done.bytes;
    }
  } else {
    const size_t need = encoding == Encoding::utf16le ? 2 * length : length;
    const bool is_digits = encoding != Encoding::utf16le && encoding != Encoding::latin1 &&
                           encoding != Encoding::ascii;
    // lib has checked that digits fit.
    is_whole = is_digits || need <= capacity;
    if (is_whole && !write_text(isolate, encoding, text, bytes.data + offset, capacity, &written))
      return;
  }
  info.GetReturnValue().Set(is_whole ? static_cast<int32_t>(written) : -1);
}

// Nothing here may allocate on V8's heap: the string could move. Memory that is not outside of it
// counts as full.
int32_t fast_write_whole(v8::Local<v8::Object>, v8::Local<v8::Value> target,
                         const runtime::FastOneByteString& text, uint32_t offset,
                         uint32_t encoding) {
  if (!target->IsArrayBufferView()) return -1;
  uint8_t on_heap[runtime::kMostOnHeap];
  const v8::MemorySpan<uint8_t> bytes =
      target.As<v8::ArrayBufferView>()->GetContents({on_heap, sizeof on_heap});
  if (bytes.data() == on_heap || offset > bytes.size() || encoding > 7) return -1;
  return write_flat(static_cast<Encoding>(encoding), reinterpret_cast<const uint8_t*>(text.data),
                    text.length, bytes.data() + offset, bytes.size() - offset);
}

const runtime::FastFunction kFastWriteWhole = runtime::make_fast(fast_write_whole);

// createFromString(string, encoding): an ArrayBuffer with the bytes of the string.
void create_from_string(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsString());
  const v8::Local<v8::String> text = info[0].As<v8::String>();
  const Encoding encoding = encoding_of(info[1]);
  const auto length = static_cast<size_t>(text->Length());
  size_t size = 0;
  uint8_t* memory = nullptr;
  if (encoding == Encoding::utf8) {
    memory = utf8_copy(isolate, text, &size);
  } else {
    const size_t most = encoding == Encoding::utf16le  ? 2 * length
                        : encoding == Encoding::hex    ? length / 2
                        : encoding == Encoding::latin1 ? length
                        : encoding == Encoding::ascii  ? length
                                                       : encoding::decoded_base64_bound(length);
    memory = static_cast<uint8_t*>(std::malloc(most + 1));
    if (memory != nullptr && !write_text(isolate, encoding, text, memory, most, &size)) {
      std::free(memory);
      return;
    }
    if (memory != nullptr && size < most) {
      void* smaller = std::realloc(memory, size + 1);
      if (smaller != nullptr) memory = static_cast<uint8_t*>(smaller);
    }
  }
  if (memory == nullptr) {
    throw_out_of_memory(isolate);
    return;
  }
  info.GetReturnValue().Set(own_memory(isolate, memory, size));
}

// createUnsafeArrayBuffer(size): with uninitialised memory.
void create_unsafe_array_buffer(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const size_t size = size_of(info[0]);
  void* memory = size <= v8::TypedArray::kMaxByteLength ? std::malloc(size + 1) : nullptr;
  if (memory == nullptr) {
    isolate->ThrowException(
        v8::Exception::RangeError(runtime::literal(isolate, "Array buffer allocation failed")));
    return;
  }
  info.GetReturnValue().Set(own_memory(isolate, memory, size));
}

// misalignment(arrayBuffer, alignment): the address of its first byte modulo `alignment`.
void misalignment(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsArrayBuffer());
  RONDO_EXPECT(info, size_of(info[1]) > 0);
  const auto address = reinterpret_cast<uintptr_t>(info[0].As<v8::ArrayBuffer>()->Data());
  set_size(info, address % size_of(info[1]));
}

void byte_length_utf8(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsString());
  set_size(info, utf8_length(info.GetIsolate(), info[0].As<v8::String>()));
}

// btoa(string): -1 if a character is beyond Latin-1.
void btoa(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsString());
  const v8::Local<v8::String> text = info[0].As<v8::String>();
  if (!text->IsOneByte() && !text->ContainsOnlyOneByte()) {
    info.GetReturnValue().Set(-1);
    return;
  }
  const auto length = static_cast<size_t>(text->Length());
  Scratch<uint8_t> bytes(length);
  if (!is_allocated(isolate, bytes)) return;
  read_latin1(isolate, text, bytes.data(), 0, length);
  v8::Local<v8::String> result;
  if (base64_text(isolate, bytes.data(), length, Base64Alphabet::standard).ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

// atob(string): -1 for an invalid character, -2 for an invalid length.
void atob(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsString());
  const v8::Local<v8::String> text = info[0].As<v8::String>();
  if (!text->IsOneByte() && !text->ContainsOnlyOneByte()) {
    info.GetReturnValue().Set(-1);
    return;
  }
  const auto length = static_cast<size_t>(text->Length());
  Scratch<uint8_t> digits(length);
  if (!is_allocated(isolate, digits)) return;
  read_latin1(isolate, text, digits.data(), 0, length);
  Scratch<uint8_t> bytes(encoding::decoded_base64_bound(length));
  if (!is_allocated(isolate, bytes)) return;
  size_t size = 0;
  switch (encoding::decode_base64_strictly(digits.data(), length, bytes.data(), &size)) {
    case encoding::StrictBase64::bad_character: info.GetReturnValue().Set(-1); return;
    case encoding::StrictBase64::bad_length: info.GetReturnValue().Set(-2); return;
    case encoding::StrictBase64::ok: break;
  }
  v8::Local<v8::String> result;
  if (take_latin1(isolate, bytes, size).ToLocal(&result)) info.GetReturnValue().Set(result);
}

// fillString(bytes, string, start, end, encoding): false if the string has no bytes.
void fill_string(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsString());
  const v8::Local<v8::String> text = info[1].As<v8::String>();
  const Bytes bytes = known_bytes(info[0]);
  const size_t end = std::min(size_of(info[3]), bytes.size);
  const size_t start = std::min(size_of(info[2]), end);
  // Only as much as can be filled is read, plus one character.
  const size_t most = std::min(3 * static_cast<size_t>(text->Length()), end - start + 3);
  Scratch<uint8_t> pattern(most);
  if (!is_allocated(isolate, pattern)) return;
  size_t size = 0;
  if (!write_text(isolate, encoding_of(info[4]), text, pattern.data(), most, &size)) return;
  if (size > 0) encoding::fill_with(bytes.data + start, end - start, pattern.data(), size);
  info.GetReturnValue().Set(size > 0);
}

const runtime::Method kMethods[] = {
    {"asciiSlice", slice<Encoding::ascii>},
    {"base64Slice", slice<Encoding::base64>},
    {"base64urlSlice", slice<Encoding::base64url>},
    {"latin1Slice", slice<Encoding::latin1>},
    {"hexSlice", slice<Encoding::hex>},
    {"ucs2Slice", slice<Encoding::utf16le>},
    {"utf8Slice", slice<Encoding::utf8>},
    {"asciiWrite", write<Encoding::ascii>},
    {"base64Write", write<Encoding::base64>},
    {"base64urlWrite", write<Encoding::base64url>},
    {"latin1Write", write<Encoding::latin1>},
    {"hexWrite", write<Encoding::hex>},
    {"ucs2Write", write<Encoding::utf16le>},
    {"utf8Write", write<Encoding::utf8>},
    {"writeWhole", write_whole, &kFastWriteWhole},
    {"createFromString", create_from_string},
    {"createUnsafeArrayBuffer", create_unsafe_array_buffer},
    {"misalignment", misalignment},
    {"byteLengthUtf8", byte_length_utf8},
    {"fillString", fill_string},
    {"btoa", btoa},
    {"atob", atob},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set(isolate, target, "kMaxLength", static_cast<double>(v8::TypedArray::kMaxByteLength));
  runtime::set(isolate, target, "kStringMaxLength", static_cast<double>(v8::String::kMaxLength));
}

}  // namespace

extern const runtime::Binding buffer;
const runtime::Binding buffer{"buffer", kMethods, add_constants};

}  // namespace rondo::bindings
