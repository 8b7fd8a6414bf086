#include "uv/work/job.h"

#include "uv/fs/touch.h"
#include "uv/run/places.h"

namespace rondo::uv {

void Job::submit_job(uv_loop_t* loop, void* req, uv_req_type type, const char* label, Work run,
                     Done report, void (*function)(), JobKind kind) {
  auto* const request = static_cast<uv_req_t*>(req);
  request->type = type;
  auto* const job = new Job(loop, request, label, run, report, function);
  request->reserved[0] = job;
  ++loop->active_reqs.count;
  if (loop_of(loop).internals().choice() == nullptr) return job->submit_to_pool(kind);
  const FunctionPlace place(function);
  if (type == UV_FS) {
    const auto* const operation = reinterpret_cast<const uv_fs_t*>(request);
    job->set_label(label_of(*operation));
    job->touch_ = std::make_unique<const Touch>(touch_of(*operation));
  }
  job->submit_to_pool(kind);
}

std::string Job::result_text() const {
  if (req_->type != UV_FS) return "";
  const auto* const operation = reinterpret_cast<const uv_fs_t*>(req_);
  // The number of a descriptor depends on what else is open, such as the record.
  const bool is_opening = operation->fs_type == UV_FS_OPEN || operation->fs_type == UV_FS_MKSTEMP;
  if (is_opening && operation->result >= 0) return "opened";
  return std::to_string(operation->result);
}

void Job::worked(Result<void> outcome) {
  const std::unique_ptr<Job> self(this);
  --loop_->active_reqs.count;
  req_->reserved[0] = nullptr;
  Call call(loop_, *this, function_);
  done_(req_, outcome ? 0 : -outcome.error().code);
}

namespace {

void run_work(uv_req_t* req) {
  auto* const work = reinterpret_cast<uv_work_t*>(req);
  work->work_cb(work);
}

void finish_work(uv_req_t* req, int status) {
  auto* const work = reinterpret_cast<uv_work_t*>(req);
  if (work->after_work_cb != nullptr) work->after_work_cb(work, status);
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_queue_work(uv_loop_t* loop, uv_work_t* req, uv_work_cb work_cb,
                  uv_after_work_cb after_work_cb) {
  if (work_cb == nullptr) return UV_EINVAL;
  req->loop = loop;
  req->work_cb = work_cb;
  req->after_work_cb = after_work_cb;
  Job::submit(loop, req, UV_WORK, "work", run_work, finish_work, after_work_cb);
  return 0;
}

int uv_cancel(uv_req_t* req) {
  switch (req->type) {
    case UV_FS:
    case UV_GETADDRINFO:
    case UV_GETNAMEINFO:
    case UV_RANDOM:
    case UV_WORK: break;
    default: return UV_EINVAL;
  }
  auto* const job = static_cast<Job*>(req->reserved[0]);
  if (job == nullptr) return UV_EBUSY;
  const rondo::Result<void> cancelled = job->cancel();
  return cancelled ? 0 : UV_EBUSY;
}

}  // extern "C"
