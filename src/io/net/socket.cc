#include "io/net/socket.h"

#include <sys/socket.h>

#include <string_view>

#include "base/sys.h"
#include "io/net/local_connections.h"
#include "loop/internals.h"

namespace rondo {

// One attempt to connect. It keeps the loop alive.
class Socket::Connecting final : public Request, private rondo::Deferred {
 public:
  Connecting(Socket& socket, OnConnect on_connect)
      : Request(socket.loop(), "connect"),
        rondo::Deferred([](rondo::Deferred& self) {
          auto& attempt = static_cast<Connecting&>(self);
          attempt.socket_.connected(attempt.failure_);
        }),
        socket_(socket),
        on_connect_(std::move(on_connect)) {
    begin();
  }

  // The outcome is known; it is reported in pending, like a connection that was refused later
  // (PEN-04).
  void fail_later(Error error) {
    failure_ = error;
    internals().defer(*this);
  }
  bool has_failed() const { return is_queued(); }
  void abandon() { rondo::Deferred::cancel(); }
  void end_unreported() { end(); }

  void call(Result<void> outcome) {
    end();
    CallbackScope scope(loop(), id(), label());
    if (on_connect_) on_connect_(socket_, outcome);
  }
  Result<void> cancel() override { return socket_.cancel_connect(); }

  bool is_outside = false;  // The peer is another process or machine.
  bool is_unix = false;

 private:
  Socket& socket_;
  OnConnect on_connect_;
  Error failure_{};
};

Socket::Socket(Loop& loop, HandleKind kind) : Stream(loop, kind) {}
Socket::~Socket() = default;

void Socket::connect(const SocketAddress& address, OnConnect on_connect) {
  Result<void> started = begin_connect(nullptr, Fd(), address, on_connect);
  if (!started) connecting_->fail_later(started.error());
}

Result<void> Socket::try_connect(const SocketAddress& address, OnConnect on_connect,
                                 const SocketAddress* local, Fd bound) {
  Result<void> started = begin_connect(local, std::move(bound), address, on_connect);
  if (started) return {};
  const bool is_of_connect = std::string_view(started.error().syscall) == "connect";
  const bool is_for_callback =
      address.is_unix() || (is_of_connect && started.error().code == ECONNREFUSED);
  if (is_for_callback) {
    connecting_->fail_later(started.error());
    return {};
  }
  if (started.error().code != EISCONN) hold_writes(false);
  connecting_->end_unreported();
  connecting_.reset();
  return started;
}

// Calls connect(2). Creates the attempt even if that fails; it takes `on_connect`.
Result<void> Socket::begin_connect(const SocketAddress* local, Fd bound,
                                   const SocketAddress& address, OnConnect& on_connect) {
  RONDO_ASSERT(!is_closing());
  if (connecting_ != nullptr) fatal("connect() was called while another one is in progress");
  connecting_ = std::make_unique<Connecting>(*this, std::move(on_connect));
  if (is_open()) return Error{EISCONN, "connect"};
  hold_writes(true);
  if (internals().tracks_local_connections()) {
    connecting_->is_outside = !internals().service<LocalConnections>().leads_inside(address);
    connecting_->is_unix = address.is_unix();
  }
  Fd fd = std::move(bound);
  if (!fd) fd = Fd(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return Error::last("connect");
  if (local != nullptr) {
    const int on = 1;
    if (::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) {
      return Error::last("bind");
    }
    if (::bind(fd.get(), local->data(), local->size()) < 0) return Error::last("bind");
  }
  if (Result<void> configured = configure(fd.get()); !configured) return configured;
  if (sys::connect(fd.get(), address.data(), address.size()) < 0 && errno != EINPROGRESS &&
      errno != EINTR) {
    return Error::last("connect");
  }
  // Even a connection that is established at once is reported by poll.
  return attach_connecting(std::move(fd));
}

Result<void> Socket::cancel_connect() {
  if (connecting_ == nullptr) return Error{EINVAL, "cancel"};
  if (connecting_->has_failed()) return Error{EBUSY, "cancel"};
  drop_connection();
  connecting_->fail_later(Error{ECANCELED, "connect"});
  return {};
}

void Socket::connect_ready(int code) {
  socklen_t size = sizeof code;
  if (code == 0 && ::getsockopt(fd(), SOL_SOCKET, SO_ERROR, &code, &size) < 0) code = errno;
  if (code == EINPROGRESS) return;  // Spurious.
  connected(code == 0 ? Result<void>() : Result<void>(Error{code, "connect"}));
}

void Socket::connected(Result<void> outcome) {
  std::unique_ptr<Connecting> attempt = std::move(connecting_);
  if (outcome) {
    connect_succeeded();
    if (internals().tracks_local_connections())
      internals().service<LocalConnections>().add_socket(*this);
  } else if (holds_writes()) {  // Not if the socket was connected before.
    connect_failed();
  }
  attempt->call(outcome);
  if (!outcome) report_cancelled_writes();
}

Result<void> Socket::open(Fd fd) {
  if (!fd) return Error{EBADF, "open"};
  if (is_open() || is_connecting()) return Error{EISCONN, "open"};
  if (is_closing()) return Error{EINVAL, "open"};
  if (Result<void> configured = configure(fd.get()); !configured) return configured;
  attach(std::move(fd), Channel::socket);
  if (internals().tracks_local_connections())
    internals().service<LocalConnections>().add_socket(*this);
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
  if (connecting_ != nullptr) return connecting_->is_outside ? Awaits::outside : Awaits::inside;
  return internals().service<LocalConnections>().socket_awaits(*this, Stream::awaits());
}

bool Socket::is_instant() const {
  if (connecting_ != nullptr) return connecting_->is_unix && !connecting_->is_outside;
  return internals().service<LocalConnections>().is_instant(*this);
}

void Socket::on_closing() {
  if (connecting_ != nullptr) connecting_->abandon();
  if (internals().tracks_local_connections())
    internals().service<LocalConnections>().remove_socket(*this);
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
