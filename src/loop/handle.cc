#include "loop/handle.h"

#include "loop/internals.h"

namespace rondo {

Handle::Handle(Loop& loop, HandleKind kind, const char* label)
    : loop_(loop), label_(label), kind_(kind) {
  LoopState& state = LoopState::of(loop);
  state.handles.push_back(*this);
  id_ = state.next_id();
  state.trace.opened(*this);
  creation_site_ = state.creation_site();
}

Handle::~Handle() {
  if (state_ == State::active || state_ == State::closing) {
    fatal("a handle was destroyed before it was closed; use Owned<T>, or close() and wait");
  }
  if (link_.is_linked()) link_.unlink();
}

void Handle::ref() {
  if (has_ref_) return;
  has_ref_ = true;
  if (is_active()) ++LoopState::of(loop_).active_handles;
}

void Handle::unref() {
  if (!has_ref_) return;
  has_ref_ = false;
  if (is_active()) --LoopState::of(loop_).active_handles;
}

void Handle::close(OnClose on_close) {
  RONDO_ASSERT(!is_closing());  // Closing twice is a bug in the caller.
  if (on_close) on_close_ = std::make_unique<OnClose>(std::move(on_close));
  on_closing();
  deactivate();
  state_ = State::closing;
  ++LoopState::of(loop_).closing_handles;
  if (operations_ == 0) queue_close();
}

void Handle::close_then_free() noexcept {
  free_when_closed_ = true;
  if (state_ == State::closed) {
    delete this;
  } else if (state_ != State::closing) {
    close();
  }
}

void Handle::end_operation() {
  RONDO_ASSERT(operations_ > 0);
  if (--operations_ == 0 && state_ == State::closing) queue_close();
}

void Handle::queue_close() {
  link_.unlink();
  LoopState::of(loop_).closing.add(*this);
}

}  // namespace rondo
