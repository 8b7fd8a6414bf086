#include "base/encoding/json.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace rondo::encoding {
namespace {

std::string of_latin1(std::string_view text) {
  std::string out;
  append_json_of_latin1(reinterpret_cast<const uint8_t*>(text.data()), text.size(), out);
  return out;
}

std::string of_utf16(std::u16string_view text) {
  std::string out;
  append_json_of_utf16(text.data(), text.size(), out);
  return out;
}

TEST(Json, QuotesPlainText) {
  EXPECT_EQ(of_latin1(""), "\"\"");
  EXPECT_EQ(of_latin1("plain text \x7f"), "\"plain text \x7f\"");
  EXPECT_EQ(of_utf16(u"plain"), "\"plain\"");
}

TEST(Json, AppendsToTheText) {
  std::string out = "[";
  append_json_of_latin1(reinterpret_cast<const uint8_t*>("a"), 1, out);
  append_json_of_utf16(u"b", 1, out);
  EXPECT_EQ(out, "[\"a\"\"b\"");
}

TEST(Json, EscapesAsStringifyDoes) {
  EXPECT_EQ(of_latin1("\"\\/\b\f\n\r\t"), R"("\"\\/\b\f\n\r\t")");
  EXPECT_EQ(of_latin1(std::string_view("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
  EXPECT_EQ(of_utf16(u"\"\\\u001f"), R"("\"\\\u001f")");
}

TEST(Json, EscapesCharactersBeyondAscii) {
  EXPECT_EQ(of_latin1("\xe9\xff\x80"), "\"é\u00ff\u0080\"");
  EXPECT_EQ(of_utf16(u"é\u2028\u20ac\U0001f600\U0010ffff"),
            "\"é\u2028\u20ac\U0001f600\U0010ffff\"");
}

TEST(Json, EscapesHalvesOfPairs) {
  EXPECT_EQ(of_utf16(u"\xd83d"), R"("\ud83d")");
  EXPECT_EQ(of_utf16(u"\xdc00\xd800"), R"("\udc00\ud800")");
  EXPECT_EQ(of_utf16(u"\xd800\xd83d\xde00x"), "\"\\ud800\U0001f600x\"");
}

TEST(Json, OfUtf8KeepsCharactersBeyondAscii) {
  EXPECT_EQ(json_of_utf8("a \"é\" \\ \n\x01"), R"("a \"é\" \\ \n\u0001")");
  EXPECT_EQ(json_of_utf8("\xff\xc3"), "\"\xff\xc3\"");
  EXPECT_EQ(json_of_utf8(""), "\"\"");
}

// Characters that need an escape, at every position within a block of bytes and after it.
TEST(Json, FindsWhatNeedsCareAtEveryPlace) {
  for (size_t size = 1; size <= 100; ++size) {
    for (size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = '"';
      std::string expected(size, 'x');
      expected.replace(at, 1, "\\\"");
      ASSERT_EQ(of_latin1(text), '"' + expected + '"');
    }
  }
}

}  // namespace
}  // namespace rondo::encoding
