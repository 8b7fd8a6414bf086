#include "base/encoding/hex.h"

#include <array>

#include "base/encoding/simd.h"

namespace rondo::encoding {
namespace {

constexpr char kDigits[] = "0123456789abcdef";
constexpr uint8_t kNoDigit = 0xff;

constexpr std::array<uint8_t, 256> make_values() {
  std::array<uint8_t, 256> values{};
  for (uint8_t& value : values) value = kNoDigit;
  for (uint8_t i = 0; i < 10; ++i) values['0' + i] = i;
  for (uint8_t i = 0; i < 6; ++i) {
    values['a' + i] = static_cast<uint8_t>(10 + i);
    values['A' + i] = static_cast<uint8_t>(10 + i);
  }
  return values;
}
constexpr std::array<uint8_t, 256> kValues = make_values();

#ifdef RONDO_ENCODING_X86
// Encodes blocks of 16 bytes; returns the number of bytes read.
RONDO_TARGET_AVX2 size_t encode_blocks(const uint8_t* data, size_t size, uint8_t* out) {
  const __m256i digits =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kDigits)));
  const __m256i nibble = _mm256_set1_epi8(0x0f);
  size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m256i wide =
        _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i)));
    const __m256i both = _mm256_and_si256(
        _mm256_or_si256(_mm256_srli_epi16(wide, 4), _mm256_slli_epi16(wide, 8)), nibble);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 2 * i), _mm256_shuffle_epi8(digits, both));
  }
  return i;
}

RONDO_TARGET_AVX2 __m256i at_most(__m256i value, char limit) {
  return _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(limit)), value);
}

// Decodes blocks of 16 pairs, up to the first block with a character that is not a digit. Returns
// the number of bytes written.
RONDO_TARGET_AVX2 size_t decode_blocks(const uint8_t* digits, size_t pairs, uint8_t* out) {
  const __m256i weights = _mm256_set1_epi16(0x0110);
  size_t i = 0;
  for (; i + 16 <= pairs; i += 16) {
    const __m256i in = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(digits + 2 * i));
    const __m256i digit = _mm256_sub_epi8(in, _mm256_set1_epi8('0'));
    const __m256i letter =
        _mm256_sub_epi8(_mm256_or_si256(in, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('a'));
    const __m256i is_digit = at_most(digit, 9);
    const __m256i is_letter = at_most(letter, 5);
    if (_mm256_movemask_epi8(_mm256_or_si256(is_digit, is_letter)) != -1) break;
    const __m256i value =
        _mm256_blendv_epi8(_mm256_add_epi8(letter, _mm256_set1_epi8(10)), digit, is_digit);
    const __m256i bytes = _mm256_maddubs_epi16(value, weights);
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(bytes, bytes), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm256_castsi256_si128(packed));
  }
  return i;
}

// Encodes blocks of 32 bytes; returns the number of bytes read.
RONDO_TARGET_VBMI size_t encode_wide(const uint8_t* data, size_t size, uint8_t* out) {
  const __m512i digits =
      _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kDigits)));
  const __m512i nibble = _mm512_set1_epi8(0x0f);
  size_t i = 0;
  for (; i + 32 <= size; i += 32) {
    const __m512i wide =
        _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(data + i)));
    const __m512i both = _mm512_and_si512(
        _mm512_or_si512(_mm512_srli_epi16(wide, 4), _mm512_slli_epi16(wide, 8)), nibble);
    _mm512_storeu_si512(out + 2 * i, _mm512_shuffle_epi8(digits, both));
  }
  return i;
}

RONDO_TARGET_VBMI size_t decode_wide(const uint8_t* digits, size_t pairs, uint8_t* out) {
  const __m512i low = _mm512_loadu_si512(kValues.data());
  const __m512i high = _mm512_loadu_si512(kValues.data() + 64);
  size_t i = 0;
  for (; i + 32 <= pairs; i += 32) {
    const __m512i in = _mm512_loadu_si512(digits + 2 * i);
    const __m512i value = _mm512_permutex2var_epi8(low, in, high);
    if (_mm512_movepi8_mask(_mm512_or_si512(value, in)) != 0) break;
    const __m512i bytes = _mm512_maddubs_epi16(value, _mm512_set1_epi16(0x0110));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm512_cvtepi16_epi8(bytes));
  }
  return i;
}
#endif

}  // namespace

void encode_hex(const uint8_t* data, size_t size, uint8_t* out) {
  size_t i = 0;
#ifdef RONDO_ENCODING_X86
  if (size >= 32 && has_vbmi()) i = encode_wide(data, size, out);
  if (size - i >= 16 && has_avx2()) i += encode_blocks(data + i, size - i, out + 2 * i);
#endif
  for (; i < size; ++i) {
    out[2 * i] = static_cast<uint8_t>(kDigits[data[i] >> 4]);
    out[2 * i + 1] = static_cast<uint8_t>(kDigits[data[i] & 0x0f]);
  }
}

size_t decode_hex(const uint8_t* digits, size_t size, uint8_t* out, size_t capacity) {
  const size_t pairs = size / 2 < capacity ? size / 2 : capacity;
  size_t i = 0;
#ifdef RONDO_ENCODING_X86
  if (pairs >= 32 && has_vbmi()) i = decode_wide(digits, pairs, out);
  if (pairs - i >= 16 && has_avx2()) i += decode_blocks(digits + 2 * i, pairs - i, out + i);
#endif
  for (; i < pairs; ++i) {
    const uint8_t high = kValues[digits[2 * i]];
    const uint8_t low = kValues[digits[2 * i + 1]];
    if (high == kNoDigit || low == kNoDigit) break;
    out[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return i;
}

}  // namespace rondo::encoding
