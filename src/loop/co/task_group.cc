#include "loop/co/task_group.h"

namespace rondo {

TaskGroup::TaskGroup(Loop& loop, CancelToken parent) : loop_(loop) { source_.follow(parent); }

TaskGroup::~TaskGroup() {
  if (running_ > 0) fatal("a TaskGroup was destroyed while its tasks run; co_await join() first");
}

void TaskGroup::spawn(Task<void> task) {
  ++running_;
  std::move(task).start_detached({source_.token(), &loop_}, this, on_end);
}

void TaskGroup::spawn(Task<Result<void>> task) {
  ++running_;
  std::move(task).start_detached({source_.token(), &loop_}, this, on_result);
}

std::coroutine_handle<> TaskGroup::on_end(void* self, std::coroutine_handle<> task) {
  return static_cast<TaskGroup*>(self)->ended(task);
}

std::coroutine_handle<> TaskGroup::on_result(void* self, std::coroutine_handle<> task) {
  TaskGroup& group = *static_cast<TaskGroup*>(self);
  const Result<void> result =
      Task<Result<void>>::Handle::from_address(task.address()).promise().take();
  if (!result) {
    if (group.first_error_) group.first_error_ = result;
    group.cancel();
  }
  return group.ended(task);
}

std::coroutine_handle<> TaskGroup::ended(std::coroutine_handle<> task) {
  // First, because destructors of the task's parameters may use the group.
  task.destroy();
  return --running_ == 0 ? std::exchange(joiner_, nullptr) : nullptr;
}

TaskGroup::Join::Join(TaskGroup& group) : group_(group), hook_(group) {}

TaskGroup::Join::Hook::Hook(TaskGroup& to_cancel)
    : CancelHook([](CancelHook& self) { static_cast<Hook&>(self).group.cancel(); }),
      group(to_cancel) {}

void TaskGroup::Join::suspend(std::coroutine_handle<> waiter, CancelToken token) {
  if (group_.joiner_ != nullptr) fatal("two tasks join the same TaskGroup");
  group_.joiner_ = waiter;
  if (!token.attach(hook_)) group_.cancel();
}

Result<void> TaskGroup::Join::await_resume() {
  hook_.detach();
  return std::exchange(group_.first_error_, Result<void>());
}

}  // namespace rondo
