// Streams and servers for coroutines:
//
//   Result<Owned<TcpSocket>> client = co_await server.accept();
//   Result<void> connected = co_await socket.connect(address);
//   Result<size_t> size = co_await socket.read(buffer);           // 0: the end
//   Result<void> sent = co_await socket.write(bytes("hello\n"));  // all of it
//
// Buffers must live until the await is over, which locals of the awaiting task do. One task may
// read while another writes. A cancelled task gets ECANCELED; so does one whose stream is closed.
// Phase: poll, or pending if the outcome was known at once. Thread: the loop's only.
#pragma once

#include <span>
#include <string_view>

#include "io/net/pipe.h"
#include "io/net/tcp.h"
#include "loop/co/request_awaiter.h"
#include "loop/loop.h"

namespace rondo {

// The bytes of a text.
inline std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// Cancelling loses no data: bytes that have arrived by then are given, later ones are for the next
// read.
class [[nodiscard]] ReadAwaiter : public RequestAwaiter {
 public:
  ReadAwaiter(Stream& stream, std::span<std::byte> buffer)
      : RequestAwaiter(request_), stream_(stream), buffer_(buffer), request_(stream.loop()) {}

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    return start(waiter, context_of(waiter).cancel);
  }
  Result<size_t> await_resume() { return std::move(outcome_); }

 private:
  bool start(std::coroutine_handle<> waiter, CancelToken token);

  Stream& stream_;
  std::span<std::byte> buffer_;
  Read request_;
  Result<size_t> outcome_ = Error{ECANCELED, "read"};
};

// Cancelled after part of it was sent, it leaves a stream that cannot be written to any more
// (EPIPE).
class [[nodiscard]] WriteAwaiter : public RequestAwaiter {
 public:
  WriteAwaiter(Stream& stream, std::span<const std::byte> data)
      : RequestAwaiter(request_, give_up), stream_(stream), data_(data), request_(stream.loop()) {}

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    return start(waiter, context_of(waiter).cancel);
  }
  Result<void> await_resume() const { return outcome_; }

 private:
  static Result<void> give_up(Request& request) { return static_cast<Write&>(request).give_up(); }
  bool start(std::coroutine_handle<> waiter, CancelToken token);

  Stream& stream_;
  std::span<const std::byte> data_;
  Write request_;
  Result<void> outcome_ = Error{ECANCELED, "write"};
};

// After an error, including ECANCELED, the socket may try again.
class [[nodiscard]] ConnectAwaiter {
 public:
  ConnectAwaiter(Socket& socket, const SocketAddress& address)
      : socket_(socket), address_(address), hook_(socket) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    return start(waiter, context_of(waiter).cancel);
  }
  Result<void> await_resume() const { return outcome_; }

 private:
  struct Hook final : CancelHook {
    explicit Hook(Socket& to_cancel)
        : CancelHook(
              [](CancelHook& self) { (void)static_cast<Hook&>(self).socket.cancel_connect(); }),
          socket(to_cancel) {}
    Socket& socket;
  };
  bool start(std::coroutine_handle<> waiter, CancelToken token);

  Socket& socket_;
  const SocketAddress& address_;
  Hook hook_;
  std::coroutine_handle<> waiter_;
  Result<void> outcome_ = Error{ECANCELED, "connect"};
};

// Cancelling leaves the next connection to the next accept.
class [[nodiscard]] AcceptFdAwaiter : public RequestAwaiter {
 public:
  explicit AcceptFdAwaiter(Listener& listener)
      : RequestAwaiter(request_), listener_(listener), request_(listener.loop()) {}

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiter) {
    return start(waiter, context_of(waiter).cancel);
  }
  Result<Fd> await_resume() { return std::move(outcome_); }

 protected:
  Listener& listener_;

 private:
  bool start(std::coroutine_handle<> waiter, CancelToken token);

  Accept request_;
  Result<Fd> outcome_ = Error{ECANCELED, "accept"};
};

// Gives the connection as a socket.
template <class S>
class [[nodiscard]] AcceptAwaiter : public AcceptFdAwaiter {
 public:
  using AcceptFdAwaiter::AcceptFdAwaiter;

  Result<Owned<S>> await_resume() {
    Result<Fd> connection = AcceptFdAwaiter::await_resume();
    if (!connection) return connection.error();
    Owned<S> socket = listener_.loop().template make<S>();
    if (Result<void> opened = socket->open(std::move(*connection)); !opened) return opened.error();
    return socket;
  }
};

inline ReadAwaiter Stream::read(std::span<std::byte> buffer) { return ReadAwaiter(*this, buffer); }
inline WriteAwaiter Stream::write(std::span<const std::byte> data) {
  return WriteAwaiter(*this, data);
}
inline AcceptAwaiter<TcpSocket> TcpServer::accept() { return AcceptAwaiter<TcpSocket>(*this); }
inline AcceptAwaiter<PipeSocket> PipeServer::accept() { return AcceptAwaiter<PipeSocket>(*this); }
inline ConnectAwaiter Socket::connect(const SocketAddress& address) {
  return ConnectAwaiter(*this, address);
}

}  // namespace rondo
