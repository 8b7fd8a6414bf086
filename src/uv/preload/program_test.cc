#include "uv/preload/program.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace rondo::uv {
namespace {

// tests/uv/launch.py tests programs that do use libuv.
TEST(UvProgram, AProgramThatExportsNoLibuvIsRefused) {
  const auto in_libc = reinterpret_cast<uintptr_t>(::dlsym(RTLD_DEFAULT, "getenv"));
  std::vector<Module> modules = Module::loaded();
  std::erase_if(modules, [in_libc](const Module& each) { return !each.contains(in_libc); });
  const Outcome outcome = take_over(modules, in_libc);
  EXPECT_EQ(outcome.problem.substr(0, 18), "does not use libuv");
  EXPECT_FALSE(outcome.may_load_later);
}

TEST(UvProgram, AProgramThatLoadsLibrariesMayUseLibuvLater) {
  const auto in_libc = reinterpret_cast<uintptr_t>(::dlsym(RTLD_DEFAULT, "getenv"));
  const std::vector<Module> modules = Module::loaded();
  // uv_dlopen() imports it, unless the program contains a sanitizer, which defines it.
  if (!modules[0].imports("dlopen")) GTEST_SKIP() << "dlopen() is in the program";
  const Outcome outcome = take_over(modules, in_libc);
  EXPECT_EQ(outcome.problem, "");
  EXPECT_TRUE(outcome.may_load_later);
}

TEST(UvProgram, TheLibraryMustBeAmongTheModules) {
  EXPECT_EQ(take_over({}, 1).problem, "has no list of its libraries");
  int variable = 0;
  EXPECT_EQ(take_over(Module::loaded(), reinterpret_cast<uintptr_t>(&variable)).problem,
            "has no list of its libraries");
}

}  // namespace
}  // namespace rondo::uv
