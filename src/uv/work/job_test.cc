#include "uv/work/job.h"

#include <atomic>

#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

TEST(UvWork, RunsOnAWorkerAndCallsBackOnTheLoop) {
  uv_work_t req;
  TestUvLoop loop;
  static std::atomic<int> worked;
  static int done;
  worked = 0;
  done = -1;
  EXPECT_EQ(uv_queue_work(loop.get(), &req, nullptr, nullptr), UV_EINVAL);
  ASSERT_EQ(uv_queue_work(
                loop.get(), &req, [](uv_work_t*) { ++worked; },
                [](uv_work_t*, int status) { done = status; }),
            0);
  loop.run();
  EXPECT_EQ(worked, 1);
  EXPECT_EQ(done, 0);
}

TEST(UvWork, AJobThatWaitsCanBeCancelled) {
  uv_write_t write;
  TestUvLoop loop;
  constexpr int kJobs = 1100;  // More than the pool may have workers.
  static std::atomic<bool> is_open;
  static int cancelled;
  is_open = false;
  cancelled = 0;
  std::vector<uv_work_t> jobs(kJobs);
  for (uv_work_t& job : jobs) {
    uv_queue_work(
        loop.get(), &job,
        [](uv_work_t*) {
          while (!is_open) uv_sleep(1);
        },
        [](uv_work_t*, int status) { cancelled += status == UV_ECANCELED ? 1 : 0; });
  }
  EXPECT_EQ(uv_cancel(reinterpret_cast<uv_req_t*>(&jobs.back())), 0);
  is_open = true;
  loop.run();
  EXPECT_EQ(cancelled, 1);
  write.type = UV_WRITE;
  EXPECT_EQ(uv_cancel(reinterpret_cast<uv_req_t*>(&write)), UV_EINVAL);
}

TEST(UvRandom, FillsTheBuffer) {
  uv_random_t req;
  TestUvLoop loop;
  uint8_t bytes[600] = {};
  EXPECT_EQ(uv_random(nullptr, nullptr, bytes, sizeof bytes, 0, nullptr), 0);
  EXPECT_NE(std::count(std::begin(bytes), std::end(bytes), 0), 600);
  EXPECT_EQ(uv_random(nullptr, nullptr, bytes, sizeof bytes, 1, nullptr), UV_EINVAL);
  static size_t filled;
  ASSERT_EQ(uv_random(loop.get(), &req, bytes, 32, 0,
                      [](uv_random_t*, int status, void*, size_t size) {
                        EXPECT_EQ(status, 0);
                        filled = size;
                      }),
            0);
  loop.run();
  EXPECT_EQ(filled, 32U);
}

TEST(UvNames, LooksUpNumbersInBothDirections) {
  uv_getaddrinfo_t address;
  uv_getnameinfo_t name;
  TestUvLoop loop;
  EXPECT_EQ(uv_getaddrinfo(loop.get(), &address, nullptr, nullptr, nullptr, nullptr), UV_EINVAL);
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  ASSERT_EQ(uv_getaddrinfo(loop.get(), &address, nullptr, "127.0.0.1", "80", &hints), 0);
  static std::string host;
  ASSERT_EQ(uv_getnameinfo(
                loop.get(), &name,
                [](uv_getnameinfo_t*, int status, const char* found, const char* service) {
                  EXPECT_EQ(status, 0);
                  host = std::string(found) + ":" + service;
                },
                address.addrinfo->ai_addr, NI_NUMERICHOST | NI_NUMERICSERV),
            0);
  loop.run();
  EXPECT_EQ(host, "127.0.0.1:80");
  uv_freeaddrinfo(address.addrinfo);
}

}  // namespace
}  // namespace rondo::uv
