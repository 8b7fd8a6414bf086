// Datagrams for coroutines:
//
//   Result<size_t> sent = co_await socket.send(bytes("ping"), address);
//   Result<Datagram> answer = co_await socket.receive(buffer);
//
// Buffers must live until the await is over, which locals of the awaiting task do. One task may
// receive while others send. A cancelled task gets ECANCELED; so does one whose socket is closed.
// Phase: poll, or pending if the outcome was known at once. Thread: the loop's only.
#pragma once

#include <span>

#include "io/udp/udp.h"
#include "loop/co/request_awaiter.h"
#include "loop/loop.h"

namespace rondo {

// The data of the Datagram is the used part of the buffer. Cancelling loses no datagram.
class [[nodiscard]] UdpReceiveAwaiter : public RequestAwaiter {
 public:
  UdpReceiveAwaiter(Udp& socket, std::span<std::byte> buffer)
      : RequestAwaiter(request_), socket_(socket), buffer_(buffer), request_(socket.loop()) {}

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    return start(waiter, context_of(waiter).cancel);
  }
  Result<Datagram> await_resume() { return std::move(outcome_); }

 private:
  bool start(std::coroutine_handle<> waiter, CancelToken token);

  Udp& socket_;
  std::span<std::byte> buffer_;
  UdpReceive request_;
  Result<Datagram> outcome_ = Error{ECANCELED, "recvmsg"};
};

// Cancelled, it removes a datagram that is still queued.
class [[nodiscard]] UdpSendAwaiter : public RequestAwaiter {
 public:
  UdpSendAwaiter(Udp& socket, std::span<const std::byte> data, const SocketAddress* to)
      : RequestAwaiter(request_), socket_(socket), data_(data), to_(to), request_(socket.loop()) {}

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    return start(waiter, context_of(waiter).cancel);
  }
  Result<size_t> await_resume() { return std::move(outcome_); }

 private:
  bool start(std::coroutine_handle<> waiter, CancelToken token);

  Udp& socket_;
  std::span<const std::byte> data_;
  const SocketAddress* to_;
  UdpSend request_;
  Result<size_t> outcome_ = Error{ECANCELED, "sendmsg"};
};

inline UdpReceiveAwaiter Udp::receive(std::span<std::byte> buffer) {
  return UdpReceiveAwaiter(*this, buffer);
}
inline UdpSendAwaiter Udp::send(std::span<const std::byte> data) {
  return UdpSendAwaiter(*this, data, nullptr);
}
inline UdpSendAwaiter Udp::send(std::span<const std::byte> data, const SocketAddress& to) {
  return UdpSendAwaiter(*this, data, &to);
}

}  // namespace rondo
