#include "uv/preload/module.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace rondo::uv {
namespace {

const Module& module_at(const std::vector<Module>& modules, uintptr_t address) {
  const auto found = std::find_if(modules.begin(), modules.end(),
                                  [&](const Module& each) { return each.contains(address); });
  return found == modules.end() ? modules.front() : *found;
}

TEST(UvModule, TheFirstIsTheProgram) {
  const std::vector<Module> modules = Module::loaded();
  ASSERT_GT(modules.size(), 1U);
  EXPECT_EQ(modules[0].path(), "");
  EXPECT_TRUE(modules[0].contains(reinterpret_cast<uintptr_t>(&module_at)));
  EXPECT_FALSE(modules[0].contains(reinterpret_cast<uintptr_t>(::dlsym(RTLD_DEFAULT, "getpid"))));
}

TEST(UvModule, KnowsTheLibrariesThatItNeeds) {
  const std::vector<Module> modules = Module::loaded();
  EXPECT_TRUE(modules[0].needs("libc.so.6"));
  EXPECT_FALSE(modules[0].needs("libc.so"));
  EXPECT_FALSE(modules[0].needs("libuv.so.1"));
}

TEST(UvModule, KnowsTheFunctionsThatItImports) {
  const std::vector<Module> modules = Module::loaded();
  const auto getpid = reinterpret_cast<uintptr_t>(::dlsym(RTLD_DEFAULT, "getpid"));
  EXPECT_TRUE(modules[0].imports("dlsym")) << "this test calls it";
  EXPECT_FALSE(modules[0].imports("no_such_function_in_libc"));
  EXPECT_FALSE(module_at(modules, getpid).imports("getpid")) << "the C library defines it";
}

TEST(UvModule, FindsExportedFunctions) {
  const std::vector<Module> modules = Module::loaded();
  void* const expected = ::dlsym(RTLD_DEFAULT, "getpid");
  const Module& libc = module_at(modules, reinterpret_cast<uintptr_t>(expected));
  const std::optional<Module::Function> found = libc.function("getpid");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->address, reinterpret_cast<uintptr_t>(expected));
  EXPECT_STREQ(found->name, "getpid");
  EXPECT_GT(found->size, 0U);
  EXPECT_FALSE(libc.function("no_such_function_in_libc").has_value());
  EXPECT_FALSE(libc.function("").has_value());
  EXPECT_FALSE(libc.function("environ").has_value()) << "a variable is not a function";
}

TEST(UvModule, ListsTheFunctionsThatItFinds) {
  const std::vector<Module> modules = Module::loaded();
  const Module& libc =
      module_at(modules, reinterpret_cast<uintptr_t>(::dlsym(RTLD_DEFAULT, "getpid")));
  const std::vector<Module::Function> all = libc.functions();
  EXPECT_GT(all.size(), 1000U);
  EXPECT_EQ(std::count_if(all.begin(), all.end(),
                          [](const auto& each) { return std::strcmp(each.name, "getpid") == 0; }),
            1);
}

TEST(UvModule, KnowsTheProtectionOfItsMemory) {
  static int variable = 1;
  const std::vector<Module> modules = Module::loaded();
  EXPECT_EQ(modules[0].protection(reinterpret_cast<uintptr_t>(&module_at)), PROT_READ | PROT_EXEC);
  EXPECT_EQ(modules[0].protection(reinterpret_cast<uintptr_t>(&variable)), PROT_READ | PROT_WRITE);
  EXPECT_EQ(modules[0].protection(1), 0);
}

}  // namespace
}  // namespace rondo::uv
