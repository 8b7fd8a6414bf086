#include "base/encoding/search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/encoding/test_bytes.h"

namespace rondo::encoding {
namespace {

TEST(Search, AgreesWithLookingEverywhere) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const Bytes data = random_bytes(random, random() % (round % 4 == 0 ? 300 : 30), 1);
    const Bytes needle = random_bytes(random, random() % (round % 8 == 0 ? 12 : 5), 1);
    const size_t from = random() % 35;
    const size_t step = 1 + random() % 2;
    size_t first = kNotFound;
    size_t last = kNotFound;
    for (size_t i = 0; !needle.empty() && i + needle.size() <= data.size(); i += step) {
      if (!std::equal(needle.begin(), needle.end(), data.begin() + static_cast<ptrdiff_t>(i)))
        continue;
      if (i >= from && first == kNotFound) first = i;
      if (i <= from) last = i;
    }
    EXPECT_EQ(find_bytes(data.data(), data.size(), needle.data(), needle.size(), from, step),
              first);
    EXPECT_EQ(find_last_bytes(data.data(), data.size(), needle.data(), needle.size(), from, step),
              last);
  }
}

TEST(Search, BadNeedlesTakeNoForever) {
  // First and last byte match everywhere, the needle nowhere.
  const Bytes data(1 << 20, 'a');
  Bytes needle(1 << 16, 'a');
  needle[1 << 15] = 'b';
  EXPECT_EQ(find_bytes(data.data(), data.size(), needle.data(), needle.size(), 0), kNotFound);
}

}  // namespace
}  // namespace rondo::encoding
