#include "uv/events/async.h"

#include <atomic>
#include <thread>
#include <vector>

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

TEST(UvAsync, SeveralThreadsMaySendWhileTheLoopIsClosed) {
  for (int round = 0; round < 20; ++round) {
    uv_async_t asyncs[2];
    std::atomic<bool> is_over{false};
    std::vector<std::thread> senders;
    {
      TestUvLoop loop;
      for (uv_async_t& async : asyncs) {
        uv_async_init(loop.get(), &async, [](uv_async_t* self) {
          if (uv_is_closing(reinterpret_cast<uv_handle_t*>(self)) == 0) {
            uv_close(reinterpret_cast<uv_handle_t*>(self), nullptr);
          }
        });
      }
      for (int i = 0; i < 3; ++i) {
        senders.emplace_back([&asyncs, &is_over] {
          while (!is_over.load()) {
            for (uv_async_t& async : asyncs) EXPECT_EQ(uv_async_send(&async), 0);
          }
        });
      }
      loop.run();
    }
    // The loop is gone, but not the memory of the handles.
    is_over.store(true);
    for (std::thread& sender : senders) sender.join();
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
