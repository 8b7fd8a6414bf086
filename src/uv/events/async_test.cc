#include "uv/events/async.h"

#include <atomic>
#include <thread>

#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

TEST(UvAsync, SeveralSendsAreOneCallback) {
  uv_async_t async;
  TestUvLoop loop;
  static int calls;
  calls = 0;
  uv_async_init(loop.get(), &async, [](uv_async_t* self) {
    ++calls;
    uv_close(reinterpret_cast<uv_handle_t*>(self), nullptr);
  });
  EXPECT_EQ(uv_async_send(&async), 0);
  EXPECT_EQ(uv_async_send(&async), 0);
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(UvAsync, MayBeSentWhileAndAfterItIsClosed) {
  TestUvLoop loop;
  for (int round = 0; round < 20; ++round) {
    uv_async_t async;
    std::atomic<bool> is_over{false};
    uv_async_init(loop.get(), &async, [](uv_async_t*) {});
    std::thread sender([&] {
      while (!is_over.load()) uv_async_send(&async);
    });
    loop.run(UV_RUN_ONCE);
    uv_close(reinterpret_cast<uv_handle_t*>(&async), nullptr);
    loop.run();
    is_over.store(true);
    sender.join();
  }
}

TEST(UvAsync, NeedsNoFunction) {
  uv_async_t async;
  TestUvLoop loop;
  uv_async_init(loop.get(), &async, nullptr);
  uv_async_send(&async);
  EXPECT_EQ(loop.run(UV_RUN_ONCE), 1);
}

}  // namespace
}  // namespace rondo::uv
