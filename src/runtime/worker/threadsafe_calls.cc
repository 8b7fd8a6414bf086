#include "runtime/worker/threadsafe_calls.h"

#include <utility>

#include "loop/internals.h"

namespace rondo::runtime {

ThreadsafeCalls::ThreadsafeCalls(Loop& loop, Callback<void()> after_all)
    : loop_(loop),
      after_all_(std::move(after_all)),
      async_(loop.make<Async>([this](Async&) { run_all(); })) {
  async_->unref();
  async_->set_kind(HandleKind::thread);
}

void ThreadsafeCalls::post(Call& call) {
  const std::lock_guard lock(mutex_);
  if (async_ == nullptr) return;
  calls_.push_back(&call);
  has_calls_.store(true, std::memory_order_release);
  async_->send();
}

void ThreadsafeCalls::expect_one_more() {
  if (expected_++ == 0) loop_.internals().check().set_prologue([this] { run_in_check(); });
}

void ThreadsafeCalls::expect_one_less() {
  if (--expected_ == 0) loop_.internals().check().set_prologue(nullptr);
}

void ThreadsafeCalls::run_in_check() {
  if (!has_calls_.load(std::memory_order_acquire) || async_ == nullptr) return;
  const CallbackScope scope(loop_, *async_);
  run_all();
}

void ThreadsafeCalls::close() {
  const std::lock_guard lock(mutex_);
  calls_.clear();
  async_.reset();
}

void ThreadsafeCalls::run_all() {
  std::vector<Call*> calls;
  {
    const std::lock_guard lock(mutex_);
    calls.swap(calls_);
    has_calls_.store(false, std::memory_order_relaxed);
  }
  for (Call* call : calls) call->run(*call);
  if (after_all_) after_all_();
}

}  // namespace rondo::runtime
