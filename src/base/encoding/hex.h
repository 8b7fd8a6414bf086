// Encodes and decodes bytes as pairs of hexadecimal digits. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::encoding {

// Writes 2 * size digits, in lower case.
void encode_hex(const uint8_t* data, size_t size, uint8_t* out);

// Reads digits of either case. Stops at the first pair that contains another character, at an
// incomplete pair, and after `capacity` bytes. Returns the number of bytes written.
size_t decode_hex(const uint8_t* digits, size_t size, uint8_t* out, size_t capacity);

}  // namespace rondo::encoding
