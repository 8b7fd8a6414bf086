// PollPolicy decides how long poll waits and in which order ready events are delivered. A loop has
// one, chosen when the loop is created:
//
//   PlainPoll     real time, the kernel's order
//   VirtualPoll   virtual time, the kernel's order
//   ExploredPoll  an order that a Choice decides, in virtual or real time
//
// Thread: the loop's only.
#pragma once

#include <cstdint>

namespace rondo {

class PoolRequest;
struct Target;
struct Touch;

class PollPolicy {
 public:
  PollPolicy() = default;
  PollPolicy(const PollPolicy&) = delete;
  PollPolicy& operator=(const PollPolicy&) = delete;
  virtual ~PollPolicy() = default;

  // One poll phase: waits for events as long as `may_sleep` and the loop's state allow, and
  // delivers them.
  virtual void run(bool may_sleep) = 0;

  // True if the functions below must be called. Must not change.
  virtual bool tracks_operations() const { return false; }
  // `late` is a request whose work is done only when it is delivered, or null.
  virtual void operation_submitted(const Target& /*target*/, uint64_t /*id*/, const char* /*label*/,
                                   PoolRequest* /*late*/) {}
  // The event of an operation has arrived, or never will.
  virtual void operation_over(const Target& /*target*/) {}
  // Before `touch` happens, chooses whether operations in flight that touch the same files have
  // taken effect already. `self` is the request that it belongs to, if any.
  virtual void settle_effects(const Touch& /*touch*/, const PoolRequest* /*self*/) {}
};

}  // namespace rondo
