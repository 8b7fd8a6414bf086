#include "base/encoding/ascii.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/encoding/test_bytes.h"

namespace rondo::encoding {
namespace {

TEST(Ascii, PrefixEndsAtTheFirstHighByteWhereverItIs) {
  for (const size_t size : {0, 1, 7, 8, 9, 127, 128, 129, 300}) {
    Bytes bytes(size, 'x');
    EXPECT_EQ(ascii_prefix(bytes.data(), size), size);
    EXPECT_EQ(count_non_ascii(bytes.data(), size), 0U);
    for (size_t i = 0; i < size; ++i) {
      bytes[i] = 0x80;
      EXPECT_EQ(ascii_prefix(bytes.data(), size), i);
      EXPECT_EQ(count_non_ascii(bytes.data(), size), 1U);
      EXPECT_FALSE(is_ascii(bytes.data(), size));
      bytes[i] = 0x7f;
    }
  }
}

TEST(Ascii, CopiesThePrefixAndNothingBehindIt) {
  for (const size_t size : {0, 1, 8, 127, 128, 129, 300}) {
    Bytes bytes(size);
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i % 128);
    for (size_t high = 0; high <= size; ++high) {
      if (high < size) bytes[high] = 0x80;
      Bytes out(size + 1, 0xee);
      EXPECT_EQ(copy_ascii_prefix(bytes.data(), size, out.data()), high);
      EXPECT_TRUE(
          std::equal(out.begin(), out.begin() + static_cast<ptrdiff_t>(high), bytes.begin()));
      EXPECT_TRUE(std::all_of(out.begin() + static_cast<ptrdiff_t>(high), out.end(),
                              [](uint8_t byte) { return byte == 0xee; }));
      if (high < size) bytes[high] = static_cast<uint8_t>(high % 128);
    }
  }
}

TEST(Ascii, CountsManyHighBytes) {
  const Bytes bytes(100'000, 0xff);
  EXPECT_EQ(count_non_ascii(bytes.data(), bytes.size()), bytes.size());
}

TEST(Ascii, WidthsAndSwaps) {
  std::mt19937 random(1);
  for (const size_t size : {0, 1, 15, 64, 65, 200}) {
    const Bytes bytes = random_bytes(random, size);
    std::vector<char16_t> wide(size);
    widen(bytes.data(), size, wide.data());
    EXPECT_TRUE(fits_latin1(wide.data(), size));
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), wide.begin(), wide.end()));
    Bytes back(size);
    narrow(wide.data(), size, back.data());
    EXPECT_EQ(back, bytes);
    if (size > 0) {
      wide[size - 1] = 0x100;
      EXPECT_FALSE(fits_latin1(wide.data(), size));
    }
  }
  Bytes bytes = {1, 2, 3, 4, 5, 6, 7, 8};
  swap16(bytes.data(), 8);
  EXPECT_EQ(bytes, (Bytes{2, 1, 4, 3, 6, 5, 8, 7}));
  swap32(bytes.data(), 8);
  EXPECT_EQ(bytes, (Bytes{3, 4, 1, 2, 7, 8, 5, 6}));
  swap64(bytes.data(), 8);
  EXPECT_EQ(bytes, (Bytes{6, 5, 8, 7, 2, 1, 4, 3}));
  strip_high_bits(bytes.data(), 8, bytes.data());
}

TEST(Ascii, FillsWithAPatternThatMayBePartOfTheMemory) {
  for (size_t size = 0; size < 40; ++size) {
    Bytes bytes(size, '#');
    const Bytes pattern = bytes_of("abc");
    fill_with(bytes.data(), size, pattern.data(), pattern.size());
    for (size_t i = 0; i < size; ++i) EXPECT_EQ(bytes[i], pattern[i % 3]);
  }
  Bytes bytes = bytes_of("..xy....");
  fill_with(bytes.data(), bytes.size(), bytes.data() + 2, 2);
  EXPECT_EQ(text_of(bytes), "xyxyxyxy");
}

}  // namespace
}  // namespace rondo::encoding
