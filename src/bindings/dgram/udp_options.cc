// internalBinding('udp_options'): addresses, groups and options of datagram sockets. The first
// argument is the socket. Functions return 0 or a negative errno unless stated otherwise.
#include "bindings/dgram/udp_handle.h"
#include "runtime/control/explored_program.h"
#include "runtime/values/binding.h"
#include "runtime/values/text.h"

namespace rondo::bindings {
namespace {

using runtime::Arguments;

int code_of(const Result<void>& result) { return result ? 0 : -result.error().code; }

// A socket that is closed gives EBADF.
template <class Function>
void return_code(const Arguments& info, Function function) {
  UdpHandle* const handle = udp_of(info);
  const bool is_open = handle != nullptr && !handle->socket().is_closing();
  info.GetReturnValue().Set(is_open ? function(handle->socket()) : -EBADF);
}

int32_t int_of(v8::Local<v8::Value> value) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : -1;
}

// {address, family, port}, or a negative errno.
void return_address(const Arguments& info, const Result<SocketAddress>& address) {
  v8::Isolate* const isolate = info.GetIsolate();
  if (!address) return info.GetReturnValue().Set(-address.error().code);
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  runtime::set(isolate, result, "address", address->host());
  runtime::set(isolate, result, "family", address->is_ip4() ? "IPv4" : "IPv6");
  runtime::set(isolate, result, "port", static_cast<double>(address->port()));
  runtime::note_seen_port(runtime::Realm::of(isolate), address->port());
  info.GetReturnValue().Set(result);
}

void local_address(const Arguments& info) {
  UdpHandle* const handle = udp_of(info);
  if (handle == nullptr) return info.GetReturnValue().Set(-EBADF);
  return_address(info, handle->socket().local_address());
}

void peer_address(const Arguments& info) {
  UdpHandle* const handle = udp_of(info);
  if (handle == nullptr) return info.GetReturnValue().Set(-EBADF);
  return_address(info, handle->socket().peer_address());
}

// setBroadcast(socket, boolean)
void set_broadcast(const Arguments& info) {
  return_code(info,
              [&info](Udp& socket) { return code_of(socket.set_broadcast(info[1]->IsTrue())); });
}

// setTtl(socket, number)
void set_ttl(const Arguments& info) {
  return_code(info, [&info](Udp& socket) { return code_of(socket.set_ttl(int_of(info[1]))); });
}

// setMulticastTtl(socket, number)
void set_multicast_ttl(const Arguments& info) {
  return_code(info,
              [&info](Udp& socket) { return code_of(socket.set_multicast_ttl(int_of(info[1]))); });
}

// setMulticastLoop(socket, boolean)
void set_multicast_loop(const Arguments& info) {
  return_code(
      info, [&info](Udp& socket) { return code_of(socket.set_multicast_loop(info[1]->IsTrue())); });
}

// setMulticastInterface(socket, host)
void set_multicast_interface(const Arguments& info) {
  return_code(info, [&info](Udp& socket) {
    const Result<SocketAddress> on = ip_address(runtime::to_std(info.GetIsolate(), info[1]), 0);
    return on ? code_of(socket.set_multicast_interface(*on)) : -EINVAL;
  });
}

// The interface of a membership: undefined or null lets the system choose.
struct Interface {
  Interface(v8::Isolate* isolate, v8::Local<v8::Value> value) {
    if (value->IsNullOrUndefined()) return;
    address = ip_address(runtime::to_std(isolate, value), 0);
    is_given = true;
  }
  // Null without an interface. For a text that is not an address, one without a family, which the
  // socket rejects.
  const SocketAddress* get() const {
    static const SocketAddress kNone;
    if (!is_given) return nullptr;
    return address ? &*address : &kNone;
  }

  bool is_given = false;
  Result<SocketAddress> address = SocketAddress();
};

// changeMembership(socket, joins, group, interface)
void change_membership(const Arguments& info) {
  return_code(info, [&info](Udp& socket) {
    v8::Isolate* const isolate = info.GetIsolate();
    const Result<SocketAddress> group = ip_address(runtime::to_std(isolate, info[2]), 0);
    if (!group) return -EINVAL;
    const Interface on(isolate, info[3]);
    return code_of(info[1]->IsTrue() ? socket.join(*group, on.get())
                                     : socket.leave(*group, on.get()));
  });
}

// changeSourceMembership(socket, joins, source, group, interface)
void change_source_membership(const Arguments& info) {
  return_code(info, [&info](Udp& socket) {
    v8::Isolate* const isolate = info.GetIsolate();
    const Result<SocketAddress> source = ip_address(runtime::to_std(isolate, info[2]), 0);
    const Result<SocketAddress> group = ip_address(runtime::to_std(isolate, info[3]), 0);
    if (!source || !group) return -EINVAL;
    const Interface on(isolate, info[4]);
    return code_of(info[1]->IsTrue() ? socket.join(*group, *source, on.get())
                                     : socket.leave(*group, *source, on.get()));
  });
}

// bufferSize(socket, size, receives): sets the size of a buffer of the kernel, or, if size is 0,
// returns it.
void buffer_size(const Arguments& info) {
  return_code(info, [&info](Udp& socket) {
    const int32_t size = int_of(info[1]);
    if (size < 0) return -EINVAL;
    const bool receives = info[2]->IsTrue();
    if (size > 0) {
      const Result<void> set =
          receives ? socket.set_receive_buffer(size) : socket.set_send_buffer(size);
      return set ? size : code_of(set);
    }
    const Result<int> now = receives ? socket.receive_buffer() : socket.send_buffer();
    return now ? *now : -now.error().code;
  });
}

constexpr runtime::Method kMethods[] = {
    {"localAddress", local_address},
    {"peerAddress", peer_address},
    {"setBroadcast", set_broadcast},
    {"setTtl", set_ttl},
    {"setMulticastTtl", set_multicast_ttl},
    {"setMulticastLoop", set_multicast_loop},
    {"setMulticastInterface", set_multicast_interface},
    {"changeMembership", change_membership},
    {"changeSourceMembership", change_source_membership},
    {"bufferSize", buffer_size},
};

}  // namespace

extern const runtime::Binding udp_options;
const runtime::Binding udp_options{"udp_options", kMethods};

}  // namespace rondo::bindings
