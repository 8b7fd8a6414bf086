#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

TEST(UvHooks, RunInTheirPhasesNewestFirst) {
  uv_idle_t idle;
  uv_prepare_t first;
  uv_prepare_t second;
  uv_check_t check;
  TestUvLoop loop;
  loop.make_findable();
  uv_idle_init(loop.get(), &idle);
  uv_prepare_init(loop.get(), &first);
  uv_prepare_init(loop.get(), &second);
  uv_check_init(loop.get(), &check);
  uv_check_start(&check, [](uv_check_t* self) { TestUvLoop::of(self->loop).log("check"); });
  uv_prepare_start(&first, [](uv_prepare_t* self) { TestUvLoop::of(self->loop).log("first"); });
  uv_prepare_start(&second, [](uv_prepare_t* self) { TestUvLoop::of(self->loop).log("second"); });
  uv_idle_start(&idle, [](uv_idle_t* self) { TestUvLoop::of(self->loop).log("idle"); });
  loop.run(UV_RUN_NOWAIT);
  EXPECT_EQ(loop.take_log(), "idle second first check");
  loop.run(UV_RUN_NOWAIT);
  EXPECT_EQ(loop.take_log(), "idle second first check");
}

TEST(UvHooks, StartingARunningOneKeepsItsFunction) {
  uv_check_t check;
  TestUvLoop loop;
  static int calls;
  calls = 0;
  uv_check_init(loop.get(), &check);
  EXPECT_EQ(uv_check_start(&check, nullptr), UV_EINVAL);
  EXPECT_EQ(uv_check_start(&check, [](uv_check_t*) { ++calls; }), 0);
  EXPECT_EQ(uv_check_start(&check, [](uv_check_t*) { FAIL(); }), 0);
  loop.run(UV_RUN_NOWAIT);
  EXPECT_EQ(calls, 1);
}

TEST(UvHooks, AnIdleHandleThatStopsKeepsOnceFromSleeping) {
  uv_idle_t idle;
  uv_timer_t timer;
  TestUvLoop loop;
  uv_idle_init(loop.get(), &idle);
  uv_timer_init(loop.get(), &timer);
  uv_timer_start(
      &timer, [](uv_timer_t*) { FAIL(); }, 60'000, 0);
  uv_idle_start(&idle, [](uv_idle_t* self) { uv_idle_stop(self); });
  EXPECT_EQ(loop.run(UV_RUN_ONCE), 1);
}

}  // namespace
}  // namespace rondo::uv
