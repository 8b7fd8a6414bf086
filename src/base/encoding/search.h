// Where bytes occur in bytes. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::encoding {

inline constexpr size_t kNotFound = static_cast<size_t>(-1);

// The first place at or after `from` where `needle` begins, and a multiple of `step` (1 or 2) away
// from the beginning of `data`. `from` may be anything; an empty needle is nowhere.
size_t find_bytes(const uint8_t* data, size_t size, const uint8_t* needle, size_t needle_size,
                  size_t from, size_t step = 1);
// The last place at or before `from`.
size_t find_last_bytes(const uint8_t* data, size_t size, const uint8_t* needle, size_t needle_size,
                       size_t from, size_t step = 1);

}  // namespace rondo::encoding
