// Sources of events for a poller, and the events. Io builds its watches and operations on these;
// user code never sees them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo {

// Called in the poll phase. A target is never called again after it was unwatched, detached or
// forgotten, even when its event is already in the batch (POL-06).
struct Target {
  using Fn = void (*)(Target& self, int32_t result, uint32_t flags);

  Fn fn = nullptr;
  // Events of one source keep their order under a Choice. Null: a source of its own.
  const void* source = nullptr;
  // One byte keeps a Watch at 32: every connection has one.
  bool is_request : 1 = false;  // Exactly one event is sure to come, without outside action.
  // Of a request: another process or machine decides when it completes.
  bool is_outside : 1 = false;
  bool is_watch : 1 = false;      // Its events report a state: two are equivalent to one.
  bool is_operation : 1 = false;  // An Op of the kernel.
  bool is_last : 1 = false;       // Dispatched after all other events of the batch: signals.
};

struct Event {
  // Null if forgotten; with flags set, if the descriptor was not watched when the poller looked.
  Target* target;
  int32_t result;  // A count or -errno; for readiness, the descriptor or -errno.
  uint32_t flags;  // For readiness, EPOLL* bits; for operations, the poller's own.
};

// Interest in a descriptor's readiness, level-triggered unless EPOLLET is given.
struct Watch : Target {
  Watch() { is_watch = true; }
  bool is_waker = false;   // Only ends a sleep: no reason to poll without sleeping.
  bool is_socket = false;  // epoll accepts every socket: no need to check the kind of file.
  int fd = -1;
  uint32_t interest = 0;  // EPOLLIN | EPOLLOUT | …; 0 while it is stopped or not watched.
  uint32_t slot = 0;      // Used by the poller.
};
static_assert(sizeof(Watch) == 32);

// An operation that the kernel completes asynchronously.
struct Op : Target {
  static constexpr uint32_t kNoSlot = UINT32_MAX;
  Op() { is_operation = true; }
  uint32_t slot = kNoSlot;  // Used by the poller; kNoSlot exactly while not in flight.

  bool is_in_flight() const { return slot != kNoSlot; }
};

// The arguments of one operation, with the kernel's names; `opcode` is an IORING_OP_*.
struct OpArgs {
  uint8_t opcode = 0;
  int32_t fd = -1;
  uint64_t off = 0;
  uint64_t addr = 0;
  uint32_t len = 0;
  uint32_t op_flags = 0;
};

}  // namespace rondo
