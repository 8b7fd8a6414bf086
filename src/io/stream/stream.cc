// Writing and lifetime of Stream. Reading is in stream/reading.cc.
#include "io/stream/stream.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "base/sys.h"
#include "io/stream/rare.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// More parts than this take several system calls.
constexpr size_t kMostParts = 64;
// A fast reader must not block the loop: other callbacks run after this many writes.
constexpr size_t kMostWritesPerEvent = 33;

// write(2) to a pipe without readers raises SIGPIPE, which kills the program. Sockets have a flag
// against it; for other files the signal is blocked, and cleared if it was raised.
class NoSigpipe {
 public:
  NoSigpipe() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoSigpipe() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  void take_back() {
    if (::sigismember(&before_, SIGPIPE) != 0) return;  // Blocked by the user: leave it.
    const timespec now{};
    while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
    }
  }

 private:
  sigset_t pipe_;
  sigset_t before_;
};

bool is_write_end_of_pipe(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) < 0 || !S_ISFIFO(info.st_mode)) return false;
  return (::fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
}

// The watch is a member of the stream, and its source is the stream: no need to store it twice.
Stream& owner_of(Target& target) { return *static_cast<Stream*>(const_cast<void*>(target.source)); }

// A write owned by the stream: frees itself and its bytes when done.
struct OwnedWrite {
  OwnedWrite(Stream& to, std::string bytes, Callback<void(Stream&, Result<void>)> callback)
      : stream(to), write(to.loop()), data(std::move(bytes)), on_done(std::move(callback)) {}
  Stream& stream;
  Write write;
  std::string data;
  Callback<void(Stream&, Result<void>)> on_done;
};

}  // namespace

Stream::Stream(Loop& loop, HandleKind kind) : Handle(loop, kind) {
  watch_.source = this;
  watch_.fn = [](Target& target, int32_t result, uint32_t bits) {
    owner_of(target).ready(result, bits);
  };
}

Stream::~Stream() {
  if (is_open() && !is_closing()) fatal("a stream was destroyed before it was closed");
}

Stream::Rare& Stream::rare() {
  if (rare_ == nullptr) rare_ = std::make_unique<Rare>(*this);
  return *rare_;
}

// Called where no function further up the stack uses the members.
void Stream::free_rare_if_unused() {
  if (rare_ != nullptr && !rare_->is_used()) rare_.reset();
}

bool Stream::has_queued_writes() const { return rare_ != nullptr && !rare_->queue.is_empty(); }

Read* Stream::pull() const { return rare_ == nullptr ? nullptr : rare_->pull; }

size_t Stream::queued_bytes() const { return rare_ == nullptr ? 0 : rare_->queued_bytes; }

bool Stream::is_waiting_to_read() const {
  const bool is_pulling = pull() != nullptr && !pull()->is_decided();
  return (is_reading_ || is_pulling) && !is_at_end_;
}

void Stream::defer_callbacks() { internals().defer(rare()); }

void Stream::attach(Fd fd, Channel channel) {
  RONDO_ASSERT(!is_open());
  RONDO_ASSERT(!is_closing());
  fd_ = std::move(fd);
  channel_ = channel;
  watch_.fd = fd_.get();
  watch_.is_socket = channel == Channel::socket;
}

Result<void> Stream::attach_connecting(Fd fd) {
  attach(std::move(fd), Channel::socket);
  is_connecting_ = true;
  waits_to_write_ = true;
  return update_watch();
}

void Stream::drop_connection() {
  waits_to_write_ = false;
  internals().unwatch(watch_);
  fd_.reset();
}

Fd Stream::release() {
  RONDO_ASSERT(!has_queued_writes() && !is_connecting_ && pull() == nullptr);
  read_stop();
  internals().unwatch(watch_);
  return std::move(fd_);
}

void Stream::connect_succeeded() {
  is_connecting_ = false;
  waits_to_write_ = has_queued_writes();
  (void)update_watch();  // Reducing interest cannot fail.
  if (is_shutting_ && !has_queued_writes()) defer_callbacks();
}

void Stream::connect_failed() {
  is_connecting_ = false;
  drop_connection();
  finish_all(Error{ECANCELED, "write"});
}

void Stream::report_cancelled_writes() {
  if (is_closing() || is_connecting_) return;
  run_callbacks();
  if (!is_closing() && !has_queued_writes()) drain();
}

// The stream waits to read, or has writes pending. Only a socket knows its other end.
Awaits Stream::awaits() const {
  const bool is_awaited = (is_waiting_to_read() && has_ref()) || has_queued_writes();
  return is_open() && is_awaited ? Awaits::outside : Awaits::nothing;
}

void Stream::on_closing() {
  is_reading_ = false;
  is_connecting_ = false;
  if (rare_ != nullptr) rare_->cancel();  // The closing phase reports what has finished by now.
  if (!is_open()) return;
  internals().unwatch(watch_);
  // Descriptors of standard streams stay open: their numbers must not be reused.
  if (fd_.get() <= STDERR_FILENO) {
    static_cast<void>(fd_.release());
  } else {
    fd_.reset();
  }
}

void Stream::on_closed() {
  finish_all(Error{ECANCELED, "write"});
  run_callbacks();
  finish_shutdown(Error{ECANCELED, "shutdown"});
  if (pull() != nullptr && !pull()->is_decided_) decide_pull(Error{ECANCELED, "read"});
  call_pull();
  rare_.reset();
}

void Stream::write(Write& request, std::span<const std::byte> data, Write::OnDone on_done) {
  RONDO_ASSERT(!request.is_pending());
  request.single_ = {const_cast<std::byte*>(data.data()), data.size()};
  write(request, std::span<const iovec>(&request.single_, 1), std::move(on_done));
}

void Stream::write(Write& request, std::span<const iovec> parts, Write::OnDone on_done) {
  begin(request, parts, std::move(on_done));
  enqueue(request, true);
}

void Stream::queue(Write& request, std::span<const iovec> parts, Write::OnDone on_done) {
  begin(request, parts, std::move(on_done));
  enqueue(request, false);
}

void Stream::begin(Write& request, std::span<const iovec> parts, Write::OnDone on_done) {
  RONDO_ASSERT(!is_closing());
  request.stream_ = this;
  request.parts_ = parts.data();
  request.count_ = parts.size();
  request.offset_ = 0;
  request.left_ = 0;
  for (const iovec& part : parts) request.left_ += part.iov_len;
  request.is_partly_out_ = false;
  request.is_decided_ = false;
  request.on_done_ = std::move(on_done);
  request.begin();
}

void Stream::write(std::string data, Callback<void(Stream&, Result<void>)> on_done) {
  auto* owned = new OwnedWrite(*this, std::move(data), std::move(on_done));
  write(owned->write, std::as_bytes(std::span(owned->data)), [owned](Write&, Result<void> outcome) {
    std::unique_ptr<OwnedWrite> self(owned);
    if (self->on_done) self->on_done(self->stream, outcome);
  });
}

void Stream::enqueue(Write& request, bool tries) {
  // Failed writes count until they are reported: nothing more is tried until then.
  Rare& rare = this->rare();
  const bool is_idle = rare.queued_bytes == 0;
  rare.queued_bytes += request.left_;
  rare.queue.push_back(request);
  if (is_shutting_) {
    finish(request, Error{EPIPE, "write"});
  } else if (is_connecting_) {
    // Waits for the connection.
  } else if (!is_open()) {
    finish(request, Error{ENOTCONN, "write"});
  } else if (is_idle && tries) {
    send_queue();
  } else {
    watch_for_writing();
  }
  if (rare.queued_bytes > rare.high_water) is_over_water_ = true;
}

Result<size_t> Stream::try_write(std::span<const std::byte> data) {
  const iovec part{const_cast<std::byte*>(data.data()), data.size()};
  return try_write(std::span<const iovec>(&part, 1));
}

Result<size_t> Stream::try_write(std::span<const iovec> parts) {
  if (is_connecting_ || queued_bytes() != 0) return Error{EAGAIN, "write"};
  if (!is_open()) return Error{ENOTCONN, "write"};
  if (is_shutting_) return Error{EPIPE, "write"};
  Result<size_t> sent = send_now(parts.data(), parts.size());
  if (sent) bytes_written_ += *sent;
  return sent;
}

Result<size_t> Stream::send_now(const iovec* parts, size_t count) {
  ssize_t sent;
  if (channel_ == Channel::socket) {
    if (count == 1) {
      sent = sys::send(fd_.get(), parts->iov_base, parts->iov_len, MSG_NOSIGNAL | MSG_DONTWAIT);
    } else {
      msghdr message{};
      message.msg_iov = const_cast<iovec*>(parts);
      message.msg_iovlen = count;
      sent = sys::sendmsg(fd_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    if (sent < 0) return Error::last("write");
  } else {
    NoSigpipe guard;
    sent = sys::writev(fd_.get(), parts, static_cast<int>(count));
    if (sent < 0) {
      const Error error = Error::last("write");
      if (error.code == EPIPE) guard.take_back();
      return error;
    }
  }
  return static_cast<size_t>(sent);
}

// Parts of the writes at the front of the queue, as many as one call takes.
size_t Stream::gather(iovec* parts, size_t most_writes) const {
  size_t count = 0;
  const auto& queue = rare_->queue;
  for (Write* write = queue.front(); write != nullptr && most_writes > 0 && count < kMostParts;
       write = queue.after(*write), --most_writes) {
    size_t skip = write->offset_;
    for (size_t i = 0; i < write->count_ && count < kMostParts; ++i, skip = 0) {
      const iovec& part = write->parts_[i];
      if (part.iov_len == skip) continue;
      parts[count++] = {static_cast<char*>(part.iov_base) + skip, part.iov_len - skip};
    }
  }
  return count;
}

// Sends until the kernel takes less than offered. A write that fails ends the round: the next one
// is tried in the pending phase.
void Stream::send_queue() {
  size_t left = kMostWritesPerEvent;
  for (;;) {
    left -= std::min(left, consume(0));  // Empty writes are done when they reach the front.
    if (!has_queued_writes() || left == 0) return;
    iovec parts[kMostParts];
    const size_t count = gather(parts, left);
    size_t size = 0;
    for (size_t i = 0; i < count; ++i) size += parts[i].iov_len;
    Result<size_t> sent = send_now(parts, count);
    if (!sent) {
      const int code = sent.error().code;
      if (code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS) break;
      finish(*rare_->queue.front(), sent.error());
      waits_to_write_ = false;
      (void)update_watch();  // Reducing interest cannot fail.
      return;
    }
    left -= std::min(left, consume(*sent));
    if (*sent < size) break;
  }
  watch_for_writing();
}

void Stream::watch_for_writing() {
  waits_to_write_ = true;
  Result<void> watched = update_watch();
  if (watched) return;
  waits_to_write_ = false;
  finish_all(watched);
}

// The kernel has taken this many bytes from the front of the queue. Returns the number of writes
// that this finished.
size_t Stream::consume(size_t bytes) {
  size_t finished = 0;
  bytes_written_ += bytes;
  if (rare_ == nullptr) return 0;
  while (Write* head = rare_->queue.front()) {
    const size_t taken = std::min(bytes, head->left_);
    bytes -= taken;
    head->left_ -= taken;
    rare_->queued_bytes -= taken;
    if (head->left_ == 0) {
      finish(*head, {});
      ++finished;
      continue;
    }
    if (taken > 0) head->is_partly_out_ = true;
    head->offset_ += taken;
    while (head->offset_ >= head->parts_->iov_len) {
      head->offset_ -= head->parts_->iov_len;
      ++head->parts_;
      --head->count_;
    }
    break;
  }
  return finished;
}

void Stream::finish(Write& request, Result<void> outcome) {
  request.error_ = outcome ? 0 : outcome.error().code;
  request.is_decided_ = true;
  rare_->queue.remove(request);
  rare_->done.push_back(request);
  if (!is_closing()) defer_callbacks();
}

void Stream::finish_all(Result<void> outcome) {
  while (has_queued_writes()) finish(*rare_->queue.front(), outcome);
}

void Stream::run_pending() {
  write_ready();
  call_pull();
  free_rare_if_unused();
}

void Stream::write_ready() {
  if (is_open() && !is_connecting_) send_queue();
  run_callbacks();
  if (!is_closing() && !is_connecting_ && !has_queued_writes()) drain();
}

void Stream::run_callbacks() {
  // Detached first: a callback that always writes again, to a fast peer, must not block the loop
  // (TURN-10).
  if (rare_ == nullptr) return;
  auto due = rare_->done.take();
  while (Write* request = due.pop_front()) call_done(*request);
  if (is_closing()) return;
  if (is_over_water_ && rare_->queued_bytes <= rare_->high_water / 2) {
    is_over_water_ = false;
    if (rare_->on_drain) {
      CallbackScope scope(loop(), *this);
      rare_->on_drain.call_replaceable(*this);
    }
  }
}

void Stream::call_done(Write& request) {
  rare_->queued_bytes -= request.left_;
  request.end();
  CallbackScope scope(loop(), request.id(), request.label());
  Write::OnDone on_done = std::move(request.on_done_);
  const int code = request.error_;
  if (on_done) on_done(request, code == 0 ? Result<void>() : Result<void>(Error{code, "write"}));
}

// All writes are sent.
void Stream::drain() {
  if (waits_to_write_) {
    waits_to_write_ = false;
    (void)update_watch();  // Reducing interest cannot fail.
  }
  if (rare_ == nullptr || !rare_->shutdown.is_pending()) return;
  if (!is_open() || is_shut_) {
    finish_shutdown(Error{ENOTCONN, "shutdown"});
    return;
  }
  is_shut_ = true;
  Result<void> outcome;
  if (channel_ == Channel::socket) {
    if (::shutdown(fd_.get(), SHUT_WR) < 0) outcome = Error::last("shutdown");
  } else if (is_write_end_of_pipe(fd_.get())) {
    // A pipe has no shutdown(2): the reader sees the end when it is closed.
    internals().unwatch(watch_);
    fd_.reset();
  }
  finish_shutdown(outcome);
}

void Stream::finish_shutdown(Result<void> outcome) {
  if (rare_ == nullptr || !rare_->shutdown.is_pending()) return;
  rare_->shutdown.end();
  OnShutdown on_shutdown = std::move(rare_->on_shutdown);
  if (!on_shutdown) return;
  CallbackScope scope(loop(), *this);
  on_shutdown(*this, outcome);
}

void Stream::shutdown(OnShutdown on_shutdown) {
  RONDO_ASSERT(!is_closing());
  Rare& rare = this->rare();
  RONDO_ASSERT(!rare.shutdown.is_pending());
  rare.on_shutdown = std::move(on_shutdown);
  rare.shutdown.begin();
  is_shutting_ = is_shutting_ || is_open() || is_connecting_;
  if (rare.queue.is_empty() && !is_connecting_) defer_callbacks();
}

Result<void> Write::cancel() {
  if (!is_waiting() || is_partly_out_) return Error{EBUSY, "cancel"};
  stream_->finish(*this, Error{ECANCELED, "write"});
  stream_->defer_callbacks();
  return {};
}

Result<void> Write::give_up() {
  if (!is_waiting()) return Error{EBUSY, "cancel"};
  stream_->give_up(*this);
  stream_->defer_callbacks();
  return {};
}

void Stream::give_up(Write& request) {
  const bool is_broken = request.is_partly_out_;
  finish(request, Error{ECANCELED, "write"});
  if (!is_broken) return;
  finish_all(Error{EPIPE, "write"});
  is_shutting_ = true;
  waits_to_write_ = false;
  (void)update_watch();  // Reducing interest cannot fail.
}

void Stream::set_high_water(size_t bytes, OnDrain on_drain) {
  rare().high_water = bytes;
  rare_->on_drain = std::move(on_drain);
  is_over_water_ = rare_->queued_bytes > bytes;
}

bool Stream::is_backed_up() const { return is_over_water_; }

}  // namespace rondo
