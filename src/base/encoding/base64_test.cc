#include "base/encoding/base64.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/encoding/test_bytes.h"

namespace rondo::encoding {
namespace {

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
class Base64 : public EachVersion {};
INSTANTIATE_TEST_SUITE_P(Versions, Base64, ::testing::Values(0, 1, 2));

TEST_P(Base64, ThereAndBack) {
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

TEST_P(Base64, LeavesMemoryBehindTheLastByteUnchanged) {
  for (size_t size = 0; size < 100; ++size) {
    const Bytes text = bytes_of(base64(Bytes(size, 'x')));
    Bytes out(size + 40, '#');
    ASSERT_EQ(decode_base64(text.data(), text.size(), out.data(), out.size()), size);
    EXPECT_EQ(text_of(out), std::string(size, 'x') + std::string(40, '#'));
  }
}

TEST_P(Base64, KnownTexts) {
  EXPECT_EQ(base64(bytes_of("")), "");
  EXPECT_EQ(base64(bytes_of("f")), "Zg==");
  EXPECT_EQ(base64(bytes_of("fo")), "Zm8=");
  EXPECT_EQ(base64(bytes_of("foo")), "Zm9v");
  EXPECT_EQ(base64({0xfb, 0xff}), "+/8=");
  EXPECT_EQ(base64({0xfb, 0xff}, Base64Alphabet::url), "-_8");
  // Every sextet, in texts long enough for the vector code.
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

TEST_P(Base64, AcceptsTheInvalidInputThatBufferAccepts) {
  EXPECT_EQ(unbase64("YW-_"), "ao\xbf");
  EXPECT_EQ(unbase64("YW Jj\n*"), "abc");
  EXPECT_EQ(unbase64("YWJ"), "ab");
  EXPECT_EQ(unbase64("Y"), "");
  EXPECT_EQ(unbase64("YWJj=YWJj"), "abc");
  EXPECT_EQ(unbase64("=YWJj"), "");
  EXPECT_EQ(unbase64("YWJjZGVm", 4), "abcd");
  EXPECT_EQ(unbase64("YWJj", 0), "");
}

TEST_P(Base64, SkipsInvalidCharactersAnywhere) {
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

TEST_P(Base64, EveryCharacterIsADigitOrInvalid) {
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

TEST_P(Base64, StrictAsOnTheWeb) {
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

}  // namespace
}  // namespace rondo::encoding
