// Bytes as pairs of hexadecimal digits. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::encoding {

// Writes 2 * size digits, in lower case.
void encode_hex(const uint8_t* data, size_t size, uint8_t* out);

// Reads digits of either case. Stops before the first pair with another character, after `capacity`
// bytes, and before half a pair. Returns the number of bytes written.
size_t decode_hex(const uint8_t* digits, size_t size, uint8_t* out, size_t capacity);

}  // namespace rondo::encoding
