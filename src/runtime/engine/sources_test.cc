#include "runtime/engine/sources.h"

#include <gtest/gtest.h>

namespace rondo::runtime {

namespace {

TEST(Sources, Latin1IsWhatFitsIntoAByte) {
  EXPECT_EQ(to_latin1("plain"), "plain");
  EXPECT_EQ(to_latin1("\xc3\xa4\xc2\xa9"), "\xe4\xa9");
  EXPECT_EQ(to_latin1("\xe2\x80\xa6"), std::nullopt);  // An ellipsis.
  EXPECT_EQ(to_latin1("a\xc3"), std::nullopt);         // Truncated.
  EXPECT_EQ(to_latin1("\xc3("), std::nullopt);
  EXPECT_EQ(to_latin1("\xff"), std::nullopt);
}

TEST(Sources, UnpackingReversesPacking) {
  const std::vector<PackedFile> files = {
      {"a", "first", true, "cache"}, {"b", "", true, {}}, {"c", "thi\xc3\xa4", false, {}}};
  const std::string packed = pack({"14.6", 7}, files, "the blob");
  const std::optional<Package> package = unpack(packed);
  ASSERT_TRUE(package);
  ASSERT_EQ(package->files.size(), 3u);
  ASSERT_EQ(package->texts.size(), 3u);
  EXPECT_EQ(std::string(package->texts[0]->data(), package->texts[0]->length()), "first");
  EXPECT_EQ(package->texts[1], nullptr) << "V8 keeps empty strings itself";
  EXPECT_EQ(package->texts[2], nullptr) << "not of one byte per character";
  EXPECT_EQ(package->files[0].cache, "cache");
  EXPECT_EQ(static_cast<size_t>(package->files[0].cache.data() - packed.data()) % 64, 0u);
  EXPECT_EQ(package->files[2].text, "thi\xc3\xa4");
  EXPECT_FALSE(package->files[2].is_latin1);
  EXPECT_EQ(package->find("b"), 1u);
  EXPECT_EQ(package->find("bb"), std::nullopt);
  EXPECT_EQ(package->blob, "the blob");
  EXPECT_EQ(package->origin, (Origin{"14.6", 7}));
  EXPECT_EQ(static_cast<size_t>(package->blob.data() - packed.data()) % 64, 0u);
}

TEST(Sources, LongNamesOfTheEngineAreCutOff) {
  const std::string packed = pack({std::string(100, 'v'), 1}, {}, "the blob");
  const std::optional<Package> package = unpack(packed);
  ASSERT_TRUE(package);
  EXPECT_EQ(package->origin.engine, std::string(47, 'v'));
}

TEST(Sources, DamagedPackagesAreRefused) {
  const std::string packed =
      pack({"14.6", 7}, {{"a", "first", true, {}}, {"b", "second", true, {}}}, "the blob");
  EXPECT_FALSE(unpack(""));
  EXPECT_FALSE(unpack("something else that is long enough"));
  // Truncation anywhere before the blob is detected.
  for (size_t size = 0; size + 8 < packed.size(); ++size) {
    EXPECT_FALSE(unpack(std::string_view(packed).substr(0, size))) << size;
  }
  std::string wrong = packed;
  wrong[80] = '\xff';  // The size of the first text.
  EXPECT_FALSE(unpack(wrong));
  wrong = packed;
  wrong[71] = 'x';  // The NUL after the name of the engine.
  EXPECT_FALSE(unpack(wrong));
}

}  // namespace

}  // namespace rondo::runtime
