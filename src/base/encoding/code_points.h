// Conversion of single characters between UTF-16 and UTF-8, for the encoders of this folder.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::encoding {

inline bool is_high_surrogate(char16_t unit) { return (unit & 0xfc00) == 0xd800; }
inline bool is_low_surrogate(char16_t unit) { return (unit & 0xfc00) == 0xdc00; }

inline bool is_surrogate(char16_t unit) { return (unit & 0xf800) == 0xd800; }
inline uint32_t from_surrogates(char16_t high, char16_t low) {
  return 0x10000 + ((high & 0x3ffU) << 10 | (low & 0x3ffU));
}

inline uint8_t continuation(uint32_t bits) { return static_cast<uint8_t>(0x80 | (bits & 0x3f)); }

// Writes one character as at most four bytes and returns their number.
inline size_t put_utf8(uint32_t code_point, uint8_t* out) {
  if (code_point < 0x80) {
    out[0] = static_cast<uint8_t>(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = static_cast<uint8_t>(0xc0 | code_point >> 6);
    out[1] = continuation(code_point);
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = static_cast<uint8_t>(0xe0 | code_point >> 12);
    out[1] = continuation(code_point >> 6);
    out[2] = continuation(code_point);
    return 3;
  }
  out[0] = static_cast<uint8_t>(0xf0 | code_point >> 18);
  out[1] = continuation(code_point >> 12);
  out[2] = continuation(code_point >> 6);
  out[3] = continuation(code_point);
  return 4;
}

}  // namespace rondo::encoding
