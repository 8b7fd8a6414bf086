#include "io/udp/awaiters.h"

namespace rondo {

bool UdpReceiveAwaiter::start(std::coroutine_handle<> waiter, CancelToken token) {
  if (socket_.is_closing() || !begin(waiter, token)) return false;
  socket_.receive(request_, buffer_, [this](UdpReceive&, Result<Datagram> outcome) {
    outcome_ = std::move(outcome);
    resume();
  });
  return true;
}

bool UdpSendAwaiter::start(std::coroutine_handle<> waiter, CancelToken token) {
  if (socket_.is_closing() || !begin(waiter, token)) return false;
  socket_.send(request_, data_, to_, [this](UdpSend&, Result<size_t> outcome) {
    outcome_ = std::move(outcome);
    resume();
  });
  return true;
}

}  // namespace rondo
