#include "uv/run/process.h"

#include <gtest/gtest.h>
#include <uv.h>

#include <thread>

namespace rondo::uv {
namespace {

// tests/uv/clock.py tests processes with a virtual clock.
TEST(UvProcess, WithoutOptionsTheClockIsReal) {
  EXPECT_FALSE(program_clock().is_virtual());
  const uint64_t before = uv_hrtime();
  sleep(Millis(2));
  EXPECT_GE(uv_hrtime() - before, 2'000'000U);
}

TEST(UvProcess, ThreadsNeedNoPartInARealClock) {
  ThreadPart part;
  std::thread([&part] {
    part.begin();
    const BlockedScope blocked;
    part.end();
  }).join();
}

TEST(UvProcess, LoopsOfAllThreadsHaveTheKernelsOrder) {
  EXPECT_EQ(place_of_new_loop(false).choice, nullptr);
  std::thread([] { EXPECT_FALSE(place_of_new_loop(false).clock->is_virtual()); }).join();
}

}  // namespace
}  // namespace rondo::uv
