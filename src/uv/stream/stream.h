// The handle behind uv_tcp_t, uv_pipe_t and uv_tty_t. Queues, counters and descriptors are the
// public fields of uv_stream_t; this class moves the bytes.
// Not an io Stream: here the program supplies a buffer before each read, copies of descriptors
// travel with the bytes, and a handle is a server or a connection depending on later calls.
// Phase: poll, pending, closing (cancelled requests). Thread: the loop's only.
#pragma once

#include <memory>
#include <vector>

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

  // Allocated on demand: every idle connection would pay for a vector.
  std::unique_ptr<std::vector<int>> queued_;
};

// Fills the fields of uv_stream_t.
void init_stream(uv_loop_t* loop, void* handle, uv_handle_type type, HandleKind kind);

inline StreamHandle& stream_behind(const void* handle) { return behind_as<StreamHandle>(handle); }

}  // namespace rondo::uv
