// The poller is the loop's interface to the kernel: readiness of descriptors, asynchronous
// operations, and the one place where the loop sleeps.
// Thread: the loop's only.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "base/time/time.h"
#include "loop/target.h"

namespace rondo {

enum class Backend : uint8_t { automatic, epoll, uring, scripted };
const char* backend_name(Backend backend);
// "epoll", "uring" or "io_uring"; anything else is an error.
Result<Backend> parse_backend(const char* name);

class Poller {
 public:
  // Most events of one wait(); after a full batch the poll phase polls again (POL-02).
  static constexpr size_t kBatch = 1024;

  virtual ~Poller() = default;
  virtual Backend backend() const = 0;

  // Readiness. Watching again replaces the interest; interest 0 stops the watch. Changes reach the
  // kernel with the next wait(), in the order of the calls, as in libuv: a descriptor that was
  // ready before comes after those that became ready meanwhile (POL-10).
  virtual Result<void> watch(Watch& watch, uint32_t interest) = 0;
  // The same, but registers with the kernel at once and returns its error (ENOSPC, ENOMEM) instead
  // of reporting it as an event. For the loop's own descriptors, whose events have no error
  // callback.
  virtual Result<void> watch_now(Watch& watch, uint32_t interest) {
    return this->watch(watch, interest);
  }
  // Call it before the descriptor is closed or the watch is freed; calling it twice is harmless.
  virtual void unwatch(Watch& watch) = 0;
  // The watch of the descriptor; null if there is none.
  virtual Watch* watch_of(int) { return nullptr; }
  // The descriptor has reported an event although its watch is stopped: ignore it until the watch
  // is started.
  virtual void disarm(int) {}

  // Operations, only if has_operations(). submit() never fails: the operation is in flight when it
  // returns, or waits until the kernel has room. It completes with one event.
  virtual bool has_operations() const { return false; }
  virtual void submit(Op& op, const OpArgs& args);
  // Requests cancellation from the kernel; the operation still completes with an event.
  virtual void cancel(Op& op);

  // True if events other than the mailbox's are possible: a descriptor is watched, a stopped one
  // may still report an event, or an operation is in flight.
  virtual bool has_sources() const { return true; }

  // Appends ready events, waiting for up to `timeout` (kForever: without limit; zero: not at all).
  // May return early without events, for example after a signal.
  virtual void wait(Nanos timeout, std::vector<Event>& ready) = 0;

  // A descriptor that is readable while events are ready, for other pollers; -1 if there is none.
  virtual int descriptor() const { return -1; }

  // Keeps this signal from interrupting a wait. For profilers, whose timer fires often.
  virtual void block_signal(int /*signum*/) {}

  // A child process after fork() must not share kernel state with its parent: opens new kernel
  // objects and registers the watches again. Operations in flight are lost in the child.
  virtual Result<void> reopen_after_fork() = 0;
};

// Makes the given backend. automatic: RONDO_BACKEND if it is set, otherwise io_uring if the kernel
// supports the features we need, otherwise epoll.
Result<std::unique_ptr<Poller>> make_poller(Backend backend);

}  // namespace rondo
