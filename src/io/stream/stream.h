// A Stream is a connected byte channel: a TCP or Unix socket, a pipe, a terminal. This class moves
// the bytes; derived classes set up the channel.
// One readiness event reads, then writes queued data and reports finished writes, then shuts down.
// Writes and shutdowns that finish outside of poll are reported in pending. Phase: poll, pending,
// closing (cancelled requests). Thread: the loop's only.
#pragma once

#include <sys/uio.h>

#include <memory>
#include <span>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "io/stream/read.h"
#include "io/stream/write.h"
#include "loop/handle.h"
#include "loop/target.h"

namespace rondo {

class ReadAwaiter;
class WriteAwaiter;

class Stream : public Handle {
 public:
  // The loop owns the bytes; they are valid until the callback returns. Empty means the end of the
  // stream. Not called again after the end or an error.
  using OnRead = Callback<void(Stream&, Result<std::span<std::byte>> data)>;
  using OnShutdown = Callback<void(Stream&, Result<void>)>;
  using OnDrain = Callback<void(Stream&)>;

  // ENOTCONN before there is a channel, EALREADY while reading. A stream is active while it reads;
  // queued writes keep the loop alive by themselves.
  Result<void> read_start(OnRead on_read);
  // Idempotent, and safe inside the callback. Data that has arrived is kept for the next
  // read_start().
  void read_stop();
  bool is_reading() const { return is_reading_; }
  // Reads into this memory instead of the loop's buffer. It must live until replaced; empty memory
  // goes back to the loop's.
  void read_into(std::span<std::byte> memory);

  // Reads once, on demand, into memory that must live until the callback, as must the request.
  // Errors such as ENOTCONN go to the callback; EINVAL if the buffer is empty. Not together with
  // read_start(), and one at a time.
  void read(Read& request, std::span<std::byte> buffer, Read::OnDone on_done);

  // Writes are sent in order. Bytes and request must live until the callback, which never runs
  // inside this call: ENOTCONN, EPIPE (after shutdown) and other errors go to the callback, too.
  void write(Write& request, std::span<const std::byte> data, Write::OnDone on_done);
  void write(Write& request, std::span<const iovec> parts, Write::OnDone on_done);
  // The same, but the stream owns data and request.
  void write(std::string data, Callback<void(Stream&, Result<void>)> on_done = nullptr);
  // Queues what try_write() has left of a write, without trying again: poll sends it when the
  // kernel has room. Otherwise as write().
  void queue(Write& request, std::span<const iovec> parts, Write::OnDone on_done);
  // Writes as much as possible without queueing; EAGAIN if that is nothing, or if writes are
  // queued.
  Result<size_t> try_write(std::span<const std::byte> data);
  Result<size_t> try_write(std::span<const iovec> parts);

  // Back-pressure: bytes that were written but not yet accepted by the kernel.
  size_t queued_bytes() const;
  // Once more than `bytes` are queued, stop writing until `on_drain`: it runs when the queue has
  // shrunk to half of that. Without on_drain, check is_backed_up().
  void set_high_water(size_t bytes, OnDrain on_drain = nullptr);
  bool is_backed_up() const;

  // For coroutines: include io/net/awaiters.h, which documents these.
  ReadAwaiter read(std::span<std::byte> buffer);        // co_await: the number of bytes read.
  WriteAwaiter write(std::span<const std::byte> data);  // co_await: until all bytes are sent.

  // Ends our side once all earlier writes are sent; reading continues. shutdown(2) is called right
  // before the callback, never inside this call.
  void shutdown(OnShutdown on_shutdown = nullptr);

  // Gives up ownership of the descriptor, with all unread data; only close() may follow. No writes
  // may be pending.
  Fd release();

  int fd() const { return fd_.get(); }
  bool is_open() const { return static_cast<bool>(fd_); }
  bool has_shut_down() const { return is_shut_; }
  bool is_waiting_to_read() const;
  Awaits awaits() const override;
  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t bytes_written() const { return bytes_written_; }

 protected:
  enum class Channel : uint8_t {
    socket,  // send(2) and recv(2), which never block.
    file,    // read(2) and write(2) on a non-blocking descriptor.
  };
  Stream(Loop& loop, HandleKind kind);
  ~Stream() override;

  // The channel is usable from here on.
  void attach(Fd fd, Channel channel);
  // While held, writes are only queued: a connection is being made.
  void hold_writes(bool holds) { is_connecting_ = holds; }
  bool holds_writes() const { return is_connecting_; }
  // Writability, in poll, calls connect_ready(); `code` is an errno if the watch has failed.
  Result<void> attach_connecting(Fd fd);
  virtual void connect_ready(int /*code*/) {}
  void connect_succeeded();
  // The stream has no channel any more. connect_failed() cancels queued writes, and
  // report_cancelled_writes() reports them.
  void connect_failed();
  void report_cancelled_writes();
  void drop_connection();
  void on_closing() override;
  void on_closed() override;

 private:
  friend class Read;
  friend class Write;

  // Members that an idle connection does not need.
  struct Rare;

  Rare& rare();
  void free_rare_if_unused();
  bool has_queued_writes() const;
  Read* pull() const;  // The read() whose callback is pending.
  void defer_callbacks();
  void ready(int32_t result, uint32_t bits);
  void handle_event(int32_t result, uint32_t bits);
  void fail_watch(Error error);
  void read_ready();
  void read_available();
  void deliver(Result<std::span<std::byte>> data);
  void end_reading();
  Result<void> update_watch();

  void start_pull();
  void pull_available();
  void finish_pull(Result<size_t> outcome);
  void decide_pull(Result<size_t> outcome);
  void call_pull();

  void run_pending();
  void write_ready();
  void begin(Write& request, std::span<const iovec> parts, Write::OnDone on_done);
  void enqueue(Write& request, bool tries);
  void send_queue();
  size_t gather(iovec* parts, size_t most_writes) const;
  void watch_for_writing();
  void drain();
  Result<size_t> send_now(const iovec* parts, size_t count);
  void finish(Write& request, Result<void> outcome);
  void finish_all(Result<void> outcome);  // All queued writes.
  size_t consume(size_t bytes);
  void give_up(Write& request);
  void run_callbacks();
  void call_done(Write& request);
  void finish_shutdown(Result<void> outcome);

  Fd fd_;
  Channel channel_ = Channel::socket;
  bool is_reading_ : 1 = false;      // Wanted by the user.
  bool is_at_end_ : 1 = false;       // No more data will come.
  bool is_shutting_ : 1 = false;     // shutdown() was called.
  bool is_shut_ : 1 = false;         // ... and done.
  bool waits_to_write_ : 1 = false;  // Watched for writability.
  bool is_connecting_ : 1 = false;
  bool is_over_water_ : 1 = false;
  bool lingers_ : 1 = false;  // Still watched for reading, in case a read follows.

 protected:
  // For derived classes: there is room here, and every connection pays for more.
  uint16_t options_ = 0;

 private:
  OnRead on_read_;
  Watch watch_;  // Both directions.
  uint64_t bytes_read_ = 0;
  uint64_t bytes_written_ = 0;
  std::unique_ptr<Rare> rare_;
};

}  // namespace rondo
