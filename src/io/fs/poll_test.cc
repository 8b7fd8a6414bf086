#include "io/fs/poll.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "loop/loop.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(FsPoll, ReportsAChangeOfTheSize) {
  Loop loop;
  const TempDir dir;
  const std::string path = dir.write("file", "1");
  auto handle = loop.make<FsPoll>();
  auto writer = loop.make<Timer>();
  uint64_t before_size = 0;
  uint64_t now_size = 0;
  handle->start(path, 1ms, [&](FsPoll& self, const Stat& before, const Result<Stat>& now) {
    before_size = before.size;
    now_size = now->size;
    self.stop();
  });
  EXPECT_EQ(handle->path(), path);
  writer->start(20ms, [&](Timer&) { dir.write("file", "123"); });
  loop.run();
  EXPECT_EQ(before_size, 1U);
  EXPECT_EQ(now_size, 3U);
  EXPECT_EQ(handle->path(), "");
}

TEST(FsPoll, ReportsAnErrorOnceAndTheFilesReturn) {
  Loop loop;
  const TempDir dir;
  auto handle = loop.make<FsPoll>();
  auto writer = loop.make<Timer>();
  std::string log;
  handle->start(dir / "file", 1ms, [&](FsPoll& self, const Stat&, const Result<Stat>& now) {
    log += now ? "found " : now.error().name();
    if (now) self.stop();
  });
  writer->start(20ms, [&](Timer&) { dir.write("file", ""); });
  loop.run();
  EXPECT_EQ(log, "ENOENTfound ");
}

TEST(FsPoll, MayBeStoppedStartedAndClosedInItsCallback) {
  Loop loop;
  auto handle = loop.make<FsPoll>();
  int calls = 0;
  handle->start("/nonexistent/1", 1ms, [&](FsPoll& self, const Stat&, const Result<Stat>&) {
    ++calls;
    self.start("/nonexistent/2", 1ms, [&](FsPoll& again, const Stat&, const Result<Stat>&) {
      ++calls;
      again.close();
    });
  });
  loop.run();
  EXPECT_EQ(calls, 2);
}

TEST(FsPoll, MayBeClosedWhileItLooks) {
  Loop loop;
  auto handle = loop.make<FsPoll>();
  handle->start("/", 1ms, [](FsPoll&, const Stat&, const Result<Stat>&) { FAIL(); });
  handle.reset();
  EXPECT_FALSE(loop.run());
}

TEST(FsPoll, WithoutARefItDoesNotKeepTheLoopAlive) {
  Loop loop;
  auto handle = loop.make<FsPoll>();
  handle->unref();
  handle->start("/", 1h, [](FsPoll&, const Stat&, const Result<Stat>&) { FAIL(); });
  EXPECT_FALSE(loop.run());
}

}  // namespace
}  // namespace rondo
