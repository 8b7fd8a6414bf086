// internalBinding('buffer'): the native part of Buffer. lib/internal/buffer checks the arguments,
// except for the functions that are methods of Buffer.prototype (slices and writes).
#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/encoding/ascii.h"
#include "base/encoding/base64.h"
#include "base/encoding/hex.h"
#include "base/encoding/search.h"
#include "base/encoding/utf8.h"
#include "runtime/binding.h"
#include "runtime/text.h"
#include "runtime/values.h"

namespace rondo::bindings {

namespace {

using encoding::Base64Alphabet;
using runtime::Arguments;
using runtime::Bytes;
using runtime::bytes_of;
using runtime::ErrorClass;
using runtime::is_allocated;
using runtime::latin1_string;
using runtime::own_memory;
using runtime::read_latin1;
using runtime::read_utf16;
using runtime::Scratch;
using runtime::set_size;
using runtime::take_latin1;
using runtime::take_utf16;
using runtime::throw_coded;
using runtime::throw_out_of_memory;
using runtime::throw_string_too_long;
using runtime::utf16_string;
using runtime::utf8_copy;
using runtime::utf8_length;
using runtime::utf8_string;
using runtime::write_utf8;
using runtime::Written;

// The numbers of encodingsMap in lib/internal/util.js.
enum class Encoding : uint8_t { ascii, utf8, base64, utf16le, latin1, hex, buffer, base64url };

constexpr auto kStringMax = static_cast<size_t>(v8::String::kMaxLength);

Encoding encoding_of(v8::Local<v8::Value> value) {
  const int32_t id = value->IsInt32() ? value.As<v8::Int32>()->Value() : -1;
  // lib passes only known ids.
  return id >= 0 && id <= 7 ? static_cast<Encoding>(id) : Encoding::utf8;
}

// An argument that lib has checked, unless a method was called on another receiver. Invalid sizes
// count as 0, and sizes that are too large are cut where they are used.
size_t size_of(v8::Local<v8::Value> value) {
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
  if (value->IsInt32() && value.As<v8::Int32>()->Value() >= 0) {
    *index = static_cast<size_t>(value.As<v8::Int32>()->Value());
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

bool read_this(const Arguments& info, Bytes* bytes) {
  if (info.This()->IsArrayBufferView() && bytes_of(info.This(), bytes)) return true;
  throw_coded(info.GetIsolate(), ErrorClass::type_error, "ERR_INVALID_ARG_TYPE",
              "argument must be a buffer");
  return false;
}

v8::MaybeLocal<v8::String> decode_ascii(v8::Isolate* isolate, const uint8_t* data, size_t size) {
  if (size > kStringMax || encoding::is_ascii(data, size))
    return latin1_string(isolate, data, size);
  Scratch<uint8_t> text(size);
  if (!is_allocated(isolate, text)) return {};
  encoding::strip_high_bits(data, size, text.data());
  return take_latin1(isolate, text, size);
}

v8::MaybeLocal<v8::String> decode_utf16(v8::Isolate* isolate, const uint8_t* data, size_t size) {
  const size_t length = size / 2;
  // V8 needs aligned units, but a slice may start at an odd address.
  if (reinterpret_cast<uintptr_t>(data) % alignof(char16_t) == 0 || length > kStringMax) {
    return utf16_string(isolate, reinterpret_cast<const char16_t*>(data), length);
  }
  Scratch<char16_t> units(length);
  if (!is_allocated(isolate, units)) return {};
  std::memcpy(units.data(), data, 2 * length);
  return take_utf16(isolate, units, length, false);
}

v8::MaybeLocal<v8::String> hex_text(v8::Isolate* isolate, const uint8_t* data, size_t size) {
  if (size > kStringMax / 2) {
    throw_string_too_long(isolate);
    return {};
  }
  Scratch<uint8_t> text(2 * size);
  if (!is_allocated(isolate, text)) return {};
  encoding::encode_hex(data, size, text.data());
  return take_latin1(isolate, text, 2 * size);
}

v8::MaybeLocal<v8::String> base64_text(v8::Isolate* isolate, const uint8_t* data, size_t size,
                                       Base64Alphabet alphabet) {
  const size_t length = encoding::base64_length(size, alphabet);
  if (length > kStringMax) {
    throw_string_too_long(isolate);
    return {};
  }
  Scratch<uint8_t> text(length);
  if (!is_allocated(isolate, text)) return {};
  encoding::encode_base64(data, size, alphabet, text.data());
  return take_latin1(isolate, text, length);
}

v8::MaybeLocal<v8::String> decode(v8::Isolate* isolate, Encoding encoding, const uint8_t* data,
                                  size_t size) {
  switch (encoding) {
    case Encoding::ascii: return decode_ascii(isolate, data, size);
    case Encoding::utf16le: return decode_utf16(isolate, data, size);
    case Encoding::latin1: return latin1_string(isolate, data, size);
    case Encoding::hex: return hex_text(isolate, data, size);
    case Encoding::base64: return base64_text(isolate, data, size, Base64Alphabet::standard);
    case Encoding::base64url: return base64_text(isolate, data, size, Base64Alphabet::url);
    case Encoding::utf8:
    case Encoding::buffer: break;
  }
  return utf8_string(isolate, data, size);
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
  if (!info[0]->IsInt32() || !info[1]->IsInt32()) bytes = known_bytes(info.This());
  if (end < start) end = start;
  if (end > bytes.size) {
    throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", "Index out of range");
    return;
  }
  v8::Local<v8::String> text;
  if (decode(isolate, kEncoding, bytes.data + start, end - start).ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

size_t write_utf16(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* out,
                   size_t capacity) {
  const size_t length = std::min(static_cast<size_t>(text->Length()), capacity / 2);
  if (reinterpret_cast<uintptr_t>(out) % alignof(char16_t) == 0) {
    read_utf16(isolate, text, reinterpret_cast<char16_t*>(out), 0, length);
  } else {
    constexpr size_t kPart = 1024;
    char16_t part[kPart];
    for (size_t i = 0; i < length; i += kPart) {
      const size_t size = std::min(kPart, length - i);
      read_utf16(isolate, text, part, i, size);
      std::memcpy(out + 2 * i, part, 2 * size);
    }
  }
  return 2 * length;
}

// Decodes hex or base64. As in Node, characters beyond Latin-1 count by their low byte.
bool write_digits(v8::Isolate* isolate, Encoding encoding, v8::Local<v8::String> text, uint8_t* out,
                  size_t capacity, size_t* written) {
  size_t length = static_cast<size_t>(text->Length());
  if (encoding == Encoding::hex) length = std::min(length, 2 * capacity);
  runtime::prefetch(out, std::min(capacity, length / 4 * (encoding == Encoding::hex ? 2 : 3)));
  const auto decode_digits = [&](const uint8_t* digits) {
    *written = encoding == Encoding::hex ? encoding::decode_hex(digits, length, out, capacity)
                                         : encoding::decode_base64(digits, length, out, capacity);
  };
  if (text->IsOneByte()) {
    const v8::String::ValueView view(isolate, text);
    if (view.is_one_byte()) {
      decode_digits(view.data8());
      return true;
    }
  }
  Scratch<uint8_t> digits(length);
  if (!is_allocated(isolate, digits)) return false;
  read_latin1(isolate, text, digits.data(), 0, length);
  decode_digits(digits.data());
  return true;
}

// Writes as much as fits. Returns false if it threw.
bool write_text(v8::Isolate* isolate, Encoding encoding, v8::Local<v8::String> text, uint8_t* out,
                size_t capacity, size_t* written) {
  switch (encoding) {
    case Encoding::ascii:
    case Encoding::latin1:
      *written = std::min(static_cast<size_t>(text->Length()), capacity);
      read_latin1(isolate, text, out, 0, *written);
      return true;
    case Encoding::utf16le: *written = write_utf16(isolate, text, out, capacity); return true;
    case Encoding::hex:
    case Encoding::base64:
    case Encoding::base64url: return write_digits(isolate, encoding, text, out, capacity, written);
    case Encoding::utf8:
    case Encoding::buffer: break;
  }
  *written = write_utf8(isolate, text, out, capacity).bytes;
  return true;
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
  if (!info[1]->IsInt32() || !info[2]->IsInt32()) bytes = known_bytes(info.This());
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
// not fit.
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

constexpr runtime::Method kMethods[] = {
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
    {"writeWhole", write_whole},
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
