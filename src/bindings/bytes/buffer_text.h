// Text in the encodings of Buffer, between V8's strings and memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/encoding/base64.h"
#include "runtime/values/v8.h"

namespace rondo::bindings {

// The numbers of encodingsMap in lib/internal/util.js.
enum class Encoding : uint8_t { ascii, utf8, base64, utf16le, latin1, hex, buffer, base64url };

// These throw and return nothing if the string would be too long for V8, or memory is out.
v8::MaybeLocal<v8::String> decode_bytes(v8::Isolate* isolate, Encoding encoding,
                                        const uint8_t* data, size_t size);
v8::MaybeLocal<v8::String> base64_text(v8::Isolate* isolate, const uint8_t* data, size_t size,
                                       encoding::Base64Alphabet alphabet);

// Writes as much as fits. Returns false if it threw.
bool write_text(v8::Isolate* isolate, Encoding encoding, v8::Local<v8::String> text, uint8_t* out,
                size_t capacity, size_t* written);
// Writes a flat string of one byte per character, without using V8. Returns the number of bytes, or
// -1 if it does not fit.
int32_t write_flat(Encoding encoding, const uint8_t* text, size_t length, uint8_t* out,
                   size_t capacity);

}  // namespace rondo::bindings
