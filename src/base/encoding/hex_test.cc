#include "base/encoding/hex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "base/encoding/test_bytes.h"

namespace rondo::encoding {
namespace {

std::string hex(const Bytes& bytes) {
  Bytes out(2 * bytes.size());
  encode_hex(bytes.data(), bytes.size(), out.data());
  return text_of(out);
}
std::string unhex(std::string_view digits, size_t capacity = 1000) {
  const Bytes in = bytes_of(digits);
  Bytes out(capacity);
  out.resize(decode_hex(in.data(), in.size(), out.data(), capacity));
  return text_of(out);
}
class Hex : public EachVersion {};
INSTANTIATE_TEST_SUITE_P(Versions, Hex, ::testing::Values(0, 1, 2));

TEST_P(Hex, ThereAndBack) {
  std::mt19937 random(2);
  for (size_t size = 0; size < 100; ++size) {
    const Bytes bytes = random_bytes(random, size);
    std::string digits = hex(bytes);
    std::string expected;
    for (const uint8_t byte : bytes) {
      expected += "0123456789abcdef"[byte >> 4];
      expected += "0123456789abcdef"[byte & 15];
    }
    EXPECT_EQ(digits, expected);
    EXPECT_EQ(unhex(digits, size), text_of(bytes));
    std::transform(digits.begin(), digits.end(), digits.begin(), ::toupper);
    EXPECT_EQ(unhex(digits, size), text_of(bytes));
  }
}

TEST_P(Hex, StopsAtAnInvalidPair) {
  EXPECT_EQ(unhex("6"), "");
  EXPECT_EQ(unhex("616"), "a");
  EXPECT_EQ(unhex("61x2"), "a");
  EXPECT_EQ(unhex("616g62"), "a");
  EXPECT_EQ(unhex("616263", 2), "ab");
  for (int bad = 0; bad < 256; ++bad) {
    const auto letter = static_cast<char>(bad);
    if (std::isxdigit(bad) != 0) continue;
    for (size_t i = 0; i < 80; ++i) {
      std::string digits(80, '6');
      digits[i] = letter;
      EXPECT_EQ(unhex(digits), std::string(i / 2, 'f'));
    }
  }
}

}  // namespace
}  // namespace rondo::encoding
