// internalBinding('streams'): connected byte streams; writing is in stream_handle_write.cc.
// Functions return 0 or a negative errno unless stated otherwise.
#include "bindings/net/stream_handle.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "io/net/local_connections.h"
#include "io/net/pipe.h"
#include "io/net/tcp.h"
#include "io/tty/tty.h"
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
using runtime::Wrap;

namespace {

Owned<Stream> make_stream(Loop& loop, StreamKind kind) {
  switch (kind) {
    case StreamKind::tcp: return loop.make<TcpSocket>();
    case StreamKind::pipe: return loop.make<PipeSocket>();
    case StreamKind::tty: break;
  }
  return loop.make<Tty>();
}

}  // namespace

void call_closed(Realm& realm, v8::Local<v8::Object> object) {
  v8::Local<v8::Value> had_callback;
  const v8::Local<v8::Function> hook = realm.state<StreamState>().hook(StreamHook::closed);
  if (JsEntry::call_undrained(realm, hook, object, {}).ToLocal(&had_callback) &&
      had_callback->IsTrue()) {
    JsEntry::drain(realm);
  }
}

StreamHandle::StreamHandle(Realm& realm, StreamKind kind)
    : HandleWrap(realm, kind_of<StreamHandle>(), make_stream(realm.loop(), kind), Closing::reported,
                 realm.state<StreamState>().stream_pattern.Get(realm.isolate())),
      kind_(kind) {}

StreamHandle::~StreamHandle() {
  if (has_consumer()) consumer()->on_closed();
}

Socket* StreamHandle::socket() const {
  return kind_ == StreamKind::tty ? nullptr : static_cast<Socket*>(&stream());
}

void StreamHandle::call(StreamHook hook, std::initializer_list<v8::Local<v8::Value>> arguments) {
  JsEntry::call(realm(), realm().state<StreamState>().hook(hook), object(), arguments);
}

void StreamHandle::call(StreamHook hook, const Result<void>& outcome) {
  if (!has_object()) return;
  const v8::HandleScope handles(isolate());
  call(hook, {v8::Integer::New(isolate(), code_of(outcome))});
}

int StreamHandle::open(Fd fd) {
  if (is_closing()) return -EBADF;
  switch (kind_) {
    case StreamKind::tcp: return code_of(static_cast<TcpSocket&>(stream()).open(std::move(fd)));
    case StreamKind::pipe: return code_of(static_cast<PipeSocket&>(stream()).open(std::move(fd)));
    case StreamKind::tty: break;
  }
  const Result<void> opened = static_cast<Tty&>(stream()).open(fd.get());
  static_cast<void>(fd.release());  // The caller keeps the descriptor of a terminal.
  return code_of(opened);
}

int StreamHandle::connect(const SocketAddress& to, const SocketAddress& from, Fd bound) {
  Socket* const socket = this->socket();
  if (socket == nullptr || is_closing()) return -EBADF;
  if (socket->is_connecting()) return -EALREADY;
  LoopInternals loop = realm().loop().internals();
  if (loop.choice() != nullptr && !loop.service<LocalConnections>().leads_inside(to)) [[unlikely]] {
    runtime::note_outside(realm(), Outside::network);
  }
  auto on_connect = [this](Socket&, Result<void> outcome) { call(StreamHook::connected, outcome); };
  note_port(realm(), to.port(), stream().id(), false);
  const Result<void> started =
      socket->try_connect(to, on_connect, from.size() == 0 ? nullptr : &from, std::move(bound));
  if (started) return 0;
  const Error error = started.error();
  return std::string_view(error.syscall) == "bind" ? error.code : -error.code;
}

void note_port(runtime::Realm& realm, uint16_t port, uint64_t handle, bool listens) {
  TraceFile* const trace = realm.options().trace;
  if (trace == nullptr || port == 0) return;
  trace->note(TraceCode::touches,
              static_cast<uint32_t>(listens ? TraceTouch::writes : TraceTouch::reads),
              trace->ring().text("port:" + std::to_string(port)), -static_cast<double>(handle), 0);
}

int StreamHandle::read_start() {
  if (is_closing()) return -EBADF;
  if (stream().is_reading()) return 0;
  return code_of(stream().read_start(
      [this](Stream&, Result<std::span<std::byte>> data) { deliver(std::move(data)); }));
}

void StreamHandle::pass(Result<std::span<std::byte>> data) {
  v8::Isolate* const isolate = this->isolate();
  const v8::HandleScope handles(isolate);
  if (!data) {
    call(StreamHook::read, {v8::Integer::New(isolate, -data.error().code)});
  } else if (data->empty()) {
    call(StreamHook::read, {v8::Integer::New(isolate, 0)});
  } else if (target_ != nullptr) {
    call(StreamHook::read, {v8::Integer::New(isolate, static_cast<int>(data->size()))});
  } else {
    const StreamState::Piece piece = realm().state<StreamState>().keep(*data);
    call(StreamHook::read,
         {v8::Integer::New(isolate, static_cast<int>(data->size())), piece.buffer,
          v8::Integer::NewFromUnsigned(isolate, static_cast<uint32_t>(piece.offset))});
  }
}

void StreamHandle::read_into(std::shared_ptr<v8::BackingStore> memory, size_t offset, size_t size) {
  stream().read_into({static_cast<std::byte*>(memory->Data()) + offset, size});
  target_ = std::move(memory);
}

int StreamHandle::shutdown() {
  if (is_closing()) return -EBADF;
  if (is_shutting_) return -EALREADY;
  is_shutting_ = true;
  stream().shutdown(
      [this](Stream&, Result<void> outcome) { call(StreamHook::shut_down, outcome); });
  return 0;
}

bool StreamHandle::close_reset() {
  resets_ = socket() != nullptr;
  return close();
}

void StreamHandle::start_closing() {
  // A socket that cannot be reset is closed normally.
  if (resets_ && socket()->close_reset(on_close())) return;
  HandleWrap::start_closing();
}

void StreamHandle::on_closed() { call_closed(realm(), object()); }

namespace {

StreamHandle* handle_of(const Arguments& info) { return Wrap::of<StreamHandle>(info.This()); }

int32_t int_of(const Arguments& info, int index) {
  if (!info[index]->IsInt32()) return -1;
  return info[index].As<v8::Int32>()->Value();
}

constexpr runtime::Constant kHooks[] = {
    {"onRead", StreamHook::read},           {"onWritten", StreamHook::written},
    {"onConnected", StreamHook::connected}, {"onShutDown", StreamHook::shut_down},
    {"onClosed", StreamHook::closed},       {"onConnection", StreamHook::connection},
};
static_assert(runtime::names_all(kHooks, StreamHook::count));

constexpr runtime::Constant kKinds[] = {
    {"kTcp", StreamKind::tcp},
    {"kPipe", StreamKind::pipe},
    {"kTty", StreamKind::tty},
};

// setHooks({name: function...}): once, before the first stream.
void set_hooks(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  StreamState& state = Realm::of(isolate).state<StreamState>();
  runtime::take_functions(isolate, info[0], kHooks,
                          [&state](size_t number, v8::Local<v8::Function> function) {
                            state.set_hook(static_cast<StreamHook>(number), function);
                          });
}

// makePattern(prototype): the object that is cloned for each stream. lib adds its fields.
void make_pattern(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  RONDO_EXPECT(info, info[0]->IsObject());
  const v8::Local<v8::Object> pattern = Wrap::make_pattern(realm, info[0]);
  realm.state<StreamState>().stream_pattern.Reset(isolate, pattern);
  info.GetReturnValue().Set(pattern);
}

// create(kind): a new stream.
void create(const Arguments& info) {
  const int32_t kind = int_of(info, 0);
  RONDO_EXPECT(info, !Realm::of(info.GetIsolate()).state<StreamState>().stream_pattern.IsEmpty());
  RONDO_EXPECT(info, kind >= 0 && kind <= static_cast<int32_t>(StreamKind::tty));
  auto* const handle =
      new StreamHandle(Realm::of(info.GetIsolate()), static_cast<StreamKind>(kind));
  info.GetReturnValue().Set(handle->object());
}

// The functions below are methods of a stream.

// open(fd): the stream owns the descriptor from here on, unless this fails.
void open(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  const int32_t fd = int_of(info, 0);
  if (handle == nullptr || fd < 0) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  // A descriptor that cannot be taken over must not be closed: the caller keeps it.
  struct stat status {};
  int code = ::fstat(fd, &status) == 0 ? 0 : -errno;
  if (code == 0 && handle->stream().is_open()) code = -EISCONN;
  const bool is_right = S_ISSOCK(status.st_mode) ||
                        (handle->kind() == StreamKind::pipe && S_ISFIFO(status.st_mode)) ||
                        (handle->kind() == StreamKind::tty && Tty::is_tty(fd));
  if (code == 0 && !is_right) code = -EINVAL;
  if (code != 0) {
    info.GetReturnValue().Set(code);
    return;
  }
  Realm::of(info.GetIsolate()).descriptors().remove(fd);
  auto& unclaimed = Realm::of(info.GetIsolate()).state<runtime::UnclaimedFds>();
  info.GetReturnValue().Set(handle->open(unclaimed.take(fd)));
}

// startConnect(host or path, port[, local host, local port]): without a port it is a path. A
// positive errno means that binding the local address failed.
void connect(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  const Result<SocketAddress> to = address_of(isolate, info[0], info[1]);
  if (!to) {
    info.GetReturnValue().Set(-to.error().code);
    return;
  }
  SocketAddress from;
  if (info[2]->IsString()) {
    Result<SocketAddress> local = address_of(isolate, info[2], info[3]);
    if (!local) {
      info.GetReturnValue().Set(local.error().code);
      return;
    }
    from = *local;
  }
  info.GetReturnValue().Set(handle->connect(*to, from));
}

void read_start(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? -EBADF : handle->read_start());
}

void read_stop(const Arguments& info) {
  if (StreamHandle* const handle = handle_of(info)) handle->read_stop();
}

// readInto(view): each read fills the view from its beginning.
void read_into(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, info[0]->IsArrayBufferView());
  const v8::Local<v8::ArrayBufferView> view = info[0].As<v8::ArrayBufferView>();
  if (handle == nullptr || view->ByteLength() == 0) return;
  handle->read_into(view->Buffer()->GetBackingStore(), view->ByteOffset(), view->ByteLength());
}

void shutdown(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? -EBADF : handle->shutdown());
}

// startClose(with reset): false if the stream is closing already.
void close(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr) return info.GetReturnValue().Set(false);
  info.GetReturnValue().Set(info[0]->IsTrue() ? handle->close_reset() : handle->close());
}

// takeDescriptor(): the descriptor, which the caller owns from then on; the object can only be
// closed. -1 if there is none, or if writes are pending.
void take_descriptor(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  const bool is_idle = handle != nullptr && handle->socket() != nullptr && !handle->is_closing() &&
                       handle->stream().queued_bytes() == 0 && !handle->socket()->is_connecting();
  info.GetReturnValue().Set(is_idle ? handle->stream().release().release() : -1);
}

// setRawMode(boolean): 0 or a negative errno; only for terminals.
void set_raw_mode(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr || handle->kind() != StreamKind::tty) return;
  const Tty::Mode mode = info[0]->IsTrue() ? Tty::Mode::raw : Tty::Mode::normal;
  info.GetReturnValue().Set(code_of(static_cast<Tty&>(handle->stream()).set_mode(mode)));
}

// Getters: false, -1 or 0 for a closed stream.
void reading(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle != nullptr && handle->stream().is_reading());
}
void fd(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? -1 : handle->stream().fd());
}
void bytes_read(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  runtime::set_size(info, handle == nullptr ? 0 : handle->stream().bytes_read());
}
// All bytes passed to write(), sent or still queued.
void bytes_written(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr) return info.GetReturnValue().Set(0);
  runtime::set_size(info, handle->stream().bytes_written() + handle->stream().queued_bytes());
}
void queued_bytes(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  runtime::set_size(info, handle == nullptr ? 0 : handle->stream().queued_bytes());
}

// The descriptor of the stream. -1 if it is closed: then the call returns EBADF.
int fd_of(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle != nullptr) return handle->stream().fd();
  info.GetReturnValue().Set(-EBADF);
  return -1;
}

int set_option(int fd, int level, int option, int value) {
  return ::setsockopt(fd, level, option, &value, sizeof value) == 0 ? 0 : -errno;
}

// setNoDelay(boolean)
void set_no_delay(const Arguments& info) {
  const int fd = fd_of(info);
  if (fd < 0) return;
  info.GetReturnValue().Set(set_option(fd, IPPROTO_TCP, TCP_NODELAY, info[0]->IsTrue() ? 1 : 0));
}

// setKeepAlive(boolean, delay, interval, count), times in seconds: 0 or nothing keeps the system's
// value.
void set_keep_alive(const Arguments& info) {
  const int fd = fd_of(info);
  if (fd < 0) return;
  const bool is_on = info[0]->IsTrue();
  int code = set_option(fd, SOL_SOCKET, SO_KEEPALIVE, is_on ? 1 : 0);
  const int32_t seconds = int_of(info, 1);
  if (code == 0 && is_on && seconds > 0) {
    code = set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, seconds);
  }
  const int32_t interval = int_of(info, 2);
  if (code == 0 && is_on && interval > 0) {
    code = set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
  }
  const int32_t count = int_of(info, 3);
  if (code == 0 && is_on && count > 0) code = set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, count);
  info.GetReturnValue().Set(code);
}

// The option that holds the type of service: level and name by the family of the socket.
std::pair<int, int> service_option(int fd) {
  int family = AF_INET;
  socklen_t size = sizeof family;
  if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_INET6) {
    return {IPPROTO_IPV6, IPV6_TCLASS};
  }
  return {IPPROTO_IP, IP_TOS};
}

// setTypeOfService(value)
void set_type_of_service(const Arguments& info) {
  const int fd = fd_of(info);
  if (fd < 0) return;
  const auto [level, option] = service_option(fd);
  info.GetReturnValue().Set(set_option(fd, level, option, int_of(info, 0)));
}

// getTypeOfService(): the value, or a negative errno.
void get_type_of_service(const Arguments& info) {
  const int fd = fd_of(info);
  if (fd < 0) return;
  const auto [level, option] = service_option(fd);
  int value = 0;
  socklen_t size = sizeof value;
  const bool is_known = ::getsockopt(fd, level, option, &value, &size) == 0;
  info.GetReturnValue().Set(is_known ? value : -errno);
}

// {address, family, port} of an IP socket, the path of a Unix one; undefined if there is none.
void return_address(const Arguments& info, const Result<SocketAddress>& address) {
  v8::Isolate* const isolate = info.GetIsolate();
  if (!address) return;
  if (address->is_unix()) {
    v8::Local<v8::String> path;
    if (runtime::to_js(isolate, address->path()).ToLocal(&path)) info.GetReturnValue().Set(path);
    return;
  }
  if (!address->is_ip()) return;
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  runtime::set(isolate, result, "address", address->host());
  runtime::set(isolate, result, "family", address->is_ip4() ? "IPv4" : "IPv6");
  runtime::set(isolate, result, "port", static_cast<double>(address->port()));
  runtime::note_seen_port(runtime::Realm::of(isolate), address->port());
  info.GetReturnValue().Set(result);
}

void local_address(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr || handle->socket() == nullptr) return;
  return_address(info, handle->socket()->local_address());
}

void peer_address(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr || handle->socket() == nullptr) return;
  return_address(info, handle->socket()->peer_address());
}

// guessHandleType(fd): not a method.
void guess_handle_type(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const char* name = "UNKNOWN";
  switch (guess_handle(int_of(info, 0))) {
    case FdKind::file: name = "FILE"; break;
    case FdKind::pipe: name = "PIPE"; break;
    case FdKind::tty: name = "TTY"; break;
    case FdKind::tcp: name = "TCP"; break;
    case FdKind::udp: name = "UDP"; break;
    case FdKind::unknown: break;
  }
  info.GetReturnValue().Set(runtime::literal(isolate, name));
}

constexpr runtime::Method kMethods[] = {
    {"setHooks", set_hooks},
    {"makePattern", make_pattern},
    {"create", create},
    {"open", open},
    {"startConnect", connect},
    {"readStart", read_start},
    {"readStop", read_stop},
    {"readInto", read_into},
    {"startShutdown", shutdown},
    {"startClose", close},
    {"takeDescriptor", take_descriptor},
    {"ref", runtime::ref_handle},
    {"unref", runtime::unref_handle},
    {"hasRef", runtime::handle_has_ref},
    {"setRawMode", set_raw_mode},
    {"reading", reading},
    {"fd", fd},
    {"bytesRead", bytes_read},
    {"bytesWritten", bytes_written},
    {"queuedBytes", queued_bytes},
    {"setNoDelay", set_no_delay},
    {"setKeepAlive", set_keep_alive},
    {"setTypeOfService", set_type_of_service},
    {"getTypeOfService", get_type_of_service},
    {"localAddress", local_address},
    {"peerAddress", peer_address},
    {"guessHandleType", guess_handle_type},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kKinds);
}

}  // namespace

extern const runtime::Binding streams;
const runtime::Binding streams{"streams", kMethods, add_constants};

}  // namespace rondo::bindings
