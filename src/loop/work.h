// Work runs a user function on a worker of the pool and calls back on the loop.
#pragma once

#include <utility>

#include "base/callback.h"
#include "loop/request.h"

namespace rondo {

// Phase: poll. Thread: the loop's; `work` runs on a worker and must touch only its own data.
class Work final : public PoolRequest {
 public:
  using OnWorker = Callback<void()>;
  using OnDone = Callback<void(Work&, Result<void>)>;

  explicit Work(Loop& loop) : PoolRequest(loop, "work") {}
  // `label` is a literal. `touch` matters only on a loop with a Choice.
  Work(Loop& loop, const char* label, Touch touch)
      : PoolRequest(loop, label), touch_(std::move(touch)) {}

  // ECANCELED reaches `on_done` if it was cancelled before it started (POOL-03).
  void submit(OnWorker work, OnDone on_done, JobKind kind = JobKind::fast);
  Touch touches() const override { return touch_; }

 private:
  void work() override { on_worker_(); }
  void worked(Result<void> outcome) override;

  OnWorker on_worker_;
  OnDone on_done_;
  Touch touch_;
};

}  // namespace rondo
