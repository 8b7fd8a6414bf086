#include "loop/phases/hook.h"

#include "loop/internals.h"

namespace rondo {

void Hook::start(OnTurn on_turn) {
  RONDO_ASSERT(!is_closing());
  on_turn_ = std::move(on_turn);
  if (link_.is_linked()) return;
  phase_.active_.push_back(*this);
  activate();
}

void Hook::start_first(OnTurn on_turn) {
  RONDO_ASSERT(!is_closing());
  on_turn_ = std::move(on_turn);
  if (link_.is_linked()) return;
  phase_.active_.push_front(*this);
  activate();
}

void Hook::stop() {
  if (!link_.is_linked()) return;
  phase_.leave(*this);
  link_.unlink();
  deactivate();
}

void HookPhase::leave(Hook& hook) {
  if (next_ == nullptr) return;
  const bool was_last = last_ == &hook;
  if (next_ == &hook) next_ = was_last ? nullptr : active_.after(hook);
  if (was_last) last_ = active_.before(hook);
}

Hook* HookPhase::take_next() {
  Hook* hook = next_;
  if (hook != nullptr) next_ = hook == last_ ? nullptr : active_.after(*hook);
  return hook;
}

void HookPhase::run() {
  if (active_.is_empty()) return;
  next_ = active_.front();
  last_ = active_.back();
  if (loop_.trace.is_on()) {
    while (Hook* hook = take_next()) {
      CallbackScope scope(loop_, *hook);
      hook->on_turn_.call_replaceable(*hook);
    }
    return;
  }
  UntracedCallbacks calls(loop_);
  while (Hook* hook = take_next()) {
    calls.count();
    hook->on_turn_.call_replaceable(*hook);
  }
}

}  // namespace rondo
