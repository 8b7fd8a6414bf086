// The one place where coroutines run. A coroutine that waits for another, or that ends, names the
// one to go on with; the driver below them on the stack resumes it. So the stack is as deep after a
// million awaits as after the first, in every build: compilers hand over by a tail call only when
// they optimize, and not under the sanitizers (docs/adr/0008-coroutines.md).
// Thread: any; a coroutine that is being driven belongs to that thread for as long.
#pragma once

#include <coroutine>

namespace rondo {

class TaskDriver {
 public:
  // Resumes `coroutine`, then whatever it hands over to, until one of them has nothing to hand
  // over to. What an operation's callback calls when the operation is over; the operation may be
  // gone when this returns.
  static void run(std::coroutine_handle<> coroutine);

  // For await_suspend(): `next` runs when the coroutine that is just being suspended has returned
  // to its driver. The last thing to do there: without a driver it runs at once.
  static void hand_over(std::coroutine_handle<> next) {
    TaskDriver* driver = current_;
    if (driver != nullptr && driver->next_ == nullptr) [[likely]] {
      driver->next_ = next;
    } else {
      // Somebody else's awaiter resumed us by itself, and may do so several times in a row.
      run(next);
    }
  }

 private:
  std::coroutine_handle<> next_;
  static constinit thread_local TaskDriver* current_;
};

}  // namespace rondo
