// The sockets, pipes and terminals of JavaScript: shared by the stream_handle*.cc files.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bindings/net/stream_consumer.h"
#include "io/net/listener.h"
#include "io/stream/stream.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/handle_wrap.h"
#include "runtime/values/values.h"

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

inline int code_of(const Result<void>& result) { return result ? 0 : -result.error().code; }

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

  // The objects that are cloned for a stream and for a server: lib makes them before the first one.
  v8::Global<v8::Object> stream_pattern;
  v8::Global<v8::Object> server_pattern;

  // Large reads stay where they were read, small ones are copied together, so that one does not
  // keep much other memory alive.
  using Piece = StreamPiece;
  Piece keep(std::span<const std::byte> bytes);
  // The same for bytes that a consumer makes of those that were read, such as plaintext: it writes
  // into room(), and keeps the first part of that. Valid until the next call of either.
  static constexpr size_t kRoom = 16 * 1024;
  std::span<std::byte> room();
  Piece keep_room(size_t size);
  // For bytes in other memory.
  Piece keep_copy(std::span<const std::byte> bytes);

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
  Slab made_;
};

// Converts an address from lib: a path if there is no port. A path that is too long gives EINVAL,
// as in libuv.
Result<SocketAddress> address_of(v8::Isolate* isolate, v8::Local<v8::Value> host,
                                 v8::Local<v8::Value> port);

// For traces: a socket uses this port. Does nothing if there is none.
void note_port(runtime::Realm& realm, uint16_t port, uint64_t handle, bool listens);

// The answer to a write.
enum class WriteState : uint8_t {
  sent,    // The kernel has taken everything.
  queued,  // The rest is sent from poll; StreamHook::written or StreamConsumer::on_written follows.
};

// Keeps the bytes of a queued write alive.
struct WriteMemory {
  std::vector<std::shared_ptr<v8::BackingStore>> stores = {};
  std::unique_ptr<char[]> bytes = nullptr;
};

// The arguments of send() as parts of memory, for consumers that send something else instead. It
// refers to itself.
struct SendData {
  SendData() {}  // NOLINT(modernize-use-equals-default): `text` must not be cleared.
  SendData(const SendData&) = delete;
  SendData& operator=(const SendData&) = delete;

  std::span<const iovec> parts;
  // The memory of the parts.
  static constexpr size_t kMostText = 4096;
  char text[kMostText];
  iovec one{};
  std::vector<iovec> many;
  WriteMemory memory;
};
// False if they are no data, or with an exception pending.
bool read_send_data(const runtime::Arguments& info, SendData* data);

// A stream of JavaScript: the object that net.Socket has as its handle. Functions that return an
// int return 0 or a negative errno.
class StreamHandle final : public runtime::HandleWrap<Stream>, public StreamSource {
 public:
  StreamHandle(runtime::Realm& realm, StreamKind kind);
  ~StreamHandle() override;

  StreamKind kind() const { return kind_; }
  Stream& stream() const { return handle(); }
  // Null for other kinds of streams.
  Socket* socket() const;

  int open(Fd fd);
  // A positive errno is one of bind(2). `bound`, if valid, is used instead of a new socket.
  int connect(const SocketAddress& to, const SocketAddress& from, Fd bound = {});
  int read_start();
  void read_stop() { stream().read_stop(); }
  // Reads go into this memory from now on, and the callback gets no buffer.
  void read_into(std::shared_ptr<v8::BackingStore> memory, size_t offset, size_t size);
  int shutdown();
  // As close(); the peer of a socket gets ECONNRESET.
  bool close_reset();

  // Tries the kernel once. If it takes less than all, `keep(rest)` returns the memory of the
  // remaining parts, which it may have moved, and these are queued.
  template <class Keep>
  Result<WriteState> write(std::span<iovec> parts, Keep keep) {
    return write(parts, keep, nullptr);
  }
  // The same for a consumer, to which the end of a queued write is reported.
  template <class Keep>
  Result<WriteState> write(std::span<iovec> parts, Keep keep, StreamConsumer* by) {
    const Result<bool> is_full = send(&parts);
    if (!is_full) return is_full.error();
    if (parts.empty()) return WriteState::sent;
    queue(parts, keep(parts), by, *is_full);
    return WriteState::queued;
  }

  bool is_readable() const override { return !is_closing(); }
  void pass(Result<std::span<std::byte>> data) override;
  StreamPiece keep_data(std::span<const std::byte> data) override {
    return realm().state<StreamState>().keep(data);
  }

 private:
  void on_closed() override;
  void start_closing() override;
  // Nothing once the object is gone.
  void call(StreamHook hook, std::initializer_list<v8::Local<v8::Value>> arguments);
  void call(StreamHook hook, const Result<void>& outcome);
  void deliver(Result<std::span<std::byte>> data) {
    if (has_consumer()) return consumer()->on_read(*this, std::move(data));
    pass(std::move(data));
  }
  // Removes from `parts` what was sent. True if the kernel took less than it was offered.
  Result<bool> send(std::span<iovec>* parts) const;
  void queue(std::span<const iovec> rest, WriteMemory memory, StreamConsumer* by, bool is_full);
  void report_written(StreamConsumer* by, const Result<void>& outcome);

  std::shared_ptr<v8::BackingStore> target_;  // Keeps the memory of read_into() alive.
  StreamKind kind_;
  bool is_shutting_ = false;
  bool resets_ = false;
};

}  // namespace rondo::bindings
