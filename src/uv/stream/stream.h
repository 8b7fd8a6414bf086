// The handle behind uv_tcp_t, uv_pipe_t and uv_tty_t. Queues, counters and descriptors are the
// public fields of uv_stream_t; this class moves the bytes.
// Not an io Stream: here the program supplies a buffer before each read, copies of descriptors
// travel with the bytes, and a handle is a server or a connection depending on later calls.
// Phase: poll, pending, closing (cancelled requests). Thread: the loop's only.
#pragma once

#include <memory>
#include <vector>

#include "io/net/local_connections.h"
#include "uv/core/handle.h"

namespace rondo::uv {

class StreamHandle final : public IoHandle, private Deferred {
 public:
  StreamHandle(uv_loop_t* loop, void* handle, HandleKind kind);
  ~StreamHandle() override = default;

  uv_stream_t* stream() const { return reinterpret_cast<uv_stream_t*>(handle()); }

  // Takes over `fd` and adds `flags`. UV_EBUSY if there is a descriptor already.
  int open(int fd, unsigned flags, bool is_socket = false);
  // The outcome of a connection attempt that is known: reported in pending.
  void report_later() { internals().defer(*this); }
  void start_listening(uv_connection_cb cb);

  int read_start(uv_alloc_cb alloc_cb, uv_read_cb read_cb);
  void read_stop();
  int write(uv_write_t* req, const uv_buf_t bufs[], unsigned count, uv_stream_t* send_handle,
            uv_write_cb cb);
  // The number of bytes, or a negative errno.
  ssize_t try_write(const uv_buf_t bufs[], unsigned count, uv_stream_t* send_handle);
  int shutdown(uv_shutdown_t* req, uv_shutdown_cb cb);
  int accept_into(uv_stream_t* client);

  // Received descriptors behind uv_stream_t::accepted_fd.
  size_t queued_descriptors() const { return queued_ == nullptr ? 0 : queued_->size(); }

  Awaits awaits() const override;
  bool is_instant() const override;
  // A connection attempt to the address begins.
  void connects_to(const sockaddr* address, socklen_t size);
  // For LocalStreams, which tracks the two ends of a connection.
  Result<SocketAddress> address() const { return SocketAddress::of_socket(fd()); }
  Result<SocketAddress> local_address() const { return address(); }
  Result<SocketAddress> peer_address() const { return SocketAddress::of_peer(fd()); }
  bool is_waiting_to_read() const { return has_flags(stream(), kReading); }
  bool has_shut_down() const { return has_flags(stream(), kShut); }
  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t bytes_written() const { return bytes_written_; }
  size_t queued_bytes() const { return stream()->write_queue_size; }

 private:
  void on_closing() override;
  void on_closed() override;
  void ready(uint32_t bits, int error) override;

  void fail_watch(int error);
  void connection_ready();
  void connected();
  void read_available();
  void end_reading(const uv_buf_t& buffer, ssize_t status);
  void take_descriptors(msghdr& message);
  int take_queued_descriptor();
  void write_available();
  void write_ready();
  ssize_t send(const uv_buf_t* bufs, unsigned count, uv_stream_t* send_handle) const;
  bool advance(uv_write_t* req, size_t sent);
  void finish(uv_write_t* req);
  void cancel_writes(int error);
  void call_finished();
  void drain();

  // The connection is established: its other end may be in this loop.
  void track();

  uint64_t bytes_read_ = 0;
  uint64_t bytes_written_ = 0;
  bool connects_inside_ = false;
  bool connects_at_once_ = false;  // To a Unix socket of this process.
  // Allocated on demand: every idle connection would pay for a vector.
  std::unique_ptr<std::vector<int>> queued_;
};

using LocalStreams = BasicLocalConnections<StreamHandle, StreamHandle>;

// Fills the fields of uv_stream_t.
void init_stream(uv_loop_t* loop, void* handle, uv_handle_type type, HandleKind kind);

inline StreamHandle& stream_behind(const void* handle) { return behind_as<StreamHandle>(handle); }

}  // namespace rondo::uv

extern template class rondo::BasicLocalConnections<rondo::uv::StreamHandle,
                                                   rondo::uv::StreamHandle>;
