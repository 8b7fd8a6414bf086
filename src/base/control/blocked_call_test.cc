#include "base/control/blocked_call.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace rondo {
namespace {

TEST(BlockedCall, NamesTheCallAndItsDescriptor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::atomic<int32_t> tid{0};
  std::thread reader([&] {
    tid = static_cast<int32_t>(::syscall(SYS_gettid));
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1);
  });
  const std::string expected =
      "\"call\":\"read\",\"fd\":" + std::to_string(ends[0]) + ",\"path\":\"pipe:";
  std::string text;
  // Until the thread sleeps in read(). A kernel that does not report calls has no file `syscall`.
  const bool can_tell = ::access("/proc/self/syscall", R_OK) == 0;
  while (can_tell && text.rfind(expected, 0) != 0) {
    text = tid == 0 ? "" : blocked_call_json(tid);
    std::this_thread::yield();
  }
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  reader.join();
  EXPECT_EQ(blocked_call_json(tid), "") << "the thread has ended";
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(BlockedCall, WritesMilliseconds) {
  EXPECT_EQ(ms_json(std::chrono::microseconds(1500)), "1.500000");
}

}  // namespace
}  // namespace rondo
