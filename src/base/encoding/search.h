// Searches for a byte sequence in bytes. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::encoding {

inline constexpr size_t kNotFound = static_cast<size_t>(-1);

// The first position at or after `from` where `needle` begins, at a multiple of `step` (1 or 2)
// from the beginning of `data`. `from` may be beyond the end; an empty needle is never found.
size_t find_bytes(const uint8_t* data, size_t size, const uint8_t* needle, size_t needle_size,
                  size_t from, size_t step = 1);
// The last such position at or before `from`.
size_t find_last_bytes(const uint8_t* data, size_t size, const uint8_t* needle, size_t needle_size,
                       size_t from, size_t step = 1);

}  // namespace rondo::encoding
