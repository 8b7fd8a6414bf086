#include <uv.h>

#include <memory>

#include "loop/libuv_peer.h"

namespace bench::libuv {
namespace {

struct Reads {
  uv_loop_t loop;
  int fd;
  int to_start;
  int to_finish;
  size_t block;
  size_t blocks;
};

struct One {
  uv_fs_t request;
  Reads* run;
  std::unique_ptr<char[]> buffer;
};

void start(One& one) {
  Reads& run = *one.run;
  const auto offset =
      static_cast<int64_t>(static_cast<size_t>(run.to_start--) % run.blocks * run.block);
  const uv_buf_t buffer = uv_buf_init(one.buffer.get(), static_cast<unsigned>(run.block));
  one.request.data = &one;
  uv_fs_read(&run.loop, &one.request, run.fd, &buffer, 1, offset, [](uv_fs_t* request) {
    One& self = *static_cast<One*>(request->data);
    if (request->result != static_cast<ssize_t>(self.run->block)) die("read");
    uv_fs_req_cleanup(request);
    --self.run->to_finish;
    if (self.run->to_start > 0) start(self);
  });
}

}  // namespace

double file_reads(int reads, int window, int fd, size_t block, size_t blocks) {
  auto& run = *new Reads{{}, fd, reads, reads, block, blocks};
  uv_loop_init(&run.loop);
  std::vector<std::unique_ptr<One>> all;
  for (int i = 0; i < window; ++i) {
    all.push_back(std::make_unique<One>());
    all.back()->run = &run;
    all.back()->buffer = std::make_unique<char[]>(block);
  }
  const double from = now_seconds();
  for (auto& one : all) {
    if (run.to_start > 0) start(*one);
  }
  uv_run(&run.loop, UV_RUN_DEFAULT);
  if (run.to_finish != 0) die("reads were lost");
  return reads / (now_seconds() - from) / 1e6;
}

}  // namespace bench::libuv
