// Receiving of Udp.
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <ctime>

// Needs <ctime>, which it does not include.
#include <linux/errqueue.h>

#include "base/sys.h"
#include "io/udp/kept.h"
#include "io/udp/local_datagrams.h"
#include "io/udp/udp.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// A fast sender must not block the loop. The same number as in libuv.
constexpr size_t kMostPerEvent = 32;

// One message for recvmsg(2) or recvmmsg(2). Pinned, because the header refers to the rest.
struct Slot {
  iovec part;
  sockaddr_storage from;

  void prepare(msghdr& header, std::byte* data, size_t size) {
    part = {data, size};
    header = {};
    header.msg_name = &from;
    header.msg_namelen = sizeof from;
    header.msg_iov = &part;
    header.msg_iovlen = 1;
  }
  Datagram take(const msghdr& header, size_t size) const {
    return {std::span(static_cast<std::byte*>(part.iov_base), std::min(size, part.iov_len)),
            SocketAddress::from(reinterpret_cast<const sockaddr*>(&from), header.msg_namelen),
            (header.msg_flags & MSG_TRUNC) != 0};
  }
};

bool is_nothing_there(int code) { return code == EAGAIN || code == EWOULDBLOCK; }

}  // namespace

Result<void> Udp::receive_start(OnReceive on_receive) {
  if (is_closing()) return Error{EBADF, "recvmsg"};
  if (is_receiving_ || pull_ != nullptr) return Error{EALREADY, "recvmsg"};
  if (Result<void> bound = ensure_bound(AF_INET, {}); !bound) return bound;
  on_receive_ = std::move(on_receive);
  is_receiving_ = true;
  lingers_ = false;
  if (Result<void> watched = update_watch(); !watched) {
    is_receiving_ = false;
    return watched;
  }
  activate();
  if (kept_ != nullptr) internals().defer(*this);
  return {};
}

void Udp::receive_stop() {
  if (!is_receiving_) return;
  is_receiving_ = false;
  (void)update_watch();  // Reducing interest cannot fail.
  deactivate();
}

void Udp::receive_ready() {
  if (is_receiving_) {
    deliver_kept();
    receive_available();
  } else if (pull_ != nullptr && !pull_->is_decided_) {
    pull_available();
  } else if (lingers_) {
    lingers_ = false;
    (void)update_watch();  // Reducing interest cannot fail.
  }
}

// Mostly one datagram is there; each full batch is followed by a larger one.
void Udp::receive_available() {
  size_t left = kMostPerEvent;
  size_t batch = 1;
  while (is_receiving_ && left > 0) {
    const size_t count = receive_batch(std::min(batch, left));
    if (count == 0) return;
    left -= count;
    batch = std::min(batch * 2, DatagramBuffers::kCount);
  }
}

// Returns the number of datagrams; 0 if there are no more, or after an error, which is delivered.
size_t Udp::receive_batch(size_t most) {
  DatagramBuffers& buffers = internals().service<DatagramBuffers>();
  Slot slots[DatagramBuffers::kCount];
  mmsghdr messages[DatagramBuffers::kCount];
  for (size_t i = 0; i < most; ++i) {
    slots[i].prepare(messages[i].msg_hdr, buffers.at(i), DatagramBuffers::kSize);
  }
  int count;
  if (most == 1) {
    const ssize_t size = sys::recvmsg(fd_.get(), &messages[0].msg_hdr, MSG_DONTWAIT);
    messages[0].msg_len = static_cast<unsigned>(size);
    count = size < 0 ? -1 : 1;
  } else {
    count = sys::recvmmsg(fd_.get(), messages, static_cast<unsigned>(most), MSG_DONTWAIT);
  }
  if (count <= 0) {
    if (count < 0 && !is_nothing_there(errno)) deliver(Error::last("recvmsg"));
    return 0;
  }
  const auto received = static_cast<size_t>(count);
  for (size_t i = 0; i < received; ++i) {
    const Datagram datagram = slots[i].take(messages[i].msg_hdr, messages[i].msg_len);
    note_received(datagram.from);
    if (is_receiving_) {
      deliver(datagram);
    } else if (!is_closing()) {
      keep(datagram);
    }
  }
  return received;
}

// Errors that the network has reported for earlier datagrams, if the socket has IP_RECVERR, which
// an adopted one may have. They must be taken, or the descriptor stays ready.
void Udp::receive_errors() {
  for (size_t i = 0; i < kMostPerEvent && is_open(); ++i) {
    alignas(cmsghdr) char control[256];
    std::byte unused[1];
    Slot slot;
    msghdr header;
    slot.prepare(header, unused, sizeof unused);
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    if (sys::recvmsg(fd_.get(), &header, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return;
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr;
         part = CMSG_NXTHDR(&header, part)) {
      const bool is_error = (part->cmsg_level == SOL_IP && part->cmsg_type == IP_RECVERR) ||
                            (part->cmsg_level == SOL_IPV6 && part->cmsg_type == IPV6_RECVERR);
      if (!is_error) continue;
      sock_extended_err report{};
      std::memcpy(&report, CMSG_DATA(part), sizeof report);
      const Error error{static_cast<int>(report.ee_errno), "recvmsg"};
      if (is_receiving_) {
        deliver(error);
      } else if (pull_ != nullptr && !pull_->is_decided_) {
        finish_pull(error);
      }
      break;
    }
  }
}

void Udp::deliver(Result<Datagram> datagram) {
  CallbackScope scope(loop(), *this);
  on_receive_.call_replaceable(*this, std::move(datagram));
}

void Udp::keep(const Datagram& datagram) {
  if (kept_ == nullptr) kept_ = std::make_unique<Kept>();
  kept_->datagrams.push_back(
      {{datagram.data.begin(), datagram.data.end()}, datagram.from, datagram.is_truncated});
}

void Udp::deliver_kept() {
  while (kept_ != nullptr && is_receiving_) {
    Kept::One one = std::move(kept_->datagrams.front());
    kept_->datagrams.pop_front();
    if (kept_->datagrams.empty()) kept_.reset();
    deliver(Datagram{one.data, one.from, one.is_truncated});
  }
}

void Udp::receive(UdpReceive& request, std::span<std::byte> buffer, UdpReceive::OnDone on_done) {
  RONDO_ASSERT(!is_closing());
  if (is_receiving_ || pull_ != nullptr) {
    fatal("receive() was called while another one is in progress");
  }
  request.socket_ = this;
  request.buffer_ = buffer;
  request.on_done_ = std::move(on_done);
  request.is_decided_ = false;
  request.begin();
  pull_ = &request;
  if (kept_ != nullptr) {
    decide_pull(take_kept(buffer));
  } else if (Result<void> bound = ensure_bound(AF_INET, {}); !bound) {
    decide_pull(bound.error());
  } else {
    lingers_ = false;
    if (Result<void> watched = update_watch(); !watched) decide_pull(watched.error());
  }
}

Datagram Udp::take_kept(std::span<std::byte> buffer) {
  const Kept::One one = std::move(kept_->datagrams.front());
  kept_->datagrams.pop_front();
  if (kept_->datagrams.empty()) kept_.reset();
  const size_t size = std::min(buffer.size(), one.data.size());
  std::copy_n(one.data.begin(), size, buffer.begin());
  return {buffer.first(size), one.from, one.is_truncated || size < one.data.size()};
}

// The poller has reported the descriptor as readable.
void Udp::pull_available() {
  Slot slot;
  msghdr header;
  slot.prepare(header, pull_->buffer_.data(), pull_->buffer_.size());
  const ssize_t size = sys::recvmsg(fd_.get(), &header, MSG_DONTWAIT);
  if (size >= 0) {
    const Datagram datagram = slot.take(header, static_cast<size_t>(size));
    note_received(datagram.from);
    finish_pull(datagram);
  } else if (!is_nothing_there(errno)) {
    finish_pull(Error::last("recvmsg"));
  }
}

// In poll: the outcome is reported at once. The watch stays between two receives: usually the next
// one comes before any datagram.
void Udp::finish_pull(Result<Datagram> outcome) {
  lingers_ = watch_.interest != 0;
  pull_->outcome_ = std::move(outcome);
  pull_->is_decided_ = true;
  call_pull();
}

// From inside receive() or cancel(): the outcome is reported in the pending phase.
void Udp::decide_pull(Result<Datagram> outcome) {
  pull_->outcome_ = std::move(outcome);
  pull_->is_decided_ = true;
  internals().defer(*this);
}

void Udp::call_pull() {
  if (pull_ == nullptr || !pull_->is_decided_) return;
  UdpReceive& request = *std::exchange(pull_, nullptr);
  request.end();
  CallbackScope scope(loop(), request.id(), request.label());
  UdpReceive::OnDone on_done = std::move(request.on_done_);
  Result<Datagram> outcome = std::move(request.outcome_);
  if (on_done) on_done(request, std::move(outcome));
}

Result<void> UdpReceive::cancel() {
  if (!is_pending() || is_decided_) return Error{EBUSY, "cancel"};
  socket_->lingers_ = true;
  socket_->decide_pull(Error{ECANCELED, "recvmsg"});
  return {};
}

void Udp::note_received(const SocketAddress& from) {
  if (!internals().tracks_local_connections()) return;
  internals().service<LocalDatagrams>().received(*this, from);
}

}  // namespace rondo
