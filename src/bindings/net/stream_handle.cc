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

int code_of(const Result<void>& result) { return result ? 0 : -result.error().code; }

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

void StreamCore::close(bool with_reset) {
  if (stream_->is_closing()) return;
  auto on_close = [this](Handle&) {
    if (handle_ != nullptr) {
      const v8::HandleScope handles(handle_->isolate());
      StreamHandle* const handle = handle_;
      // First, so that JavaScript sees it as closed in the callback.
      call_closed(handle->realm(), handle->object());
      // cppcheck-suppress identicalInnerCondition ; the call may have ended it
      if (handle_ != nullptr) handle->destroy();
    }
    delete this;
  };
  if (with_reset) {
    // If it cannot be reset, it is closed normally.
    Result<void> reset = static_cast<Socket&>(*stream_).close_reset(on_close);
    if (reset) return;
  }
  stream_->close(on_close);
}

StreamHandle::StreamHandle(Realm& realm, StreamKind kind)
    : Wrap(realm, kind_of<StreamHandle>()),
      core_(new StreamCore(*this, make_stream(realm.loop(), kind))),
      kind_(kind) {}

StreamHandle::~StreamHandle() {
  core_->forget_handle();
  core_->close(false);
}

Socket* StreamHandle::socket() const {
  return kind_ == StreamKind::tty ? nullptr : static_cast<Socket*>(&stream());
}

void StreamHandle::call(StreamHook hook, std::initializer_list<v8::Local<v8::Value>> arguments) {
  JsEntry::call(realm(), realm().state<StreamState>().hook(hook), object(), arguments);
}

void StreamHandle::call(StreamHook hook, const Result<void>& outcome) {
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
  StreamCore* const core = core_;
  auto on_connect = [core](Socket&, Result<void> outcome) {
    StreamHandle* const handle = core->handle();
    if (handle == nullptr) return;
    handle->call(StreamHook::connected, outcome);
  };
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
  StreamCore* const core = core_;
  return code_of(stream().read_start([core](Stream&, Result<std::span<std::byte>> data) {
    if (core->handle() != nullptr) core->handle()->deliver(std::move(data));
  }));
}

void StreamHandle::deliver(Result<std::span<std::byte>> data) {
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
  StreamCore* const core = core_;
  stream().shutdown([core](Stream&, Result<void> outcome) {
    if (core->handle() != nullptr) core->handle()->call(StreamHook::shut_down, outcome);
  });
  return 0;
}

void StreamHandle::close(bool with_reset) { core_->close(with_reset && socket() != nullptr); }

namespace {

StreamHandle* handle_of(const Arguments& info) { return Wrap::of<StreamHandle>(info[0]); }

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

// create(kind) -> the object of a new stream.
void create(const Arguments& info) {
  const int32_t kind = int_of(info, 0);
  RONDO_EXPECT(info, Realm::of(info.GetIsolate()).state<StreamState>().has_hooks());
  RONDO_EXPECT(info, kind >= 0 && kind <= static_cast<int32_t>(StreamKind::tty));
  auto* const handle =
      new StreamHandle(Realm::of(info.GetIsolate()), static_cast<StreamKind>(kind));
  info.GetReturnValue().Set(handle->object());
}

// open(stream, fd): the stream owns the descriptor from here on, unless this fails.
void open(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  const int32_t fd = int_of(info, 1);
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

// connect(stream, host or path, port[, local host, local port]): without a port it is a path. A
// positive errno means that binding the local address failed.
void connect(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  const Result<SocketAddress> to = address_of(isolate, info[1], info[2]);
  if (!to) {
    info.GetReturnValue().Set(-to.error().code);
    return;
  }
  SocketAddress from;
  if (info[3]->IsString()) {
    Result<SocketAddress> local = address_of(isolate, info[3], info[4]);
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

// readInto(stream, view): each read fills the view from its beginning.
void read_into(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, info[1]->IsArrayBufferView());
  const v8::Local<v8::ArrayBufferView> view = info[1].As<v8::ArrayBufferView>();
  if (handle == nullptr || view->ByteLength() == 0) return;
  handle->read_into(view->Buffer()->GetBackingStore(), view->ByteOffset(), view->ByteLength());
}

void shutdown(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? -EBADF : handle->shutdown());
}

void close(const Arguments& info) {
  if (StreamHandle* const handle = handle_of(info)) handle->close(false);
}

void close_reset(const Arguments& info) {
  if (StreamHandle* const handle = handle_of(info)) handle->close(true);
}

// setRef(stream, boolean)
void set_ref(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr) return;
  if (info[1]->IsTrue()) {
    handle->stream().ref();
  } else {
    handle->stream().unref();
  }
}

// setRawMode(terminal, boolean): 0 or a negative errno.
void set_raw_mode(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle == nullptr || handle->kind() != StreamKind::tty) return;
  const Tty::Mode mode = info[1]->IsTrue() ? Tty::Mode::raw : Tty::Mode::normal;
  info.GetReturnValue().Set(code_of(static_cast<Tty&>(handle->stream()).set_mode(mode)));
}

// These return a number; -1 or 0 for a closed stream.
void fd(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? -1 : handle->stream().fd());
}
void bytes_read(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? 0.0
                                              : static_cast<double>(handle->stream().bytes_read()));
}
void bytes_written(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(
      handle == nullptr ? 0.0 : static_cast<double>(handle->stream().bytes_written()));
}
void queued_bytes(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(
      handle == nullptr ? 0.0 : static_cast<double>(handle->stream().queued_bytes()));
}

// The descriptor of an open stream, the first argument. -1 if it is closed: then the call returns
// EBADF.
int fd_of(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  if (handle != nullptr) return handle->stream().fd();
  info.GetReturnValue().Set(-EBADF);
  return -1;
}

int set_option(int fd, int level, int option, int value) {
  return ::setsockopt(fd, level, option, &value, sizeof value) == 0 ? 0 : -errno;
}

// setNoDelay(stream, boolean)
void set_no_delay(const Arguments& info) {
  const int fd = fd_of(info);
  if (fd < 0) return;
  info.GetReturnValue().Set(set_option(fd, IPPROTO_TCP, TCP_NODELAY, info[1]->IsTrue() ? 1 : 0));
}

// setKeepAlive(stream, boolean, delay, interval, count), times in seconds: 0 keeps the system's
// value.
void set_keep_alive(const Arguments& info) {
  const int fd = fd_of(info);
  if (fd < 0) return;
  const bool is_on = info[1]->IsTrue();
  int code = set_option(fd, SOL_SOCKET, SO_KEEPALIVE, is_on ? 1 : 0);
  const int32_t seconds = int_of(info, 2);
  if (code == 0 && is_on && seconds > 0) {
    code = set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, seconds);
  }
  const int32_t interval = int_of(info, 3);
  if (code == 0 && is_on && interval > 0) {
    code = set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
  }
  const int32_t count = int_of(info, 4);
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

// setTypeOfService(stream, value)
void set_type_of_service(const Arguments& info) {
  const int fd = fd_of(info);
  if (fd < 0) return;
  const auto [level, option] = service_option(fd);
  info.GetReturnValue().Set(set_option(fd, level, option, int_of(info, 1)));
}

// getTypeOfService(stream): the value, or a negative errno.
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

// guessHandleType(fd)
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
    {"create", create},
    {"open", open},
    {"connect", connect},
    {"readStart", read_start},
    {"readStop", read_stop},
    {"readInto", read_into},
    {"shutdown", shutdown},
    {"close", close},
    {"closeReset", close_reset},
    {"setRef", set_ref},
    {"setRawMode", set_raw_mode},
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
