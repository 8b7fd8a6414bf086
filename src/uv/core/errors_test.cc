#include <cerrno>

#include "uv/core/fixture_test.h"

namespace {

TEST(UvErrors, KnownCodesHaveNamesAndTexts) {
  EXPECT_STREQ(uv_err_name(UV_ENOENT), "ENOENT");
  EXPECT_STREQ(uv_strerror(UV_EOF), "end of file");
  EXPECT_EQ(UV_ENOENT, -ENOENT);
}

TEST(UvErrors, UnknownCodesAreNumbers) {
  char text[40];
  EXPECT_STREQ(uv_strerror_r(-12345, text, sizeof text), "Unknown system error -12345");
  EXPECT_STREQ(uv_err_name_r(0, text, sizeof text), "Unknown system error 0");
  EXPECT_STREQ(uv_err_name_r(UV_ENOENT, text, 4), "ENO");
}

TEST(UvErrors, SystemErrorsBecomeNegative) {
  EXPECT_EQ(uv_translate_sys_error(EPERM), UV_EPERM);
  EXPECT_EQ(uv_translate_sys_error(UV_EPERM), UV_EPERM);
}

}  // namespace
