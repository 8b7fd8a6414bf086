// A received datagram, and the requests of a Udp socket.
#pragma once

#include <sys/uio.h>

#include <span>

#include "base/callback.h"
#include "base/list.h"
#include "io/net/address.h"
#include "loop/request.h"

namespace rondo {

class Udp;

struct Datagram {
  std::span<std::byte> data;
  SocketAddress from;
  bool is_truncated = false;  // The buffer was too small, and the rest is lost.
};

// One datagram to send. Owned by the caller, like the bytes; may be reused from its callback on.
class UdpSend final : public Request {
 public:
  // The number of bytes sent, which is the whole datagram.
  using OnDone = Callback<void(UdpSend&, Result<size_t>)>;

  explicit UdpSend(Loop& loop) : Request(loop, "udp send") {}

  // The callback gets ECANCELED, and later datagrams move up. EBUSY: already sent or failed.
  Result<void> cancel() override;
  size_t size() const { return size_; }

 private:
  friend class Udp;

  Udp* socket_ = nullptr;
  ListLink link_;  // In the socket's queue, or in its list of finished sends.
  const iovec* parts_ = nullptr;
  size_t count_ = 0;
  size_t size_ = 0;
  iovec single_{};    // parts_ of a datagram in one buffer.
  SocketAddress to_;  // Empty: the peer of a connected socket.
  OnDone on_done_;
  int error_ = 0;  // 0: success.
  bool is_decided_ = false;
};

// Waits for one datagram. Owned by the caller, like the buffer; may be reused from its callback on.
class UdpReceive final : public Request {
 public:
  using OnDone = Callback<void(UdpReceive&, Result<Datagram>)>;

  explicit UdpReceive(Loop& loop) : Request(loop, "udp receive") {}

  // The callback gets ECANCELED, and no datagram is lost. EBUSY: the outcome is already decided.
  Result<void> cancel() override;

 private:
  friend class Udp;

  Udp* socket_ = nullptr;
  std::span<std::byte> buffer_;
  OnDone on_done_;
  Result<Datagram> outcome_ = Datagram{};
  bool is_decided_ = false;
};

}  // namespace rondo
