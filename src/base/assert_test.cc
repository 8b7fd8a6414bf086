#include "base/assert.h"

#include <gtest/gtest.h>

#include <string>

namespace rondo {
namespace {

constexpr int kLineOfTheFault = __LINE__ + 1;
void commit_a_fault() { RONDO_ASSERT(1 + 1 == 3); }

TEST(Assert, AConditionThatHoldsIsEvaluatedOnceAndNothingHappens) {
  int evaluated = 0;
  RONDO_ASSERT(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
}

TEST(Assert, IsAnExpression) {
  // The macro is an expression: usable in a constructor's initializer list and in a comma
  // expression.
  const int value = (RONDO_ASSERT(true), 7);
  EXPECT_EQ(value, 7);
}

TEST(AssertDeathTest, PrintsPlaceAndConditionInReleaseBuildsToo) {
  EXPECT_DEATH(commit_a_fault(), "assert_test\\.cc:" + std::to_string(kLineOfTheFault) +
                                     ": assertion failed: 1 \\+ 1 == 3");
}

TEST(AssertDeathTest, FatalPrintsTheSentence) {
  EXPECT_DEATH(fatal("close it first"), "^rondo: close it first\n$");
}

TEST(AssertDeathTest, DebugAssertsAreForDebugBuildsOnly) {
  int evaluated = 0;
#ifdef NDEBUG
  RONDO_DEBUG_ASSERT(++evaluated == 7);
  EXPECT_EQ(evaluated, 0);
#else
  RONDO_DEBUG_ASSERT(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
  EXPECT_DEATH(RONDO_DEBUG_ASSERT(evaluated == 7), "assertion failed: evaluated == 7");
#endif
}

}  // namespace
}  // namespace rondo
