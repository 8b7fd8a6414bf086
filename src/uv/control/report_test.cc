#include "uv/control/report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "uv/core/loop.h"

namespace rondo::uv {
namespace {

// tests/uv/asked.py asks programs through `rondo why` and `rondo top`.
class UvReport : public ::testing::Test {
 protected:
  UvReport() { EXPECT_EQ(uv_loop_init(&loop_), 0); }
  ~UvReport() override {
    uv_walk(
        &loop_,
        [](uv_handle_t* handle, void*) {
          if (uv_is_closing(handle) == 0) uv_close(handle, nullptr);
        },
        nullptr);
    uv_run(&loop_, UV_RUN_DEFAULT);
    EXPECT_EQ(uv_loop_close(&loop_), 0);
  }

  uv_loop_t loop_;
  uv_timer_t timers_[3];
  uv_tcp_t server_;
};

void on_timer(uv_timer_t* /*timer*/) {}

TEST_F(UvReport, ListsActiveHandlesWithARef) {
  for (uv_timer_t& timer : timers_) uv_timer_init(&loop_, &timer);
  uv_timer_start(&timers_[0], on_timer, 5000, 0);
  uv_timer_start(&timers_[1], on_timer, 5000, 0);
  uv_unref(reinterpret_cast<uv_handle_t*>(&timers_[1]));
  const std::vector<Reason> reasons = reasons_of(&loop_);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(reasons[0].type, "timer");
  EXPECT_EQ(reasons[0].text, "timer");
  EXPECT_EQ(reasons[0].function, reinterpret_cast<uintptr_t>(&on_timer));
  EXPECT_EQ(reasons[0].rest, "due in 5.0 s");
  EXPECT_EQ(reasons[0].details, R"("dueIn":5000,"repeat":0)");
}

TEST_F(UvReport, ListsRequestsOfThePool) {
  uv_fs_t request;
  ASSERT_EQ(uv_fs_stat(&loop_, &request, "/no/such/file", [](uv_fs_t*) {}), 0);
  const std::vector<Reason> reasons = reasons_of(&loop_);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(reasons[0].text.find("'/no/such/file'"), std::string::npos) << reasons[0].text;
  EXPECT_EQ(reasons[0].details, R"("path":"/no/such/file")");
  uv_run(&loop_, UV_RUN_DEFAULT);
  uv_fs_req_cleanup(&request);
  EXPECT_TRUE(reasons_of(&loop_).empty());
}

TEST_F(UvReport, ListsHandlesThatAreBeingClosedAndForeignWork) {
  uv_timer_init(&loop_, &timers_[0]);
  uv_close(reinterpret_cast<uv_handle_t*>(&timers_[0]), nullptr);
  loop_.active_handles += 2;
  const std::vector<Reason> reasons = reasons_of(&loop_);
  loop_.active_handles -= 2;
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_EQ(reasons[0].text, "a handle that is being closed");
  EXPECT_EQ(reasons[1].text, "2 operations that the program counts itself");
}

TEST_F(UvReport, DescribesAServerByItsAddress) {
  sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_init(&loop_, &server_);
  uv_tcp_bind(&server_, reinterpret_cast<sockaddr*>(&address), 0);
  ASSERT_EQ(uv_listen(reinterpret_cast<uv_stream_t*>(&server_), 1, [](uv_stream_t*, int) {}), 0);
  int size = sizeof address;
  uv_tcp_getsockname(&server_, reinterpret_cast<sockaddr*>(&address), &size);
  const std::vector<Reason> reasons = reasons_of(&loop_);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(reasons[0].type, "tcp server");
  EXPECT_EQ(reasons[0].text, "TCP server on 127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
}

TEST_F(UvReport, WritesJson) {
  EXPECT_EQ(json_of({}, ""), "");
  const std::vector<Reason> reasons = {{"async", "async", R"("a":1)", 0, "soon"},
                                       {"poll", "a \"b\"", "", 0, ""}};
  EXPECT_EQ(json_of(reasons, "x: "),
            R"({"type":"async","place":null,"details":{"a":1},"description":"x: async, soon"},)"
            R"({"type":"poll","place":null,"details":{},"description":"x: a \"b\""})");
  EXPECT_EQ(stack_json(0), "[]");
  LoopMetrics metrics;
  EXPECT_EQ(json_of_lag(metrics), "[]");
  metrics.lag.record(Millis(1));
  metrics.lag.record(Millis(1));
  EXPECT_TRUE(json_of_lag(metrics).ends_with(",2]]")) << json_of_lag(metrics);
}

TEST_F(UvReport, ReadsFigures) {
  uv_timer_init(&loop_, &timers_[0]);
  uv_timer_start(&timers_[0], on_timer, 1, 0);
  uv_run(&loop_, UV_RUN_DEFAULT);
  uv_timer_start(&timers_[0], on_timer, 1000, 0);
  Report report;
  read_figures(&loop_, &report);
  EXPECT_EQ(report.timers, 1U);
  EXPECT_EQ(report.handles, 1U);
  EXPECT_EQ(report.requests, 0U);
  EXPECT_EQ(report.metrics.callbacks, 1U);
  const std::string json = json_of_figures(report);
  EXPECT_NE(json.find(R"("callbacks":1,)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("queues":{"timers":1,"handles":1,"requests":0,"closing":0})"),
            std::string::npos);
}

}  // namespace
}  // namespace rondo::uv
