#include "uv/work/idna.h"

#include <gtest/gtest.h>
#include <uv.h>

namespace rondo::uv {
namespace {

std::string ascii(const char* name) {
  std::string out;
  return to_ascii(name, out) == 0 ? out : "error";
}

TEST(UvIdna, AsciiIsUnchanged) {
  EXPECT_EQ(ascii("example.com"), "example.com");
  EXPECT_EQ(ascii("127.0.0.1."), "127.0.0.1.");
  EXPECT_EQ(ascii(""), "");
}

TEST(UvIdna, OtherLabelsAreEncoded) {
  EXPECT_EQ(ascii("bücher.example"), "xn--bcher-kva.example");
  EXPECT_EQ(ascii("παράδειγμα.δοκιμή"), "xn--hxajbheg2az3al.xn--jxalpdlp");
  EXPECT_EQ(ascii("測試。com"), "xn--g6w251d.com");
  EXPECT_EQ(ascii("😀.example"), "xn--e28h.example");
}

TEST(UvIdna, InvalidAndLongNamesAreRefused) {
  EXPECT_EQ(ascii("\xff.example"), "error");
  EXPECT_EQ(ascii(std::string(255, 'a').c_str()), std::string(255, 'a'));
  EXPECT_EQ(ascii(std::string(256, 'a').c_str()), "error");
  std::string labels;
  for (int i = 0; i < 60; ++i) labels += "abcd.";
  EXPECT_EQ(ascii(labels.c_str()), "error");
}

}  // namespace
}  // namespace rondo::uv
