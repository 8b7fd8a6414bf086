#include "base/encoding/ascii.h"

#include <bit>
#include <cstring>

#include "base/encoding/simd.h"

namespace rondo::encoding {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080;

uint64_t load64(const uint8_t* data) {
  uint64_t word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

// Checks blocks that are wide enough for any vector. The exact position of a non-ASCII byte is
// found by the loop over words, which most texts never need.
[[gnu::always_inline]] inline size_t ascii_blocks(const uint8_t* data, size_t size) {
  constexpr size_t kBlock = 128;
  size_t i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    uint8_t all = 0;
    for (size_t k = 0; k < kBlock; ++k) all = static_cast<uint8_t>(all | data[i + k]);
    if (all >= 0x80) break;
  }
  return i;
}

[[gnu::always_inline]] inline size_t non_ascii_loop(const uint8_t* data, size_t size) {
  size_t count = 0;
  // The count of a block fits into a byte, so the inner loop can be vectorised with byte-wide
  // counters.
  constexpr size_t kBlock = 128;
  size_t i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    uint8_t block = 0;
    for (size_t k = 0; k < kBlock; ++k) block = static_cast<uint8_t>(block + (data[i + k] >> 7));
    count += block;
  }
  for (; i < size; ++i) count += data[i] >> 7;
  return count;
}

[[gnu::always_inline]] inline void widen_loop(const uint8_t* data, size_t size, char16_t* out) {
  for (size_t i = 0; i < size; ++i) out[i] = data[i];
}

[[gnu::always_inline]] inline void narrow_loop(const char16_t* data, size_t size, uint8_t* out) {
  for (size_t i = 0; i < size; ++i) out[i] = static_cast<uint8_t>(data[i]);
}

[[gnu::always_inline]] inline bool latin1_loop(const char16_t* data, size_t size) {
  constexpr size_t kBlock = 128;
  size_t i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    uint16_t all = 0;
    for (size_t k = 0; k < kBlock; ++k) all = static_cast<uint16_t>(all | data[i + k]);
    if (all > 0xff) return false;
  }
  uint16_t all = 0;
  for (; i < size; ++i) all = static_cast<uint16_t>(all | data[i]);
  return all <= 0xff;
}

#ifdef RONDO_ENCODING_X86
// Written with intrinsics: the compiler's reduction at the end of each block takes longer than the
// block.
RONDO_TARGET_AVX2 size_t ascii_blocks_avx2(const uint8_t* data, size_t size) {
  size_t i = 0;
  for (; i + 128 <= size; i += 128) {
    const auto* const block = reinterpret_cast<const __m256i*>(data + i);
    const __m256i first = _mm256_or_si256(_mm256_loadu_si256(block), _mm256_loadu_si256(block + 1));
    const __m256i second =
        _mm256_or_si256(_mm256_loadu_si256(block + 2), _mm256_loadu_si256(block + 3));
    const __m256i all = _mm256_or_si256(first, second);
    if (_mm256_movemask_epi8(all) != 0) break;
  }
  return i;
}
RONDO_TARGET_AVX2 size_t copy_blocks_avx2(const uint8_t* data, size_t size, uint8_t* out) {
  size_t i = 0;
  for (; i + 128 <= size; i += 128) {
    const auto* const from = reinterpret_cast<const __m256i*>(data + i);
    auto* const to = reinterpret_cast<__m256i*>(out + i);
    const __m256i first = _mm256_loadu_si256(from);
    const __m256i second = _mm256_loadu_si256(from + 1);
    const __m256i third = _mm256_loadu_si256(from + 2);
    const __m256i fourth = _mm256_loadu_si256(from + 3);
    const __m256i all =
        _mm256_or_si256(_mm256_or_si256(first, second), _mm256_or_si256(third, fourth));
    if (_mm256_movemask_epi8(all) != 0) break;
    _mm256_storeu_si256(to, first);
    _mm256_storeu_si256(to + 1, second);
    _mm256_storeu_si256(to + 2, third);
    _mm256_storeu_si256(to + 3, fourth);
  }
  return i;
}
RONDO_TARGET_AVX2 size_t non_ascii_avx2(const uint8_t* data, size_t size) {
  return non_ascii_loop(data, size);
}
RONDO_TARGET_AVX2 void widen_avx2(const uint8_t* data, size_t size, char16_t* out) {
  widen_loop(data, size, out);
}
RONDO_TARGET_AVX2 void narrow_avx2(const char16_t* data, size_t size, uint8_t* out) {
  narrow_loop(data, size, out);
}
RONDO_TARGET_AVX2 bool latin1_avx2(const char16_t* data, size_t size) {
  return latin1_loop(data, size);
}
#endif

template <class T>
void swap_loop(uint8_t* data, size_t size) {
  for (size_t i = 0; i + sizeof(T) <= size; i += sizeof(T)) {
    T item;
    std::memcpy(&item, data + i, sizeof item);
    if constexpr (sizeof(T) == 2) {
      item = __builtin_bswap16(item);
    } else if constexpr (sizeof(T) == 4) {
      item = __builtin_bswap32(item);
    } else {
      item = __builtin_bswap64(item);
    }
    std::memcpy(data + i, &item, sizeof item);
  }
}

}  // namespace

size_t ascii_prefix(const uint8_t* data, size_t size) {
  size_t i = 0;
  if (size >= 128) {
#ifdef RONDO_ENCODING_X86
    i = has_avx2() ? ascii_blocks_avx2(data, size) : ascii_blocks(data, size);
#else
    i = ascii_blocks(data, size);
#endif
  }
  for (; i + 8 <= size; i += 8) {
    const uint64_t high = load64(data + i) & kHighBits;
    if (high == 0) continue;
    if constexpr (std::endian::native == std::endian::little) {
      return i + static_cast<size_t>(std::countr_zero(high)) / 8;
    } else {
      return i + static_cast<size_t>(std::countl_zero(high)) / 8;
    }
  }
  while (i < size && data[i] < 0x80) ++i;
  return i;
}

size_t copy_ascii_prefix(const uint8_t* data, size_t size, uint8_t* out) {
  size_t i = 0;
#ifdef RONDO_ENCODING_X86
  if (size >= 128 && has_avx2()) i = copy_blocks_avx2(data, size, out);
#endif
  const size_t rest = ascii_prefix(data + i, size - i);
  if (rest != 0) std::memcpy(out + i, data + i, rest);
  return i + rest;
}

bool is_ascii(const uint8_t* data, size_t size) { return ascii_prefix(data, size) == size; }

size_t count_non_ascii(const uint8_t* data, size_t size) {
#ifdef RONDO_ENCODING_X86
  if (size >= 128 && has_avx2()) return non_ascii_avx2(data, size);
#endif
  return non_ascii_loop(data, size);
}

void strip_high_bits(const uint8_t* data, size_t size, uint8_t* out) {
  for (size_t i = 0; i < size; ++i) out[i] = data[i] & 0x7f;
}

void widen(const uint8_t* data, size_t size, char16_t* out) {
#ifdef RONDO_ENCODING_X86
  if (size >= 64 && has_avx2()) return widen_avx2(data, size, out);
#endif
  widen_loop(data, size, out);
}

void narrow(const char16_t* data, size_t size, uint8_t* out) {
#ifdef RONDO_ENCODING_X86
  if (size >= 64 && has_avx2()) return narrow_avx2(data, size, out);
#endif
  narrow_loop(data, size, out);
}

bool fits_latin1(const char16_t* data, size_t size) {
#ifdef RONDO_ENCODING_X86
  if (size >= 64 && has_avx2()) return latin1_avx2(data, size);
#endif
  return latin1_loop(data, size);
}

void fill_with(uint8_t* out, size_t size, const uint8_t* pattern, size_t pattern_size) {
  if (size == 0) return;
  // Write the pattern once, then double the written part.
  size_t done = pattern_size < size ? pattern_size : size;
  std::memmove(out, pattern, done);
  while (done < size) {
    const size_t more = done < size - done ? done : size - done;
    std::memcpy(out + done, out, more);
    done += more;
  }
}

void swap16(uint8_t* data, size_t size) { swap_loop<uint16_t>(data, size); }
void swap32(uint8_t* data, size_t size) { swap_loop<uint32_t>(data, size); }
void swap64(uint8_t* data, size_t size) { swap_loop<uint64_t>(data, size); }

}  // namespace rondo::encoding
