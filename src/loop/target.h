// What a poller can report about, and the report itself. Io builds its watches and operations on
// these; user code never sees them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo {

// Called in the poll phase. A target is never called again after it was unwatched, detached or
// forgotten, even when its event is already in the batch (POL-06).
struct Target {
  using Fn = void (*)(Target& self, int32_t result, uint32_t flags);

  Fn fn = nullptr;
  // Events of one source keep their order, whatever a Choice says. Null: a source of its own.
  const void* source = nullptr;
  // One byte, which keeps a Watch at 32: every connection has one.
  bool is_request : 1 = false;    // Exactly one event is sure to come, without anyone's help.
  bool is_outside : 1 = false;    // Of a request: another process or machine decides when.
  bool is_watch : 1 = false;      // Its events tell of a state, and two of them no more than one.
  bool is_operation : 1 = false;  // Of the kernel's: an Op.
  bool is_last : 1 = false;       // Dispatched after all other events of the batch: signals.
};

struct Event {
  // Null if it was forgotten; with flags, if nobody watched the descriptor when the poller looked.
  Target* target;
  int32_t result;  // A count or -errno; for readiness, the descriptor or -errno.
  uint32_t flags;  // For readiness, EPOLL* bits; for operations, the poller's own.
};

// Interest in a descriptor's readiness, level-triggered unless EPOLLET is asked for.
struct Watch : Target {
  Watch() { is_watch = true; }
  bool is_waker = false;  // Only ends a sleep: no reason to ask the kernel without sleeping.
  int fd = -1;
  uint32_t interest = 0;  // EPOLLIN | EPOLLOUT | …; 0 while it is stopped or not watched.
  uint32_t slot = 0;      // The poller's.
};
static_assert(sizeof(Watch) == 32);

// An operation that the kernel completes by itself.
struct Op : Target {
  static constexpr uint32_t kNoSlot = UINT32_MAX;
  Op() { is_operation = true; }
  uint32_t slot = kNoSlot;  // The poller's; kNoSlot exactly while nothing is in flight.

  bool is_in_flight() const { return slot != kNoSlot; }
};

// The arguments of one operation, named as the kernel names them; `opcode` is an IORING_OP_*.
struct OpArgs {
  uint8_t opcode = 0;
  int32_t fd = -1;
  uint64_t off = 0;
  uint64_t addr = 0;
  uint32_t len = 0;
  uint32_t op_flags = 0;
};

}  // namespace rondo
