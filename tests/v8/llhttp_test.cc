// The HTTP parser from node-llhttp's sources builds, links and parses.

#include <gtest/gtest.h>
#include <llhttp.h>

#include <string>
#include <string_view>

namespace rondo::v8_test {
namespace {

TEST(Llhttp, ParsesARequest) {
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  settings.on_url = [](llhttp_t* parser, const char* at, std::size_t size) {
    static_cast<std::string*>(parser->data)->append(at, size);
    return 0;
  };
  llhttp_t parser;
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  std::string url;
  parser.data = &url;
  const std::string_view request = "GET /rondo HTTP/1.1\r\nHost: localhost\r\n\r\n";
  EXPECT_EQ(llhttp_execute(&parser, request.data(), request.size()), HPE_OK);
  EXPECT_EQ(parser.method, HTTP_GET);
  EXPECT_EQ(url, "/rondo");
}

TEST(Llhttp, RefusesGarbage) {
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  llhttp_t parser;
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  EXPECT_NE(llhttp_execute(&parser, "\0\1\2", 3), HPE_OK);
}

}  // namespace
}  // namespace rondo::v8_test
