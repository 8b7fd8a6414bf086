// Functions on ASCII, the fast case of every text codec, and conversion between character widths.
// Thread: any. No function allocates or reads outside of its input.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::encoding {

// The number of ASCII bytes at the beginning.
size_t ascii_prefix(const uint8_t* data, size_t size);
bool is_ascii(const uint8_t* data, size_t size);
// Copies the ASCII bytes at the beginning and returns their number. Writes nothing else.
size_t copy_ascii_prefix(const uint8_t* data, size_t size, uint8_t* out);
// The number of bytes that are not ASCII.
size_t count_non_ascii(const uint8_t* data, size_t size);

// Clears the top bit of each byte, as the encoding "ascii" reads bytes. May work in place.
void strip_high_bits(const uint8_t* data, size_t size, uint8_t* out);
// Converts Latin-1 to UTF-16.
void widen(const uint8_t* data, size_t size, char16_t* out);
// Writes the low byte of each unit, as the encoding "latin1" writes strings.
void narrow(const char16_t* data, size_t size, uint8_t* out);
// True if each unit fits into a byte.
bool fits_latin1(const char16_t* data, size_t size);

// Repeats `pattern`, which is not empty and may be a part of `out`, until `out` is full.
void fill_with(uint8_t* out, size_t size, const uint8_t* pattern, size_t pattern_size);

// Reverse the bytes of each 2-, 4- or 8-byte item; `size` is in bytes, a multiple of the item size.
void swap16(uint8_t* data, size_t size);
void swap32(uint8_t* data, size_t size);
void swap64(uint8_t* data, size_t size);

}  // namespace rondo::encoding
