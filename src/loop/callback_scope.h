// Guards around calls into user callbacks, for code that implements handles and requests.
#pragma once

#include "loop/loop.h"

namespace rondo {

// Wrap every user callback in one: enforces one at a time, counts and traces it.
class CallbackScope {
 public:
  CallbackScope(Loop& loop, const Handle& handle)
      : CallbackScope(loop, handle.id(), handle.label()) {}
  CallbackScope(Loop& loop, uint64_t id, const char* label) : loop_(loop) {
    RONDO_ASSERT(!loop.is_in_callback_);  // TURN-03
    loop.is_in_callback_ = true;
    ++loop.metrics_.callbacks;
    if (loop.choice_ != nullptr) [[unlikely]]
      loop.note_callback(id, label);
    if (loop.trace_ != nullptr && !loop.trace_->hides(id)) [[unlikely]]
      begin(id, label);
  }
  ~CallbackScope() {
    if (label_ != nullptr) [[unlikely]]
      end();
    loop_.is_in_callback_ = false;
  }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

 private:
  void begin(uint64_t id, const char* label);
  void end();

  Loop& loop_;
  const char* label_ = nullptr;  // Null unless traced.
};

// The same around several callbacks in a row of a loop that is not traced; call count() before
// each.
class UntracedCallbacks {
 public:
  explicit UntracedCallbacks(Loop& loop) : loop_(loop) {
    RONDO_ASSERT(!loop.is_in_callback_);  // TURN-03
    RONDO_DEBUG_ASSERT(!loop.is_traced());
    loop.is_in_callback_ = true;
  }
  ~UntracedCallbacks() { loop_.is_in_callback_ = false; }
  UntracedCallbacks(const UntracedCallbacks&) = delete;
  UntracedCallbacks& operator=(const UntracedCallbacks&) = delete;
  void count() { ++loop_.metrics_.callbacks; }

 private:
  Loop& loop_;
};

}  // namespace rondo
