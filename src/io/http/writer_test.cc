#include "io/http/writer.h"

#include <gtest/gtest.h>

#include <string>

namespace rondo::http {
namespace {

using namespace std::chrono_literals;

TEST(HttpWriter, FormatsDates) {
  char date[kDateSize];
  format_date(784111777s + 999ms, date);
  EXPECT_STREQ(date, "Sun, 06 Nov 1994 08:49:37 GMT");
  format_date(1709164800s, date);
  EXPECT_STREQ(date, "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(HttpWriter, HTTP_02_RefusesFieldsThatWouldSplitAMessage) {
  std::string out;
  EXPECT_TRUE(append_field(out, "A-b", "c \xC3\xA4\t"));
  EXPECT_EQ(out, "A-b: c \xC3\xA4\t\r\n");
  for (const char* name : {"", "a b", "a:", "a\r\n", "\xC3"}) {
    EXPECT_FALSE(append_field(out, name, "c")) << name;
  }
  for (const char* value : {"a\r", "a\n", "\x7f", "\x01"}) {
    EXPECT_FALSE(append_field(out, "A", value)) << value;
  }
  EXPECT_FALSE(append_field(out, "A", std::string_view("\0", 1)));
  EXPECT_EQ(out, "A-b: c \xC3\xA4\t\r\n");
  EXPECT_TRUE(is_framing_field("CONTENT-length"));
  EXPECT_TRUE(is_framing_field("Transfer-Encoding"));
  EXPECT_FALSE(is_framing_field("Content-Type"));
}

TEST(HttpWriter, WritesNumbers) {
  std::string out;
  append_number(out, UINT64_MAX);
  out += ' ';
  append_chunk_head(out, 255);
  EXPECT_EQ(out, "18446744073709551615 ff\r\n");
  EXPECT_STREQ(reason_of(404), "Not Found");
  EXPECT_STREQ(reason_of(499), "");
}

}  // namespace
}  // namespace rondo::http
