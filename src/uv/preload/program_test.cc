#include "uv/preload/program.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace rondo::uv {
namespace {

// tests/uv/launch.py tests programs that do use libuv.
TEST(UvProgram, AProgramThatExportsNoLibuvIsRefused) {
  const auto in_a_library = reinterpret_cast<uintptr_t>(::dlsym(RTLD_DEFAULT, "getenv"));
  const std::string problem = take_over(Module::loaded(), in_a_library);
  EXPECT_EQ(problem.substr(0, 18), "does not use libuv");
}

TEST(UvProgram, TheLibraryMustBeAmongTheModules) {
  EXPECT_EQ(take_over({}, 1), "has no list of its libraries");
  int variable = 0;
  EXPECT_EQ(take_over(Module::loaded(), reinterpret_cast<uintptr_t>(&variable)),
            "has no list of its libraries");
}

}  // namespace
}  // namespace rondo::uv
