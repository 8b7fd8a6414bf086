#include "loop/async.h"

#include "loop/loop.h"

namespace rondo {

Async::Async(Loop& loop, OnWake on_wake) : Handle(loop, "async"), on_wake_(std::move(on_wake)) {
  bell_.owner = this;
  bell_.source = this;
  bell_.fn = [](Target& target, int32_t, uint32_t) { static_cast<Bell&>(target).owner->deliver(); };
  activate();
}

void Async::send() {
  // The letter is in the box from the first send to its delivery: posting it twice would tear the
  // box's list.
  // An exchange even where the bell was rung already. A plain look first would be cheaper, and lose
  // wake-ups: a processor may do the look before it has written out what the sender stored just
  // now, while the loop clears the bell and calls back without seeing it. Nobody would call again
  // (ASY-01). The exchange is what keeps the two in order.
  if (!is_rung_.exchange(true, std::memory_order_acq_rel)) loop().mailbox().post(bell_);
}

void Async::on_closing() {
  // A letter on its way still points at us: closing waits until it has come in. Senders must have
  // stopped by now, so claiming the bell keeps the box empty of it for good.
  if (is_rung_.exchange(true, std::memory_order_acq_rel)) begin_operation();
}

void Async::deliver() {
  if (is_closing()) {
    end_operation();
    return;
  }
  // Before the call: a send from now on means another callback. Read as well as written, so that
  // what a sender wrote who found the bell rung is visible to this one.
  is_rung_.exchange(false, std::memory_order_acq_rel);
  CallbackScope scope(loop(), *this);
  on_wake_(*this);
}

}  // namespace rondo
