#include "base/co/task_driver.h"

#include <utility>

namespace rondo {

constinit thread_local TaskDriver* TaskDriver::current_ = nullptr;

void TaskDriver::run(std::coroutine_handle<> coroutine) {
  TaskDriver driver;
  TaskDriver* const outer = std::exchange(current_, &driver);
  for (; coroutine != nullptr; coroutine = std::exchange(driver.next_, nullptr)) coroutine.resume();
  current_ = outer;
}

}  // namespace rondo
