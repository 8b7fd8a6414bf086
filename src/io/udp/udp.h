// Udp is a datagram socket of IPv4 or IPv6.
// One readiness event receives up to 32 datagrams, then sends queued ones and reports finished
// sends. Sends that finish outside of poll are reported in pending. Phase: poll, pending, closing
// (cancelled requests). Thread: the loop's only.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "base/short_list.h"
#include "io/udp/datagram.h"
#include "loop/handle.h"
#include "loop/phases/pending.h"
#include "loop/target.h"

namespace rondo {

class UdpReceiveAwaiter;
class UdpSendAwaiter;

class Udp final : public Handle, private Deferred {
 public:
  // Called once per datagram, which may be empty. The loop owns the bytes; they are valid until the
  // callback returns. After an error, such as ECONNREFUSED of an earlier send to the connected
  // peer, the socket keeps receiving, unless is_receiving() is false.
  using OnReceive = Callback<void(Udp&, Result<Datagram>)>;
  using OnSent = Callback<void(Udp&, Result<size_t>)>;

  explicit Udp(Loop& loop);
  ~Udp() override;

  // Takes over a socket made elsewhere, bound or not, and allows others to share its address.
  // Closes `fd` only together with the handle: a descriptor that is refused stays the caller's.
  // EBUSY if the handle has a socket, EINVAL if `fd` is no datagram socket.
  Result<void> open(int fd);

  struct BindOptions {
    bool ipv6_only = false;      // Otherwise an IPv6 wildcard receives from IPv4, too.
    bool reuse_address = false;  // Others may share the address; the last one receives.
    bool reuse_port = false;     // Others may share the address; the kernel spreads datagrams.
  };
  // EADDRINUSE, EACCES, EADDRNOTAVAIL: returned at once. After an error bind() may be tried again.
  // A socket that is not bound gets a free port on all interfaces when it is first used.
  Result<void> bind(const SocketAddress& address, BindOptions options);
  Result<void> bind(const SocketAddress& address) { return bind(address, BindOptions{}); }

  // A connected socket sends to this peer only, and receives from no other. Connecting again
  // changes the peer. Nothing is sent: whether there is a peer shows later, as ECONNREFUSED.
  Result<void> connect(const SocketAddress& peer);
  Result<void> disconnect();  // ENOTCONN without a peer.
  bool is_connected() const { return is_connected_; }

  // Sends one datagram, at once or, if the kernel has no room, after those queued before it. Bytes
  // and request must live until the callback, which never runs inside this call. `to` is null for
  // the connected peer: EDESTADDRREQ if there is none, EISCONN if both are given. All errors go to
  // the callback; EMSGSIZE if the datagram is too large for the network.
  void send(UdpSend& request, std::span<const iovec> parts, const SocketAddress* to,
            UdpSend::OnDone on_done);
  void send(UdpSend& request, std::span<const std::byte> data, const SocketAddress* to,
            UdpSend::OnDone on_done);
  // The same, but the socket owns data and request.
  void send(std::string data, const SocketAddress* to, OnSent on_done = nullptr);
  // Sends at once or not at all: EAGAIN if the kernel has no room, or if datagrams are queued.
  Result<size_t> try_send(std::span<const iovec> parts, const SocketAddress* to);
  Result<size_t> try_send(std::span<const std::byte> data, const SocketAddress* to);
  // Datagrams that were neither sent nor reported as failed.
  size_t queued_bytes() const { return queued_bytes_; }
  size_t queued_count() const { return queued_count_; }

  // EALREADY while receiving. A socket is active while it receives; queued sends keep the loop
  // alive by themselves.
  Result<void> receive_start(OnReceive on_receive);
  // Idempotent, and safe inside the callback. Datagrams that have arrived are kept for the next
  // receive_start().
  void receive_stop();
  bool is_receiving() const { return is_receiving_; }
  // Receives one datagram into memory that must live until the callback, as must the request. Not
  // together with receive_start(), and one at a time.
  void receive(UdpReceive& request, std::span<std::byte> buffer, UdpReceive::OnDone on_done);

  // For coroutines: include io/udp/awaiters.h, which documents these.
  UdpReceiveAwaiter receive(std::span<std::byte> buffer);
  UdpSendAwaiter send(std::span<const std::byte> data);
  UdpSendAwaiter send(std::span<const std::byte> data, const SocketAddress& to);

  // Groups. `on` is an address of the interface: IPv4 its own address, IPv6 any address with its
  // scope ("::%eth0"); null lets the system choose. EINVAL for addresses of different families.
  Result<void> join(const SocketAddress& group, const SocketAddress* on = nullptr);
  Result<void> leave(const SocketAddress& group, const SocketAddress* on = nullptr);
  // Only datagrams from `source`.
  Result<void> join(const SocketAddress& group, const SocketAddress& source,
                    const SocketAddress* on);
  Result<void> leave(const SocketAddress& group, const SocketAddress& source,
                     const SocketAddress* on);

  // EBADF before there is a socket: open() or bind() first. EINVAL for a ttl outside of 1 to 255;
  // 0 is valid for groups, and keeps datagrams on this machine.
  Result<void> set_ttl(int ttl);
  Result<void> set_multicast_ttl(int ttl);
  Result<void> set_multicast_loop(bool on);  // This machine gets a copy. On by default.
  Result<void> set_multicast_interface(const SocketAddress& on);
  Result<void> set_broadcast(bool on);
  // Sizes of the kernel's buffers. Linux reserves and reports twice the requested size.
  Result<void> set_receive_buffer(int bytes);
  Result<void> set_send_buffer(int bytes);
  Result<int> receive_buffer() const;
  Result<int> send_buffer() const;

  int fd() const { return fd_.get(); }
  bool is_open() const { return static_cast<bool>(fd_); }
  Result<SocketAddress> local_address() const { return SocketAddress::of_socket(fd()); }
  Result<SocketAddress> peer_address() const { return SocketAddress::of_peer(fd()); }
  bool is_waiting_to_receive() const {
    return is_receiving_ || (pull_ != nullptr && !pull_->is_decided_);
  }
  // Under virtual time or with a Choice: a datagram has left this loop.
  bool has_sent_outside() const { return has_sent_outside_; }
  Awaits awaits() const override;

 private:
  friend class UdpReceive;
  friend class UdpSend;
  struct Kept;  // Datagrams that were received, but not delivered before receive_stop().

  void on_closing() override;
  void on_closed() override;
  void attach(Fd fd, bool is_ip6);
  Result<void> ensure_bound(int family, BindOptions options);
  Result<void> update_watch();
  void track();
  void ready(int32_t result, uint32_t bits);
  void fail_watch(Error error);
  void run_pending();

  void receive_ready();
  void receive_available();
  size_t receive_batch(size_t most);
  void receive_errors();
  void deliver(Result<Datagram> datagram);
  void keep(const Datagram& datagram);
  Datagram take_kept(std::span<std::byte> buffer);
  void deliver_kept();
  void pull_available();
  void decide_pull(Result<Datagram> outcome);
  void finish_pull(Result<Datagram> outcome);
  void call_pull();
  void note_received(const SocketAddress& from);

  Result<void> check_destination(const SocketAddress* to);
  void send_queue();
  int send_batch();
  void watch_for_sending();
  void send_ready();
  void finish(UdpSend& request, int error);
  void run_callbacks();
  void note_sent(const SocketAddress* to);

  Result<void> change_group(const SocketAddress& group, const SocketAddress* on, bool joins);
  Result<void> change_source(const SocketAddress& group, const SocketAddress& source,
                             const SocketAddress* on, bool joins);
  Result<void> set_ip_option(int option4, int option6, int value);

  Fd fd_;
  bool is_ip6_ : 1 = false;
  bool is_connected_ : 1 = false;
  bool is_receiving_ : 1 = false;
  bool waits_to_send_ : 1 = false;  // Watched for writability.
  bool lingers_ : 1 = false;        // Still watched for reading, in case a receive() follows.
  bool has_sent_outside_ : 1 = false;
  OnReceive on_receive_;
  UdpReceive* pull_ = nullptr;  // The receive() whose callback is pending.
  Watch watch_;                 // Both directions.
  ShortList<UdpSend, &UdpSend::link_> queue_;
  ShortList<UdpSend, &UdpSend::link_> done_;  // Their callbacks are pending.
  size_t queued_bytes_ = 0;
  size_t queued_count_ = 0;
  std::unique_ptr<Kept> kept_;
};

}  // namespace rondo
