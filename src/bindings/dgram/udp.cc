// internalBinding('udp'): datagram sockets; options are in udp_options.cc. Functions return 0 or a
// negative errno unless stated otherwise.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bindings/dgram/udp_handle.h"
#include "loop/internals.h"
#include "loop/trace/file.h"
#include "runtime/control/explored_program.h"
#include "runtime/message/unclaimed_fds.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;

namespace {

// The kernel's limit of pieces per datagram.
constexpr uint32_t kMostParts = 1024;

int code_of(const Result<void>& result) { return result ? 0 : -result.error().code; }

// A datagram that waits for the kernel, with its memory.
struct WaitingSend {
  WaitingSend(UdpHandle& socket, v8::Local<v8::Object> its_object)
      : request(socket.socket().loop()), handle(socket), object(socket.isolate(), its_object) {}
  UdpSend request;
  UdpHandle& handle;
  v8::Global<v8::Object> object;
  std::vector<iovec> parts;
  std::vector<std::shared_ptr<v8::BackingStore>> keep;
};

void sent(WaitingSend* waiting, const Result<size_t>& outcome) {
  const std::unique_ptr<WaitingSend> self(waiting);
  UdpHandle& handle = self->handle;
  if (!handle.has_object()) return;
  v8::Isolate* const isolate = handle.isolate();
  const v8::HandleScope handles(isolate);
  const int status = outcome ? 0 : -outcome.error().code;
  JsEntry::call(handle.realm(), handle.realm().state<UdpState>().hook(UdpHook::sent),
                self->object.Get(isolate),
                {v8::Integer::New(isolate, status),
                 v8::Number::New(isolate, static_cast<double>(self->request.size()))});
}

// The memory of the views of `list`. Stops at an element that is no view: lib passes none.
void collect(v8::Isolate* isolate, v8::Local<v8::Array> list, std::vector<iovec>* parts,
             std::vector<std::shared_ptr<v8::BackingStore>>* keep) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> element;
    if (!list->Get(context, i).ToLocal(&element) || !element->IsArrayBufferView()) return;
    const v8::Local<v8::ArrayBufferView> view = element.As<v8::ArrayBufferView>();
    const size_t offset = view->ByteOffset();
    keep->push_back(view->Buffer()->GetBackingStore());
    char* const data = static_cast<char*>(keep->back()->Data());
    parts->push_back({data == nullptr ? nullptr : data + offset, view->ByteLength()});
  }
}

// For traces: a socket sends to this port, or receives at it.
void note_port(Realm& realm, uint16_t port, uint64_t handle, bool receives) {
  TraceFile* const trace = realm.options().trace;
  if (trace == nullptr || port == 0) return;
  const TraceTouch touch = receives ? TraceTouch::writes : TraceTouch::reads;
  trace->note(TraceCode::touches, static_cast<uint32_t>(touch),
              trace->ring().text("port:udp/" + std::to_string(port)), -static_cast<double>(handle),
              0);
}

}  // namespace

Result<SocketAddress> ip_address(std::string_view host, uint32_t port) {
  const auto port16 = static_cast<uint16_t>(port);
  Result<SocketAddress> address = SocketAddress::ip(host, port16);
  if (address || address.error().code != ENXIO) return address;
  return SocketAddress::ip(host.substr(0, host.find('%')), port16);
}

Result<SocketAddress> address_for(const UdpHandle& handle, v8::Local<v8::Value> host,
                                  uint32_t port) {
  Result<SocketAddress> address = ip_address(runtime::to_std(handle.isolate(), host), port);
  if (address && address->is_ip6() != handle.is_ip6()) return Error{EINVAL, "address"};
  return address;
}

UdpHandle::UdpHandle(Realm& realm, bool is_ip6)
    : HandleWrap(realm, kind_of<UdpHandle>(), realm.loop().make<Udp>(), Closing::reported),
      is_ip6_(is_ip6) {}

// lib only releases the object here and calls no code of the program, so no ticks are drained.
void UdpHandle::on_closed() {
  JsEntry::call_undrained(realm(), realm().state<UdpState>().hook(UdpHook::closed), object(), {});
}

int UdpHandle::receive_start() {
  if (socket().is_closing()) return -EBADF;
  if (socket().is_receiving()) return 0;
  const Result<void> started = socket().receive_start([this](Udp&, Result<Datagram> datagram) {
    if (has_object()) deliver(std::move(datagram));
  });
  if (started && realm().options().trace != nullptr) {
    const Result<SocketAddress> address = socket().local_address();
    if (address) note_port(realm(), address->port(), socket().id(), true);
  }
  return code_of(started);
}

void UdpHandle::deliver(Result<Datagram> datagram) {
  v8::Isolate* const isolate = this->isolate();
  const v8::HandleScope handles(isolate);
  const v8::Local<v8::Function> hook = realm().state<UdpState>().hook(UdpHook::message);
  if (!datagram) {
    JsEntry::call(realm(), hook, object(), {v8::Integer::New(isolate, -datagram.error().code)});
    return;
  }
  const size_t size = datagram->data.size();
  void* memory = nullptr;
  if (size > 0) {
    memory = std::malloc(size);
    RONDO_ASSERT(memory != nullptr);
    std::memcpy(memory, datagram->data.data(), size);
  }
  v8::Local<v8::String> host;
  if (!runtime::to_js(isolate, datagram->from.host()).ToLocal(&host)) return;
  runtime::note_seen_port(realm(), datagram->from.port());
  JsEntry::call(realm(), hook, object(),
                {v8::Integer::New(isolate, static_cast<int>(size)),
                 runtime::own_memory(isolate, memory, size), host,
                 v8::Boolean::New(isolate, datagram->from.is_ip6()),
                 v8::Integer::New(isolate, datagram->from.port())});
}

int UdpHandle::send(v8::Local<v8::Array> list, const SocketAddress* to,
                    v8::Local<v8::Object> request, bool queues) {
  if (socket().is_closing()) return -EBADF;
  if (to != nullptr && socket().is_connected()) return -EISCONN;
  if (to == nullptr && !socket().is_connected()) return -EDESTADDRREQ;
  auto waiting = std::make_unique<WaitingSend>(*this, request);
  collect(isolate(), list, &waiting->parts, &waiting->keep);
  if (to != nullptr) note_port(realm(), to->port(), socket().id(), false);
  Result<size_t> at_once = Error{EAGAIN, "sendmsg"};
  if (!queues) at_once = socket().try_send(waiting->parts, to);
  if (socket().has_sent_outside() && realm().loop().internals().choice() != nullptr) [[unlikely]] {
    runtime::note_outside(realm(), Outside::network);
  }
  if (at_once) return static_cast<int>(*at_once) + 1;
  if (at_once.error().code != EAGAIN) return -at_once.error().code;
  WaitingSend* const owned = waiting.release();
  socket().send(owned->request, owned->parts, to,
                [owned](UdpSend&, const Result<size_t>& outcome) { sent(owned, outcome); });
  return 0;
}

namespace {

uint32_t number_of(v8::Local<v8::Value> value) {
  return value->IsUint32() ? value.As<v8::Uint32>()->Value() : 0;
}

// For functions that return 0 or a negative errno; a socket that is closed gives EBADF.
template <class Function>
void return_code(const Arguments& info, Function function) {
  UdpHandle* const handle = udp_of(info);
  const bool is_open = handle != nullptr && !handle->socket().is_closing();
  info.GetReturnValue().Set(is_open ? function(*handle) : -EBADF);
}

constexpr runtime::Constant kHooks[] = {
    {"onMessage", UdpHook::message},
    {"onSent", UdpHook::sent},
    {"onClosed", UdpHook::closed},
};
static_assert(runtime::names_all(kHooks, UdpHook::count));

// The flags of bind(), with libuv's names and values: programs can see one of them in
// os.constants.
enum BindFlag : uint32_t { ipv6_only = 1, reuse_address = 4, reuse_port = 64 };
constexpr runtime::Constant kFlags[] = {
    {"UV_UDP_IPV6ONLY", BindFlag::ipv6_only},
    {"UV_UDP_REUSEADDR", BindFlag::reuse_address},
    {"UV_UDP_REUSEPORT", BindFlag::reuse_port},
};

// setHooks({name: function...}): once, before the first socket.
void set_hooks(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  UdpState& state = Realm::of(isolate).state<UdpState>();
  runtime::take_functions(isolate, info[0], kHooks,
                          [&state](size_t number, v8::Local<v8::Function> function) {
                            state.set_hook(static_cast<UdpHook>(number), function);
                          });
}

// create(is IPv6) -> the object of a new socket.
void create(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, realm.state<UdpState>().has_hooks());
  info.GetReturnValue().Set((new UdpHandle(realm, info[0]->IsTrue()))->object());
}

// open(socket, fd): the socket owns the descriptor from here on, unless this fails.
void open(const Arguments& info) {
  return_code(info, [&info](const UdpHandle& handle) {
    if (!info[1]->IsInt32()) return -EBADF;
    const int32_t fd = info[1].As<v8::Int32>()->Value();
    const Result<void> opened = handle.socket().open(fd);
    if (opened) {
      handle.realm().descriptors().remove(fd);
      static_cast<void>(handle.realm().state<runtime::UnclaimedFds>().take(fd).release());
    }
    return code_of(opened);
  });
}

// bind(socket, host, port, flags)
void bind(const Arguments& info) {
  return_code(info, [&info](const UdpHandle& handle) {
    const Result<SocketAddress> address = address_for(handle, info[1], number_of(info[2]));
    if (!address) return -address.error().code;
    const uint32_t flags = number_of(info[3]);
    Udp::BindOptions options;
    options.ipv6_only = (flags & BindFlag::ipv6_only) != 0;
    options.reuse_address = (flags & BindFlag::reuse_address) != 0;
    options.reuse_port = (flags & BindFlag::reuse_port) != 0;
    return code_of(handle.socket().bind(*address, options));
  });
}

// connect(socket, host, port)
void connect(const Arguments& info) {
  return_code(info, [&info](const UdpHandle& handle) {
    // libuv refuses a second peer.
    if (handle.socket().is_connected()) return -EISCONN;
    const Result<SocketAddress> peer = address_for(handle, info[1], number_of(info[2]));
    return peer ? code_of(handle.socket().connect(*peer)) : -peer.error().code;
  });
}

void disconnect(const Arguments& info) {
  return_code(info, [](const UdpHandle& handle) { return code_of(handle.socket().disconnect()); });
}

// send(socket, request, list, host or undefined, port, queues): see UdpHandle::send().
void send(const Arguments& info) {
  RONDO_EXPECT(info, info[1]->IsObject());
  RONDO_EXPECT(info, info[2]->IsArray());
  return_code(info, [&info](UdpHandle& handle) {
    const v8::Local<v8::Array> list = info[2].As<v8::Array>();
    if (list->Length() > kMostParts) return -EMSGSIZE;
    const v8::Local<v8::Object> request = info[1].As<v8::Object>();
    const bool queues = info[5]->IsTrue();
    if (info[3]->IsUndefined()) return handle.send(list, nullptr, request, queues);
    const Result<SocketAddress> to = address_for(handle, info[3], number_of(info[4]));
    if (!to) return -to.error().code;
    return handle.send(list, &*to, request, queues);
  });
}

void receive_start(const Arguments& info) {
  return_code(info, [](UdpHandle& handle) { return handle.receive_start(); });
}

void receive_stop(const Arguments& info) {
  return_code(info, [](const UdpHandle& handle) {
    handle.socket().receive_stop();
    return 0;
  });
}

// fd(socket): a negative errno if there is none.
void fd(const Arguments& info) {
  UdpHandle* const handle = udp_of(info);
  const int fd = handle == nullptr ? -1 : handle->socket().fd();
  info.GetReturnValue().Set(fd < 0 ? -EBADF : fd);
}

void queued_bytes(const Arguments& info) {
  UdpHandle* const handle = udp_of(info);
  runtime::set_size(info, handle == nullptr ? 0 : handle->socket().queued_bytes());
}

void queued_count(const Arguments& info) {
  UdpHandle* const handle = udp_of(info);
  runtime::set_size(info, handle == nullptr ? 0 : handle->socket().queued_count());
}

constexpr runtime::Method kMethods[] = {
    {"setHooks", set_hooks},
    {"create", create},
    {"open", open},
    {"bind", bind},
    {"connect", connect},
    {"disconnect", disconnect},
    {"send", send},
    {"receiveStart", receive_start},
    {"receiveStop", receive_stop},
    {"fd", fd},
    {"queuedBytes", queued_bytes},
    {"queuedCount", queued_count},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, "flags", kFlags);
}

}  // namespace

extern const runtime::Binding udp;
const runtime::Binding udp{"udp", kMethods, add_constants};

}  // namespace rondo::bindings
