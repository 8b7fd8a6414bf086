// Native work that a function of lib defers until it has returned: calls of JavaScript from that
// work are not nested in the function, and each drains ticks. Used by functions that read a stream
// and pass the bytes on to a native parser.
// State of the realm. Thread: the loop's only.
#pragma once

#include <utility>

#include "base/callback.h"
#include "runtime/engine/realm.h"

namespace rondo::bindings {

class AfterRead {
 public:
  explicit AfterRead(runtime::Realm&) {}

  void set(Callback<void()> next) { next_ = std::move(next); }
  // Called by native code when the function of lib that reads has returned.
  void run() {
    if (!next_) return;
    Callback<void()> next = std::exchange(next_, {});
    next();
  }

 private:
  Callback<void()> next_;
};

}  // namespace rondo::bindings
