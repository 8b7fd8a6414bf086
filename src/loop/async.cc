#include "loop/async.h"

#include "loop/internals.h"

namespace rondo {

Async::Async(Loop& loop, OnWake on_wake)
    : Handle(loop, HandleKind::async), on_wake_(std::move(on_wake)) {
  LoopState::of(loop).poll.add_async(*this);
  activate();
}

void Async::send() {
  LoopState& state = LoopState::of(loop());
  if (state.choice != nullptr) [[unlikely]]
    is_from_outside_.store(!state.poll.is_loop_thread(), std::memory_order_relaxed);
  // An exchange even if the flag is set already. A plain load first would be cheaper but lose
  // wake-ups: a processor may do the load before the sender's own stores are visible, while the
  // loop clears the flag and calls back without seeing them, and no further callback would follow
  // (ASY-01).
  if (is_pending_.exchange(true, std::memory_order_acq_rel)) return;
  state.poll.note_async_pending();
  state.mailbox.notify();
}

void Async::on_closing() {
  order_.unlink();
  if (is_pending_.exchange(true, std::memory_order_acq_rel))
    LoopState::of(loop()).poll.note_async_delivered();
}

void Async::deliver() {
  // Before the call: a send from now on means another callback. An exchange, so that stores of a
  // sender that found the flag set are visible to this callback.
  is_pending_.exchange(false, std::memory_order_acq_rel);
  LoopState::of(loop()).poll.note_async_delivered();
  CallbackScope scope(loop(), *this);
  on_wake_(*this);
}

}  // namespace rondo
