#include "runtime/engine/realm.h"

#include <gtest/gtest.h>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

using RealmTest = testing::EngineTest;

TEST_F(RealmTest, TimeCountsFromTheRealmsBeginning) {
  EXPECT_EQ(realm().now_ms(), 0);
  EXPECT_EQ(realm().time_origin_ms(), 1'000);
  clock_.advance(Nanos{1'500'000});
  EXPECT_EQ(realm().now_ms(), 1.5);
}

TEST_F(RealmTest, MillisecondsBecomeInstantsThatAreNotEarlier) {
  clock_.advance(realm().from_ms(2.0000001) - clock_.now());
  EXPECT_GE(realm().now_ms(), 2.0000001);
  EXPECT_GT(realm().from_ms(1e300), realm().from_ms(1e9));  // Clamped, without overflow.
  EXPECT_GT(realm().from_ms(0.0 / 0.0), realm().from_ms(1e9));
}

TEST_F(RealmTest, TimersCountWholeMillisecondsOfTheClock) {
  const Nanos began = clock_.now();
  EXPECT_LE(realm().timer_base(), began);
  EXPECT_GT(realm().timer_base() + std::chrono::milliseconds(1), began);
  const Nanos base = realm().timer_base();
  EXPECT_EQ(realm().timer_ms(base + Nanos{1'999'999}), 1);
  EXPECT_EQ(realm().timer_ms(base + Nanos{2'000'000}), 2);
}

TEST_F(RealmTest, StateIsMadeOncePerType) {
  struct Counter {
    explicit Counter(Realm&) {}
    int value = 0;
  };
  struct Other {
    explicit Other(Realm&) {}
    int value = 7;
  };
  ++realm().state<Counter>().value;
  ++realm().state<Counter>().value;
  EXPECT_EQ(realm().state<Counter>().value, 2);
  EXPECT_EQ(realm().state<Other>().value, 7);
}

TEST_F(RealmTest, TheFirstExitCodeStays) {
  realm().exit(3);
  realm().exit(4);
  EXPECT_TRUE(realm().is_exiting());
  EXPECT_EQ(realm().exit_code(), 3);
}

TEST_F(RealmTest, TextsOfAnyKindCrossBothWays) {
  v8::Isolate* const isolate = realm().isolate();
  for (const std::string& text :
       {std::string(), std::string("a\0b", 3), std::string("\xc3\xa4\xf0\x9f\x98\x80")}) {
    EXPECT_EQ(to_std(isolate, to_js(isolate, text).ToLocalChecked()), text);
  }
}

}  // namespace

}  // namespace rondo::runtime
