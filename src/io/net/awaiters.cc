#include "io/net/awaiters.h"

namespace rondo {

bool ReadAwaiter::start(std::coroutine_handle<> waiter, CancelToken token) {
  if (stream_.is_closing() || !begin(waiter, token)) return false;
  stream_.read(request_, buffer_, [this](Read&, Result<size_t> outcome) {
    outcome_ = std::move(outcome);
    resume();
  });
  return true;
}

bool WriteAwaiter::start(std::coroutine_handle<> waiter, CancelToken token) {
  if (stream_.is_closing() || !begin(waiter, token)) return false;
  stream_.write(request_, data_, [this](Write&, Result<void> outcome) {
    outcome_ = outcome;
    resume();
  });
  return true;
}

bool ConnectAwaiter::start(std::coroutine_handle<> waiter, CancelToken token) {
  if (socket_.is_closing() || !token.attach(hook_)) return false;
  waiter_ = waiter;
  socket_.connect(address_, [this](Socket&, Result<void> outcome) {
    outcome_ = outcome;
    hook_.detach();
    TaskDriver::run(waiter_);
  });
  return true;
}

bool AcceptFdAwaiter::start(std::coroutine_handle<> waiter, CancelToken token) {
  if (listener_.is_closing() || !begin(waiter, token)) return false;
  listener_.accept(request_, [this](Accept&, Result<Fd> outcome) {
    outcome_ = std::move(outcome);
    resume();
  });
  return true;
}

}  // namespace rondo
