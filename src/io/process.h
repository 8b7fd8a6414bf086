// A Process is a child of ours: a program that was started, may be sent signals, and will end.
#pragma once

#include <vector>

#include "io/spawn.h"
#include "loop/handle.h"

namespace rondo {

struct Child;

// How a child ended: one of the two is 0.
struct ProcessExit {
  int status = 0;  // What it returned, 0 to 255.
  int signal = 0;  // What killed it.
};

// Phase: poll, with the signals, so after all other events of the batch; children that ended before
// one poll are reported in the order in which they were spawned (PRC-01). Thread: the loop's only;
// loops on other threads may spawn at the same time.
// While a child runs, a handler for SIGCHLD is installed. Each child is waited for by itself, so
// other children of the program are not touched. A Process is active, and keeps the loop alive,
// from spawn() to on_exit.
//
// Closing it before the end lets the child go: it runs on, on_exit never comes, and the loop still
// collects it when it ends, without being kept alive for it. Those that outlive their loop are
// collected at the next spawn() in any loop, so at most they wait as zombies for that.
class Process final : public Handle {
 public:
  // ECHILD: somebody else has waited for the child (or SIGCHLD is ignored, so the kernel did), and
  // how it ended is not known.
  using OnExit = Callback<void(Process&, Result<ProcessExit>)>;

  explicit Process(Loop& loop);
  ~Process() override;

  // Starts a child; EALREADY while one runs. After an error there is none, and on_exit never comes.
  Result<void> spawn(const ProcessOptions& options, OnExit on_exit);

  // Our end of a pipe that the options asked for at this descriptor, ready for PipeSocket::open().
  // Given once; what is not taken is closed with the handle.
  Fd take_stdio(size_t descriptor);

  // ESRCH where no child runs: never started, ended and told, or closed. Signal 0 only asks.
  Result<void> kill(int signum);
  Awaits awaits() const override {
    return is_active() && has_ref() ? Awaits::outside : Awaits::nothing;
  }
  // Of the last child, also after its end; 0 before the first.
  pid_t pid() const { return pid_; }

 private:
  friend class Reaper;
  void on_closing() override;
  void lose_child();
  void ended(Result<ProcessExit> exit);

  Child* child_ = nullptr;  // The loop's Reaper's; set exactly while it runs.
  pid_t pid_ = 0;
  std::vector<Fd> stdio_;
  OnExit on_exit_;
};

}  // namespace rondo
