#include "io/socket.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/sys.h"
#include "io/wires.h"
#include "loop/loop.h"

namespace rondo {

// One attempt to connect. It holds the loop alive, and the descriptor until the stream takes it.
class Socket::Connecting final : public Request {
 public:
  Connecting(Socket& socket, const SocketAddress& address, OnConnect on_connect)
      : Request(socket.loop(), "connect"),
        socket_(socket),
        address_(address),
        on_connect_(std::move(on_connect)),
        at_once_([](rondo::Deferred& deferred) {
          static_cast<AtOnce&>(deferred).owner->finished(static_cast<AtOnce&>(deferred).outcome);
        }) {
    at_once_.owner = this;
    watch_.owner = this;
    watch_.source = &socket;
    watch_.fn = [](Target& target, int32_t, uint32_t) {
      static_cast<Readiness&>(target).owner->writable();
    };
    operation_.owner = this;
    operation_.source = &socket;
    operation_.is_request = true;
    operation_.fn = [](Target& target, int32_t result, uint32_t) {
      static_cast<Operation&>(target).owner->completed(result);
    };
  }

  bool is_outside() const { return operation_.is_outside; }

  void start(Fd fd) {
    begin();
    fd_ = std::move(fd);
    if (loop().knows_its_wires()) {
      operation_.is_outside = !loop().services().get<Wires>(loop()).leads_inside(address_);
    }
    if (socket_.uses_operations()) {
      OpArgs args;
      args.opcode = IORING_OP_CONNECT;
      args.fd = fd_.get();
      args.addr = reinterpret_cast<uint64_t>(address_.data());
      args.off = address_.size();
      is_in_kernel_ = true;
      loop().operation_submitted(operation_, id(), label());
      loop().poller().submit(operation_, args);
      return;
    }
    if (sys::connect(fd_.get(), address_.data(), address_.size()) == 0) {
      defer({});
    } else if (errno == EINPROGRESS || errno == EINTR) {
      watch_.fd = fd_.get();
      if (Result<void> watched = loop().poller().watch(watch_, EPOLLOUT); !watched) defer(watched);
    } else {
      // The kernel knows at once that a port on this machine is closed; the caller learns it in
      // the pending phase, as if it had taken its time (PEN-01, PEN-04).
      defer(Error::last("connect"));
    }
  }

  // The outcome is known already; only the telling waits.
  void fail(Error error) {
    begin();
    defer(error);
  }

  // The socket is being closed. True if the kernel must give the attempt back first.
  bool abandon() {
    at_once_.cancel();
    if (is_in_kernel_) {
      is_abandoned_ = true;
      loop().poller().cancel(operation_);
      return true;
    }
    loop().unwatch(watch_);
    return false;
  }

  void call(Result<void> outcome) {
    end();
    CallbackScope scope(loop(), id(), label());
    if (on_connect_) on_connect_(socket_, outcome);
  }

  Fd take_fd() { return std::move(fd_); }
  Result<void> cancel() override {
    if (at_once_.is_queued()) return Error{EBUSY, "cancel"};
    if (is_in_kernel_) {
      loop().poller().cancel(operation_);
    } else {
      loop().unwatch(watch_);
      defer(Error{ECANCELED, "connect"});
    }
    return {};
  }

 private:
  struct AtOnce final : rondo::Deferred {
    using rondo::Deferred::Deferred;
    Connecting* owner;
    Result<void> outcome;
  };
  struct Readiness final : Watch {
    Connecting* owner;
  };
  struct Operation final : Op {
    Connecting* owner;
  };

  void defer(Result<void> outcome) {
    at_once_.outcome = outcome;
    loop().pending().defer(at_once_);
  }

  void writable() {
    int code = 0;
    socklen_t size = sizeof code;
    if (::getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &code, &size) < 0) code = errno;
    if (code == EINPROGRESS) return;  // Spurious.
    loop().unwatch(watch_);
    finished(code == 0 ? Result<void>() : Result<void>(Error{code, "connect"}));
  }

  void completed(int32_t result) {
    is_in_kernel_ = false;
    if (is_abandoned_) {
      socket_.end_operation();
      return;
    }
    finished(result >= 0 ? Result<void>() : Result<void>(Error{-result, "connect"}));
  }

  void finished(Result<void> outcome) { socket_.connected(outcome); }

  Socket& socket_;
  SocketAddress address_;  // The kernel reads it when it gets to the operation.
  OnConnect on_connect_;
  Fd fd_;
  AtOnce at_once_;
  Readiness watch_;
  Operation operation_;
  bool is_in_kernel_ = false;  // From submitting to its event, which may wait in a batch.
  bool is_abandoned_ = false;
};

Socket::Socket(Loop& loop, const char* label) : Stream(loop, label) {}
Socket::~Socket() = default;

void Socket::connect(const SocketAddress& address, OnConnect on_connect) {
  const int mode = uses_operations() ? SOCK_CLOEXEC : SOCK_CLOEXEC | SOCK_NONBLOCK;
  Fd fd;
  if (!is_open()) fd = Fd(::socket(address.family(), SOCK_STREAM | mode, 0));
  connect_by(std::move(fd), address, std::move(on_connect));
}

Result<void> Socket::connect_from(const SocketAddress& local, const SocketAddress& address,
                                  OnConnect on_connect) {
  const int mode = uses_operations() ? SOCK_CLOEXEC : SOCK_CLOEXEC | SOCK_NONBLOCK;
  Fd fd(::socket(address.family(), SOCK_STREAM | mode, 0));
  if (!fd) return Error::last("socket");
  const int on = 1;
  if (::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) {
    return Error::last("setsockopt");
  }
  if (::bind(fd.get(), local.data(), local.size()) < 0) return Error::last("bind");
  connect_by(std::move(fd), address, std::move(on_connect));
  return {};
}

// An empty `fd` is one that could not be made: errno still says why.
void Socket::connect_by(Fd fd, const SocketAddress& address, OnConnect on_connect) {
  const int code = errno;
  RONDO_ASSERT(!is_closing());
  if (connecting_ != nullptr) fatal("connect() was called while a connection is being made");
  connecting_ = std::make_unique<Connecting>(*this, address, std::move(on_connect));
  if (is_open()) {
    connecting_->fail(Error{EISCONN, "connect"});
    return;
  }
  hold_writes();
  if (!fd) {
    connecting_->fail(Error{code, "socket"});
    return;
  }
  if (Result<void> configured = configure(fd.get()); !configured) {
    connecting_->fail(configured.error());
    return;
  }
  connecting_->start(std::move(fd));
}

Result<void> Socket::cancel_connect() {
  return connecting_ != nullptr ? connecting_->cancel() : Error{EINVAL, "cancel"};
}

void Socket::connected(Result<void> outcome) {
  std::unique_ptr<Connecting> attempt = std::move(connecting_);
  if (!is_open()) {
    if (outcome) {
      attach(attempt->take_fd(), Channel::socket);
      if (loop().knows_its_wires()) loop().services().get<Wires>(loop()).add(*this);
    } else {
      fail_writes(outcome.error());
    }
  }
  attempt->call(outcome);
}

Result<void> Socket::open(Fd fd) {
  if (!fd) return Error{EBADF, "open"};
  if (is_open() || is_connecting()) return Error{EISCONN, "open"};
  if (is_closing()) return Error{EINVAL, "open"};
  // Operations want a blocking descriptor, readiness does not care: all calls say MSG_DONTWAIT.
  if (uses_operations()) {
    const int flags = ::fcntl(fd.get(), F_GETFL);
    if (flags < 0) return Error::last("fcntl");
    if ((flags & O_NONBLOCK) != 0 && ::fcntl(fd.get(), F_SETFL, flags & ~O_NONBLOCK) < 0) {
      return Error::last("fcntl");
    }
  }
  if (Result<void> configured = configure(fd.get()); !configured) return configured;
  attach(std::move(fd), Channel::socket);
  if (loop().knows_its_wires()) loop().services().get<Wires>(loop()).add(*this);
  return {};
}

Result<void> Socket::close_reset(OnClose on_close) {
  if (is_closing()) return Error{EINVAL, "close"};
  const linger reset{1, 0};
  if (is_open() && ::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset) < 0) {
    return Error::last("setsockopt");
  }
  close(std::move(on_close));
  return {};
}

Awaits Socket::awaits() const {
  if (connecting_ != nullptr) return connecting_->is_outside() ? Awaits::outside : Awaits::inside;
  return loop().services().get<Wires>(loop()).awaits(*this, Stream::awaits());
}

void Socket::on_closing() {
  if (connecting_ != nullptr && connecting_->abandon()) begin_operation();
  if (loop().knows_its_wires()) loop().services().get<Wires>(loop()).remove(*this);
  Stream::on_closing();
}

void Socket::on_closed() {
  if (connecting_ != nullptr) {
    std::unique_ptr<Connecting> attempt = std::move(connecting_);
    attempt->call(Error{ECANCELED, "connect"});
  }
  Stream::on_closed();
}

}  // namespace rondo
