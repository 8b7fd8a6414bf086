// Encodes and decodes base64, with the standard alphabet and the URL-safe one. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::encoding {

enum class Base64Alphabet : uint8_t {
  standard,  // + and /, padded with =.
  url,       // - and _, not padded.
};

size_t base64_length(size_t size, Base64Alphabet alphabet);
// Writes base64_length() characters.
void encode_base64(const uint8_t* data, size_t size, Base64Alphabet alphabet, uint8_t* out);

// Decodes like Buffer: accepts both alphabets, even mixed; skips other characters; stops at the
// first '=' or when `out` is full. Returns the number of bytes written.
size_t decode_base64(const uint8_t* text, size_t size, uint8_t* out, size_t capacity);

enum class StrictBase64 : uint8_t { ok, bad_character, bad_length };
// Decodes like atob(): only the standard alphabet, white space anywhere, padding complete or
// absent. `out` has room for decoded_base64_bound() bytes.
StrictBase64 decode_base64_strictly(const uint8_t* text, size_t size, uint8_t* out,
                                    size_t* written);
constexpr size_t decoded_base64_bound(size_t size) { return size / 4 * 3 + size % 4; }

}  // namespace rondo::encoding
