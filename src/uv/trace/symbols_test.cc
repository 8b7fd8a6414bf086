#include "uv/trace/symbols.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace rondo::uv {
namespace {

int local_function() { return 1; }

uintptr_t address_of(int (*function)()) { return reinterpret_cast<uintptr_t>(function); }

TEST(UvSymbols, LocalFunctionsHaveTheirNames) {
  const FunctionName found = name_of_function(address_of(&local_function));
  EXPECT_EQ(found.function, "rondo::uv::(anonymous namespace)::local_function");
  EXPECT_EQ(found.file, "uv_test");
}

TEST(UvSymbols, FunctionsOfLibrariesHaveTheirNames) {
  const auto address = reinterpret_cast<uintptr_t>(::dlsym(RTLD_DEFAULT, "getenv"));
  const FunctionName found = name_of_function(address);
  EXPECT_EQ(found.function, "getenv");
  EXPECT_NE(found.file.find(".so"), std::string::npos);
}

TEST(UvSymbols, AnAddressOutsideOfFilesIsUnknown) {
  int variable = 0;
  EXPECT_EQ(name_of_function(reinterpret_cast<uintptr_t>(&variable)).function, "unknown function");
}

TEST(UvSymbols, NamesHaveNoParameters) {
  EXPECT_EQ(readable_name("on_timer"), "on_timer");
  EXPECT_EQ(readable_name("_ZN4node11Environment9RunTimersEP10uv_timer_s"),
            "node::Environment::RunTimers");
  EXPECT_EQ(readable_name("_ZNK1a1bEiPFviE"), "a::b");
  EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_11fEv"), "(anonymous namespace)::f");
  EXPECT_EQ(readable_name("_ZZN1a1fEvENUlP7timer_sE_4_FUNES1_"), "a::f::{lambda#1}::_FUN");
  EXPECT_EQ(readable_name("_ZN1a1bIiEclEv"), "a::b::operator()");
  EXPECT_EQ(readable_name("_ZN1alsEi"), "a::operator<<");
}

}  // namespace
}  // namespace rondo::uv
