#include "base/encoding/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/encoding/ascii.h"
#include "base/encoding/test_bytes.h"

namespace rondo::encoding {
namespace {

std::u16string decode(const Bytes& in, bool* has_errors = nullptr) {
  std::vector<char16_t> out(in.size());
  const Utf8Decoded decoded = decode_utf8(in.data(), in.size(), out.data());
  if (has_errors != nullptr) *has_errors = decoded.has_errors;
  EXPECT_EQ(decoded.has_errors, !is_utf8(in.data(), in.size()));
  std::u16string text(out.begin(), out.begin() + static_cast<ptrdiff_t>(decoded.units));
  EXPECT_EQ(decoded.fits_latin1,
            std::all_of(text.begin(), text.end(), [](char16_t unit) { return unit <= 0xff; }));
  return text;
}
std::u16string decode(std::string_view in) { return decode(bytes_of(in)); }
std::string encode(std::u16string_view in, size_t capacity) {
  const std::vector<char16_t> data(in.begin(), in.end());
  Bytes out(capacity);
  const Utf8Encoded encoded = encode_utf16_as_utf8(data.data(), data.size(), out.data(), capacity);
  EXPECT_LE(encoded.read, in.size());
  out.resize(encoded.written);
  return text_of(out);
}
std::string encode(std::u16string_view in) {
  return encode(in, utf8_length_of_utf16(in.data(), in.size()));
}

std::u16string utf16_of(uint32_t code_point) {
  if (code_point < 0x10000) return {static_cast<char16_t>(code_point)};
  return {static_cast<char16_t>(0xd7c0 + (code_point >> 10)),
          static_cast<char16_t>(0xdc00 | (code_point & 0x3ff))};
}

TEST(Utf8, DecodesEveryCodePoint) {
  // All characters of up to three bytes, and some of the million with four. A single character
  // takes the path for short texts, a page of them the path for long texts.
  for (uint32_t page = 0; page < 0x110000; page += 0x100) {
    if (page >= 0xd800 && page < 0xe000) continue;
    std::u16string text;
    size_t size = 0;
    for (uint32_t code_point = page; code_point < page + 0x100; ++code_point) {
      const std::u16string one = utf16_of(code_point);
      const size_t length = code_point < 0x80      ? 1
                            : code_point < 0x800   ? 2
                            : code_point < 0x10000 ? 3
                                                   : 4;
      text += one;
      size += length;
      if (code_point >= 0x10000 && code_point % 61 != 0) continue;
      const std::string bytes = encode(one);
      ASSERT_EQ(bytes.size(), length) << code_point;
      ASSERT_EQ(decode(bytes), one) << code_point;
    }
    const std::string bytes = encode(text);
    ASSERT_EQ(bytes.size(), size) << page;
    ASSERT_EQ(decode(bytes), text) << page;
  }
}

TEST(Utf8, OneReplacementForEachPieceThatCouldHaveBegun) {
  EXPECT_EQ(decode("\x80"), u"\ufffd");
  EXPECT_EQ(decode("\xc0\x80"), u"\ufffd\ufffd");
  EXPECT_EQ(decode("\xe0\x80\x80"), u"\ufffd\ufffd\ufffd");
  EXPECT_EQ(decode("\xed\xa0\x80"), u"\ufffd\ufffd\ufffd");
  EXPECT_EQ(decode("\xf0\x80\x80\x80"), u"\ufffd\ufffd\ufffd\ufffd");
  EXPECT_EQ(decode("\xf4\x90\x80\x80"), u"\ufffd\ufffd\ufffd\ufffd");
  EXPECT_EQ(decode("\xf0\x9f\x98"), u"\ufffd");
  EXPECT_EQ(decode("\xf0\x9f\x98x"), u"\ufffdx");
  EXPECT_EQ(decode("\xe2\x82x"), u"\ufffdx");
  EXPECT_EQ(decode("\xe2\x82\xe2\x82\xac"), u"\ufffd\u20ac");
  EXPECT_EQ(decode("\xf5\xff"), u"\ufffd\ufffd");
}

TEST(Utf8, Latin1IsRecognised) {
  const Bytes bytes = bytes_of("caf\xc3\xa9, and twenty more letters \xc2\x80");
  Bytes out(bytes.size());
  size_t written = 0;
  ASSERT_TRUE(decode_utf8_to_latin1(bytes.data(), bytes.size(), out.data(), &written));
  out.resize(written);
  EXPECT_EQ(text_of(out), "caf\xe9, and twenty more letters \x80");
  for (const char* text : {"\xc4\x80", "\xc3", "\xc3x", "\xe2\x82\xac", "\x80", "\xc1\x80"}) {
    const Bytes other = bytes_of(text);
    Bytes room(other.size());
    EXPECT_FALSE(decode_utf8_to_latin1(other.data(), other.size(), room.data(), &written));
  }
}

TEST(Utf8, TailThatMoreBytesCouldComplete) {
  const auto tail = [](std::string_view text) {
    const Bytes bytes = bytes_of(text);
    return incomplete_utf8_tail(bytes.data(), bytes.size());
  };
  EXPECT_EQ(tail(""), 0U);
  EXPECT_EQ(tail("abc"), 0U);
  EXPECT_EQ(tail("a\xc3"), 1U);
  EXPECT_EQ(tail("a\xe2\x82"), 2U);
  EXPECT_EQ(tail("\xf0\x9f\x98"), 3U);
  EXPECT_EQ(tail("\xf0\x9f\x98\x80"), 0U);
  EXPECT_EQ(tail("\xe0\x80"), 0U);
  EXPECT_EQ(tail("\x82\x82"), 0U);
  EXPECT_EQ(tail("\xc3\x82\x82"), 0U);
  EXPECT_EQ(tail("\xff"), 0U);
}

TEST(Utf8, LoneSurrogatesAreReplaced) {
  EXPECT_EQ(encode({u"\xd800", 1}), "\xef\xbf\xbd");
  EXPECT_EQ(encode({u"\xdc00\xd800", 2}), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(encode({u"\xd800x", 2}), "\xef\xbf\xbdx");
  EXPECT_EQ(encode({u"\xd800\xd83d\xde00", 3}), "\xef\xbf\xbd\xf0\x9f\x98\x80");
}

TEST(Utf8, WritesOnlyWholeCharacters) {
  const std::u16string text = u"a\u00e9\u20ac\U0001f600z";
  const std::string whole = encode(text);
  ASSERT_EQ(whole.size(), 11U);
  for (size_t capacity = 0; capacity <= whole.size(); ++capacity) {
    size_t expected = capacity;
    while (expected < whole.size() && (whole[expected] & 0xc0) == 0x80) --expected;
    EXPECT_EQ(encode(text, capacity), whole.substr(0, expected));
  }
}

TEST(Utf8, LeavesMemoryBehindTheLastCharacterUnchanged) {
  const Bytes text = bytes_of("twenty ASCII letters\xe9\xe9");
  for (size_t capacity = 0; capacity < 24; ++capacity) {
    Bytes out(capacity, '#');
    const size_t written =
        encode_latin1_as_utf8(text.data(), text.size(), out.data(), capacity).written;
    EXPECT_EQ(text_of(out).substr(written), std::string(capacity - written, '#'));
  }
}

TEST(Utf8, Latin1AndUtf16EncodeAlike) {
  std::mt19937 random(5);
  for (size_t size = 0; size < 300; ++size) {
    const Bytes bytes = random_bytes(random, size, size % 2 == 0 ? 0xff : 0x7f);
    std::vector<char16_t> wide(size);
    widen(bytes.data(), size, wide.data());
    const size_t length = utf8_length_of_latin1(bytes.data(), size);
    EXPECT_EQ(utf8_length_of_utf16(wide.data(), size), length);
    Bytes narrow_out(length), wide_out(length);
    EXPECT_EQ(encode_latin1_as_utf8(bytes.data(), size, narrow_out.data(), length).written, length);
    EXPECT_EQ(encode_utf16_as_utf8(wide.data(), size, wide_out.data(), length).written, length);
    EXPECT_EQ(narrow_out, wide_out);
    EXPECT_EQ(decode(narrow_out), std::u16string(wide.begin(), wide.end()));
  }
}

TEST(Utf8, LengthIsWhatEncodingWrites) {
  std::mt19937 random(6);
  constexpr char16_t kKinds[] = {u'a', 0xe9, 0x20ac, 0xd83d, 0xde00, 0xffff};
  for (int round = 0; round < 500; ++round) {
    std::u16string text;
    const size_t size = round == 0 ? 20'000 : random() % 150;
    for (size_t i = 0; i < size; ++i) text += kKinds[random() % std::size(kKinds)];
    const size_t length = utf8_length_of_utf16(text.data(), text.size());
    Bytes out(length + 4);
    const Utf8Encoded encoded =
        encode_utf16_as_utf8(text.data(), text.size(), out.data(), out.size());
    EXPECT_EQ(encoded.read, text.size());
    EXPECT_EQ(encoded.written, length);
  }
}

}  // namespace
}  // namespace rondo::encoding
