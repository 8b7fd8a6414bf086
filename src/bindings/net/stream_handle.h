// The sockets, pipes and terminals of JavaScript: shared by the stream_handle*.cc files.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "io/net/listener.h"
#include "io/stream/stream.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

namespace rondo {
class Socket;
}

namespace rondo::bindings {

enum class StreamKind : uint8_t { tcp, pipe, tty };

// The functions of lib/internal/net/stream_handle.js. The receiver is the object of the handle.
enum class StreamHook : uint8_t {
  read,        // (size or negative errno, buffer, offset); 0 is the end.
  written,     // (status)
  connected,   // (status)
  shut_down,   // (status)
  closed,      // () returns whether lib had a callback; see call_closed().
  connection,  // (status, the object of the new stream)
  count,
};

// Notifies lib that a stream or server has closed. Drains ticks and microtasks only if lib had a
// callback.
void call_closed(runtime::Realm& realm, v8::Local<v8::Object> object);

// Shared by the streams of a realm.
class StreamState {
 public:
  explicit StreamState(runtime::Realm& realm);
  ~StreamState();
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;

  void set_hook(StreamHook hook, v8::Local<v8::Function> function) {
    hooks_[static_cast<size_t>(hook)].Reset(realm_.isolate(), function);
  }
  v8::Local<v8::Function> hook(StreamHook hook) const {
    return hooks_[static_cast<size_t>(hook)].Get(realm_.isolate());
  }

  bool has_hooks() const { return !hooks_.back().IsEmpty(); }

  // Bytes for JavaScript: a part of an ArrayBuffer that several reads share, as one per small read
  // would cost more than the bytes. Large reads stay where they were read, small ones are copied
  // together, so that one does not keep much other memory alive.
  struct Piece {
    v8::Local<v8::ArrayBuffer> buffer;
    size_t offset;
  };
  Piece keep(std::span<const std::byte> bytes);

 private:
  // Read memory that is free for reuse.
  class Pool;
  struct Slab {
    v8::Global<v8::ArrayBuffer> buffer;
    std::shared_ptr<v8::BackingStore> memory;  // Alive even if JavaScript detaches the buffer.
    size_t used = 0;
    std::byte* data() const { return static_cast<std::byte*>(memory->Data()); }
    size_t room() const { return memory == nullptr ? 0 : memory->ByteLength() - used; }
  };
  void renew(Slab* slab, size_t size);
  Piece take(Slab* slab, size_t size);
  // Makes sure that there is memory for a large read.
  void lend();

  runtime::Realm& realm_;
  std::array<v8::Global<v8::Function>, static_cast<size_t>(StreamHook::count)> hooks_;
  std::shared_ptr<Pool> pool_;
  Slab few_;
  Slab many_;
};

class StreamHandle;

// Converts an address from lib: a path if there is no port. A path that is too long gives EINVAL,
// as in libuv.
Result<SocketAddress> address_of(v8::Isolate* isolate, v8::Local<v8::Value> host,
                                 v8::Local<v8::Value> port);

// For traces: a socket uses this port. Does nothing if there is none.
void note_port(runtime::Realm& realm, uint16_t port, uint64_t handle, bool listens);

// Keeps the native stream alive until its close callback has run, after the JavaScript object is
// gone.
class StreamCore {
 public:
  StreamCore(StreamHandle& handle, Owned<Stream> stream)
      : handle_(&handle), stream_(std::move(stream)) {}

  Stream& stream() const { return *stream_; }
  // Null once the JavaScript object has been destroyed.
  StreamHandle* handle() const { return handle_; }
  void forget_handle() { handle_ = nullptr; }
  // Frees this when the stream has closed.
  void close(bool with_reset);

 private:
  StreamHandle* handle_;
  Owned<Stream> stream_;
};

class StreamHandle final : public runtime::Wrap {
 public:
  StreamHandle(runtime::Realm& realm, StreamKind kind);
  ~StreamHandle() override;

  const Handle* loop_handle() const override { return &core_->stream(); }
  StreamKind kind() const { return kind_; }
  Stream& stream() const { return core_->stream(); }
  // Null for other kinds of streams.
  Socket* socket() const;
  bool is_closing() const { return core_->stream().is_closing(); }

  // 0 or a negative errno, here and below.
  int open(Fd fd);
  // A positive errno is one of bind(2). `bound`, if valid, is used instead of a new socket.
  int connect(const SocketAddress& to, const SocketAddress& from, Fd bound = {});
  int read_start();
  void read_stop() { stream().read_stop(); }
  // Reads go into this memory from now on, and the callback gets no buffer.
  void read_into(std::shared_ptr<v8::BackingStore> memory, size_t offset, size_t size);
  int shutdown();
  void close(bool with_reset);

  // Sends what the kernel takes at once; `parts` is then what was not sent.
  Result<void> send(std::span<iovec>* parts) const;
  // send(), then 0 if that was all, or 1 if the rest is queued: StreamHook::written is called when
  // it is sent. The data is copied.
  int write(std::span<iovec> parts);
  // The same for memory that is kept alive instead of copied.
  int write(std::span<iovec> parts, std::vector<std::shared_ptr<v8::BackingStore>> keep,
            std::unique_ptr<char[]> own);

  void call(StreamHook hook, std::initializer_list<v8::Local<v8::Value>> arguments);
  void call(StreamHook hook, const Result<void>& outcome);

 private:
  void deliver(Result<std::span<std::byte>> data);

  StreamCore* core_;
  StreamKind kind_;
  bool is_shutting_ = false;
  std::shared_ptr<v8::BackingStore> target_;  // Keeps the memory of read_into() alive.
};

}  // namespace rondo::bindings
