// internalBinding('stream_servers'): servers that take connections in. Functions answer 0 or a
// negative errno unless they say otherwise.
#include <fcntl.h>
#include <sys/stat.h>

#include "bindings/stream_handle.h"
#include "io/pipe.h"
#include "io/tcp.h"
#include "loop/loop.h"
#include "runtime/binding.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;
using runtime::Wrap;

class ServerHandle;

// As StreamCore: what outlives the object of JavaScript by the time that closing takes.
struct ServerCore {
  ServerHandle* handle;
  Owned<Listener> listener;
};

class ServerHandle final : public Wrap {
 public:
  ServerHandle(Realm& realm, StreamKind kind)
      : Wrap(realm, kind_of<ServerHandle>()), core_(new ServerCore{this, nullptr}), kind_(kind) {
    if (kind == StreamKind::tcp) {
      core_->listener = realm.loop().make<TcpServer>();
    } else {
      core_->listener = realm.loop().make<PipeServer>();
    }
  }
  ~ServerHandle() override {
    core_->handle = nullptr;
    close();
  }

  const Handle* loop_handle() const override { return core_->listener.get(); }
  StreamKind kind() const { return kind_; }
  Listener& listener() const { return *core_->listener; }
  TcpServer& tcp() const { return static_cast<TcpServer&>(listener()); }
  PipeServer& pipe() const { return static_cast<PipeServer&>(listener()); }

  int listen(int backlog) {
    if (listener().is_closing()) return -EBADF;
    if (listener().is_listening()) return 0;  // Another server's handle: it goes on.
    ServerCore* const core = core_;
    const Result<void> started = listener().listen(
        [core](Listener&, Result<Fd> connection) {
          if (core->handle != nullptr) core->handle->deliver(std::move(connection));
        },
        backlog);
    if (!started) return -started.error().code;
    if (realm().options().trace != nullptr) {
      const Result<SocketAddress> address = listener().address();
      if (address) note_port(realm(), address->port(), listener().id(), true);
    }
    return 0;
  }

  void close() {
    ServerCore* const core = core_;
    if (core->listener->is_closing()) return;
    core->listener->close([core](Handle&) {
      if (ServerHandle* const handle = core->handle) {
        const v8::HandleScope handles(handle->isolate());
        call_closed(handle->realm(), handle->object());
        if (core->handle != nullptr) handle->destroy();
      }
      delete core;
    });
  }

 private:
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
      return;  // It was gone before we got to it.
    }
    stream->stream().set_birth(listener().birth() | Handle::kInherited);
    call(StreamHook::connection, {v8::Integer::New(isolate, 0), stream->object()});
  }

  ServerCore* core_;
  StreamKind kind_;
};

ServerHandle* handle_of(const Arguments& info) { return Wrap::of<ServerHandle>(info[0]); }

int32_t int_of(const Arguments& info, int index) {
  if (!info[index]->IsInt32()) return -1;
  return info[index].As<v8::Int32>()->Value();
}

int code_of(const Result<void>& result) { return result ? 0 : -result.error().code; }

// create(is a pipe) -> the object of a new server.
void create(const Arguments& info) {
  RONDO_EXPECT(info, Realm::of(info.GetIsolate()).state<StreamState>().has_hooks());
  auto* const handle = new ServerHandle(Realm::of(info.GetIsolate()),
                                        info[0]->IsTrue() ? StreamKind::pipe : StreamKind::tcp);
  info.GetReturnValue().Set(handle->object());
}

// bind(server, host, port, is ipv6 only, reuses port) or bind(server, path)
void bind(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  ServerHandle* const handle = handle_of(info);
  if (handle == nullptr || handle->listener().is_closing()) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  const std::string name = runtime::to_std(isolate, info[1]);
  const bool is_pipe = handle->kind() == StreamKind::pipe;
  const Result<SocketAddress> address =
      is_pipe ? SocketAddress::unix_path(name)
              : SocketAddress::ip(name, static_cast<uint16_t>(int_of(info, 2)));
  if (!address) {
    info.GetReturnValue().Set(-address.error().code);
  } else if (is_pipe) {
    info.GetReturnValue().Set(code_of(handle->pipe().bind(*address)));
  } else {
    info.GetReturnValue().Set(
        code_of(handle->tcp().bind(*address, {info[3]->IsTrue(), info[4]->IsTrue()})));
  }
}

// open(server, fd): a socket that is bound already, or even listens.
void open(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  const int32_t fd = int_of(info, 1);
  if (handle == nullptr || handle->listener().is_closing()) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  info.GetReturnValue().Set(code_of(handle->listener().open(fd)));
}

// chmod(server, mode): of the file of a Unix socket.
void chmod(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const std::string path = runtime::to_std(isolate, info[1]);
  struct stat status {};
  int code = ::stat(path.c_str(), &status);
  const auto more = static_cast<mode_t>(int_of(info, 2));
  if (code == 0) code = ::chmod(path.c_str(), (status.st_mode & 07777) | more);
  info.GetReturnValue().Set(code == 0 ? 0 : -errno);
}

// listen(server, backlog)
void listen(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  const int32_t backlog = int_of(info, 1);
  info.GetReturnValue().Set(handle == nullptr ? -EBADF : handle->listen(backlog));
}

void close(const Arguments& info) {
  if (ServerHandle* const handle = handle_of(info)) handle->close();
}

// setRef(server, boolean)
void set_ref(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  if (handle == nullptr) return;
  if (info[1]->IsTrue()) {
    handle->listener().ref();
  } else {
    handle->listener().unref();
  }
}

// fd(server): -1 if it is closed.
void fd(const Arguments& info) {
  ServerHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? -1 : handle->listener().fd());
}

// address(server): {address, family, port}, undefined for a Unix socket, or a negative errno.
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
  info.GetReturnValue().Set(result);
}

constexpr runtime::Method kMethods[] = {
    {"create", create},  {"bind", bind},     {"open", open},
    {"chmod", chmod},    {"listen", listen}, {"close", close},
    {"setRef", set_ref}, {"fd", fd},         {"address", address},
};

}  // namespace

extern const runtime::Binding stream_servers;
const runtime::Binding stream_servers{"stream_servers", kMethods};

}  // namespace rondo::bindings
