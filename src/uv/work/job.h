// A job of the pool for a uv_req_t, whose `reserved[0]` points to it until the callback.
// Thread: the loop's only; `work` runs on a worker.
#pragma once

#include <uv.h>

#include "uv/core/loop.h"

namespace rondo::uv {

class Job final : public PoolRequest {
 public:
  using Work = void (*)(uv_req_t* req);
  // `status` is 0, or UV_ECANCELED if the job was cancelled before it started.
  using Done = void (*)(uv_req_t* req, int status);

  // `function` is the program's, which `report` calls.
  template <class F>
  static void submit(uv_loop_t* loop, void* req, uv_req_type type, const char* label, Work run,
                     Done report, F* function, JobKind kind = JobKind::fast) {
    submit_job(loop, req, type, label, run, report, reinterpret_cast<void (*)()>(function), kind);
  }

  const uv_req_t* request() const { return req_; }
  uintptr_t function() const { return reinterpret_cast<uintptr_t>(function_); }

 private:
  Job(uv_loop_t* loop, uv_req_t* req, const char* label, Work run, Done report, void (*callback)())
      : PoolRequest(loop_of(loop), label),
        loop_(loop),
        req_(req),
        work_(run),
        done_(report),
        function_(callback) {}
  static void submit_job(uv_loop_t* loop, void* req, uv_req_type type, const char* label, Work run,
                         Done report, void (*function)(), JobKind kind);
  void work() override { work_(req_); }
  Touch touches() const override { return touch_ == nullptr ? Touch() : *touch_; }
  std::string result_text() const override;
  void worked(Result<void> outcome) override;

  uv_loop_t* loop_;
  uv_req_t* req_;
  Work work_;
  Done done_;
  void (*function_)();
  std::unique_ptr<const Touch>
      touch_;  // Null unless the order is chosen, or if it touches no file.
};

}  // namespace rondo::uv
