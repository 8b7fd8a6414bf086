#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

void log_data(uv_timer_t* timer) {
  TestUvLoop::of(timer->loop).log(static_cast<const char*>(timer->data));
}

TEST(UvTimer, EqualDueTimesRunInTheOrderOfTheirStarts) {
  uv_timer_t timers[3];
  TestUvLoop loop;
  loop.make_findable();
  const char* const names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; ++i) {
    uv_timer_init(loop.get(), &timers[i]);
    timers[i].data = const_cast<char*>(names[i]);
  }
  // All within one millisecond of the loop's time, however long the calls take.
  uv_timer_start(&timers[2], log_data, 2, 0);
  uv_timer_start(&timers[0], log_data, 2, 0);
  uv_timer_start(&timers[1], log_data, 1, 0);
  uv_sleep(3);
  loop.run();
  EXPECT_EQ(loop.take_log(), "b c a");
}

TEST(UvTimer, StartsAgainBeforeItsCallback) {
  uv_timer_t timer;
  TestUvLoop loop;
  static int calls;
  calls = 0;
  uv_timer_init(loop.get(), &timer);
  uv_timer_start(
      &timer,
      [](uv_timer_t* self) {
        EXPECT_EQ(uv_is_active(reinterpret_cast<uv_handle_t*>(self)), 1);
        EXPECT_EQ(uv_timer_get_due_in(self), 1U);
        if (++calls == 3) uv_timer_stop(self);
      },
      0, 1);
  loop.run();
  EXPECT_EQ(calls, 3);
}

TEST(UvTimer, OneStartedByATimerWaitsForTheNextTurn) {
  uv_timer_t timer;
  TestUvLoop loop;
  static int calls;
  calls = 0;
  uv_timer_init(loop.get(), &timer);
  uv_timer_start(
      &timer,
      [](uv_timer_t* self) {
        ++calls;
        uv_timer_start(
            self, [](uv_timer_t*) { ++calls; }, 0, 0);
      },
      0, 0);
  loop.run(UV_RUN_NOWAIT);
  EXPECT_EQ(calls, 1);
  loop.run();
  EXPECT_EQ(calls, 2);
}

TEST(UvTimer, RejectsAMissingFunctionAndAgainBeforeTheFirstStart) {
  uv_timer_t timer;
  TestUvLoop loop;
  uv_timer_init(loop.get(), &timer);
  EXPECT_EQ(uv_timer_start(&timer, nullptr, 1, 1), UV_EINVAL);
  EXPECT_EQ(uv_timer_again(&timer), UV_EINVAL);
}

TEST(UvTimer, AHugeTimeoutNeverOverflows) {
  uv_timer_t timer;
  TestUvLoop loop;
  uv_timer_init(loop.get(), &timer);
  EXPECT_EQ(uv_timer_start(
                &timer, [](uv_timer_t*) { FAIL(); }, UINT64_MAX, 0),
            0);
  EXPECT_EQ(loop.run(UV_RUN_NOWAIT), 1);
  EXPECT_EQ(timer.timeout, UINT64_MAX);
}

TEST(UvTimer, TheDueTimeCountsFromTheLoopsTime) {
  uv_timer_t timer;
  TestUvLoop loop;
  uv_timer_init(loop.get(), &timer);
  const uint64_t now = uv_now(loop.get());
  uv_sleep(5);
  uv_timer_start(
      &timer, [](uv_timer_t*) {}, 10, 0);
  EXPECT_EQ(timer.timeout, now + 10);
  EXPECT_EQ(uv_timer_get_due_in(&timer), 10U);
  uv_update_time(loop.get());
  EXPECT_GE(uv_now(loop.get()), now + 5);
}

}  // namespace
}  // namespace rondo::uv
