#include "uv/preload/settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace rondo::uv {
namespace {

struct UvSettings : ::testing::Test {
  // Other tests of this process create loops, which use the settings.
  void TearDown() override { read_settings(); }
};

TEST_F(UvSettings, AreEmptyWithoutVariables) {
  read_settings();
  EXPECT_EQ(settings().backend, Backend::epoll);
  EXPECT_FALSE(settings().seed.has_value());
  EXPECT_EQ(settings().trace.path, "");
  EXPECT_FALSE(settings().has_control);
  EXPECT_EQ(settings().blocked, Millis::zero());
}

TEST_F(UvSettings, AreReadOnce) {
  ::setenv("RONDO_UV_PROGRAM", "app", 1);
  ::setenv("RONDO_UV_BACKEND", "uring", 1);
  ::setenv("RONDO_UV_SEED", "18446744073709551615", 1);
  ::setenv("RONDO_UV_BLOCKED", "50", 1);
  ::setenv("RONDO_UV_CONTROL", "1", 1);
  ::setenv("RONDO_UV_TRACE_FILE", "/folder/run.rtrace", 1);
  ::setenv("RONDO_UV_TRACE_BYTES", "1048576", 1);
  read_settings();
  EXPECT_EQ(settings().backend, Backend::uring);
  EXPECT_EQ(settings().seed, UINT64_MAX);
  EXPECT_EQ(settings().blocked, Millis(50));
  EXPECT_TRUE(settings().has_control);
  EXPECT_EQ(settings().trace.path, "/folder/run.rtrace");
  EXPECT_EQ(settings().trace.bytes, 1048576U);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    EXPECT_NE(std::string(*variable).substr(0, 9), "RONDO_UV_") << *variable;
  }
}

TEST_F(UvSettings, ThePathIsAbsolute) {
  ::setenv("RONDO_UV_TRACE_FILE", "run.rtrace", 1);
  read_settings();
  char folder[4096];
  ASSERT_NE(::getcwd(folder, sizeof folder), nullptr);
  EXPECT_EQ(settings().trace.path, std::string(folder) + "/run.rtrace");
}

}  // namespace
}  // namespace rondo::uv
