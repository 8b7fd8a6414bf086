// Conversion between UTF-16 and WTF-8, which is UTF-8 that also encodes unpaired surrogates.
#include <uv.h>

#include <cstdint>

#include "base/encoding/code_points.h"
#include "uv/core/memory.h"

namespace rondo::uv {
namespace {

using encoding::is_high_surrogate;
using encoding::is_low_surrogate;

// The next character; surrogates without a partner stand for themselves. `size` < 0: up to a NUL.
uint32_t next_unit(const uint16_t*& at, ssize_t& left) {
  const uint16_t unit = *at++;
  if (left > 0) --left;
  if (!is_high_surrogate(unit) || left == 0 || !is_low_surrogate(*at)) return unit;
  if (left > 0) --left;
  return encoding::from_surrogates(unit, *at++);
}

bool has_more(const uint16_t* at, ssize_t left) { return left < 0 ? *at != 0 : left > 0; }

// The next character of WTF-8, or -1 if the bytes are invalid.
int32_t next_code(const char*& at) {
  const auto byte = [&at](int i) { return static_cast<uint8_t>(at[i]); };
  const uint32_t first = byte(0);
  ++at;
  if (first < 0x80) return static_cast<int32_t>(first);
  if (first < 0xC2 || first > 0xF4) return -1;
  const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  uint32_t code = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    if ((byte(0) & 0xC0) != 0x80) return -1;
    code = code << 6 | (byte(0) & 0x3Fu);
    ++at;
  }
  constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  if (code < kLeast[more] || code > 0x10FFFF) return -1;
  return static_cast<int32_t>(code);
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

// Without a terminating NUL.
size_t uv_utf16_length_as_wtf8(const uint16_t* utf16, ssize_t utf16_len) {
  size_t length = 0;
  uint8_t bytes[4];
  while (has_more(utf16, utf16_len)) {
    length += encoding::put_utf8(next_unit(utf16, utf16_len), bytes);
  }
  return length;
}

int uv_utf16_to_wtf8(const uint16_t* utf16, ssize_t utf16_len, char** wtf8_ptr,
                     size_t* wtf8_len_ptr) {
  const bool is_own = wtf8_ptr == nullptr || *wtf8_ptr == nullptr;
  const size_t length = uv_utf16_length_as_wtf8(utf16, utf16_len);
  if (!is_own && wtf8_len_ptr != nullptr && *wtf8_len_ptr < length) {
    *wtf8_len_ptr = length;
    return UV_ENOBUFS;
  }
  if (wtf8_len_ptr != nullptr) *wtf8_len_ptr = length;
  if (wtf8_ptr == nullptr) return 0;
  if (is_own) {
    *wtf8_ptr = static_cast<char*>(allocate(length + 1));
    if (*wtf8_ptr == nullptr) return UV_ENOMEM;
  }
  auto* out = reinterpret_cast<uint8_t*>(*wtf8_ptr);
  while (has_more(utf16, utf16_len)) {
    out += encoding::put_utf8(next_unit(utf16, utf16_len), out);
  }
  *out = 0;
  return 0;
}

// With the terminating NUL.
ssize_t uv_wtf8_length_as_utf16(const char* wtf8) {
  ssize_t units = 0;
  for (;;) {
    const int32_t code = next_code(wtf8);
    if (code < 0) return UV_EINVAL;
    units += code > 0xFFFF ? 2 : 1;
    if (code == 0) return units;
  }
}

void uv_wtf8_to_utf16(const char* wtf8, uint16_t* utf16, size_t utf16_len) {
  while (utf16_len > 0) {
    const int32_t code = next_code(wtf8);
    if (code < 0) return;
    if (code > 0xFFFF) {
      const uint32_t rest = static_cast<uint32_t>(code) - 0x10000;
      *utf16++ = static_cast<uint16_t>(0xD800 + (rest >> 10));
      *utf16++ = static_cast<uint16_t>(0xDC00 + (rest & 0x3FF));
      utf16_len -= utf16_len < 2 ? utf16_len : 2;
    } else {
      *utf16++ = static_cast<uint16_t>(code);
      --utf16_len;
    }
    if (code == 0) return;
  }
}

}  // extern "C"
