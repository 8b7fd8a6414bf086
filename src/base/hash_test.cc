#include "base/hash.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

uint64_t hash_of(std::string_view text) {
  Fnv1a hash;
  hash.add(text);
  return hash.value();
}

// Values published by the function's authors.
TEST(Fnv1a, GivesThePublishedNumbers) {
  EXPECT_EQ(hash_of(""), 0xCBF29CE484222325u);
  EXPECT_EQ(hash_of("a"), 0xAF63DC4C8601EC8Cu);
  EXPECT_EQ(hash_of("foobar"), 0x85944171F73967E8u);
}

TEST(Fnv1a, PiecesMakeTheWhole) {
  Fnv1a hash;
  hash.add("foo");
  hash.add(static_cast<uint8_t>('b'));
  hash.add("ar");
  EXPECT_EQ(hash.value(), hash_of("foobar"));
}

}  // namespace
}  // namespace rondo
