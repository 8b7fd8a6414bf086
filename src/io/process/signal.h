// Signal is a handle that calls back on the loop when the process receives a signal.
#pragma once

#include "base/list.h"
#include "base/result.h"
#include "loop/handle.h"

namespace rondo {

class SignalService;

// Phase: poll, after all other events of the batch; signals come in order of arrival (POL-09).
// Thread: the loop's only; the signal itself may interrupt any thread.
// Any number of handles, on any number of loops, may watch one signal: each is called. A signal
// that the kernel delivers after start() has returned is reported once per delivery; the kernel
// merges equal pending ones, except real-time signals.
//
// While at least one handle is started, Rondo's handler replaces the process's handler for the
// signal. The last stop() restores the previous handler, unless other code has installed another
// one. System calls on other threads are restarted, not interrupted. A fault of the program itself
// (SIGSEGV, SIGBUS, SIGFPE, SIGILL raised by the processor) is not an event: the previous handler
// or the default action gets it.
//
// After fork() the child's handles report the child's signals, once its loop has been reopened;
// signals that the parent received are not reported again.
class Signal final : public Handle {
 public:
  using OnSignal = Callback<void(Signal&, int signum)>;

  explicit Signal(Loop& loop);
  ~Signal() override = default;

  // Starting again replaces signal and function. EINVAL for an invalid signal or one that cannot be
  // caught (SIGKILL, SIGSTOP); on an error the handle is unchanged.
  Result<void> start(int signum, OnSignal on_signal);
  // Like start(), but stops before its first callback. While all handles of a signal are one-shot,
  // the second arrival has the default effect, so that a blocked loop can still be interrupted.
  Result<void> start_oneshot(int signum, OnSignal on_signal);
  // Idempotent, and safe inside the callback. Signals that were caught but not delivered are
  // dropped.
  void stop();

  int signum() const { return signum_; }  // 0 while it is not started.

  // For handles of the library itself: the callback may run user callbacks, so it does not count as
  // one.
  void set_internal() { is_internal_ = true; }

 private:
  friend class SignalService;
  Result<void> start_as(int signum, bool is_oneshot, OnSignal on_signal);
  void on_closing() override { stop(); }

  ListLink link_;                     // Linked exactly while started.
  SignalService* service_ = nullptr;  // Set exactly while started.
  OnSignal on_signal_;
  uint32_t start_ = 0;  // Signals that were caught before this start are not delivered to it.
  int signum_ = 0;
  bool is_oneshot_ = false;
  bool is_internal_ = false;
};

}  // namespace rondo
