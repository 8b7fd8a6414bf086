// Copies a file and reports its progress.
//   ./dev run examples/copy.cc FROM TO
#include <fcntl.h>
#include <rondo.h>

#include <algorithm>
#include <cstdio>
#include <vector>

using rondo::CoFs, rondo::Error, rondo::Fd, rondo::Loop, rondo::Result, rondo::Stat, rondo::Task;

Task<Result<int64_t>> copy(Loop& loop, const char* from, const char* to) {
  CoFs fs(loop);
  Result<Fd> source = co_await fs.open(from, O_RDONLY);
  if (!source) co_return source.error();
  Result<Stat> info = co_await fs.fstat(source->get());
  if (!info) co_return info.error();
  // Opening the target truncates it: not if it is the same file as the source.
  Result<Stat> old = co_await fs.stat(to);
  if (old && old->dev == info->dev && old->ino == info->ino) co_return Error{EINVAL, "copy"};
  Result<Fd> target = co_await fs.open(to, O_WRONLY | O_CREAT | O_TRUNC);
  if (!target) co_return target.error();

  std::vector<std::byte> block(256 * 1024);
  int64_t done = 0;
  int64_t told = 0;
  for (;;) {
    Result<size_t> size = co_await fs.read(source->get(), block, done);
    if (!size) co_return size.error();
    if (*size == 0) break;
    const auto data = std::span<const std::byte>(block).first(*size);
    Result<size_t> written = co_await fs.write_all(target->get(), data, done);
    if (!written) co_return written.error();
    done += static_cast<int64_t>(*size);
    // The file may grow meanwhile, or have no size, like those of /proc.
    const int64_t whole = std::max(static_cast<int64_t>(info->size), done);
    if (const int64_t percent = done * 100 / whole; percent / 25 != told / 25) {
      std::printf("%3d %%\n", static_cast<int>(percent));
      told = percent;
    }
  }
  co_return done;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: copy FROM TO\n");
    return 2;
  }
  Loop loop;
  const Result<int64_t> copied = loop.run_task(copy(loop, argv[1], argv[2]));
  if (!copied) {
    std::fprintf(stderr, "copy: %s\n", copied.error().message().c_str());
    return 1;
  }
  std::printf("copied %lld bytes\n", static_cast<long long>(*copied));
  return 0;
}
