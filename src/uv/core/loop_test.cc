#include "uv/core/loop.h"

#include <poll.h>

#include <cstddef>

#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

// The layout that programs compiled with libuv 1.44 use.
static_assert(sizeof(uv_loop_t) == 848);
static_assert(sizeof(uv_handle_t) == 96);
static_assert(sizeof(uv_stream_t) == 248);
static_assert(sizeof(uv_tcp_t) == 248);
static_assert(sizeof(uv_pipe_t) == 264);
static_assert(sizeof(uv_udp_t) == 216);
static_assert(sizeof(uv_timer_t) == 152);
static_assert(sizeof(uv_write_t) == 192);
static_assert(sizeof(uv_udp_send_t) == 320);
static_assert(sizeof(uv_fs_t) == 440);
static_assert(sizeof(uv_work_t) == 128);
static_assert(offsetof(uv_loop_t, time) == 544);

TEST(UvLoop, AnEmptyLoopIsNotAliveAndEndsAtOnce) {
  TestUvLoop loop;
  EXPECT_EQ(uv_loop_alive(loop.get()), 0);
  EXPECT_EQ(loop.run(), 0);
  EXPECT_EQ(uv_backend_timeout(loop.get()), 0);
}

TEST(UvLoop, StopBeforeRunSkipsTheTurnOnce) {
  uv_idle_t idle;
  TestUvLoop loop;
  static int calls;
  calls = 0;
  uv_idle_init(loop.get(), &idle);
  uv_idle_start(&idle, [](uv_idle_t* self) {
    ++calls;
    uv_idle_stop(self);
  });
  uv_stop(loop.get());
  EXPECT_EQ(loop.run(), 1);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(loop.run(), 0);
  EXPECT_EQ(calls, 1);
}

TEST(UvLoop, IsBusyUntilItsHandlesAreClosed) {
  uv_loop_t loop;
  ASSERT_EQ(uv_loop_init(&loop), 0);
  uv_timer_t timer;
  uv_timer_init(&loop, &timer);
  EXPECT_EQ(uv_loop_close(&loop), UV_EBUSY);
  uv_close(reinterpret_cast<uv_handle_t*>(&timer), nullptr);
  EXPECT_EQ(uv_loop_close(&loop), UV_EBUSY);
  EXPECT_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  EXPECT_EQ(uv_loop_close(&loop), 0);
}

TEST(UvLoop, CountsHandlesThatAreActiveAndReferenced) {
  uv_timer_t timer;
  TestUvLoop loop;
  uv_timer_init(loop.get(), &timer);
  auto* const handle = reinterpret_cast<uv_handle_t*>(&timer);
  EXPECT_EQ(loop.get()->active_handles, 0U);
  uv_timer_start(
      &timer, [](uv_timer_t*) {}, 1000, 0);
  EXPECT_EQ(loop.get()->active_handles, 1U);
  uv_unref(handle);
  uv_unref(handle);
  EXPECT_EQ(uv_has_ref(handle), 0);
  EXPECT_EQ(loop.get()->active_handles, 0U);
  EXPECT_EQ(loop.run(), 0);
  uv_ref(handle);
  EXPECT_EQ(uv_loop_alive(loop.get()), 1);
}

TEST(UvLoop, WorkThatTheProgramCountsItselfKeepsItAlive) {
  TestUvLoop loop;
  ++loop.get()->active_handles;
  EXPECT_EQ(uv_loop_alive(loop.get()), 1);
  EXPECT_EQ(loop.run(UV_RUN_NOWAIT), 1);
  --loop.get()->active_handles;
  EXPECT_EQ(loop.run(UV_RUN_NOWAIT), 0);
}

TEST(UvLoop, ClosesHandlesLastInFirstOut) {
  uv_timer_t first;
  uv_check_t second;
  TestUvLoop loop;
  loop.make_findable();
  uv_timer_init(loop.get(), &first);
  uv_check_init(loop.get(), &second);
  uv_close(reinterpret_cast<uv_handle_t*>(&first),
           [](uv_handle_t* self) { TestUvLoop::of(self->loop).log("first"); });
  uv_close(reinterpret_cast<uv_handle_t*>(&second),
           [](uv_handle_t* self) { TestUvLoop::of(self->loop).log("second"); });
  loop.run();
  EXPECT_EQ(loop.take_log(), "second first");
}

TEST(UvLoop, WalkVisitsEachHandleAndMayCloseIt) {
  uv_idle_t idle;
  uv_prepare_t prepare;
  TestUvLoop loop;
  uv_idle_init(loop.get(), &idle);
  uv_prepare_init(loop.get(), &prepare);
  int visited = 0;
  uv_walk(
      loop.get(),
      [](uv_handle_t* handle, void* count) {
        ++*static_cast<int*>(count);
        uv_close(handle, nullptr);
      },
      &visited);
  EXPECT_EQ(visited, 2);
}

TEST(UvLoop, BackendDescriptorIsReadableWhenAnAsyncIsPending) {
  uv_async_t async;
  TestUvLoop loop;
  uv_async_init(loop.get(), &async, [](uv_async_t*) {});
  pollfd backend{uv_backend_fd(loop.get()), POLLIN, 0};
  loop.run(UV_RUN_NOWAIT);
  EXPECT_EQ(::poll(&backend, 1, 0), 0);
  uv_async_send(&async);
  EXPECT_EQ(::poll(&backend, 1, -1), 1);
  loop.run(UV_RUN_NOWAIT);
  EXPECT_EQ(::poll(&backend, 1, 0), 0);
}

TEST(UvLoop, OnlyTheProfilersSignalCanBeBlocked) {
  uv_timer_t timer;
  TestUvLoop loop;
  EXPECT_EQ(uv_loop_configure(loop.get(), UV_LOOP_BLOCK_SIGNAL, SIGPROF), 0);
  EXPECT_EQ(uv_loop_configure(loop.get(), UV_LOOP_BLOCK_SIGNAL, SIGTERM), UV_EINVAL);
  uv_timer_init(loop.get(), &timer);
  uv_timer_start(
      &timer, [](uv_timer_t*) {}, 1, 0);
  EXPECT_EQ(loop.run(), 0);
}

// Runs the loop until `has_slept` is true, in steps of a millisecond. One step need not sleep: a
// slow machine can reach poll when the timer is already due.
void sleep_until(TestUvLoop& loop, bool (*has_slept)(uv_loop_t*)) {
  uv_timer_t timer;
  timer.data = reinterpret_cast<void*>(has_slept);
  uv_timer_init(loop.get(), &timer);
  uv_timer_start(
      &timer,
      [](uv_timer_t* self) {
        const auto test = reinterpret_cast<bool (*)(uv_loop_t*)>(self->data);
        if (test(self->loop)) uv_close(reinterpret_cast<uv_handle_t*>(self), nullptr);
      },
      1, 1);
  loop.run();
}

TEST(UvLoop, MeasuresIdleTimeFromWhenItIsConfigured) {
  TestUvLoop loop;
  sleep_until(loop, [](uv_loop_t* slept) {
    return loop_of(slept).idle_time(RealClock::instance().now()) > Nanos::zero();
  });
  EXPECT_EQ(uv_metrics_idle_time(loop.get()), 0U);
  EXPECT_EQ(uv_loop_configure(loop.get(), UV_METRICS_IDLE_TIME), 0);
  EXPECT_EQ(uv_metrics_idle_time(loop.get()), 0U);
  sleep_until(loop, [](uv_loop_t* slept) { return uv_metrics_idle_time(slept) > 0; });
  const uint64_t idle = uv_metrics_idle_time(loop.get());
  EXPECT_EQ(uv_loop_configure(loop.get(), UV_METRICS_IDLE_TIME), 0);
  EXPECT_EQ(uv_metrics_idle_time(loop.get()), idle);
}

TEST(UvLoop, CountsItsTurns) {
  uv_timer_t timer;
  TestUvLoop loop;
  uv_timer_init(loop.get(), &timer);
  uv_timer_start(
      &timer, [](uv_timer_t*) {}, 0, 0);
  loop.run();
  uv_metrics_t metrics;
  EXPECT_EQ(uv_metrics_info(loop.get(), &metrics), 0);
  EXPECT_GE(metrics.loop_count, 1U);
}

}  // namespace
}  // namespace rondo::uv
