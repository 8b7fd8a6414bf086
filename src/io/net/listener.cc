#include "io/net/listener.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/sys.h"
#include "io/net/descriptor_reserve.h"
#include "io/net/local_connections.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// Descriptors become free when other code closes them, without notice to us.
constexpr Nanos kFirstRetry = Millis{5};
constexpr Nanos kLongestRetry = Millis{250};

bool is_out_of_room(int code) {
  return code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM;
}

// The connection was lost before it was accepted: not worth reporting.
bool is_lost_connection(int code) {
  return code == ECONNABORTED || code == EPROTO || code == ENETDOWN || code == ENETUNREACH ||
         code == EHOSTDOWN || code == EHOSTUNREACH || code == ENONET || code == EPERM;
}

}  // namespace

Listener::Listener(Loop& loop, HandleKind kind)
    : Handle(loop, kind),
      at_once_([](Deferred& deferred) { static_cast<AtOnce&>(deferred).owner->call_accept(); }) {
  at_once_.owner = this;
  watch_.owner = this;
  watch_.source = this;
  watch_.is_socket = true;
  watch_.fn = [](Target& target, int32_t result, uint32_t) {
    Listener& listener = *static_cast<Readiness&>(target).owner;
    if (result < 0) return listener.back_off();  // The kernel has no memory for the watch.
    listener.readable();
  };
}

Listener::~Listener() {
  if (fd_ && !is_closing()) fatal("a server was destroyed before it was closed");
}

Result<void> Listener::bind_socket(Fd fd, const SocketAddress& address) {
  if (fd_) return Error{EINVAL, "bind"};
  if (is_closing()) return Error{EINVAL, "bind"};
  if (!fd) return Error::last("socket");
  if (::bind(fd.get(), address.data(), address.size()) < 0) return Error::last("bind");
  fd_ = std::move(fd);
  watch_.fd = fd_.get();
  return {};
}

Result<void> Listener::open(int fd) {
  if (fd_ || is_closing()) return Error{EINVAL, "open"};
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0) {
    return Error{errno == ENOTSOCK ? EINVAL : errno, "open"};
  }
  if (type != SOCK_STREAM) return Error{EINVAL, "open"};
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return Error::last("fcntl");
  fd_ = Fd(fd);
  watch_.fd = fd;
  return {};
}

Fd Listener::release() {
  RONDO_ASSERT(pull_ == nullptr);
  stop();
  return std::move(fd_);
}

Result<void> Listener::start(int backlog) {
  if (!fd_ || is_closing()) return Error{EINVAL, "listen"};
  if (::listen(fd_.get(), backlog) < 0) return Error::last("listen");
  is_listening_ = true;
  reserve_ = &internals().service<DescriptorReserve>();
  reserve_->refill();
  if (internals().tracks_local_connections())
    internals().service<LocalConnections>().add_listener(*this);
  return {};
}

Result<void> Listener::listen(OnConnection on_connection, int backlog) {
  if (Result<void> started = start(backlog); !started) return started;
  on_connection_ = std::move(on_connection);
  is_on_demand_ = false;
  is_paused_ = false;
  activate();
  arm();
  return {};
}

Result<void> Listener::listen(int backlog) {
  if (Result<void> started = start(backlog); !started) return started;
  is_on_demand_ = true;
  is_paused_ = true;  // Until the first accept().
  return {};
}

void Listener::pause() {
  if (is_paused_) return;
  is_paused_ = true;
  disarm();
}

void Listener::resume() {
  if (!is_paused_) return;
  is_paused_ = false;
  arm();
}

void Listener::accept(Accept& request, Accept::OnDone on_done) {
  RONDO_ASSERT(!is_closing());
  if (pull_ != nullptr) fatal("accept() was called while another one is in progress");
  request.listener_ = this;
  request.on_done_ = std::move(on_done);
  request.is_decided_ = false;
  request.begin();
  pull_ = &request;
  if (!is_listening_ || !is_on_demand_) {
    decide(Error{EINVAL, "accept"});
  } else {
    is_paused_ = false;
    arm();
  }
}

void Listener::decide(Result<Fd> outcome) {
  pull_->outcome_ = std::move(outcome);
  pull_->is_decided_ = true;
  internals().defer(at_once_);
}

void Listener::call_accept() {
  Accept& request = *std::exchange(pull_, nullptr);
  request.end();
  CallbackScope scope(loop(), request.id(), request.label());
  Accept::OnDone on_done = std::move(request.on_done_);
  Result<Fd> outcome = std::move(request.outcome_);
  if (on_done) on_done(request, std::move(outcome));
}

Result<void> Accept::cancel() {
  if (!is_pending() || is_decided_) return Error{EBUSY, "cancel"};
  listener_->decide(Error{ECANCELED, "accept"});
  return {};
}

void Listener::arm() {
  if (is_armed_ || is_paused_ || is_backing_off_ || !is_listening_) return;
  if (Result<void> watched = internals().poller().watch(watch_, EPOLLIN); !watched)
    return back_off();
  is_armed_ = true;
}

void Listener::disarm() {
  if (!is_armed_) return;
  is_armed_ = false;
  (void)internals().poller().watch(watch_, 0);  // Stopping cannot fail.
}

void Listener::readable() {
  if (is_on_demand_ && !is_waited_for()) {
    // Between two accept()s the watch stays: usually the next one is made before a client connects.
    pause();
    return;
  }
  // One per event: callbacks of other handles, immediates and close() run in between.
  const int fd = sys::accept(fd_.get(), SOCK_CLOEXEC | SOCK_NONBLOCK);
  const int code = fd < 0 ? errno : 0;
  if (fd >= 0) {
    retry_delay_ = kFirstRetry;
    reserve_->refill();
    deliver(Fd(fd));
  } else if (code != EAGAIN && code != EWOULDBLOCK && !is_lost_connection(code)) {
    accept_failed(code);
  }
}

void Listener::accept_failed(int code) {
  if ((code == EMFILE || code == ENFILE) && reserve_->shed_connections(fd_.get())) {
    deliver(Error{code, "accept"});
    return;
  }
  const bool is_news = retry_delay_ <= kFirstRetry;
  back_off();
  if (is_news || !is_out_of_room(code)) deliver(Error{code, "accept"});
}

void Listener::deliver(Result<Fd> connection) {
  if (is_waited_for()) {
    pull_->outcome_ = std::move(connection);
    pull_->is_decided_ = true;
    call_accept();
  } else if (!is_on_demand_) {
    CallbackScope scope(loop(), *this);
    on_connection_.call_replaceable(*this, std::move(connection));
  }
}

// Level-triggered readiness would make the loop spin while there is no memory or descriptor, so
// stop watching for a while.
void Listener::back_off() {
  disarm();
  is_backing_off_ = true;
  if (retry_ == nullptr) {
    retry_ = loop().make<Timer>();
    retry_->unref();
  }
  retry_delay_ = std::max(retry_delay_, kFirstRetry);
  retry_->start(retry_delay_, [this](Timer&) {
    is_backing_off_ = false;
    arm();
  });
  retry_delay_ = std::min(retry_delay_ * 2, kLongestRetry);
}

Awaits Listener::awaits() const {
  return is_armed_ ? internals().service<LocalConnections>().listener_awaits(*this)
                   : Awaits::nothing;
}

bool Listener::is_instant() const {
  const Result<SocketAddress> here = address();
  return here && here->is_unix();
}

void Listener::stop() {
  is_armed_ = false;
  internals().unwatch(watch_);
  if (internals().tracks_local_connections())
    internals().service<LocalConnections>().remove_listener(*this);
  at_once_.cancel();
  retry_.reset();
  is_listening_ = false;
  is_paused_ = true;
}

void Listener::on_closing() {
  stop();
  fd_.reset();
}

void Listener::on_closed() {
  if (pull_ == nullptr) return;
  if (!pull_->is_decided_) pull_->outcome_ = Error{ECANCELED, "accept"};
  call_accept();
}

}  // namespace rondo
