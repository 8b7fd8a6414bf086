#include "base/callback.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace rondo {
namespace {

TEST(Callback, IsEmptyUntilItIsGivenAFunction) {
  Callback<int(int)> callback;
  EXPECT_FALSE(callback);
  callback = [](int n) { return n + 1; };
  ASSERT_TRUE(callback);
  EXPECT_EQ(callback(1), 2);
}

TEST(Callback, MovingTakesTheCapturesAlong) {
  auto number = std::make_unique<int>(7);
  Callback<int()> first = [number = std::move(number)] { return *number; };
  Callback<int()> second = std::move(first);
  EXPECT_FALSE(first);
  EXPECT_EQ(second(), 7);
}

TEST(Callback, ResettingDestroysTheCaptures) {
  auto shared = std::make_shared<int>(0);
  Callback<void()> callback = [shared] {};
  EXPECT_EQ(shared.use_count(), 2);
  callback.reset();
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Callback, AReplaceableCallKeepsTheFunction) {
  int calls = 0;
  Callback<void()> callback = [&calls] { ++calls; };
  callback.call_replaceable();
  callback.call_replaceable();
  EXPECT_EQ(calls, 2);
}

TEST(Callback, AReplaceableCallMayAssignItself) {
  std::string log;
  Callback<void()> callback;
  callback = [&] {
    log += "first ";
    callback = [&] { log += "second "; };
  };
  callback.call_replaceable();
  callback.call_replaceable();
  callback.call_replaceable();
  EXPECT_EQ(log, "first second second ");
}

TEST(Callback, AReplaceableCallMayResetItself) {
  Callback<void()> callback;
  callback = [&] {
    EXPECT_TRUE(callback);
    callback.reset();
  };
  callback.call_replaceable();
  EXPECT_FALSE(callback);
}

TEST(Callback, AReplaceableCallMayFreeTheOwner) {
  struct Owner {
    Callback<void()> callback;
  };
  auto* owner = new Owner;
  auto shared = std::make_shared<int>(0);
  owner->callback = [owner, shared] {
    delete owner;
    EXPECT_EQ(shared.use_count(), 2);  // The captures live until the call is over.
  };
  owner->callback.call_replaceable();
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(CallbackDeathTest, CallingAFunctionWithStateFromInsideItselfAborts) {
  Callback<void()> callback;
  callback = [&callback, depth = 0]() mutable {
    if (++depth < 3) callback();
  };
  EXPECT_DEATH(callback.call_replaceable(), "from inside itself");
}

}  // namespace
}  // namespace rondo
