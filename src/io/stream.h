// A Stream is a connected byte channel: a TCP or Unix socket, a pipe, a terminal. This class is the
// road of the bytes; its children say how the channel comes about.
// One readiness event reads, then writes what is queued and reports finished writes, then shuts
// down. What finishes outside of poll is reported in pending. Phase: poll, pending, closing
// (cancelled requests). Thread: the loop's only.
#pragma once

#include <sys/uio.h>

#include <memory>
#include <span>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "base/short_list.h"
#include "io/read.h"
#include "io/write.h"
#include "loop/handle.h"
#include "loop/phases/pending.h"
#include "loop/target.h"

namespace rondo {

class ReadAwaiter;
class WriteAwaiter;

class Stream : public Handle, private Deferred {
 public:
  // The bytes are the loop's and gone when the callback returns; none means the end of the stream.
  // After the end or an error no more comes.
  using OnRead = Callback<void(Stream&, Result<std::span<std::byte>> data)>;
  using OnShutdown = Callback<void(Stream&, Result<void>)>;
  using OnDrain = Callback<void(Stream&)>;

  // ENOTCONN before there is a channel, EALREADY while reading. Reading is what makes a stream
  // active; queued writes keep the loop alive by themselves.
  Result<void> read_start(OnRead on_read);
  // Idempotent, and safe inside the callback. Nothing that has arrived is lost: the next
  // read_start() gets it.
  void read_stop();
  bool is_reading() const { return is_reading_; }
  // Read into this memory instead of the loop's. It must live until it is replaced; empty memory
  // ends it.
  void read_into(std::span<std::byte> memory);

  // Reading on demand, where the reader sets the pace: once, into memory that must live until the
  // callback, as must the request. ENOTCONN and the like arrive there, too; EINVAL if there is no
  // room at all. Not while reading by read_start(), and one at a time.
  void read(Read& request, std::span<std::byte> buffer, Read::OnDone on_done);

  // Writes go out in order. Bytes and request must live until the callback, which never comes from
  // inside this call: ENOTCONN, EPIPE (after shutdown) and the like arrive there, too.
  void write(Write& request, std::span<const std::byte> data, Write::OnDone on_done);
  void write(Write& request, std::span<const iovec> parts, Write::OnDone on_done);
  // For those who would rather not keep either: the stream does.
  void write(std::string data, Callback<void(Stream&, Result<void>)> on_done = nullptr);
  // What fits at once, without queueing; EAGAIN if nothing does, or if writes are waiting.
  Result<size_t> try_write(std::span<const std::byte> data);
  Result<size_t> try_write(std::span<const iovec> parts);

  // Back-pressure: bytes that were written but that the kernel has not taken yet.
  size_t queued_bytes() const { return queued_bytes_; }
  // Once more than `bytes` are queued, stop writing until `on_drain`: it runs when the queue has
  // fallen to half of it. Without on_drain only is_backed_up() tells.
  void set_high_water(size_t bytes, OnDrain on_drain = nullptr);
  bool is_backed_up() const;

  // For coroutines; to use these, include io/co_stream.h, which says more.
  ReadAwaiter read(std::span<std::byte> buffer);        // co_await: how many bytes have come.
  WriteAwaiter write(std::span<const std::byte> data);  // co_await: until all of them are out.

  // Ends our side when all that was written before is out; reading goes on. shutdown(2) is called
  // right before the callback, never from inside this call.
  void shutdown(OnShutdown on_shutdown = nullptr);

  // Gives the descriptor away, with what has come and was not read; only close() may follow.
  // Nothing may be waiting to be written.
  Fd release();

  int fd() const { return fd_.get(); }
  bool is_open() const { return static_cast<bool>(fd_); }
  bool has_shut_down() const { return is_shut_; }
  bool is_waiting_to_read() const {
    return (is_reading_ || (pull_ != nullptr && !pull_->is_decided())) && !is_at_end_;
  }
  Awaits awaits() const override;
  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t bytes_written() const { return bytes_written_; }

 protected:
  enum class Channel : uint8_t {
    socket,  // send(2) and recv(2), which never wait.
    file,    // read(2) and write(2) on a non-blocking descriptor.
  };
  Stream(Loop& loop, const char* label);
  ~Stream() override;

  // From here on the channel is usable.
  void attach(Fd fd, Channel channel);
  // While a stream holds writes they only queue: a connection is being made.
  void hold_writes(bool holds) { is_connecting_ = holds; }
  bool holds_writes() const { return is_connecting_; }
  // Writability, in poll, calls connect_ready(); `code` is an errno if the watch has failed.
  Result<void> attach_connecting(Fd fd);
  virtual void connect_ready(int /*code*/) {}
  void connect_succeeded();
  // The stream has no channel any more. Queued writes are cancelled, and reported by the second.
  void connect_failed();
  void report_cancelled_writes();
  void drop_connection();
  void on_closing() override;
  void on_closed() override;

 private:
  friend class Read;
  friend class Write;

  // What most connections never need.
  struct Rare;

  Rare& rare();
  void ready(int32_t result, uint32_t bits);
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
  void enqueue(Write& request);
  void send_queue();
  size_t gather(iovec* parts, size_t most_writes) const;
  void watch_for_writing();
  void drain();
  Result<size_t> send_now(const iovec* parts, size_t count);
  void finish(Write& request, Result<void> outcome);
  size_t consume(size_t bytes);
  void give_up(Write& request);
  void run_callbacks();
  void call_done(Write& request);
  void finish_shutdown(Result<void> outcome);

  Fd fd_;
  Channel channel_ = Channel::socket;
  bool is_reading_ : 1 = false;      // Wanted by the user.
  bool is_at_end_ : 1 = false;       // Nothing more will ever come.
  bool is_shutting_ : 1 = false;     // shutdown() was called.
  bool is_shut_ : 1 = false;         // ... and done.
  bool waits_to_write_ : 1 = false;  // Watched for writability.
  bool is_connecting_ : 1 = false;
  bool is_over_water_ : 1 = false;
  bool lingers_ : 1 = false;  // Still watched for reading, in case somebody does.

 protected:
  uint16_t options_ = 0;  // The children's: there is room here, and every connection pays for more.

 private:
  OnRead on_read_;
  Read* pull_ = nullptr;                   // The read() that has not called back yet.
  Watch watch_;                            // Both directions.
  ShortList<Write, &Write::link_> queue_;  // Front: the one being sent.
  ShortList<Write, &Write::link_> done_;   // Their callbacks are due.
  size_t queued_bytes_ = 0;
  uint64_t bytes_read_ = 0;
  uint64_t bytes_written_ = 0;
  std::unique_ptr<Rare> rare_;
};

}  // namespace rondo
