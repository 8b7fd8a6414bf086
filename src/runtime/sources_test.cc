#include "runtime/sources.h"

#include <gtest/gtest.h>

namespace rondo::runtime {

namespace {

TEST(Sources, Latin1IsWhatFitsIntoAByte) {
  EXPECT_EQ(to_latin1("plain"), "plain");
  EXPECT_EQ(to_latin1("\xc3\xa4\xc2\xa9"), "\xe4\xa9");
  EXPECT_EQ(to_latin1("\xe2\x80\xa6"), std::nullopt);  // An ellipsis.
  EXPECT_EQ(to_latin1("a\xc3"), std::nullopt);         // Cut off.
  EXPECT_EQ(to_latin1("\xc3("), std::nullopt);
  EXPECT_EQ(to_latin1("\xff"), std::nullopt);
}

TEST(Sources, WhatIsPackedComesOutAgain) {
  const std::string packed = pack({"first", "", "third"}, "the blob");
  const std::optional<Package> package = unpack(packed);
  ASSERT_TRUE(package);
  ASSERT_EQ(package->texts.size(), 3u);
  EXPECT_EQ(std::string(package->texts[0]->data(), package->texts[0]->length()), "first");
  EXPECT_EQ(package->texts[1]->length(), 0u);
  EXPECT_EQ(std::string(package->texts[2]->data(), package->texts[2]->length()), "third");
  EXPECT_EQ(package->blob, "the blob");
  EXPECT_EQ(static_cast<size_t>(package->blob.data() - packed.data()) % 64, 0u);
}

TEST(Sources, DamagedPackagesAreRefused) {
  const std::string packed = pack({"first", "second"}, "the blob");
  EXPECT_FALSE(unpack(""));
  EXPECT_FALSE(unpack("something else that is long enough"));
  // Cut anywhere before the blob, it is noticed.
  for (size_t size = 0; size + 8 < packed.size(); ++size) {
    EXPECT_FALSE(unpack(std::string_view(packed).substr(0, size))) << size;
  }
  std::string wrong = packed;
  wrong[16] = '\xff';  // The size of the first text.
  EXPECT_FALSE(unpack(wrong));
}

}  // namespace

}  // namespace rondo::runtime
