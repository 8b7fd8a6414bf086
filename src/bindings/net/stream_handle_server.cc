// internalBinding('stream_servers'): servers that accept connections. Functions return 0 or a
// negative errno unless stated otherwise.
#include <fcntl.h>
#include <sys/stat.h>

#include "bindings/net/stream_handle.h"
#include "io/net/pipe.h"
#include "io/net/tcp.h"
#include "loop/loop.h"
#include "runtime/control/explored_program.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

Result<SocketAddress> address_of(v8::Isolate* isolate, v8::Local<v8::Value> host,
                                 v8::Local<v8::Value> port) {
  const std::string text = runtime::to_std(isolate, host);
  if (port->IsUint32()) {
    return SocketAddress::ip(text, static_cast<uint16_t>(port.As<v8::Uint32>()->Value()));
  }
  Result<SocketAddress> path = SocketAddress::unix_path(text);
  if (!path && path.error().code == ENAMETOOLONG) return Error{EINVAL, path.error().syscall};
  return path;
}

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;
using runtime::Wrap;

Owned<Listener> make_listener(Loop& loop, StreamKind kind) {
  if (kind == StreamKind::tcp) return loop.make<TcpServer>();
  return loop.make<PipeServer>();
}

class ServerHandle final : public runtime::HandleWrap<Listener> {
 public:
  ServerHandle(Realm& realm, StreamKind kind)
      : HandleWrap(realm, kind_of<ServerHandle>(), make_listener(realm.loop(), kind),
                   Closing::reported,
                   realm.state<StreamState>().server_pattern.Get(realm.isolate())),
        kind_(kind) {}

  StreamKind kind() const { return kind_; }
  Listener& listener() const { return handle(); }
  TcpServer& tcp() const { return static_cast<TcpServer&>(listener()); }
  PipeServer& pipe() const { return static_cast<PipeServer&>(listener()); }

  int listen(int backlog) {
    if (is_closing()) return -EBADF;
    // Another server shares this handle and already listens.
    if (listener().is_listening()) return 0;
    const Result<void> started = listener().listen(
        [this](Listener&, Result<Fd> connection) { deliver(std::move(connection)); }, backlog);
    if (!started) return -started.error().code;
    if (realm().options().trace != nullptr) {
      const Result<SocketAddress> address = listener().address();
      if (address) note_port(realm(), address->port(), listener().id(), true);
    }
    return 0;
  }

 private:
  void on_closed() override { call_closed(realm(), object()); }
  void call(StreamHook hook, std::initializer_list<v8::Local<v8::Value>> arguments) {
    JsEntry::call(realm(), realm().state<StreamState>().hook(hook), object(), arguments);
  }

  void deliver(Result<Fd> connection) {
    v8::Isolate* const isolate = this->isolate();
    const v8::HandleScope handles(isolate);
    if (!connection) {
      call(StreamHook::connection, {v8::Integer::New(isolate, -connection.error().code)});
      return;
    }
    auto* const stream = new StreamHandle(realm(), kind_);
    const int code = stream->open(std::move(*connection));
    if (code != 0) {
      stream->destroy();
      return;  // The connection was lost before it was accepted.
    }
    stream->stream().set_creation_site(listener().creation_site() | Handle::kInherited);
    call(StreamHook::connection, {v8::Integer::New(isolate, 0), stream->object()});
  }

  StreamKind kind_;
};

ServerHandle* handle_of(const Arguments& info) { return Wrap::of<ServerHandle>(info.This()); }

int32_t int_of(const Arguments& info, int index) {
  if (!info[index]->IsInt32()) return -1;
  return info[index].As<v8::Int32>()->Value();
}

// makePattern(prototype): the object that is cloned for each server. lib adds its fields.
void make_pattern(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  RONDO_EXPECT(info, info[0]->IsObject());
  const v8::Local<v8::Object> pattern = Wrap::make_pattern(realm, info[0]);
  realm.state<StreamState>().server_pattern.Reset(isolate, pattern);
  info.GetReturnValue().Set(pattern);
}

// create(is a pipe): a new server.
void create(const Arguments& info) {
  RONDO_EXPECT(info, !Realm::of(info.GetIsolate()).state<StreamState>().server_pattern.IsEmpty());
  auto* const handle = new ServerHandle(Realm::of(info.GetIsolate()),
                                        info[0]->IsTrue() ? StreamKind::pipe : StreamKind::tcp);
  info.GetReturnValue().Set(handle->object());
}

// The functions below are methods of a server.

// bindTo(host, port, is ipv6 only, reuses port) or bindTo(path)
void bind(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  ServerHandle* const handle = handle_of(info);
  if (handle == nullptr || handle->is_closing()) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  const bool is_pipe = handle->kind() == StreamKind::pipe;
  RONDO_EXPECT(info, is_pipe || info[1]->IsUint32());
  const Result<SocketAddress> address =
      address_of(isolate, info[0], is_pipe ? v8::Undefined(isolate).As<v8::Value>() : info[1]);
  if (!address) {
    info.GetReturnValue().Set(-address.error().code);
  } else if (is_pipe) {
    info.GetReturnValue().Set(code_of(handle->pipe().bind(*address)));
  } else {
    info.GetReturnValue().Set(
        code_of(handle->tcp().bind(*address, {info[2]->IsTrue(), info[3]->IsTrue()})));
  }
}

// open(fd): a socket that is already bound or listening.
void open(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  const int32_t fd = int_of(info, 0);
  if (handle == nullptr || handle->is_closing()) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  const Result<void> opened = handle->listener().open(fd);
  if (opened) Realm::of(info.GetIsolate()).descriptors().remove(fd);
  info.GetReturnValue().Set(code_of(opened));
}

// connectFrom(stream, host or path, port): the stream connects with the socket of a server
// that is bound and does not listen; the server has no socket from then on.
void connect_from(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  auto* const stream = Wrap::of<StreamHandle>(info[0]);
  if (handle == nullptr || stream == nullptr || handle->listener().is_listening() ||
      handle->listener().fd() < 0) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  const Result<SocketAddress> to = address_of(info.GetIsolate(), info[1], info[2]);
  if (!to) return info.GetReturnValue().Set(-to.error().code);
  info.GetReturnValue().Set(stream->connect(*to, SocketAddress(), handle->listener().release()));
}

// takeDescriptor(): the descriptor, which the caller owns from then on; the object can only be
// closed. -1 if there is none.
void take_descriptor(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  const bool has_socket = handle != nullptr && !handle->is_closing();
  info.GetReturnValue().Set(has_socket ? handle->listener().release().release() : -1);
}

// addMode(path, mode): for the file of a Unix socket.
void add_mode(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const std::string path = runtime::to_std(isolate, info[0]);
  struct stat status {};
  int code = ::stat(path.c_str(), &status);
  const auto more = static_cast<mode_t>(int_of(info, 1));
  if (code == 0) code = ::chmod(path.c_str(), (status.st_mode & 07777) | more);
  info.GetReturnValue().Set(code == 0 ? 0 : -errno);
}

// listen(backlog)
void listen(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  const int32_t backlog = int_of(info, 0);
  info.GetReturnValue().Set(handle == nullptr ? -EBADF : handle->listen(backlog));
}

// A getter: -1 if the server is closed.
void fd(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? -1 : handle->listener().fd());
}

// localAddress(): {address, family, port}, undefined for a Unix socket, or a negative errno.
void address(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  ServerHandle* const handle = handle_of(info);
  if (handle == nullptr) return;
  const Result<SocketAddress> address = handle->listener().address();
  if (!address) return info.GetReturnValue().Set(-address.error().code);
  if (!address->is_ip()) return;
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  runtime::set(isolate, result, "address", address->host());
  runtime::set(isolate, result, "family", address->is_ip4() ? "IPv4" : "IPv6");
  runtime::set(isolate, result, "port", static_cast<double>(address->port()));
  runtime::note_seen_port(runtime::Realm::of(isolate), address->port());
  info.GetReturnValue().Set(result);
}

constexpr runtime::Method kMethods[] = {
    {"makePattern", make_pattern},
    {"create", create},
    {"bindTo", bind},
    {"open", open},
    {"connectFrom", connect_from},
    {"addMode", add_mode},
    {"listen", listen},
    {"startClose", runtime::close_handle},
    {"takeDescriptor", take_descriptor},
    {"ref", runtime::ref_handle},
    {"unref", runtime::unref_handle},
    {"hasRef", runtime::handle_has_ref},
    {"fd", fd},
    {"localAddress", address},
};

}  // namespace

extern const runtime::Binding stream_servers;
const runtime::Binding stream_servers{"stream_servers", kMethods};

}  // namespace rondo::bindings
