#include "loop/co/awaiters.h"

#include "loop/internals.h"

namespace rondo {

Sleep::Hook::Hook(Sleep& sleep)
    : CancelHook([](CancelHook& self) {
        Sleep& cancelled = static_cast<Hook&>(self).owner;
        cancelled.is_cancelled_ = true;
        cancelled.arm(Nanos::zero());
      }),
      owner(sleep) {}

void Sleep::start(std::coroutine_handle<> waiter, CancelToken token) {
  waiter_ = waiter;
  timer_.emplace(loop_);
  hook_.emplace(*this);
  is_cancelled_ = !token.attach(*hook_);
  // Even a sleep that is already cancelled lets the loop turn: a task that ignores the cancellation
  // and sleeps again must not block the loop.
  arm(is_cancelled_ ? Nanos::zero() : delay_);
}

void Sleep::arm(Nanos delay) {
  timer_->start(delay, [this](Timer&) {
    hook_->detach();
    TaskDriver::run(waiter_);
  });
}

Slept Sleep::await_resume() const {
  return is_cancelled_ ? Slept(Error{ECANCELED, "sleep"}) : Slept();
}

Loop& CurrentLoop::await_resume() const {
  if (found_.host == nullptr) fatal("this task is not run by a loop: spawn it, or use run_task()");
  return *static_cast<Loop*>(found_.host);
}

namespace {

// Tasks owned by the loop. A service, so that a loop without tasks pays nothing.
class LoopTasks final : public Service {
 public:
  explicit LoopTasks(Loop& loop) : group(loop) {}
  TaskGroup group;
};

}  // namespace

TaskGroup& Loop::tasks() { return internals().service<LoopTasks>().group; }

void Loop::spawn(Task<void> task) { tasks().spawn(std::move(task)); }

std::coroutine_handle<> RootTask::on_end(void* self, std::coroutine_handle<>) {
  RootTask& root = *static_cast<RootTask*>(self);
  root.has_ended_ = true;
  if (root.is_running_) root.loop_.stop();
  return nullptr;
}

void RootTask::run_until_ended() {
  is_running_ = true;
  while (!has_ended_) {
    // A stop() by other code does not end this run.
    if (loop_.run() || has_ended_) continue;
    fatal("run_task(): the loop has nothing left to do, but the task is still waiting");
  }
}

}  // namespace rondo
