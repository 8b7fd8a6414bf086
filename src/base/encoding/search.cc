#include "base/encoding/search.h"

#include <cstring>

#include "base/encoding/simd.h"

#ifdef RONDO_ENCODING_X86
#include <immintrin.h>
#endif

namespace rondo::encoding {

namespace {

#ifdef RONDO_ENCODING_X86
// Compares the first and the last byte of the needle at 32 positions at a time: few positions match
// both. Returns the position of the needle, or the position where the scan stopped: near the end,
// or after so many mismatches that an algorithm with a worst-case bound should continue.
struct Scan {
  size_t at;
  bool is_found;
};
RONDO_TARGET_AVX2 Scan scan(const uint8_t* data, size_t size, const uint8_t* needle,
                            size_t needle_size, size_t from) {
  const __m256i first = _mm256_set1_epi8(static_cast<char>(needle[0]));
  const __m256i last = _mm256_set1_epi8(static_cast<char>(needle[needle_size - 1]));
  const size_t patience = size / 4 + 1024;
  size_t wasted = 0;
  size_t i = from;
  for (; i + needle_size - 1 + 32 <= size && wasted <= patience; i += 32) {
    const __m256i begins = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data + i));
    const __m256i ends =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data + i + needle_size - 1));
    auto places = static_cast<unsigned>(_mm256_movemask_epi8(
        _mm256_and_si256(_mm256_cmpeq_epi8(begins, first), _mm256_cmpeq_epi8(ends, last))));
    for (; places != 0; places &= places - 1) {
      const size_t at = i + static_cast<size_t>(__builtin_ctz(places));
      if (std::memcmp(data + at, needle, needle_size) == 0) return {at, true};
      wasted += needle_size;
    }
  }
  return {i, false};
}
#endif

const void* find_needle(const uint8_t* data, size_t size, const uint8_t* needle,
                        size_t needle_size) {
  if (needle_size == 1) return std::memchr(data, needle[0], size);
  size_t from = 0;
  // Tries memchr() on the first byte a few times: if that byte is rare, this is the fastest search.
  constexpr int kHops = 4;
  for (int hop = 0; hop < kHops; ++hop) {
    const void* found = std::memchr(data + from, needle[0], size - from);
    if (found == nullptr) return nullptr;
    from = static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
    if (needle_size > size - from) return nullptr;
    if (std::memcmp(data + from, needle, needle_size) == 0) return found;
    ++from;
  }
#ifdef RONDO_ENCODING_X86
  if (has_avx2()) {
    const Scan found = scan(data, size, needle, needle_size, from);
    if (found.is_found) return data + found.at;
    from = found.at;
  }
#endif
  return ::memmem(data + from, size - from, needle, needle_size);
}

}  // namespace

size_t find_bytes(const uint8_t* data, size_t size, const uint8_t* needle, size_t needle_size,
                  size_t from, size_t step) {
  if (needle_size == 0 || needle_size > size) return kNotFound;
  while (from <= size - needle_size) {
    const void* found = find_needle(data + from, size - from, needle, needle_size);
    if (found == nullptr) return kNotFound;
    from = static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
    if (from % step == 0) return from;
    ++from;
  }
  return kNotFound;
}

size_t find_last_bytes(const uint8_t* data, size_t size, const uint8_t* needle, size_t needle_size,
                       size_t from, size_t step) {
  if (needle_size == 0 || needle_size > size) return kNotFound;
  // One more than the position to check next, so that zero means that all were checked.
  size_t end = (from < size - needle_size ? from : size - needle_size) + 1;
  while (end > 0) {
    const void* found = ::memrchr(data, needle[0], end);
    if (found == nullptr) return kNotFound;
    const auto at = static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
    if (at % step == 0 && std::memcmp(data + at, needle, needle_size) == 0) return at;
    end = at;
  }
  return kNotFound;
}

}  // namespace rondo::encoding
