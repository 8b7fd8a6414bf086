// Base of the awaiters of requests: keeps the waiting coroutine and cancels the request when the
// task is cancelled. To await a request type of your own, see Awaited below.
// Thread: the loop's only.
#pragma once

#include <utility>

#include "base/co/task_context.h"
#include "base/co/task_driver.h"
#include "loop/request.h"

namespace rondo {

class RequestAwaiter {
 public:
  bool await_ready() const noexcept { return false; }

 protected:
  using Cancel = Result<void> (*)(Request& request);

  explicit RequestAwaiter(Request& request, Cancel cancel = cancel_request)
      : hook_(request, cancel) {}

  // Call it in await_suspend(), before the request is submitted. False: the task has been cancelled
  // already, so there is nothing to wait for.
  bool begin(std::coroutine_handle<> waiter, CancelToken token) {
    waiter_ = waiter;
    return token.attach(hook_);
  }
  // Call it last in the request's callback: the awaiter is destroyed when this returns.
  void resume() {
    hook_.detach();
    TaskDriver::run(waiter_);
  }

 private:
  struct Hook final : CancelHook {
    Hook(Request& to_cancel, Cancel how)
        : CancelHook([](CancelHook& self) {
            // EBUSY: too late to cancel; the callback runs with the result.
            (void)static_cast<Hook&>(self).cancel(static_cast<Hook&>(self).request);
          }),
          request(to_cancel),
          cancel(how) {}
    Request& request;
    Cancel cancel;
  };
  static Result<void> cancel_request(Request& request) { return request.cancel(); }

  Hook hook_;
  std::coroutine_handle<> waiter_;
};

// Awaits any request R that is submitted by `start(request, on_done)`, calls `on_done(request)`,
// and has a take_result(): FsRequest, GetAddrInfo, ...
template <class R, class Start>
class [[nodiscard]] Awaited : public RequestAwaiter {
 public:
  using Outcome = decltype(std::declval<R&>().take_result());

  // Without `is_cancellable` it also runs in a cancelled task: for clean-up that must always
  // happen.
  Awaited(Loop& loop, Start start, bool is_cancellable = true)
      : RequestAwaiter(request_),
        request_(loop),
        start_(std::move(start)),
        is_cancellable_(is_cancellable) {}

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    was_cancelled_ = !begin(waiter, is_cancellable_ ? context_of(waiter).cancel : CancelToken());
    if (was_cancelled_) return false;
    start_(request_, [this](R&) { resume(); });
    return true;
  }
  Outcome await_resume() {
    return was_cancelled_ ? Outcome(Error{ECANCELED, request_.label()}) : request_.take_result();
  }

 private:
  R request_;
  Start start_;
  bool is_cancellable_;
  bool was_cancelled_ = false;
};

// co_await awaited<GetAddrInfo>(loop, [&](GetAddrInfo& request, auto on_done) {
//   request.submit(host, service, {}, on_done);
// });
template <class R, class Start>
Awaited<R, Start> awaited(Loop& loop, Start start) {
  return Awaited<R, Start>(loop, std::move(start));
}

}  // namespace rondo
