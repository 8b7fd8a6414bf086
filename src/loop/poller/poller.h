// The poller is the loop's view of the kernel: readiness of descriptors, operations that complete
// by themselves, and the one place where the loop sleeps.
// Thread: the loop's only.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "loop/target.h"

namespace rondo {

enum class Backend : uint8_t { automatic, epoll, uring, scripted };
const char* backend_name(Backend backend);
// "epoll", "uring" or "io_uring"; anything else is an error.
Result<Backend> parse_backend(const char* name);

class Poller {
 public:
  // As many events as one wait() may bring; a full batch makes the poll phase ask again (POL-02).
  static constexpr size_t kBatch = 1024;

  virtual ~Poller() = default;
  virtual Backend backend() const = 0;

  // Readiness. Watching again replaces the interest; interest 0 stops the watch. Changes reach the
  // kernel with the next wait(), in the order of the calls, as in libuv: so a descriptor that was
  // ready before stands behind those that became ready meanwhile (POL-10).
  virtual Result<void> watch(Watch& watch, uint32_t interest) = 0;
  // The same, but the kernel learns of it at once, and its refusal (ENOSPC, ENOMEM) is the result
  // instead of an event. For the loop's own descriptors, whose refusal nobody could be told later.
  virtual Result<void> watch_now(Watch& watch, uint32_t interest) {
    return this->watch(watch, interest);
  }
  // Before the descriptor is closed or the watch is freed; twice is harmless.
  virtual void unwatch(Watch& watch) = 0;
  // Who watches the descriptor now; null if nobody does.
  virtual Watch* watch_of(int) { return nullptr; }
  // The descriptor has reported an event although its watch is stopped: no more until it is
  // started.
  virtual void disarm(int) {}

  // Operations, only where has_operations(). submit() never fails: the operation is under way when
  // it returns, or waits until the kernel has room. Its completion is one event.
  virtual bool has_operations() const { return false; }
  virtual void submit(Op& op, const OpArgs& args);
  // Asks the kernel to give the operation up; its completion still comes.
  virtual void cancel(Op& op);

  // True if events other than the mailbox's are possible: a descriptor is watched, a stopped one
  // may still report an event, or an operation is in flight.
  virtual bool has_sources() const { return true; }

  // Appends what is ready, waiting for up to `timeout` (kForever: without limit; zero: not at
  // all). May come back early and empty: after a signal, say.
  virtual void wait(Nanos timeout, std::vector<Event>& ready) = 0;

  // A child process after fork() must not share kernel state with its parent: start afresh and
  // watch again what was watched. Operations in flight are lost to the child.
  virtual Result<void> reopen_after_fork() = 0;
};

// The backend that was asked for. automatic: RONDO_BACKEND if it is set, else io_uring if the
// kernel grants what we need, else epoll.
Result<std::unique_ptr<Poller>> make_poller(Backend backend);

}  // namespace rondo
