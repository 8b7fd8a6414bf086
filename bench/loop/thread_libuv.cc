#include <uv.h>

#include <atomic>
#include <memory>
#include <thread>

#include "loop/libuv_peer.h"

namespace bench::libuv {
namespace {

struct PingPong {
  uv_loop_t here, there;
  uv_async_t ping, pong;
  int left;
  std::atomic<bool> is_over{false};
};

struct Pool {
  uv_loop_t loop;
  int to_submit;
  int to_finish;
};

void submit(Pool& pool, uv_work_t* work) {
  --pool.to_submit;
  uv_queue_work(
      &pool.loop, work, [](uv_work_t*) {},
      [](uv_work_t* done, int) {
        Pool& self = *static_cast<Pool*>(done->data);
        --self.to_finish;
        if (self.to_submit > 0) submit(self, done);
      });
}

}  // namespace

double wake_latency(int rounds) {
  auto& run = *new PingPong;
  run.left = rounds;
  uv_loop_init(&run.here);
  uv_loop_init(&run.there);
  uv_async_init(&run.here, &run.ping, [](uv_async_t* handle) {
    PingPong& self = *static_cast<PingPong*>(handle->data);
    if (--self.left == 0) {
      self.is_over = true;
      uv_stop(&self.here);
    }
    uv_async_send(&self.pong);
  });
  uv_async_init(&run.there, &run.pong, [](uv_async_t* handle) {
    PingPong& self = *static_cast<PingPong*>(handle->data);
    if (self.is_over.load()) {
      uv_stop(&self.there);
    } else {
      uv_async_send(&self.ping);
    }
  });
  run.ping.data = run.pong.data = &run;
  const double from = now_seconds();
  std::thread other([&run] { uv_run(&run.there, UV_RUN_DEFAULT); });
  uv_async_send(&run.pong);
  uv_run(&run.here, UV_RUN_DEFAULT);
  const double taken = now_seconds() - from;
  other.join();
  return taken / rounds / 2 * 1e9;
}

double wake_throughput(int sends) {
  static uv_loop_t loop;
  static std::atomic<bool> is_over{false};
  uv_loop_init(&loop);
  uv_async_t async;
  uv_async_init(&loop, &async, [](uv_async_t*) {
    if (is_over.load()) uv_stop(&loop);
  });
  const double from = now_seconds();
  std::thread sender([&] {
    for (int i = 0; i < sends; ++i) uv_async_send(&async);
    is_over = true;
    uv_async_send(&async);
  });
  uv_run(&loop, UV_RUN_DEFAULT);
  sender.join();
  return sends / (now_seconds() - from) / 1e6;
}

double pool(int jobs, int window) {
  auto& run = *new Pool;
  uv_loop_init(&run.loop);
  run.to_submit = run.to_finish = jobs;
  std::vector<std::unique_ptr<uv_work_t>> works;
  for (int i = 0; i < window; ++i) {
    works.push_back(std::make_unique<uv_work_t>());
    works.back()->data = &run;
  }
  const double from = now_seconds();
  for (auto& work : works) {
    if (run.to_submit > 0) submit(run, work.get());
  }
  uv_run(&run.loop, UV_RUN_DEFAULT);
  if (run.to_finish != 0) die("jobs were lost");
  return jobs / (now_seconds() - from);
}

}  // namespace bench::libuv
