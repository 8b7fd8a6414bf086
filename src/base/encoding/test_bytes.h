// Helpers for the tests of the codecs. Buffers have exactly the permitted size, so that
// AddressSanitizer detects any access outside.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/encoding/simd.h"

namespace rondo::encoding {

using Bytes = std::vector<uint8_t>;

inline Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }
inline std::string text_of(const Bytes& bytes) { return std::string(bytes.begin(), bytes.end()); }

inline Bytes random_bytes(std::mt19937& random, size_t size, uint8_t mask = 0xff) {
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random()) & mask;
  return bytes;
}

// Runs a test with each version of the codecs that this machine supports: 0 without vector
// instructions, 1 with AVX2, 2 with AVX-512.
class EachVersion : public ::testing::TestWithParam<int> {
 protected:
  EachVersion() {
    simd_support.has_avx2 = found_.has_avx2 && GetParam() >= 1;
    simd_support.has_vbmi = found_.has_vbmi && GetParam() >= 2;
  }
  ~EachVersion() override { simd_support = found_; }

 private:
  const SimdSupport found_ = simd_support;
};

}  // namespace rondo::encoding
