// The UDP sockets of JavaScript: shared by the files of this folder.
#pragma once

#include <array>

#include "io/udp/udp.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/handle_wrap.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

// The functions of lib/internal/dgram/handle.js. The receiver is the object of the socket, except
// for `sent`.
enum class UdpHook : uint8_t {
  message,  // (negative errno) or (size, ArrayBuffer, host, is IPv6, port)
  sent,     // (status, size); the receiver is the object that was passed to send().
  closed,   // ()
  count,
};

// Shared by the sockets of a realm.
class UdpState {
 public:
  explicit UdpState(runtime::Realm& realm) : realm_(realm) {}

  void set_hook(UdpHook hook, v8::Local<v8::Function> function) {
    hooks_[static_cast<size_t>(hook)].Reset(realm_.isolate(), function);
  }
  v8::Local<v8::Function> hook(UdpHook hook) const {
    return hooks_[static_cast<size_t>(hook)].Get(realm_.isolate());
  }
  bool has_hooks() const { return !hooks_.back().IsEmpty(); }

 private:
  runtime::Realm& realm_;
  std::array<v8::Global<v8::Function>, static_cast<size_t>(UdpHook::count)> hooks_;
};

class UdpHandle final : public runtime::HandleWrap<Udp> {
 public:
  UdpHandle(runtime::Realm& realm, bool is_ip6);

  using HandleWrap::has_object;
  Udp& socket() const { return handle(); }
  bool is_ip6() const { return is_ip6_; }

  // 0 or a negative errno.
  int receive_start();
  // A negative errno; 0 if the datagram is queued, and UdpHook::sent follows; otherwise its size
  // plus 1. `list` are views of bytes; `to` is null for the connected peer.
  // With `queues` it is always queued.
  int send(v8::Local<v8::Array> list, const SocketAddress* to, v8::Local<v8::Object> request,
           bool queues);

 private:
  void deliver(Result<Datagram> datagram);
  void on_closed() override;

  bool is_ip6_;
};

// An address in the family of the socket; EINVAL for one of the other family, or for no address. An
// unknown interface after the '%' is ignored, as in libuv.
Result<SocketAddress> address_for(const UdpHandle& handle, v8::Local<v8::Value> host,
                                  uint32_t port);
Result<SocketAddress> ip_address(std::string_view host, uint32_t port);

inline UdpHandle* udp_of(const runtime::Arguments& info) {
  return runtime::Wrap::of<UdpHandle>(info[0]);
}

}  // namespace rondo::bindings
