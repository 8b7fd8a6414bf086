// Sending of Udp.
#include <sys/socket.h>

#include <algorithm>

#include "base/sys.h"
#include "io/udp/local_datagrams.h"
#include "io/udp/udp.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// Most datagrams of one system call.
constexpr size_t kMostPerCall = 16;

// The kernel has no room now; it will be reported as writability.
bool is_full(int code) { return code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS; }

size_t size_of(std::span<const iovec> parts) {
  size_t size = 0;
  for (const iovec& part : parts) size += part.iov_len;
  return size;
}

msghdr message_of(const iovec* parts, size_t count, const SocketAddress* to) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(parts);
  message.msg_iovlen = count;
  if (to != nullptr && to->size() > 0) {
    message.msg_name = const_cast<sockaddr*>(to->data());
    message.msg_namelen = to->size();
  }
  return message;
}

// A send owned by the socket: frees itself and its bytes when done.
struct OwnedSend {
  OwnedSend(Udp& by, std::string bytes, Udp::OnSent callback)
      : socket(by), send(by.loop()), data(std::move(bytes)), on_done(std::move(callback)) {}
  Udp& socket;
  UdpSend send;
  std::string data;
  Udp::OnSent on_done;
};

}  // namespace

void Udp::send(UdpSend& request, std::span<const std::byte> data, const SocketAddress* to,
               UdpSend::OnDone on_done) {
  RONDO_ASSERT(!request.is_pending());
  request.single_ = {const_cast<std::byte*>(data.data()), data.size()};
  send(request, std::span<const iovec>(&request.single_, 1), to, std::move(on_done));
}

void Udp::send(UdpSend& request, std::span<const iovec> parts, const SocketAddress* to,
               UdpSend::OnDone on_done) {
  RONDO_ASSERT(!is_closing());
  request.socket_ = this;
  request.parts_ = parts.data();
  request.count_ = parts.size();
  request.size_ = size_of(parts);
  request.to_ = to == nullptr ? SocketAddress() : *to;
  request.on_done_ = std::move(on_done);
  request.error_ = 0;
  request.is_decided_ = false;
  request.begin();
  // Failed sends count until they are reported: nothing more is tried until then.
  const bool is_idle = queued_count_ == 0;
  queued_bytes_ += request.size_;
  ++queued_count_;
  queue_.push_back(request);
  if (Result<void> checked = check_destination(to); !checked) {
    finish(request, checked.error().code);
  } else if (is_idle) {
    send_queue();
  } else {
    watch_for_sending();
  }
}

void Udp::send(std::string data, const SocketAddress* to, OnSent on_done) {
  auto* owned = new OwnedSend(*this, std::move(data), std::move(on_done));
  send(owned->send, std::as_bytes(std::span(owned->data)), to,
       [owned](UdpSend&, Result<size_t> outcome) {
         std::unique_ptr<OwnedSend> self(owned);
         if (self->on_done) self->on_done(self->socket, std::move(outcome));
       });
}

Result<size_t> Udp::try_send(std::span<const std::byte> data, const SocketAddress* to) {
  const iovec part{const_cast<std::byte*>(data.data()), data.size()};
  return try_send(std::span<const iovec>(&part, 1), to);
}

Result<size_t> Udp::try_send(std::span<const iovec> parts, const SocketAddress* to) {
  if (is_closing()) return Error{EBADF, "sendmsg"};
  if (queued_count_ != 0) return Error{EAGAIN, "sendmsg"};
  if (Result<void> checked = check_destination(to); !checked) return checked.error();
  const msghdr message = message_of(parts.data(), parts.size(), to);
  const ssize_t size = sys::sendmsg(fd_.get(), &message, MSG_DONTWAIT);
  if (size < 0) return Error{is_full(errno) ? EAGAIN : errno, "sendmsg"};
  note_sent(to);
  return static_cast<size_t>(size);
}

// Binds the socket if necessary.
Result<void> Udp::check_destination(const SocketAddress* to) {
  if (to != nullptr && is_connected_) return Error{EISCONN, "sendmsg"};
  if (to == nullptr && !is_connected_) return Error{EDESTADDRREQ, "sendmsg"};
  if (to == nullptr) return {};
  if (!to->is_ip()) return Error{EINVAL, "sendmsg"};
  return ensure_bound(to->family(), {});
}

// Sends until the kernel has no more room. A datagram that fails ends the round: the next one is
// tried in the pending phase.
void Udp::send_queue() {
  while (!queue_.is_empty()) {
    const int error = send_batch();
    if (error == 0) continue;
    if (is_full(error)) return watch_for_sending();
    finish(*queue_.front(), error);
    return;
  }
}

// Sends the front of the queue, up to kMostPerCall datagrams. Returns an errno, or 0 if at least
// one was sent.
int Udp::send_batch() {
  mmsghdr messages[kMostPerCall];
  size_t count = 0;
  for (UdpSend* one = queue_.front(); one != nullptr && count < kMostPerCall;
       one = queue_.after(*one)) {
    messages[count++].msg_hdr = message_of(one->parts_, one->count_, &one->to_);
  }
  int sent;
  if (count == 1) {
    sent = sys::sendmsg(fd_.get(), &messages[0].msg_hdr, MSG_DONTWAIT) < 0 ? -1 : 1;
  } else {
    sent = sys::sendmmsg(fd_.get(), messages, static_cast<unsigned>(count), MSG_DONTWAIT);
  }
  if (sent <= 0) return sent < 0 ? errno : EAGAIN;
  for (int i = 0; i < sent; ++i) {
    UdpSend& request = *queue_.front();
    note_sent(request.to_.size() == 0 ? nullptr : &request.to_);
    finish(request, 0);
  }
  return 0;
}

void Udp::watch_for_sending() {
  if (waits_to_send_) return;
  waits_to_send_ = true;
  const Result<void> watched = update_watch();
  if (watched) return;
  waits_to_send_ = false;
  while (UdpSend* request = queue_.front()) finish(*request, watched.error().code);
}

void Udp::finish(UdpSend& request, int error) {
  request.error_ = error;
  request.is_decided_ = true;
  queue_.remove(request);
  done_.push_back(request);
  if (!is_closing()) internals().defer(*this);
}

void Udp::send_ready() {
  send_queue();
  run_callbacks();
  if (is_closing() || !queue_.is_empty() || !waits_to_send_) return;
  waits_to_send_ = false;
  (void)update_watch();  // Reducing interest cannot fail.
}

void Udp::run_callbacks() {
  // Detached first: a callback that always sends again must not block the loop (TURN-10).
  auto due = done_.take();
  while (UdpSend* request = due.pop_front()) {
    queued_bytes_ -= request->size_;
    --queued_count_;
    request->end();
    CallbackScope scope(loop(), request->id(), request->label());
    UdpSend::OnDone on_done = std::move(request->on_done_);
    const int code = request->error_;
    const size_t size = request->size_;
    if (!on_done) continue;
    on_done(*request, code == 0 ? Result<size_t>(size) : Result<size_t>(Error{code, "sendmsg"}));
  }
}

Result<void> UdpSend::cancel() {
  if (!is_pending() || is_decided_) return Error{EBUSY, "cancel"};
  socket_->finish(*this, ECANCELED);
  return {};
}

void Udp::note_sent(const SocketAddress* to) {
  if (!internals().tracks_local_connections()) return;
  Result<SocketAddress> peer = to == nullptr ? peer_address() : Result<SocketAddress>(*to);
  if (peer && internals().service<LocalDatagrams>().sent(*this, *peer)) return;
  has_sent_outside_ = true;
}

}  // namespace rondo
