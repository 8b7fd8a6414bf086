// For the scenarios that use uv.h: a loop, and requests that are counted in the account.
// Thread: the scenario's.
#pragma once

#include <uv.h>

#include <string>

#include "scenario.h"

namespace rondo::faults {

// Its end closes all handles, runs the loop and closes it. Declare handles before it.
class UvLoop {
 public:
  explicit UvLoop(Context& context);
  ~UvLoop();
  UvLoop(const UvLoop&) = delete;
  UvLoop& operator=(const UvLoop&) = delete;

  bool is_open() const { return is_open_; }
  uv_loop_t* get() { return &loop_; }
  Context& context() { return context_; }
  void run() { (void)uv_run(&loop_, UV_RUN_DEFAULT); }
  void close_all();

 private:
  Context& context_;
  uv_loop_t loop_{};
  bool is_open_ = false;
};

inline Context& context_of(const uv_loop_t* loop) {
  return static_cast<UvLoop*>(loop->data)->context();
}

inline void close(void* handle, uv_close_cb then = nullptr) {
  auto* const any = static_cast<uv_handle_t*>(handle);
  if (uv_is_closing(any) == 0) uv_close(any, then);
}

// A request with its entry in the account. `start` is called with the request and returns 0 if it
// has begun: then `finish` must be called once, by the callback.
template <class Request>
struct Counted {
  Request request{};
  uint32_t entry = 0;

  template <class Start>
  int begin(Context& context, const char* what, Start&& start) {
    entry = context.account.open(what);
    request.data = this;
    const int failed = start(&request);
    if (failed != 0) context.account.settle(entry);
    return failed;
  }
  static void finish(Request* request, Account& account) {
    account.settle(static_cast<Counted*>(request->data)->entry);
  }
};

constexpr size_t kLent = 256 * 1024;
// Memory for what a callback reads into.
inline void lend(uv_handle_t*, size_t, uv_buf_t* buffer) {
  static char memory[kLent];
  *buffer = uv_buf_init(memory, sizeof memory);
}

}  // namespace rondo::faults
