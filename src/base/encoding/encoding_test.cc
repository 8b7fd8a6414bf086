// The codecs against models that are slow and plain, with every length around the blocks of the
// fast ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/encoding/ascii.h"
#include "base/encoding/base64.h"
#include "base/encoding/hex.h"
#include "base/encoding/search.h"
#include "base/encoding/utf8.h"

namespace rondo::encoding {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }
std::string text_of(const Bytes& bytes) { return std::string(bytes.begin(), bytes.end()); }

Bytes random_bytes(std::mt19937& random, size_t size, uint8_t mask = 0xff) {
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random()) & mask;
  return bytes;
}

// What is allocated is exactly what may be touched, so that AddressSanitizer sees one byte too
// many.
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
std::string base64(const Bytes& bytes, Base64Alphabet alphabet = Base64Alphabet::standard) {
  Bytes out(base64_length(bytes.size(), alphabet));
  encode_base64(bytes.data(), bytes.size(), alphabet, out.data());
  return text_of(out);
}
std::string unbase64(std::string_view text, size_t capacity = 1000) {
  const Bytes in = bytes_of(text);
  Bytes out(capacity);
  out.resize(decode_base64(in.data(), in.size(), out.data(), capacity));
  return text_of(out);
}
std::string strict(std::string_view text) {
  const Bytes in = bytes_of(text);
  Bytes out(decoded_base64_bound(in.size()));
  size_t written = 0;
  switch (decode_base64_strictly(in.data(), in.size(), out.data(), &written)) {
    case StrictBase64::bad_character: return "bad character";
    case StrictBase64::bad_length: return "bad length";
    case StrictBase64::ok: break;
  }
  out.resize(written);
  return text_of(out);
}
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

TEST(Hex, ThereAndBack) {
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

TEST(Hex, StopsAtWhatIsNoPair) {
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

TEST(Base64, ThereAndBack) {
  std::mt19937 random(3);
  for (size_t size = 0; size < 200; ++size) {
    const Bytes bytes = random_bytes(random, size);
    for (const auto alphabet : {Base64Alphabet::standard, Base64Alphabet::url}) {
      const std::string text = base64(bytes, alphabet);
      EXPECT_EQ(unbase64(text, size), text_of(bytes));
      EXPECT_EQ(unbase64(text, size + 64), text_of(bytes));
      if (alphabet == Base64Alphabet::standard) {
        EXPECT_EQ(strict(text), text_of(bytes));
      }
    }
  }
}

TEST(Base64, LeavesWhatIsBehindTheLastByte) {
  for (size_t size = 0; size < 100; ++size) {
    const Bytes text = bytes_of(base64(Bytes(size, 'x')));
    Bytes out(size + 40, '#');
    ASSERT_EQ(decode_base64(text.data(), text.size(), out.data(), out.size()), size);
    EXPECT_EQ(text_of(out), std::string(size, 'x') + std::string(40, '#'));
  }
}

TEST(Base64, KnownTexts) {
  EXPECT_EQ(base64(bytes_of("")), "");
  EXPECT_EQ(base64(bytes_of("f")), "Zg==");
  EXPECT_EQ(base64(bytes_of("fo")), "Zm8=");
  EXPECT_EQ(base64(bytes_of("foo")), "Zm9v");
  EXPECT_EQ(base64({0xfb, 0xff}), "+/8=");
  EXPECT_EQ(base64({0xfb, 0xff}, Base64Alphabet::url), "-_8");
  // Every sextet, by way of the fast blocks.
  Bytes all;
  for (uint32_t i = 0; i < 64; i += 4) {
    const uint32_t bits = i << 18 | (i + 1) << 12 | (i + 2) << 6 | (i + 3);
    all.insert(all.end(), {static_cast<uint8_t>(bits >> 16), static_cast<uint8_t>(bits >> 8),
                           static_cast<uint8_t>(bits)});
  }
  EXPECT_EQ(base64(all), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  EXPECT_EQ(base64(all, Base64Alphabet::url),
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

TEST(Base64, ForgivesWhatBufferForgives) {
  EXPECT_EQ(unbase64("YW-_"), "ao\xbf");
  EXPECT_EQ(unbase64("YW Jj\n*"), "abc");
  EXPECT_EQ(unbase64("YWJ"), "ab");
  EXPECT_EQ(unbase64("Y"), "");
  EXPECT_EQ(unbase64("YWJj=YWJj"), "abc");
  EXPECT_EQ(unbase64("=YWJj"), "");
  EXPECT_EQ(unbase64("YWJjZGVm", 4), "abcd");
  EXPECT_EQ(unbase64("YWJj", 0), "");
}

TEST(Base64, SkipsStrangersAnywhere) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const Bytes bytes = random_bytes(random, random() % 150);
    std::string text = base64(bytes);
    while (text.ends_with('=')) text.pop_back();
    for (int i = 0; i < 5; ++i) {
      text.insert(random() % (text.size() + 1), 1, "\n \xff*."[random() % 5]);
    }
    EXPECT_EQ(unbase64(text, bytes.size()), text_of(bytes));
  }
}

TEST(Base64, EveryCharacterIsADigitOrAStranger) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
  for (int code = 0; code < 256; ++code) {
    const auto letter = static_cast<char>(code);
    if (letter == '=') continue;
    const size_t found = digits.find(letter);
    const bool is_digit = found != std::string::npos;
    for (size_t i = 0; i < 32; ++i) {
      std::string text(32, 'A');
      text[i] = letter;
      std::string plain = text;
      if (!is_digit) plain.erase(i, 1);
      if (letter == '-') plain[i] = '+';
      if (letter == '_') plain[i] = '/';
      Bytes expected;
      uint32_t bits = 0;
      for (size_t k = 0; k < plain.size(); ++k) {
        bits = bits << 6 | static_cast<uint32_t>(digits.find(plain[k]));
        if (k % 4 == 3) {
          for (const int shift : {16, 8, 0})
            expected.push_back(static_cast<uint8_t>(bits >> shift));
          bits = 0;
        }
      }
      if (!is_digit) expected.insert(expected.end(), {0, 0});
      ASSERT_EQ(unbase64(text).substr(0, 21), text_of(expected).substr(0, 21)) << code << ' ' << i;
      ASSERT_EQ(unbase64(text).size(), expected.size()) << code << ' ' << i;
    }
  }
}

TEST(Base64, StrictAsOnTheWeb) {
  EXPECT_EQ(strict(""), "");
  EXPECT_EQ(strict(" Y Q\t=\n=\f\r"), "a");
  EXPECT_EQ(strict("YQ"), "a");
  EXPECT_EQ(strict("YR=="), "a");
  EXPECT_EQ(strict("Y"), "bad length");
  EXPECT_EQ(strict("Y=="), "bad length");
  for (const char* text : {"YQ=", "YQ===", "=", "==", "====", "Y===", "YW-_", "YQ==YQ==", "\v",
                           "YW=I", "abcd=", "abcd==", "\xff"}) {
    EXPECT_EQ(strict(text), "bad character") << text;
  }
}

TEST(Utf8, DecodesEveryCodePoint) {
  for (uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    if (code_point >= 0xd800 && code_point < 0xe000) continue;
    std::u16string text;
    if (code_point < 0x10000) {
      text = {static_cast<char16_t>(code_point)};
    } else {
      text = {static_cast<char16_t>(0xd7c0 + (code_point >> 10)),
              static_cast<char16_t>(0xdc00 | (code_point & 0x3ff))};
    }
    const std::string bytes = encode(text);
    ASSERT_EQ(bytes.size(), code_point < 0x80      ? 1U
                            : code_point < 0x800   ? 2U
                            : code_point < 0x10000 ? 3U
                                                   : 4U);
    ASSERT_EQ(decode(bytes), text) << code_point;
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

TEST(Utf8, LeavesWhatIsBehindTheLastCharacter) {
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
  // First and last byte are everywhere, and the needle is not.
  const Bytes data(1 << 20, 'a');
  Bytes needle(1 << 16, 'a');
  needle[1 << 15] = 'b';
  EXPECT_EQ(find_bytes(data.data(), data.size(), needle.data(), needle.size(), 0), kNotFound);
}

}  // namespace
}  // namespace rondo::encoding
