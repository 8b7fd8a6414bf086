// For the tests of the codecs. What they allocate is exactly what may be touched, so that
// AddressSanitizer sees one byte too many.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::encoding {

using Bytes = std::vector<uint8_t>;

inline Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }
inline std::string text_of(const Bytes& bytes) { return std::string(bytes.begin(), bytes.end()); }

inline Bytes random_bytes(std::mt19937& random, size_t size, uint8_t mask = 0xff) {
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random()) & mask;
  return bytes;
}

}  // namespace rondo::encoding
