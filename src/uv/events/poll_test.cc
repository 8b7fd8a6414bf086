#include <fcntl.h>
#include <unistd.h>

#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

TEST(UvPoll, ReportsReadinessUntilItIsStopped) {
  uv_poll_t poll;
  TestUvLoop loop;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  static int calls;
  calls = 0;
  ASSERT_EQ(uv_poll_init(loop.get(), &poll, ends[0]), 0);
  uv_poll_start(&poll, UV_READABLE, [](uv_poll_t* self, int status, int events) {
    EXPECT_EQ(status, 0);
    EXPECT_EQ(events, UV_READABLE);
    if (++calls == 2) uv_poll_stop(self);
  });
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  loop.run();
  EXPECT_EQ(calls, 2);
  loop.close_all();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(UvPoll, TwoHandlesCannotWatchOneDescriptor) {
  uv_poll_t first;
  uv_poll_t second;
  uv_poll_t third;
  TestUvLoop loop;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(uv_poll_init(loop.get(), &first, ends[0]), 0);
  ASSERT_EQ(uv_poll_init(loop.get(), &second, ends[0]), 0);
  EXPECT_EQ(uv_poll_start(&first, UV_READABLE, [](uv_poll_t*, int, int) {}), 0);
  EXPECT_EQ(uv_poll_start(&second, UV_READABLE, [](uv_poll_t*, int, int) {}), UV_EEXIST);
  EXPECT_EQ(uv_poll_init(loop.get(), &third, ends[0]), UV_EEXIST);
  EXPECT_EQ(uv_poll_stop(&first), 0);
  EXPECT_EQ(uv_poll_start(&second, UV_READABLE, [](uv_poll_t*, int, int) {}), 0);
  loop.close_all();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(UvPoll, RefusesRegularFilesAndClosedDescriptors) {
  uv_poll_t poll;
  TestUvLoop loop;
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(uv_poll_init(loop.get(), &poll, file), UV_EPERM);
  ::close(file);
  EXPECT_EQ(uv_poll_init(loop.get(), &poll, file), UV_EBADF);
}

}  // namespace
}  // namespace rondo::uv
