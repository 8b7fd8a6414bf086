#include "base/co/task.h"

#include <cstdio>
#include <exception>

namespace rondo {

void TaskPromiseBase::begin(const TaskContext& context, void* waiter, OnEnd on_end) {
  if (is_started_) fatal("a task was started twice; each call of a coroutine makes one task");
  is_started_ = true;
  context_ = context;
  waiter_ = waiter;
  on_end_ = on_end;
}

void TaskPromiseBase::unhandled_exception() const noexcept {
  std::fputs("rondo: an exception left a task; catch it inside, and return a Result\n", stderr);
  std::terminate();  // Its handler prints the exception.
}

}  // namespace rondo
