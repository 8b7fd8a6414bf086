#include "bindings/bytes/buffer_text.h"

#include <algorithm>
#include <cstring>

#include "base/encoding/ascii.h"
#include "base/encoding/hex.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

using encoding::Base64Alphabet;
using runtime::is_allocated;
using runtime::latin1_string;
using runtime::read_latin1;
using runtime::read_utf16;
using runtime::Scratch;
using runtime::take_latin1;
using runtime::take_utf16;
using runtime::throw_string_too_long;
using runtime::utf16_string;
using runtime::utf8_string;
using runtime::write_latin1_as_utf8;
using runtime::write_utf8;
using runtime::Written;

namespace {

constexpr auto kStringMax = static_cast<size_t>(v8::String::kMaxLength);

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

}  // namespace

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

v8::MaybeLocal<v8::String> decode_bytes(v8::Isolate* isolate, Encoding encoding,
                                        const uint8_t* data, size_t size) {
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

int32_t write_flat(Encoding encoding, const uint8_t* text, size_t length, uint8_t* out,
                   size_t capacity) {
  size_t written = 0;
  switch (encoding) {
    case Encoding::ascii:
    case Encoding::latin1:
      if (length > capacity) return -1;
      std::memcpy(out, text, length);
      written = length;
      break;
    case Encoding::utf16le:
      if (length > capacity / 2 || reinterpret_cast<uintptr_t>(out) % alignof(char16_t) != 0)
        return -1;
      encoding::widen(text, length, reinterpret_cast<char16_t*>(out));
      written = 2 * length;
      break;
    case Encoding::hex:
      runtime::prefetch(out, std::min(capacity, length / 2));
      written = encoding::decode_hex(text, length, out, capacity);
      break;
    case Encoding::base64:
    case Encoding::base64url:
      runtime::prefetch(out, std::min(capacity, length / 4 * 3));
      written = encoding::decode_base64(text, length, out, capacity);
      break;
    case Encoding::utf8:
    case Encoding::buffer: {
      if (length > capacity) return -1;
      const Written done = write_latin1_as_utf8(text, length, out, capacity);
      if (done.read != length) return -1;
      written = done.bytes;
    }
  }
  return static_cast<int32_t>(written);
}

}  // namespace rondo::bindings
