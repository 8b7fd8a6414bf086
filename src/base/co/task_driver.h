// TaskDriver resumes coroutines; nothing else does. A coroutine that awaits another, or that ends,
// names the next one to resume, and the driver below them on the stack resumes it. So the stack
// depth does not grow with the number of awaits, in every build: compilers turn symmetric transfer
// into a tail call only when they optimise, and not under the sanitizers
// (docs/adr/loop/0008-coroutines.md). Thread: any; a coroutine belongs to the thread that drives
// it.
#pragma once

#include <coroutine>

namespace rondo {

class TaskDriver {
 public:
  // Resumes `coroutine`, then its successors, until one has no successor. An operation's callback
  // calls this when the operation is over; the operation may be destroyed when this returns.
  static void run(std::coroutine_handle<> coroutine);

  // For await_suspend(), as its last statement: `next` runs once the suspending coroutine has
  // returned to its driver. Without a driver it runs at once.
  static void hand_over(std::coroutine_handle<> next) {
    TaskDriver* driver = current_;
    if (driver != nullptr && driver->next_ == nullptr) [[likely]] {
      driver->next_ = next;
    } else {
      // An awaiter of another library resumed this coroutine directly, and may do so several times
      // in a row.
      run(next);
    }
  }

 private:
  std::coroutine_handle<> next_;
  static constinit thread_local TaskDriver* current_;
};

}  // namespace rondo
