#include "loop/co/flag.h"

#include "loop/loop.h"

namespace rondo {

FlagWait::Hook::Hook(FlagWait& wait)
    : CancelHook([](CancelHook& self) {
        FlagWait& cancelled = static_cast<Hook&>(self).owner;
        cancelled.is_cancelled_ = true;
        cancelled.link_.unlink();
        cancelled.wake();
      }),
      owner(wait) {}

FlagWait::FlagWait(Flag& flag) : flag_(flag), hook_(*this), immediate_(flag.loop_) {}

bool FlagWait::suspend(std::coroutine_handle<> waiter, CancelToken token) {
  is_cancelled_ = !token.attach(hook_);
  if (is_cancelled_) return false;
  waiter_ = waiter;
  flag_.waiters_.push_back(*this);
  return true;
}

void FlagWait::wake() {
  immediate_.set([waiter = waiter_] { TaskDriver::run(waiter); });
}

Result<void> FlagWait::await_resume() const {
  return is_cancelled_ ? Result<void>(Error{ECANCELED, "wait"}) : Result<void>();
}

Flag::~Flag() {
  if (!waiters_.is_empty()) fatal("a Flag was destroyed while a task waits for it");
}

void Flag::set() {
  is_set_ = true;
  while (FlagWait* wait = waiters_.pop_front()) {
    wait->hook_.detach();  // Too late to cancel: the flag is set.
    wait->wake();
  }
}

}  // namespace rondo
