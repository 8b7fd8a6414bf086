// A uv_loop_t for a test. Declare it after its handles and requests: its end closes the handles.
// Thread: the test's.
#pragma once

#include <gtest/gtest.h>
#include <uv.h>

#include <string>

namespace rondo::uv {

class TestUvLoop {
 public:
  TestUvLoop() { EXPECT_EQ(uv_loop_init(&loop_), 0); }
  ~TestUvLoop() {
    close_all();
    EXPECT_EQ(uv_loop_close(&loop_), 0);
  }
  TestUvLoop(const TestUvLoop&) = delete;
  TestUvLoop& operator=(const TestUvLoop&) = delete;

  uv_loop_t* get() { return &loop_; }
  int run(uv_run_mode mode = UV_RUN_DEFAULT) { return uv_run(&loop_, mode); }
  // Closes all handles that are open, and runs their callbacks.
  void close_all() {
    uv_walk(
        &loop_,
        [](uv_handle_t* handle, void*) {
          if (uv_is_closing(handle) == 0) uv_close(handle, nullptr);
        },
        nullptr);
    run();
  }
  // The order of callbacks, as words.
  void log(const char* word) {
    if (!log_.empty()) log_ += ' ';
    log_ += word;
  }
  std::string take_log() { return std::exchange(log_, {}); }
  // For callbacks, which find the fixture by the loop's data.
  static TestUvLoop& of(uv_loop_t* loop) { return *static_cast<TestUvLoop*>(loop->data); }
  void make_findable() { loop_.data = this; }

 private:
  uv_loop_t loop_{};
  std::string log_;
};

}  // namespace rondo::uv
