#include "base/callback.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

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
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): tests the moved-from state.
  EXPECT_EQ(second(), 7);
}

TEST(Callback, ResettingDestroysTheCaptures) {
  auto shared = std::make_shared<int>(0);
  Callback<void()> callback = [shared] {};
  EXPECT_EQ(shared.use_count(), 2);
  callback.reset();
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Callback, ABareNullptrIsEmpty) {
  Callback<void()> callback = nullptr;
  EXPECT_FALSE(callback);
  callback = [] {};
  EXPECT_TRUE(callback);
  callback = nullptr;
  EXPECT_FALSE(callback);
  callback.reset();  // Resetting an empty callback is allowed.
}

TEST(Callback, AssignmentDestroysWhatWasThere) {
  auto first = std::make_shared<int>(1);
  auto second = std::make_shared<int>(2);
  Callback<int()> callback = [first] { return *first; };
  callback = Callback<int()>([second] { return *second; });
  EXPECT_EQ(first.use_count(), 1);
  EXPECT_EQ(second.use_count(), 2);
  EXPECT_EQ(callback(), 2);
  Callback<int()>& same = callback;
  callback = std::move(same);
  EXPECT_EQ(callback(), 2);
}

TEST(Callback, DestructionDestroysTheCapturesOnce) {
  auto shared = std::make_shared<int>(0);
  {
    Callback<void()> first = [shared] {};
    Callback<void()> second = std::move(first);
    EXPECT_EQ(shared.use_count(), 2);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Callback, PassesArgumentsAsTheyAre) {
  Callback<size_t(std::unique_ptr<int>, std::string&, const int*)> callback =
      [](std::unique_ptr<int> owned, std::string& text, const int* pointer) {
        text += std::to_string(*owned + *pointer);
        return text.size();
      };
  std::string text = "sum ";
  const int number = 40;
  EXPECT_EQ(callback(std::make_unique<int>(2), text, &number), 6u);
  EXPECT_EQ(text, "sum 42");
}

TEST(Callback, KeepsStateBetweenCalls) {
  Callback<int()> callback = [count = 0]() mutable { return ++count; };
  EXPECT_EQ(callback(), 1);
  EXPECT_EQ(callback(), 2);
  Callback<int()> moved = std::move(callback);
  EXPECT_EQ(moved(), 3);
}

TEST(Callback, HoldsPlainFunctionsAndIgnoresWhatTheyReturn) {
  int (*function)(const char*) = [](const char* text) { return text[0] - '0'; };
  Callback<int(const char*)> callback = function;
  EXPECT_EQ(callback("7"), 7);
  Callback<void(const char*)> ignoring = function;
  ignoring("7");
}

TEST(Callback, TakesOnlyCallablesUpToItsCapacity) {
  struct {
    uint64_t a, b, c;
  } full{1, 2, 3};
  static_assert(sizeof(full) == Callback<void()>::kCapacity);
  Callback<uint64_t()> callback = [full] { return full.a + full.b + full.c; };
  EXPECT_EQ(callback(), 6u);
  static_assert(sizeof(Callback<void()>) == 32);
  static_assert(!std::is_copy_constructible_v<Callback<void()>>);
  static_assert(std::is_nothrow_move_constructible_v<Callback<void()>>);
  static_assert(std::is_nothrow_move_assignable_v<Callback<void()>>);
  static_assert(!std::is_constructible_v<Callback<void()>, int>);
  static_assert(!std::is_constructible_v<Callback<void(int)>, void (*)(std::string)>);
}

TEST(Callback, AReplaceableCallKeepsTheFunction) {
  int calls = 0;
  Callback<void()> callback = [&calls] { ++calls; };
  callback.call_replaceable();
  callback.call_replaceable();
  EXPECT_EQ(calls, 2);
}

TEST(Callback, AReplaceableCallKeepsStateThatTheFunctionChanges) {
  std::string log;
  Callback<void()> callback = [&log, count = 0]() mutable { log += std::to_string(++count); };
  callback.call_replaceable();
  callback.call_replaceable();
  callback();
  EXPECT_EQ(log, "123");
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
    EXPECT_EQ(shared.use_count(), 2);  // The captures live until the call has ended.
  };
  owner->callback.call_replaceable();
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Callback, CopiesOnlyTriviallyCopyableState) {
  int calls = 0;
  Callback<void()> plain = [&calls] { ++calls; };
  Callback<void()> callback;
  ASSERT_TRUE(callback.copy_if_plain(plain));
  callback();
  plain();
  EXPECT_EQ(calls, 2);

  const auto shared = std::make_shared<int>(0);
  Callback<void()> counted = [shared] { ++*shared; };
  EXPECT_FALSE(callback.copy_if_plain(counted));
  EXPECT_FALSE(callback.copy_if_plain(nullptr));
  callback();
  EXPECT_EQ(calls, 3);  // The failed copies left the callback unchanged.

  EXPECT_FALSE(counted.copy_if_plain(plain));  // The old function must be destroyed first.
  counted();
  EXPECT_EQ(*shared, 1);
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
