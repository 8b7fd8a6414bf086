#include "base/encoding/base64.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/encoding/simd.h"

namespace rondo::encoding {
namespace {

constexpr char kStandard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kUrl[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr uint8_t kOther = 0x80;  // Not a digit of base64; digits are below 64.
constexpr uint8_t kPadding = 0x81;
constexpr uint8_t kSpace = 0x82;  // White space as the web defines it: no vertical tab.

using Values = std::array<uint8_t, 256>;
constexpr Values make_values(bool with_url) {
  Values values{};
  for (uint8_t& value : values) value = kOther;
  for (uint8_t i = 0; i < 64; ++i) {
    values[static_cast<uint8_t>(kStandard[i])] = i;
    if (with_url) values[static_cast<uint8_t>(kUrl[i])] = i;
  }
  values['='] = kPadding;
  for (const char space : {' ', '\t', '\n', '\f', '\r'})
    values[static_cast<uint8_t>(space)] = kSpace;
  return values;
}
constexpr Values kEither = make_values(true);
constexpr Values kStrict = make_values(false);

#ifdef RONDO_ENCODING_X86
// Encodes 24 bytes to 32 characters at a time. Returns the number of bytes read, a multiple of
// three.
RONDO_TARGET_AVX2 size_t encode_blocks(const uint8_t* data, size_t size, Base64Alphabet alphabet,
                                       uint8_t* out) {
  // For each three bytes a b c, selects the four bytes that hold their sextets: b a c b.
  const __m256i spread = _mm256_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10,  //
                                          1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
  const bool is_url = alphabet == Base64Alphabet::url;
  // Offset of the digits if the alphabet had no gap before its last two characters.
  const __m256i last = _mm256_set1_epi8(63);
  const __m256i before_last = _mm256_set1_epi8(62);
  const __m256i last_shift = _mm256_set1_epi8(is_url ? '_' - 59 : '/' - 59);
  const __m256i before_last_shift = _mm256_set1_epi8(is_url ? '-' - 58 : '+' - 58);
  size_t i = 0;
  size_t o = 0;
  // The second half is read as 16 bytes at offset 12, so 28 bytes must be readable.
  for (; i + 28 <= size; i += 24, o += 32) {
    const __m256i in = _mm256_shuffle_epi8(
        _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i))),
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i + 12)), 1),
        spread);
    // Shifts to the right by 10 and 6, and to the left by 4 and 8, as multiplications: each 16-bit
    // half of a group needs its own.
    const __m256i odd = _mm256_mulhi_epu16(_mm256_and_si256(in, _mm256_set1_epi32(0x0fc0fc00)),
                                           _mm256_set1_epi32(0x04000040));
    const __m256i even = _mm256_mullo_epi16(_mm256_and_si256(in, _mm256_set1_epi32(0x003f03f0)),
                                            _mm256_set1_epi32(0x01000010));
    const __m256i sextet = _mm256_or_si256(odd, even);
    const __m256i is_lower = _mm256_cmpgt_epi8(sextet, _mm256_set1_epi8(25));
    const __m256i is_digit = _mm256_cmpgt_epi8(sextet, _mm256_set1_epi8(51));
    __m256i text = _mm256_add_epi8(sextet, _mm256_set1_epi8('A'));
    text = _mm256_add_epi8(text, _mm256_and_si256(is_lower, _mm256_set1_epi8('a' - 'Z' - 1)));
    text = _mm256_sub_epi8(text, _mm256_and_si256(is_digit, _mm256_set1_epi8('z' + 1 - '0')));
    text = _mm256_add_epi8(
        text, _mm256_and_si256(_mm256_cmpeq_epi8(sextet, before_last), before_last_shift));
    text = _mm256_add_epi8(text, _mm256_and_si256(_mm256_cmpeq_epi8(sextet, last), last_shift));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + o), text);
  }
  return i;
}

RONDO_TARGET_AVX2 inline __m256i twice(const char (&bytes)[16]) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
}

// A character is classified by its two nibbles, its row and column in the ASCII table: each nibble
// has a set of bits, and the character is a digit if the two sets do not intersect.
constexpr char kBadColumns[16] = {0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                  0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a};
constexpr char kBadRows[16] = {0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08,
                               0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10};
// The value is the character plus an amount that depends on its row; '/' shares its row with '+',
// and uses the entry of the row before.
constexpr char kAmounts[16] = {0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a'};
constexpr char kOrder[16] = {2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1};

// Decodes 32 characters to 24 bytes at a time, up to the first that is not a digit of either
// alphabet, and while there is room. Returns the number of characters read.
RONDO_TARGET_AVX2 size_t decode_blocks(const uint8_t* text, size_t size, bool with_url,
                                       uint8_t* out, size_t capacity) {
  const __m256i bad_columns = twice(kBadColumns);
  const __m256i bad_rows = twice(kBadRows);
  const __m256i amounts = twice(kAmounts);
  const __m256i order = twice(kOrder);
  const __m256i together = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
  const __m256i nibble = _mm256_set1_epi8(0x0f);
  const __m256i slash = _mm256_set1_epi8('/');
  size_t i = 0;
  size_t o = 0;
  for (; i + 32 <= size && o + 24 <= capacity; i += 32, o += 24) {
    __m256i in = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + i));
    if (with_url) {
      const __m256i is_minus = _mm256_cmpeq_epi8(in, _mm256_set1_epi8('-'));
      const __m256i is_line = _mm256_cmpeq_epi8(in, _mm256_set1_epi8('_'));
      in = _mm256_blendv_epi8(in, _mm256_set1_epi8('+'), is_minus);
      in = _mm256_blendv_epi8(in, slash, is_line);
    }
    const __m256i row = _mm256_and_si256(_mm256_srli_epi32(in, 4), nibble);
    const __m256i column = _mm256_and_si256(in, nibble);
    if (_mm256_testz_si256(_mm256_shuffle_epi8(bad_rows, row),
                           _mm256_shuffle_epi8(bad_columns, column)) == 0) {
      break;
    }
    // The comparison is all ones for '/', which adds -1.
    const __m256i kind = _mm256_add_epi8(row, _mm256_cmpeq_epi8(in, slash));
    const __m256i sextet = _mm256_add_epi8(in, _mm256_shuffle_epi8(amounts, kind));
    const __m256i pairs = _mm256_maddubs_epi16(sextet, _mm256_set1_epi32(0x01400140));
    const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
    const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(groups, order), together);
    // Writes exactly 24 bytes: the bytes after them must stay unchanged, even if there is room.
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + o), _mm256_castsi256_si128(bytes));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + o + 16), _mm256_extracti128_si256(bytes, 1));
  }
  return i;
}

// The bytes of 16 groups of three, in the order that encode_wide() cuts sextets from: b a c b.
constexpr std::array<uint8_t, 64> make_spread() {
  std::array<uint8_t, 64> spread{};
  for (uint8_t i = 0; i < 64; i += 4) {
    const auto first = static_cast<uint8_t>(i / 4 * 3);
    spread[i] = spread[i + 3] = static_cast<uint8_t>(first + 1);
    spread[i + 1] = first;
    spread[i + 2] = static_cast<uint8_t>(first + 2);
  }
  return spread;
}
constexpr std::array<uint8_t, 64> kSpread = make_spread();

// The lower three of each four bytes, reversed.
constexpr std::array<uint8_t, 64> make_gather() {
  std::array<uint8_t, 64> gather{};
  for (uint8_t i = 0; i < 48; ++i) gather[i] = static_cast<uint8_t>(i / 3 * 4 + 2 - i % 3);
  return gather;
}
constexpr std::array<uint8_t, 64> kGather = make_gather();

constexpr uint64_t first_lanes(size_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

struct WideEncoder {
  __m512i digits;
  __m512i spread;
  __m512i shifts;
};
RONDO_TARGET_VBMI inline __m512i encode_block(const WideEncoder& encoder, __m512i in) {
  const __m512i sextets =
      _mm512_multishift_epi64_epi8(encoder.shifts, _mm512_permutexvar_epi8(encoder.spread, in));
  return _mm512_permutexvar_epi8(sextets, encoder.digits);  // Indexed by the lower six bits.
}

// Encodes whole groups, 48 bytes at a time. Returns the number of bytes read.
RONDO_TARGET_VBMI size_t encode_wide(const uint8_t* data, size_t size, const char* alphabet,
                                     uint8_t* out) {
  const WideEncoder encoder = {
      _mm512_loadu_si512(alphabet), _mm512_loadu_si512(kSpread.data()),
      // Bit offsets of the sextets within eight bytes: 10, 4, 22, 16, and the same plus 32.
      _mm512_set1_epi64(0x3036242a1016040a)};
  size_t i = 0;
  size_t o = 0;
  // Without masks as long as 64 bytes are readable, which is faster.
  for (; size - i >= 64; i += 48, o += 64) {
    _mm512_storeu_si512(out + o, encode_block(encoder, _mm512_loadu_si512(data + i)));
  }
  while (size - i >= 3) {
    const size_t count = std::min<size_t>(48, (size - i) / 3 * 3);
    const __m512i in = _mm512_maskz_loadu_epi8(first_lanes(count), data + i);
    _mm512_mask_storeu_epi8(out + o, first_lanes(count / 3 * 4), encode_block(encoder, in));
    i += count;
    o += count / 3 * 4;
  }
  return i;
}

RONDO_TARGET_VBMI inline __m512i join_sextets(__m512i sextets, __m512i gather) {
  const __m512i pairs = _mm512_maddubs_epi16(sextets, _mm512_set1_epi32(0x01400140));
  const __m512i groups = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00011000));
  return _mm512_permutexvar_epi8(gather, groups);
}

// Decodes groups of four up to the first character that is not a digit, and while there is room.
// Returns the number of characters read.
RONDO_TARGET_VBMI size_t decode_wide(const uint8_t* text, size_t size, const Values& values,
                                     uint8_t* out, size_t capacity) {
  const __m512i low = _mm512_loadu_si512(values.data());
  const __m512i high = _mm512_loadu_si512(values.data() + 64);
  const __m512i gather = _mm512_loadu_si512(kGather.data());
  size_t i = 0;
  size_t o = 0;
  // Whole blocks without masks, which is faster.
  for (; size - i >= 64 && capacity - o >= 48; i += 64, o += 48) {
    const __m512i in = _mm512_loadu_si512(text + i);
    const __m512i sextets = _mm512_permutex2var_epi8(low, in, high);
    if (_mm512_movepi8_mask(_mm512_or_si512(sextets, in)) != 0) break;
    const __m512i bytes = join_sextets(sextets, gather);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + o), _mm512_castsi512_si256(bytes));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + o + 32), _mm512_extracti32x4_epi32(bytes, 2));
  }
  while (true) {
    size_t count = std::min({size_t{64}, (size - i) / 4 * 4, (capacity - o) / 3 * 4});
    const uint64_t lanes = first_lanes(count);
    const __m512i in = _mm512_maskz_loadu_epi8(lanes, text + i);
    const __m512i sextets = _mm512_permutex2var_epi8(low, in, high);
    const uint64_t invalid = _mm512_movepi8_mask(_mm512_or_si512(sextets, in)) & lanes;
    if (invalid != 0) count = static_cast<size_t>(std::countr_zero(invalid)) / 4 * 4;
    if (count == 0) return i;
    _mm512_mask_storeu_epi8(out + o, first_lanes(count / 4 * 3), join_sextets(sextets, gather));
    i += count;
    o += count / 4 * 3;
    if (invalid != 0) return i;
  }
}
#endif

size_t skip_blocks([[maybe_unused]] const uint8_t* text, [[maybe_unused]] size_t size,
                   [[maybe_unused]] bool with_url, [[maybe_unused]] uint8_t* out,
                   [[maybe_unused]] size_t capacity) {
#ifdef RONDO_ENCODING_X86
  if (size >= 16 && has_vbmi()) {
    return decode_wide(text, size, with_url ? kEither : kStrict, out, capacity);
  }
  if (size >= 32 && has_avx2()) return decode_blocks(text, size, with_url, out, capacity);
#endif
  return 0;
}

uint8_t low_byte(uint32_t bits) { return static_cast<uint8_t>(bits); }

}  // namespace

size_t base64_length(size_t size, Base64Alphabet alphabet) {
  if (alphabet == Base64Alphabet::standard) return (size + 2) / 3 * 4;
  return size / 3 * 4 + (size % 3 == 0 ? 0 : size % 3 + 1);
}

void encode_base64(const uint8_t* data, size_t size, Base64Alphabet alphabet, uint8_t* out) {
  const char* digits = alphabet == Base64Alphabet::url ? kUrl : kStandard;
  size_t i = 0;
#ifdef RONDO_ENCODING_X86
  if (size >= 12 && has_vbmi()) {
    i = encode_wide(data, size, digits, out);
  } else if (size >= 28 && has_avx2()) {
    i = encode_blocks(data, size, alphabet, out);
  }
#endif
  size_t o = i / 3 * 4;
  const auto put = [&](uint32_t sextet) { out[o++] = static_cast<uint8_t>(digits[sextet & 63]); };
  for (; i + 3 <= size; i += 3) {
    const uint32_t bits = uint32_t{data[i]} << 16 | uint32_t{data[i + 1]} << 8 | data[i + 2];
    put(bits >> 18);
    put(bits >> 12);
    put(bits >> 6);
    put(bits);
  }
  if (i == size) return;
  const bool has_two = size - i == 2;
  const uint32_t bits = uint32_t{data[i]} << 16 | (has_two ? uint32_t{data[i + 1]} << 8 : 0);
  put(bits >> 18);
  put(bits >> 12);
  if (has_two) put(bits >> 6);
  if (alphabet == Base64Alphabet::url) return;
  if (!has_two) out[o++] = '=';
  out[o++] = '=';
}

size_t decode_base64(const uint8_t* text, size_t size, uint8_t* out, size_t capacity) {
  size_t i = 0;
  size_t o = 0;
  while (true) {
    const size_t done = skip_blocks(text + i, size - i, true, out + o, capacity - o);
    i += done;
    o += done / 4 * 3;
    // Fast loop over groups of digits only: in a short text, everything except its end.
    for (int group = 0; group < 8 && size - i >= 4 && capacity - o >= 3; ++group) {
      const uint32_t first = kEither[text[i]];
      const uint32_t second = kEither[text[i + 1]];
      const uint32_t third = kEither[text[i + 2]];
      const uint32_t fourth = kEither[text[i + 3]];
      if ((first | second | third | fourth) >= 64) break;
      const uint32_t bits = first << 18 | second << 12 | third << 6 | fourth;
      out[o++] = low_byte(bits >> 16);
      out[o++] = low_byte(bits >> 8);
      out[o++] = low_byte(bits);
      i += 4;
    }
    // A few groups that may contain other characters, to get past those that stopped the fast loop.
    for (int group = 0; group < 2; ++group) {
      uint32_t bits = 0;
      int digits = 0;
      bool is_end = false;
      while (digits < 4) {
        if (i == size) {
          is_end = true;
          break;
        }
        const uint8_t value = kEither[text[i++]];
        if (value < 64) {
          bits = bits << 6 | value;
          ++digits;
        } else if (value == kPadding) {
          is_end = true;
          break;
        }
      }
      bits <<= 6 * (4 - digits);
      // One digit gives no byte, two give one, three give two.
      for (int byte = 0; byte < digits - 1; ++byte) {
        if (o == capacity) return o;
        out[o++] = low_byte(bits >> (16 - 8 * byte));
      }
      if (is_end) return o;
    }
  }
}

StrictBase64 decode_base64_strictly(const uint8_t* text, size_t size, uint8_t* out,
                                    size_t* written) {
  const size_t capacity = decoded_base64_bound(size);
  size_t i = 0;
  size_t o = 0;
  uint32_t bits = 0;
  unsigned digits = 0;
  unsigned padding = 0;
  while (i < size) {
    if (digits == 0 && padding == 0) {
      const size_t done = skip_blocks(text + i, size - i, false, out + o, capacity - o);
      i += done;
      o += done / 4 * 3;
      if (i == size) break;
    }
    const uint8_t value = kStrict[text[i++]];
    if (value == kSpace) continue;
    if (value == kPadding) {
      ++padding;
      continue;
    }
    if (value == kOther || padding != 0) return StrictBase64::bad_character;
    bits = bits << 6 | value;
    if (++digits < 4) continue;
    out[o++] = low_byte(bits >> 16);
    out[o++] = low_byte(bits >> 8);
    out[o++] = low_byte(bits);
    bits = 0;
    digits = 0;
  }
  // Padding must complete the last group to four, or be absent; one digit alone is never a group.
  if (digits == 1 && padding <= 2) return StrictBase64::bad_length;
  if (padding != 0 && (digits < 2 || digits + padding != 4)) return StrictBase64::bad_character;
  if (digits >= 2) {
    bits <<= 6 * (4 - digits);
    out[o++] = low_byte(bits >> 16);
    if (digits == 3) out[o++] = low_byte(bits >> 8);
  }
  *written = o;
  return StrictBase64::ok;
}

}  // namespace rondo::encoding
