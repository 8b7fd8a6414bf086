#include "io/http/url.h"

#include <gtest/gtest.h>

#include <string>

namespace rondo {
namespace {

std::string parts_of(std::string_view text) {
  Result<HttpUrl> url = HttpUrl::parse(text);
  if (!url) return url.error().name();
  return url->host + " " + std::to_string(url->port) + " " + url->authority + " " + url->target;
}

TEST(HttpUrl, HasTheParts) {
  EXPECT_EQ(parts_of("http://a.b"), "a.b 80 a.b /");
  EXPECT_EQ(parts_of("HTTP://a:8080/b/c?d=e#f"), "a 8080 a:8080 /b/c?d=e");
  EXPECT_EQ(parts_of("http://a:80?q"), "a 80 a /?q");
  EXPECT_EQ(parts_of("http://a:/"), "a 80 a /");
  EXPECT_EQ(parts_of("http://[::1]:81/"), "::1 81 [::1]:81 /");
}

TEST(HttpUrl, RefusesEverythingElse) {
  EXPECT_EQ(parts_of("https://a/"), "EPROTONOSUPPORT");
  for (const char* bad : {"", "a", "/a", "http:/a", "http://", "http:///", "http://a b/",
                          "http://a/b c", "http://a/\r\n", "http://u@a/", "http://a:x/",
                          "http://a:0/", "http://a:65536/", "http://a:1x/", "http://[::1/",
                          "http://[::1]x/", "http://a:1:2/", "http://a\\b/", "http://\xC3\xA4/"}) {
    EXPECT_EQ(parts_of(bad), "EINVAL") << bad;
  }
}

}  // namespace
}  // namespace rondo
