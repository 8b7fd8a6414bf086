#include "runtime/realm.h"

#include <gtest/gtest.h>

#include "runtime/testing.h"

namespace rondo::runtime {

namespace {

// An engine that never runs, for what the realm answers.
class RealmTest : public ::testing::Test {
 protected:
  RealmTest() {
    testing::platform();
    made_ = make_snapshot({{"internal/bootstrap/realm", "return () => {};"}}, testing::kBindings);
    LoopOptions loop_options;
    loop_options.clock = &clock_;
    loop_ = std::make_unique<Loop>(std::move(loop_options));
    EngineOptions options;
    options.snapshot = made_.blob;
    options.bindings = testing::kBindings;
    engine_ = std::make_unique<Engine>(testing::platform(), *loop_, std::move(options));
  }
  Realm& realm() { return engine_->realm(); }

  VirtualClock clock_{Millis{1'000}};
  SnapshotResult made_;
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(RealmTest, TimeCountsFromTheRealmsBeginning) {
  EXPECT_EQ(realm().now_ms(), 0);
  EXPECT_EQ(realm().time_origin_ms(), 1'000);
  clock_.advance(Nanos{1'500'000});
  EXPECT_EQ(realm().now_ms(), 1.5);
}

TEST_F(RealmTest, MillisecondsBecomeInstantsThatAreNotEarlier) {
  clock_.advance(realm().from_ms(2.0000001) - clock_.now());
  EXPECT_GE(realm().now_ms(), 2.0000001);
  EXPECT_GT(realm().from_ms(1e300), realm().from_ms(1e9));  // Far, and no overflow.
  EXPECT_GT(realm().from_ms(0.0 / 0.0), realm().from_ms(1e9));
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
  const v8::HandleScope handles(isolate);
  for (const std::string& text :
       {std::string(), std::string("a\0b", 3), std::string("\xc3\xa4\xf0\x9f\x98\x80")}) {
    EXPECT_EQ(to_std(isolate, to_js(isolate, text).ToLocalChecked()), text);
  }
}

}  // namespace

}  // namespace rondo::runtime
