#include "runtime/control/watchdog.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

using std::chrono::milliseconds;

// Enters like JsEntry, but without V8, so that the place is unknown.
class WatchdogTest : public ::testing::Test {
 protected:
  WatchdogTest() {
    testing::platform();
    made_ = make_snapshot({{"internal/bootstrap/realm", "return () => {};"}}, testing::kBindings);
    EngineOptions options;
    options.snapshot = made_.blob;
    options.bindings = testing::kBindings;
    engine_ = std::make_unique<Engine>(testing::platform(), loop_, std::move(options));
  }

  // The watchdog's message for an entry that takes `duration`.
  std::string said_of(milliseconds duration, WatchdogOptions options, bool is_drain) {
    ::testing::internal::CaptureStderr();
    {
      Watchdog watchdog(engine_->realm().isolate(), options);
      watchdog.watch(&callbacks_, &drains_);
      watchdog.enter();
      if (is_drain) drains_ = drains_ + 1;
      std::this_thread::sleep_for(duration);
      if (is_drain) drains_ = drains_ + 1;
      watchdog.leave();
    }
    return ::testing::internal::GetCapturedStderr();
  }

  Loop loop_;
  SnapshotResult made_;
  std::unique_ptr<Engine> engine_;
  volatile uint32_t callbacks_ = 0;
  volatile uint32_t drains_ = 0;
};

TEST_F(WatchdogTest, ReportsACallbackThatHeldTheLoopLongerThanTheLimit) {
  const std::string said = said_of(milliseconds{400}, {false, milliseconds{40}}, false);
  EXPECT_NE(said.find("a callback blocked the loop for"), std::string::npos) << said;
}

TEST_F(WatchdogTest, ReportsNothingWithoutALimit) {
  EXPECT_EQ(said_of(milliseconds{60}, {false, milliseconds{0}}, false), "");
  EXPECT_EQ(said_of(milliseconds{60}, {true, milliseconds{0}}, false), "");
}

TEST_F(WatchdogTest, ACallbackDirectlyAfterAnotherBeginsWhenThatEnds) {
  constexpr milliseconds kLimit{300};
  using Clock = std::chrono::steady_clock;
  std::string said;
  Clock::duration first{0}, second{0}, third{0};
  // Repeated if the scheduler delayed this thread and made a short entry long.
  do {
    ::testing::internal::CaptureStderr();
    {
      Watchdog watchdog(engine_->realm().isolate(), {false, kLimit});
      watchdog.watch(&callbacks_, &drains_);
      const Clock::time_point began = Clock::now();
      watchdog.enter();
      std::this_thread::sleep_for(milliseconds{200});
      watchdog.leave();
      first = Clock::now() - began;
      watchdog.enter_again();
      drains_ = drains_ + 1;
      std::this_thread::sleep_for(milliseconds{200});  // Together they would exceed the limit.
      drains_ = drains_ + 1;
      const Clock::time_point middle = Clock::now();
      watchdog.leave();
      second = Clock::now() - began - milliseconds{200};
      watchdog.enter_again();
      drains_ = drains_ + 1;
      std::this_thread::sleep_for(milliseconds{400});
      drains_ = drains_ + 1;
      watchdog.leave();
      third = Clock::now() - middle;
    }
    said = ::testing::internal::GetCapturedStderr();
  } while (first >= kLimit || second >= kLimit);
  const std::string held = "ticks and microtasks blocked the loop for ";
  ASSERT_NE(said.find(held), std::string::npos) << said;
  EXPECT_EQ(said.find("held"), said.rfind("held")) << said;
  const long reported = std::atol(said.c_str() + said.find(held) + held.size());
  EXPECT_GE(reported, 395);
  EXPECT_LE(reported, std::chrono::ceil<milliseconds>(third).count());
}

TEST_F(WatchdogTest, NamesADrainAsOne) {
  const std::string said = said_of(milliseconds{400}, {false, milliseconds{40}}, true);
  EXPECT_NE(said.find("ticks and microtasks blocked the loop for"), std::string::npos) << said;
}

TEST_F(WatchdogTest, KeepsTheSlowestWhileCollecting) {
  Watchdog watchdog(engine_->realm().isolate(), {false, milliseconds{0}, true});
  watchdog.watch(&callbacks_, &drains_);
  const auto enter_for = [&](milliseconds duration) {
    watchdog.enter();
    std::this_thread::sleep_for(duration);
    watchdog.leave();
    std::this_thread::sleep_for(milliseconds{20});
  };
  enter_for(milliseconds{60});
  EXPECT_TRUE(watchdog.take_slow().empty());
  watchdog.collect(milliseconds{20});
  enter_for(milliseconds{60});
  enter_for(milliseconds{120});
  const std::vector<Blocked> slow = watchdog.take_slow();
  ASSERT_EQ(slow.size(), 2u);
  EXPECT_GT(slow[0].age, slow[1].age);
  EXPECT_GE(slow[1].age, milliseconds{50});
  EXPECT_TRUE(watchdog.take_slow().empty());
}

TEST_F(WatchdogTest, ReportsOnceThatTheProgramHasSettled) {
  std::atomic<int> calls{0};
  Watchdog watchdog(engine_->realm().isolate(), {true, milliseconds{0}});
  watchdog.on_settled([&calls] { ++calls; });
  watchdog.watch(&callbacks_, &drains_);
  EXPECT_EQ(calls.load(), 0);
  while (calls.load() == 0) std::this_thread::sleep_for(milliseconds{10});
  std::this_thread::sleep_for(milliseconds{600});
  EXPECT_EQ(calls.load(), 1);
}

TEST_F(WatchdogTest, ReportsOnceThatNoJavaScriptRuns) {
  std::atomic<int> calls{0};
  Watchdog watchdog(engine_->realm().isolate(), {true, milliseconds{0}});
  watchdog.on_idle([&calls] { ++calls; });
  watchdog.watch(&callbacks_, &drains_);
  watchdog.enter();
  std::this_thread::sleep_for(milliseconds{400});
  EXPECT_EQ(calls.load(), 0);
  watchdog.leave();
  while (calls.load() == 0) std::this_thread::sleep_for(milliseconds{10});
  watchdog.enter();
  watchdog.leave();
  std::this_thread::sleep_for(milliseconds{400});
  EXPECT_EQ(calls.load(), 1);
}

TEST_F(WatchdogTest, EndsWhileItSleeps) {
  Watchdog watchdog(engine_->realm().isolate(), {true, milliseconds{0}});
  watchdog.watch(&callbacks_, &drains_);
  // Two checks without JavaScript: the watchdog is asleep now.
  std::this_thread::sleep_for(milliseconds{600});
}

}  // namespace

}  // namespace rondo::runtime
