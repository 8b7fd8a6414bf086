#include "loop/work.h"

#include "loop/internals.h"

namespace rondo {

void Work::submit(OnWorker work, OnDone on_done, JobKind kind) {
  RONDO_ASSERT(!is_pending());
  on_worker_ = std::move(work);
  on_done_ = std::move(on_done);
  submit_to_pool(kind);
}

void Work::worked(Result<void> outcome) {
  CallbackScope scope(loop(), id(), label());
  // Through a local: the callback may submit this request again, or free it.
  OnDone on_done = std::move(on_done_);
  if (on_done) on_done(*this, outcome);
}

}  // namespace rondo
