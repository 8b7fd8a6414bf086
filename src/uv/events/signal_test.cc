#include <csignal>

#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

TEST(UvSignal, CallsBackUntilItIsStopped) {
  uv_signal_t handle;
  TestUvLoop loop;
  static int caught;
  caught = 0;
  uv_signal_init(loop.get(), &handle);
  EXPECT_EQ(uv_signal_start(
                &handle, [](uv_signal_t*, int) {}, 0),
            UV_EINVAL);
  ASSERT_EQ(uv_signal_start(
                &handle,
                [](uv_signal_t* self, int signum) {
                  caught = signum;
                  EXPECT_EQ(self->signum, SIGUSR1);
                  uv_signal_stop(self);
                },
                SIGUSR1),
            0);
  ::raise(SIGUSR1);
  loop.run();
  EXPECT_EQ(caught, SIGUSR1);
  EXPECT_EQ(handle.signum, 0);
}

TEST(UvSignal, AOneshotHandleIsStoppedByItsSignal) {
  uv_signal_t handle;
  TestUvLoop loop;
  static int calls;
  calls = 0;
  uv_signal_init(loop.get(), &handle);
  uv_signal_start_oneshot(
      &handle, [](uv_signal_t*, int) { ++calls; }, SIGUSR2);
  ::raise(SIGUSR2);
  EXPECT_EQ(loop.run(), 0);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace rondo::uv
