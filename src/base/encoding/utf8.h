// Converts UTF-8 to and from the two representations of JavaScript strings, Latin-1 bytes and
// UTF-16 units. Thread: any. Decoding follows the Encoding Standard: invalid bytes become U+FFFD,
// one for each longest prefix of a valid character. Encoding replaces an unpaired surrogate by
// U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::encoding {

bool is_utf8(const uint8_t* data, size_t size);

struct Utf8Decoded {
  size_t units;      // Written to `out`.
  bool has_errors;   // At least one U+FFFD was written for invalid input.
  bool fits_latin1;  // No unit is above 0xFF.
};
// `out` must have room for `size` units: no text has more units than bytes.
Utf8Decoded decode_utf8(const uint8_t* data, size_t size, char16_t* out);
// Decodes while all characters are at most U+00FF. Returns false, and leaves `out` unspecified, at
// the first other character or error. `out` has `size` bytes.
bool decode_utf8_to_latin1(const uint8_t* data, size_t size, uint8_t* out, size_t* written);

// The number of bytes at the end that begin a character which more bytes could complete: 0 to 3.
size_t incomplete_utf8_tail(const uint8_t* data, size_t size);

size_t utf8_length_of_latin1(const uint8_t* data, size_t size);
size_t utf8_length_of_utf16(const char16_t* data, size_t size);

struct Utf8Encoded {
  size_t read;     // Units that were encoded completely.
  size_t written;  // Bytes.
};
// Stop before the first character that does not fit, and leave the rest of `out` unchanged.
Utf8Encoded encode_latin1_as_utf8(const uint8_t* data, size_t size, uint8_t* out, size_t capacity);
Utf8Encoded encode_utf16_as_utf8(const char16_t* data, size_t size, uint8_t* out, size_t capacity);

}  // namespace rondo::encoding
