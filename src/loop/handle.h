// A handle is a long-lived source of callbacks: a timer, a socket, a signal. It is a resource:
// pinned in memory, owned once, and closed before it is freed.
// Thread: the loop's only.
#pragma once

#include <cstdint>
#include <memory>

#include "base/assert.h"
#include "base/callback.h"
#include "base/list.h"
#include "loop/handle_kind.h"

namespace rondo {

class Loop;
class LoopInternals;

// The kind of event a handle waits for under virtual time (docs/VIRTUAL-TIME.md).
enum class Awaits : uint8_t {
  nothing,  // Or an event that may never come, such as a client that may connect.
  inside,   // An event that this process itself has caused and that is sure to arrive.
  outside,  // An event from another process or machine: time passes in real time.
};

class Handle {
 public:
  enum class State : uint8_t {
    idle,     // Never started, or stopped.
    active,   // May call back; keeps the loop alive while it is ref'd.
    closing,  // close() was called; the close callback is still to come.
    closed,
  };
  using OnClose = Callback<void(Handle&)>;

  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  Loop& loop() const { return loop_; }
  State state() const { return state_; }
  bool is_active() const { return state_ == State::active; }
  bool is_closing() const { return state_ == State::closing || state_ == State::closed; }
  HandleKind kind() const { return kind_; }
  // A more specific kind, for a timer, poll or async that serves one purpose.
  void set_kind(HandleKind kind) {
    kind_ = kind;
    label_ = handle_kind_label(kind);
  }
  const char* label() const { return label_; }  // Name in traces: "timer", "tcp socket".
  uint64_t id() const { return id_; }           // Unique within its loop.
  // The place in the program that created the handle, as a number from the function given to
  // LoopInternals::note_creation_sites(); 0 if unknown. An accepted connection has its server's,
  // with the bit kInherited set.
  static constexpr uint32_t kInherited = 1u << 31;
  uint32_t creation_site() const { return creation_site_; }
  void set_creation_site(uint32_t site) { creation_site_ = site; }

  // The trace contains neither the handle nor its callbacks.
  bool is_hidden() const { return is_hidden_; }
  void hide_from_trace() { is_hidden_ = true; }

  // A handle without a ref does not keep the loop alive. Handles start with one.
  bool has_ref() const { return has_ref_; }
  void ref();
  void unref();

  // Stops the handle and releases its resources. `on_close` runs in the closing phase of this turn
  // or the next, never from inside this call; the handle must live until then (CLO-01).
  void close(OnClose on_close = nullptr);
  // Called only under virtual time, when nothing is left to run.
  virtual Awaits awaits() const { return Awaits::nothing; }
  // With a Choice: true if its events cannot be late, because their cause is in this process and
  // takes effect at once. True for Unix sockets, false for TCP.
  virtual bool is_instant() const { return false; }
  // close(), then delete. Used when an Owned handle is dropped; harmless when it is closing
  // already.
  void close_then_free() noexcept;

 protected:
  Handle(Loop& loop, HandleKind kind) : Handle(loop, kind, handle_kind_label(kind)) {}
  // HandleKind::other, with a label of its own: a literal.
  Handle(Loop& loop, const char* label) : Handle(loop, HandleKind::other, label) {}
  // Aborts if the handle is active or closing: the loop would call into freed memory.
  virtual ~Handle();

  // The functions below, and this one, are for implementations: include loop/internals.h.
  LoopInternals internals() const;
  // Between active and idle. Neither does anything to a closing handle.
  void activate();
  void deactivate();
  // Called once by close(), before the state changes: stop everything.
  virtual void on_closing() = 0;
  // Called once in the closing phase, just before the close callback: the last chance to report an
  // error to pending requests of this handle.
  virtual void on_closed() {}
  // The kernel or a worker still uses memory of this handle: closing waits until the operation
  // ends.
  void begin_operation() {
    ++operations_;
    RONDO_ASSERT(operations_ != 0);
  }
  void end_operation();

 private:
  friend class ClosingPhase;
  friend struct LoopState;
  Handle(Loop& loop, HandleKind kind, const char* label);
  void queue_close();

  Loop& loop_;
  ListLink link_;  // In the loop's list of handles; once closing ends, in the closing phase's list.
  std::unique_ptr<OnClose> on_close_;  // Allocated on demand: most handles never have one.
  const char* label_;
  uint64_t id_;
  // These fill one word and keep the handle at 64 bytes: every idle connection pays for more.
  uint32_t creation_site_;
  uint8_t operations_ = 0;  // A handle has at most one of each kind, and there are few kinds.
  State state_ = State::idle;
  bool has_ref_ : 1 = true;
  bool free_when_closed_ : 1 = false;
  bool is_hidden_ : 1 = false;
  HandleKind kind_;
};
static_assert(sizeof(Handle) == 64);

// Dropping the owner starts closing; the closing phase frees. A completion already in flight
// therefore always finds a living handle.
struct CloseThenFree {
  void operator()(Handle* handle) const noexcept { handle->close_then_free(); }
};
template <class T>
using Owned = std::unique_ptr<T, CloseThenFree>;

}  // namespace rondo
