#include "base/encoding/utf8.h"

#include <cstring>

#include "base/encoding/ascii.h"
#include "base/encoding/code_points.h"
#include "base/encoding/simd.h"

#ifdef RONDO_ENCODING_X86
#include <emmintrin.h>
#endif

namespace rondo::encoding {
namespace {

constexpr char16_t kReplacement = 0xfffd;

bool is_continuation(uint8_t byte) { return (byte & 0xc0) == 0x80; }

// The character of two to four bytes, or the error, at the beginning of some data.
struct Sequence {
  uint32_t code_point;  // U+FFFD for an error.
  uint32_t length;      // Bytes to skip: for an error, those that could have begun a character.
  bool is_valid;
  bool is_cut;  // Invalid only because the bytes end here.
};

// The range of the second byte is narrower after some lead bytes, which excludes overlong forms,
// surrogates and values above U+10FFFF. A second byte outside of the range is not part of the
// sequence that becomes one U+FFFD.
uint8_t lowest_second(uint8_t lead) { return lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80; }
uint8_t highest_second(uint8_t lead) { return lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf; }

Sequence error(uint32_t length, bool is_cut) { return {kReplacement, length, false, is_cut}; }

Sequence read_sequence(const uint8_t* data, size_t size) {
  const uint8_t lead = data[0];
  if (lead < 0xc2 || lead > 0xf4) return error(1, false);
  const uint32_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (size < 2) return error(1, true);
  if (data[1] < lowest_second(lead) || data[1] > highest_second(lead)) return error(1, false);
  uint32_t code_point = lead & (0xffU >> (length + 1));
  code_point = code_point << 6 | (data[1] & 0x3fU);
  for (uint32_t i = 2; i < length; ++i) {
    if (i == size) return error(i, true);
    if (!is_continuation(data[i])) return error(i, false);
    code_point = code_point << 6 | (data[i] & 0x3fU);
  }
  return {code_point, length, true, false};
}

// Copies ASCII from the beginning of `data`, widened, and returns its length.
size_t widen_ascii(const uint8_t* data, size_t size, char16_t* out) {
  size_t i = 0;
#ifdef RONDO_ENCODING_X86
  const __m128i zero = _mm_setzero_si128();
  for (; i + 16 <= size; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i));
    const auto high = static_cast<unsigned>(_mm_movemask_epi8(bytes));
    // May write units beyond the returned length: `out` has a unit for each byte of `data`.
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm_unpacklo_epi8(bytes, zero));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i + 8), _mm_unpackhi_epi8(bytes, zero));
    if (high != 0) return i + static_cast<size_t>(__builtin_ctz(high));
  }
#endif
  for (; i < size && data[i] < 0x80; ++i) out[i] = data[i];
  return i;
}

size_t copy_ascii(const uint8_t* data, size_t size, uint8_t* out) {
  size_t i = 0;
#ifdef RONDO_ENCODING_X86
  for (; i + 16 <= size; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i));
    const auto high = static_cast<unsigned>(_mm_movemask_epi8(bytes));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), bytes);
    if (high != 0) return i + static_cast<size_t>(__builtin_ctz(high));
  }
#endif
  for (; i < size && data[i] < 0x80; ++i) out[i] = data[i];
  return i;
}

// Copies ASCII from the beginning of UTF-16 `data`, narrowed, and returns its length.
size_t narrow_ascii(const char16_t* data, size_t size, uint8_t* out) {
  size_t i = 0;
#ifdef RONDO_ENCODING_X86
  const __m128i mask = _mm_set1_epi16(static_cast<int16_t>(0xff80));
  for (; i + 16 <= size; i += 16) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i + 8));
    const __m128i beyond = _mm_and_si128(_mm_or_si128(low, high), mask);
    if (_mm_movemask_epi8(_mm_cmpeq_epi16(beyond, _mm_setzero_si128())) != 0xffff) break;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm_packus_epi16(low, high));
  }
#endif
  for (; i < size && data[i] < 0x80; ++i) out[i] = static_cast<uint8_t>(data[i]);
  return i;
}

size_t put_length(uint32_t code_point) {
  return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
}

[[gnu::always_inline]] inline size_t utf16_length_loop(const char16_t* data, size_t size) {
  if (size == 0) return 0;
  size_t length = 0;
  size_t i = 0;
  // Adds the UTF-8 size of each unit. A surrogate pair is counted as three and three, and corrected
  // to four.
  while (i + 1 < size) {
    // As many units as a 16-bit sum can hold, so that eight or sixteen of them are added at once.
    const size_t end = size - 1 - i > 8192 ? i + 8192 : size - 1;
    uint16_t sum = 0;
    for (; i < end; ++i) {
      const char16_t unit = data[i];
      const char16_t next = data[i + 1];
      const int pair = ((unit & 0xfc00) == 0xd800) & ((next & 0xfc00) == 0xdc00);
      sum = static_cast<uint16_t>(sum + 1 + (unit >= 0x80) + (unit >= 0x800) - 2 * pair);
    }
    length += sum;
  }
  return length + put_length(data[size - 1]);
}

#ifdef RONDO_ENCODING_X86
RONDO_TARGET_AVX2 size_t utf16_length_avx2(const char16_t* data, size_t size) {
  return utf16_length_loop(data, size);
}
#endif

}  // namespace

bool is_utf8(const uint8_t* data, size_t size) {
  size_t i = 0;
  while (true) {
    if (i < size && data[i] < 0x80) i += ascii_prefix(data + i, size - i);
    if (i == size) return true;
    const Sequence sequence = read_sequence(data + i, size - i);
    if (!sequence.is_valid) return false;
    i += sequence.length;
  }
}

Utf8Decoded decode_utf8(const uint8_t* data, size_t size, char16_t* out) {
  size_t i = 0;
  size_t units = 0;
  uint32_t all = 0;
  bool has_errors = false;
  while (i < size) {
    const uint8_t lead = data[i];
    if (lead < 0x80) {
      const size_t run = widen_ascii(data + i, size - i, out + units);
      i += run;
      units += run;
      continue;
    }
    // Runs of the most frequent forms, three bytes and then two, skip the general loop.
    const size_t before = i;
    while (size - i >= 3 && (data[i] & 0xf0) == 0xe0) {
      const uint32_t unit =
          (data[i] & 0x0fU) << 12 | (data[i + 1] & 0x3fU) << 6 | (data[i + 2] & 0x3fU);
      const bool has_shape = ((data[i + 1] ^ 0x80U) | (data[i + 2] ^ 0x80U)) < 0x40;
      if (!has_shape || unit < 0x800 || (unit & 0xf800) == 0xd800) break;
      all |= unit;
      out[units++] = static_cast<char16_t>(unit);
      i += 3;
    }
    while (size - i >= 2 && data[i] >= 0xc2 && data[i] < 0xe0 && is_continuation(data[i + 1])) {
      const uint32_t unit = (data[i] & 0x1fU) << 6 | (data[i + 1] & 0x3fU);
      all |= unit;
      out[units++] = static_cast<char16_t>(unit);
      i += 2;
    }
    if (i != before) continue;
    const Sequence sequence = read_sequence(data + i, size - i);
    has_errors |= !sequence.is_valid;
    all |= sequence.code_point;
    i += sequence.length;
    if (sequence.code_point < 0x10000) {
      out[units++] = static_cast<char16_t>(sequence.code_point);
    } else {
      out[units++] = static_cast<char16_t>(0xd7c0 + (sequence.code_point >> 10));
      out[units++] = static_cast<char16_t>(0xdc00 | (sequence.code_point & 0x3ff));
    }
  }
  return {units, has_errors, all <= 0xff};
}

bool decode_utf8_to_latin1(const uint8_t* data, size_t size, uint8_t* out, size_t* written) {
  size_t i = 0;
  size_t length = 0;
  while (i < size) {
    const uint8_t lead = data[i];
    if (lead < 0x80) {
      const size_t run = copy_ascii(data + i, size - i, out + length);
      i += run;
      length += run;
      continue;
    }
    // 0xC2 and 0xC3 are the lead bytes of U+0080 to U+00FF.
    if (lead < 0xc2 || lead > 0xc3 || size - i < 2 || !is_continuation(data[i + 1])) return false;
    out[length++] = static_cast<uint8_t>(lead << 6 | (data[i + 1] & 0x3f));
    i += 2;
  }
  *written = length;
  return true;
}

size_t incomplete_utf8_tail(const uint8_t* data, size_t size) {
  for (size_t back = 1; back <= 3 && back <= size; ++back) {
    const uint8_t* at = data + size - back;
    if (is_continuation(*at)) continue;
    if (*at < 0x80) return 0;
    const Sequence sequence = read_sequence(at, back);
    return sequence.is_cut && sequence.length == back ? back : 0;
  }
  return 0;
}

size_t utf8_length_of_latin1(const uint8_t* data, size_t size) {
  return size + count_non_ascii(data, size);
}

size_t utf8_length_of_utf16(const char16_t* data, size_t size) {
#ifdef RONDO_ENCODING_X86
  if (size >= 64 && has_avx2()) return utf16_length_avx2(data, size);
#endif
  return utf16_length_loop(data, size);
}

Utf8Encoded encode_latin1_as_utf8(const uint8_t* data, size_t size, uint8_t* out, size_t capacity) {
  if (capacity == 0) return {0, 0};
  size_t i = 0;
  size_t written = 0;
  // Copying in blocks writes beyond the counted length. All of these bytes are overwritten later,
  // except the last byte of `out` if a two-byte character is the first that does not fit.
  const uint8_t last = out[capacity - 1];
  while (i < size) {
    if (data[i] < 0x80) {
      const size_t room = capacity - written;
      const size_t run = copy_ascii(data + i, size - i < room ? size - i : room, out + written);
      if (run == 0) break;
      i += run;
      written += run;
      continue;
    }
    if (capacity - written < 2) break;
    written += put_utf8(data[i++], out + written);
  }
  if (i < size && written < capacity) out[capacity - 1] = last;
  return {i, written};
}

Utf8Encoded encode_utf16_as_utf8(const char16_t* data, size_t size, uint8_t* out, size_t capacity) {
  size_t i = 0;
  size_t written = 0;
  while (i < size) {
    const char16_t unit = data[i];
    if (unit < 0x80) {
      const size_t room = capacity - written;
      const size_t run = narrow_ascii(data + i, size - i < room ? size - i : room, out + written);
      if (run == 0) break;
      i += run;
      written += run;
      continue;
    }
    // A run of three-byte characters, while there is room.
    const size_t before = i;
    while (i < size && data[i] >= 0x800 && !is_surrogate(data[i]) && capacity - written >= 3) {
      out[written] = static_cast<uint8_t>(0xe0 | data[i] >> 12);
      out[written + 1] = continuation(data[i] >> 6);
      out[written + 2] = continuation(data[i]);
      written += 3;
      ++i;
    }
    if (i != before) continue;
    uint32_t code_point = unit;
    size_t units = 1;
    if (is_surrogate(unit)) {
      if (is_high_surrogate(unit) && i + 1 < size && is_low_surrogate(data[i + 1])) {
        code_point = from_surrogates(unit, data[i + 1]);
        units = 2;
      } else {
        code_point = kReplacement;
      }
    }
    if (capacity - written < put_length(code_point)) break;
    written += put_utf8(code_point, out + written);
    i += units;
  }
  return {i, written};
}

}  // namespace rondo::encoding
