// A handle is a long-lived source of callbacks: a timer, a socket, a signal. It is a resource:
// pinned in memory, owned once, and closed before it is freed.
// Thread: the loop's only.
#pragma once

#include <cstdint>
#include <memory>

#include "base/assert.h"
#include "base/callback.h"
#include "base/list.h"

namespace rondo {

class Loop;

// What a handle waits for, where time is virtual (docs/VIRTUAL-TIME.md).
enum class Awaits : uint8_t {
  nothing,  // Or for something that nobody has promised, such as a client that may call one day.
  inside,   // What this process has set under way itself, and is sure to come to this handle.
  outside,  // What another process or machine may send: time passes as it does for that one.
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
  const char* label() const { return label_; }  // What traces call it: "timer", "tcp socket".
  void set_label(const char* label) { label_ = label; }  // A literal, that says more.
  uint64_t id() const { return id_; }                    // Unique within its loop.
  // Where in a program it was made, as whoever called Loop::note_births() numbers places; 0 if
  // nobody knows. A connection that was accepted has its server's, with kInherited in it.
  static constexpr uint32_t kInherited = 1u << 31;
  uint32_t birth() const { return birth_; }
  void set_birth(uint32_t birth) { birth_ = birth; }

  // A handle without a ref does not keep the loop alive. Handles start with one.
  bool has_ref() const { return has_ref_; }
  void ref();
  void unref();

  // Stops the handle and gives its resources up. `on_close` runs in the closing phase of this turn
  // or the next, never from inside this call; until then the handle must live (CLO-01).
  void close(OnClose on_close = nullptr);
  // Asked only where time is virtual and nothing is left to do.
  virtual Awaits awaits() const { return Awaits::nothing; }
  // With a Choice: whether its events cannot be late, because their cause is in this process and
  // takes effect at once. Unix sockets are so, TCP is not.
  virtual bool is_instant() const { return false; }
  // close(), then delete. What dropping an Owned handle does; harmless when it is closing already.
  void close_then_free() noexcept;

 protected:
  // `label` is a literal.
  Handle(Loop& loop, const char* label);
  // Aborts if the handle is active or closing: the loop would call into freed memory.
  virtual ~Handle();

  // Between active and idle. Neither does anything to a closing handle.
  void activate();
  void deactivate();
  // Called once by close(), with the state still as it was: stop everything.
  virtual void on_closing() = 0;
  // Called once in the closing phase, just before the close callback: the last chance to tell
  // whoever still waits for something that it will not come.
  virtual void on_closed() {}
  // The kernel or a worker still uses memory of this handle: closing waits for the end of it.
  void begin_operation() {
    ++operations_;
    RONDO_ASSERT(operations_ != 0);
  }
  void end_operation();

 private:
  friend class ClosingPhase;
  friend class Loop;
  void queue_close();

  Loop& loop_;
  ListLink link_;  // Among the loop's handles; from the end of closing on, in the closing phase.
  std::unique_ptr<OnClose> on_close_;  // Most handles have none, and all but a few only late.
  const char* label_;
  uint64_t id_;
  // These fill one word, and all of it 64 bytes: every idle connection pays for more.
  uint32_t birth_;
  uint8_t operations_ = 0;  // Of the few kinds there are a handle has one each.
  State state_ = State::idle;
  bool has_ref_ = true;
  bool free_when_closed_ = false;
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
