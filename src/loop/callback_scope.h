// Guards around calls into user callbacks, for code that implements handles and requests.
#pragma once

#include "loop/internals.h"

namespace rondo {

// Wrap every user callback in one: enforces one at a time, counts and traces it.
class CallbackScope {
 public:
  CallbackScope(Loop& loop, const Handle& handle) : CallbackScope(LoopState::of(loop), handle) {}
  CallbackScope(LoopState& loop, const Handle& handle)
      : CallbackScope(loop, handle.id(), handle.label(), handle.is_hidden()) {}
  // For requests and immediates.
  CallbackScope(Loop& loop, uint64_t id, const char* label)
      : CallbackScope(LoopState::of(loop), id, label, false) {}
  CallbackScope(LoopState& loop, uint64_t id, const char* label)
      : CallbackScope(loop, id, label, false) {}
  ~CallbackScope() {
    if (label_ != nullptr) [[unlikely]]
      loop_.trace.callback_ended(label_);
    loop_.is_in_callback = false;
  }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

 private:
  CallbackScope(LoopState& loop, uint64_t id, const char* label, bool is_hidden) : loop_(loop) {
    RONDO_ASSERT(!loop.is_in_callback);  // TURN-03
    loop.is_in_callback = true;
    ++loop.metrics.callbacks;
    if (loop.choice != nullptr) [[unlikely]]
      loop.note_callback(id, label);
    if (loop.trace.is_on() && !is_hidden) [[unlikely]] {
      label_ = label;
      loop.trace.callback_begins(id, label);
    }
  }

  LoopState& loop_;
  const char* label_ = nullptr;  // Null unless traced.
};

// The same around several callbacks in a row of a loop that is not traced; call count() before
// each.
class UntracedCallbacks {
 public:
  explicit UntracedCallbacks(LoopState& loop) : loop_(loop) {
    RONDO_ASSERT(!loop.is_in_callback);  // TURN-03
    RONDO_DEBUG_ASSERT(!loop.trace.is_on());
    loop.is_in_callback = true;
  }
  ~UntracedCallbacks() { loop_.is_in_callback = false; }
  UntracedCallbacks(const UntracedCallbacks&) = delete;
  UntracedCallbacks& operator=(const UntracedCallbacks&) = delete;
  void count() { ++loop_.metrics.callbacks; }

 private:
  LoopState& loop_;
};

}  // namespace rondo
