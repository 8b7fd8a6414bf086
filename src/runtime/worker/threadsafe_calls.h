// ThreadsafeCalls delivers calls that other threads post to a realm's thread, such as "this worker
// has ended". As in Node they are delivered through one Async that is older than every message
// port, or at the beginning of the check phase, whichever comes first.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "base/callback.h"
#include "loop/async.h"

namespace rondo::runtime {

class ThreadsafeCalls {
 public:
  // A posted call. Owned by the poster; must stay alive until it has run or close() has returned.
  struct Call {
    void (*run)(Call& self) = nullptr;
  };

  // `after_all` is called when all pending calls have run: they share one drain of the queues.
  ThreadsafeCalls(Loop& loop, Callback<void()> after_all);

  // One more, or one less, thread may post calls. The check phase looks for calls only while there
  // is such a thread. Thread: the realm's.
  void expect_one_more();
  void expect_one_less();
  // Calls run in the order of posting; none runs after close(). Thread: any.
  void post(Call& call);
  // Thread: the realm's.
  void close();

 private:
  void run_all();
  void run_in_check();

  Loop& loop_;
  Callback<void()> after_all_;
  size_t expected_ = 0;
  std::atomic<bool> has_calls_{false};
  std::mutex mutex_;
  std::vector<Call*> calls_;
  Owned<Async> async_;  // Null once closed.
};

}  // namespace rondo::runtime
