// Lets `rondo why` and `rondo top` ask a loop of an installed program. The control thread posts a
// message to the loop, whose thread answers between two callbacks. A loop that runs a callback of
// the program cannot answer; then the control thread reports the function that is running.
//
// Thread: the loop's only, except where stated.
#pragma once

#include <sys/types.h>
#include <uv.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "loop/pool/wake.h"
#include "uv/control/report.h"

namespace rondo::uv {

class Observer;

class Inspected {
 public:
  // Null with --no-control, and in a child made by fork() after its parent has created a loop.
  static std::unique_ptr<Inspected> make(uv_loop_t* loop);
  ~Inspected();
  Inspected(const Inspected&) = delete;
  Inspected& operator=(const Inspected&) = delete;

  // Around uv_run(): only loops that run get queries.
  void run_begins();
  void run_ends() { thread_.store(0, std::memory_order_relaxed); }

 private:
  friend class Inspection;
  struct Wake final : Completion {
    Inspected* owner;
  };

  explicit Inspected(uv_loop_t* loop);
  void answer();

  uv_loop_t* loop_;
  Wake wake_;
  std::atomic<bool> is_posted_{false};
  std::atomic<pid_t> thread_{0};  // That runs the loop; 0: it does not run.

  // Guarded by the mutex of Inspection.
  std::string query_;
  uint64_t number_ = 0;    // Of the query.
  uint64_t answered_ = 0;  // The number of the query that `report_` answers.
  Report report_;
};

// Ends the answers of this process and removes its socket. Called when the process ends.
void end_inspection();

}  // namespace rondo::uv
