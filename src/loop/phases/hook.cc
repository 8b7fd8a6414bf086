#include "loop/phases/hook.h"

#include "loop/loop.h"

namespace rondo {

void Hook::start(OnTurn on_turn) {
  RONDO_ASSERT(!is_closing());
  on_turn_ = std::move(on_turn);
  if (link_.is_linked()) return;
  phase_.active_.push_back(*this);
  activate();
}

void Hook::stop() {
  if (!link_.is_linked()) return;
  link_.unlink();
  deactivate();
}

void HookPhase::run() {
  if (active_.is_empty()) return;
  // Detach first: a callback may start, stop or close any handle, itself included, and whatever it
  // adds must wait for the next turn. Iterating in place could starve the poll phase.
  auto turn = active_.take();
  while (Hook* hook = turn.pop_front()) {
    active_.push_back(*hook);  // Back in place before the call, so stop() inside it works.
    CallbackScope scope(loop_, *hook);
    hook->on_turn_.call_replaceable(*hook);
  }
}

}  // namespace rondo
