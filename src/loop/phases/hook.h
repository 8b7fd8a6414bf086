// Idle, prepare and check handles differ only in the phase that calls them: every turn, in start
// order, while they are active.
#pragma once

#include "loop/handle.h"

namespace rondo {

class HookPhase;
struct LoopState;

class Hook : public Handle {
 public:
  using OnTurn = Callback<void(Hook&)>;

  ~Hook() override { stop(); }
  // Starting a running hook only replaces its function.
  void start(OnTurn on_turn);
  // The same, but a hook that was not running becomes the first of its phase, as in libuv.
  void start_first(OnTurn on_turn);
  void stop();  // Idempotent, and safe inside the callback.

 protected:
  Hook(Loop& loop, HandleKind kind, HookPhase& phase) : Handle(loop, kind), phase_(phase) {}

 private:
  friend class HookPhase;
  void on_closing() override { stop(); }

  HookPhase& phase_;
  ListLink link_;  // Linked exactly while the hook is active.
  OnTurn on_turn_;
};

class HookPhase {
 public:
  explicit HookPhase(LoopState& loop) : loop_(loop) {}

  void run();
  bool is_empty() const { return active_.is_empty(); }

 private:
  friend class Hook;
  void leave(Hook& hook);
  Hook* take_next();

  LoopState& loop_;
  List<Hook, &Hook::link_> active_;
  // While running: the hook to call next, and the last one of this turn. Stopping a hook moves
  // these along, so any hook may be stopped or freed at any time; hooks started meanwhile come
  // after last_.
  Hook* next_ = nullptr;
  Hook* last_ = nullptr;
};

}  // namespace rondo
