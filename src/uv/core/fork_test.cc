// uv_loop_fork(): the loop goes on in the child, and in the parent as before.
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "support/child.h"
#include "support/pipes.h"
#include "uv/core/fixture_test.h"

#if !defined(RONDO_TSAN)  // The child has one thread, and starts others.

namespace rondo::uv {
namespace {

// Handles that exist before the fork, and the callbacks that they have had.
class UvFork : public testing::Test {
 protected:
  UvFork() {
    loop_.get()->data = this;
    uv_async_init(loop_.get(), &async_, [](uv_async_t* self) { of(self->loop).note('a'); });
    uv_pipe_init(loop_.get(), &input_, 0);
    EXPECT_EQ(uv_pipe_open(&input_, ::dup(pipe_.out.get())), 0);
    const auto lend = [](uv_handle_t*, size_t, uv_buf_t* buffer) {
      static char byte;
      *buffer = uv_buf_init(&byte, 1);
    };
    uv_read_start(reinterpret_cast<uv_stream_t*>(&input_), lend,
                  [](uv_stream_t* self, ssize_t size, const uv_buf_t*) {
                    if (size > 0) of(self->loop).note('r');
                  });
    loop_.run(UV_RUN_NOWAIT);
  }

  static UvFork& of(uv_loop_t* loop) { return *static_cast<UvFork*>(loop->data); }
  void note(char what) {
    seen_ += what;
    if (seen_.size() == 3) uv_stop(loop_.get());
  }

  // A message of another thread, a byte to read and a job.
  std::string use_all() {
    seen_.clear();
    std::thread sender([this] { uv_async_send(&async_); });
    EXPECT_EQ(::write(pipe_.in.get(), "x", 1), 1);
    uv_work_t job;
    uv_queue_work(
        loop_.get(), &job, [](uv_work_t*) {},
        [](uv_work_t* done, int) { of(done->loop).note('w'); });
    loop_.run();
    sender.join();
    std::sort(seen_.begin(), seen_.end());
    return seen_;
  }

  Pipe pipe_;
  uv_async_t async_;
  uv_pipe_t input_;
  std::string seen_;
  TestUvLoop loop_;  // Last: its end closes the handles.
};

TEST_F(UvFork, TheLoopGoesOnInTheChild) {
  EXPECT_EQ(use_all(), "arw");
  EXPECT_TRUE(succeeds_in_child(
      [this] { return uv_loop_fork(loop_.get()) == 0 && use_all() == "arw" && !HasFailure(); }));
  EXPECT_EQ(use_all(), "arw");
}

}  // namespace
}  // namespace rondo::uv

#endif
