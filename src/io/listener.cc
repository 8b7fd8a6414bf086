#include "io/listener.h"

#include <linux/io_uring.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/sys.h"
#include "loop/loop.h"

namespace rondo {
namespace {

// One listener must not keep the loop to itself.
constexpr int kMostAcceptsPerEvent = 128;
// Descriptors come free when others close theirs, of which nobody tells us.
constexpr Nanos kFirstRetry = Millis{5};
constexpr Nanos kLongestRetry = Millis{250};

bool is_out_of_room(int code) {
  return code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM;
}

// The connection was gone before we got to it: nobody's fault, and nobody needs to know.
bool is_lost_connection(int code) {
  return code == ECONNABORTED || code == EPROTO || code == ENETDOWN || code == ENETUNREACH ||
         code == EHOSTDOWN || code == EHOSTUNREACH || code == ENONET || code == EPERM;
}

}  // namespace

Listener::Listener(Loop& loop, const char* label) : Handle(loop, label) {
  watch_.owner = this;
  watch_.source = this;
  watch_.fn = [](Target& target, int32_t, uint32_t) {
    static_cast<Readiness&>(target).owner->readable();
  };
  accept_.owner = this;
  accept_.source = this;
  accept_.discard = Discard::close_fd;
  accept_.fn = [](Target& target, int32_t result, uint32_t) {
    static_cast<Accept&>(target).owner->accepted(result);
  };
}

Listener::~Listener() {
  if (fd_ && !is_closing()) fatal("a server was destroyed before it was closed");
}

bool Listener::uses_operations() const { return loop().poller().has_operations(); }

Result<void> Listener::bind_socket(Fd fd, const SocketAddress& address) {
  if (fd_) return Error{EINVAL, "bind"};
  if (is_closing()) return Error{EINVAL, "bind"};
  if (!fd) return Error::last("socket");
  if (::bind(fd.get(), address.data(), address.size()) < 0) return Error::last("bind");
  fd_ = std::move(fd);
  watch_.fd = fd_.get();
  return {};
}

Result<void> Listener::listen(OnConnection on_connection, int backlog) {
  if (!fd_ || is_closing()) return Error{EINVAL, "listen"};
  if (::listen(fd_.get(), backlog) < 0) return Error::last("listen");
  on_connection_ = std::move(on_connection);
  is_listening_ = true;
  activate();
  arm();
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

void Listener::arm() {
  if (is_armed_ || is_paused_ || is_backing_off_ || !is_listening_) return;
  if (uses_operations()) {
    // Blocking sockets, because operations on them follow: see Stream::uses_operations().
    OpArgs args;
    args.opcode = IORING_OP_ACCEPT;
    args.fd = fd_.get();
    args.ioprio = IORING_ACCEPT_MULTISHOT;
    args.op_flags = SOCK_CLOEXEC;
    loop().poller().submit(accept_, args);
  } else if (Result<void> watched = loop().poller().watch(watch_, EPOLLIN); !watched) {
    back_off();  // Out of memory for the watch: as good as out of descriptors.
    return;
  }
  is_armed_ = true;
}

void Listener::disarm() {
  if (!is_armed_) return;
  is_armed_ = false;
  if (uses_operations()) {
    loop().detach(accept_);
  } else {
    loop().unwatch(watch_);
  }
}

void Listener::readable() {
  for (int i = 0; i < kMostAcceptsPerEvent && is_armed_; ++i) {
    const int fd = sys::accept(fd_.get(), SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (!take(fd, fd < 0 ? errno : 0)) return;
  }
}

void Listener::accepted(int32_t result) {
  const bool has_ended = !accept_.is_in_flight();
  if (has_ended) is_armed_ = false;
  (void)take(result, result < 0 ? -result : 0);
  if (has_ended && !is_closing()) arm();
}

bool Listener::take(int fd, int code) {
  if (fd >= 0) {
    retry_delay_ = kFirstRetry;
    CallbackScope scope(loop(), *this);
    on_connection_.call_replaceable(*this, Fd(fd));
    return true;
  }
  if (code == EAGAIN || code == EWOULDBLOCK || code == ECANCELED) return false;
  if (is_lost_connection(code)) return true;
  const bool is_news = retry_delay_ <= kFirstRetry;
  back_off();
  if (is_news || !is_out_of_room(code)) {
    CallbackScope scope(loop(), *this);
    on_connection_.call_replaceable(*this, Error{code, "accept"});
  }
  return false;
}

// Level-triggered readiness would make the loop spin while descriptors are out; so look away.
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

void Listener::on_closing() {
  disarm();
  retry_.reset();
  is_listening_ = false;
  fd_.reset();
}

}  // namespace rondo
