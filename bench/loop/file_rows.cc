// 4 KiB reads of a cached file, many in flight.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "loop/harness.h"
#include "loop/libuv_peer.h"
#include "rondo.h"

namespace bench {
namespace {

using namespace rondo;

constexpr size_t kBlock = 4096;
constexpr size_t kBlocks = 1024;

// An unlinked file of 4 MiB, cached because it was just written.
int make_file() {
  char path[] = "/tmp/rondo-bench-XXXXXX";
  const int fd = ::mkstemp(path);
  if (fd < 0) die("mkstemp");
  ::unlink(path);
  std::array<char, kBlock> block{};
  for (size_t i = 0; i < kBlocks; ++i) {
    if (::write(fd, block.data(), block.size()) != static_cast<ssize_t>(block.size())) die("write");
  }
  return fd;
}

struct Reads {
  struct One {
    explicit One(Loop& loop) : request(loop) {}
    FsRequest<size_t> request;
    std::array<std::byte, kBlock> buffer;
  };

  Loop loop;
  Fs fs{loop};
  int fd;
  int to_start;
  int to_finish;
  std::vector<std::unique_ptr<One>> all;

  Reads(Backend backend, int file, int count)
      : loop({.backend = backend}), fd(file), to_start(count), to_finish(count) {}

  void start(One& one) {
    const auto offset = static_cast<int64_t>(static_cast<size_t>(to_start--) % kBlocks * kBlock);
    fs.read(one.request, fd, one.buffer, offset, [this, &one](auto&, Result<size_t> count) {
      if (!count || *count != kBlock) die("read");
      --to_finish;
      if (to_start > 0) start(one);
    });
  }
};

double file_reads(Backend backend, int reads, int window) {
  const int fd = make_file();
  Reads run(backend, fd, reads);
  for (int i = 0; i < window; ++i) run.all.push_back(std::make_unique<Reads::One>(run.loop));
  const double from = now_seconds();
  for (auto& one : run.all) {
    if (run.to_start > 0) run.start(*one);
  }
  run.loop.run();
  if (run.to_finish != 0) die("reads were lost");
  return reads / (now_seconds() - from) / 1e6;
}

}  // namespace

void add_file_rows(Rows& rows) {
  rows.push_back({"file reads, 4 KiB cached, 64 in flight",
                  "M/s",
                  true,
                  1.6,
                  {{"rondo epoll",
                    [](const Scale& s) { return file_reads(Backend::epoll, s.of(500'000), 64); }},
                   {"rondo uring",
                    [](const Scale& s) { return file_reads(Backend::uring, s.of(500'000), 64); }},
                   RONDO_PEER(file_reads(scale.of(500'000), 64, make_file(), kBlock, kBlocks))}});
}

}  // namespace bench
