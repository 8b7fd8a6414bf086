// Process is a handle for a child process.
#pragma once

#include <vector>

#include "io/process/spawn.h"
#include "loop/handle.h"

namespace rondo {

struct Child;

// The end of a child: status or signal is 0.
struct ProcessExit {
  int status = 0;  // Exit status, 0 to 255.
  int signal = 0;  // The signal that killed it.
};

// Phase: poll, with the signals, so after all other events of the batch; children that ended before
// one poll are reported in the order in which they were spawned (PRC-01). Thread: the loop's only;
// loops on other threads may spawn at the same time.
// While a child runs, a handler for SIGCHLD is installed. Each child is waited for by its pid, so
// other children of the program are not affected. A Process is active, and keeps the loop alive,
// from spawn() to on_exit.
//
// Closing it early detaches the child: it keeps running, on_exit is never called, and the loop
// reaps it when it ends but does not stay alive for it. Children that outlive their loop are reaped
// at the next spawn() in any loop; until then they may remain as zombies.
class Process final : public Handle {
 public:
  // ECHILD: the exit status is unknown, because other code has waited for the child, or SIGCHLD is
  // ignored, so that the kernel has.
  using OnExit = Callback<void(Process&, Result<ProcessExit>)>;

  explicit Process(Loop& loop);
  ~Process() override;

  // Starts a child; EALREADY while one runs. After an error no child exists, and on_exit is never
  // called.
  Result<void> spawn(const ProcessOptions& options, OnExit on_exit);

  // The parent's end of a pipe that the options requested at this descriptor, ready for
  // PipeSocket::open(). Can be taken once; those not taken are closed with the handle.
  Fd take_stdio(size_t descriptor);

  // ESRCH if no child runs: never started, ended and reported, or closed. Signal 0 only checks.
  Result<void> kill(int signum);
  Awaits awaits() const override {
    return is_active() && has_ref() ? Awaits::outside : Awaits::nothing;
  }
  // The pid of the last child, also after its end; 0 before the first.
  pid_t pid() const { return pid_; }

 private:
  friend class Reaper;
  void on_closing() override;
  void lose_child();
  void ended(Result<ProcessExit> exit);

  Child* child_ = nullptr;  // Owned by the loop's Reaper; set exactly while it runs.
  pid_t pid_ = 0;
  std::vector<Fd> stdio_;
  OnExit on_exit_;
};

}  // namespace rondo
