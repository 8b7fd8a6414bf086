// The handle behind uv_udp_t. Not an io Udp: here the program supplies the buffers to receive into.
// Phase: poll, pending, closing (cancelled requests). Thread: the loop's only.
#pragma once

#include "uv/core/handle.h"

namespace rondo::uv {

class UdpHandle final : public IoHandle, private Deferred {
 public:
  UdpHandle(uv_loop_t* loop, uv_udp_t* handle);

  uv_udp_t* udp() const { return reinterpret_cast<uv_udp_t*>(handle()); }
  void attach(int descriptor, bool is_socket);
  // Opens a socket if there is none, and binds one that is not bound to a free port.
  int ensure_socket(int family);
  int ensure_bound(int family);

  int send(uv_udp_send_t* req, const uv_buf_t bufs[], unsigned count, const sockaddr* to,
           socklen_t size, uv_udp_send_cb cb);
  int receive_start(uv_alloc_cb alloc_cb, uv_udp_recv_cb recv_cb);
  void receive_stop();
  // A datagram to another process may be answered; one to a socket of this loop has arrived.
  Awaits awaits() const override;
  void note_sent(const sockaddr* to);  // Null: to the socket's peer.

 private:
  void on_closing() override;
  void on_closed() override;
  void ready(uint32_t bits, int error) override;
  void receive_available();
  void receive_errors();
  bool receive_error(const uv_buf_t& buffer);
  int receive_one(uv_buf_t& buffer);
  int receive_many(uv_buf_t& buffer);
  void deliver(ssize_t count, const uv_buf_t& buffer, const sockaddr* from, unsigned flags);
  void send_queue();
  void finish(uv_udp_send_t* req, ssize_t status);
  void call_finished();
  void deactivate_if_idle();

  bool has_sent_outside_ = false;
};

inline UdpHandle& udp_behind(const uv_udp_t* handle) { return behind_as<UdpHandle>(handle); }

}  // namespace rondo::uv
