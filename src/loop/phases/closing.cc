#include "loop/phases/closing.h"

#include "loop/internals.h"

namespace rondo {

void ClosingPhase::run() {
  if (queue_.is_empty()) return;
  auto turn = queue_.take();
  while (Handle* handle = turn.pop_front()) {
    RONDO_ASSERT(handle->state_ == Handle::State::closing);
    RONDO_ASSERT(handle->operations_ == 0);
    handle->on_closed();
    handle->state_ = Handle::State::closed;
    --loop_.closing_handles;
    const bool is_owned = handle->free_when_closed_;
    loop_.trace.closed(*handle);
    const std::unique_ptr<Handle::OnClose> on_close = std::move(handle->on_close_);
    if (on_close != nullptr) {
      CallbackScope scope(loop_, *handle);
      (*on_close)(*handle);
    }
    // Unless the callback dropped the owner: then close_then_free() has already freed it.
    if (is_owned) delete handle;
  }
}

}  // namespace rondo
