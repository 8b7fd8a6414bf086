// The writing half of Stream, and its life. The reading half is in stream_read.cc.
#include "io/stream.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "base/sys.h"
#include "io/stream_rare.h"
#include "loop/loop.h"

namespace rondo {
namespace {

// write(2) to a pipe without readers raises SIGPIPE, which kills the program. Sockets have a flag
// against it; for the rest the signal is blocked, and taken back if it came.
class NoSigpipe {
 public:
  NoSigpipe() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoSigpipe() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  void take_back() {
    if (::sigismember(&before_, SIGPIPE) != 0) return;  // Blocked by the user: leave it be.
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

// Both are a stream's own members, and their source is the stream: no need to store it twice.
Stream& owner_of(Target& target) { return *static_cast<Stream*>(const_cast<void*>(target.source)); }

// A write that nobody keeps: it frees itself, and its bytes, when it is done.
struct OwnedWrite {
  OwnedWrite(Stream& to, std::string bytes, Callback<void(Stream&, Result<void>)> callback)
      : stream(to), write(to.loop()), data(std::move(bytes)), on_done(std::move(callback)) {}
  Stream& stream;
  Write write;
  std::string data;
  Callback<void(Stream&, Result<void>)> on_done;
};

}  // namespace

Stream::Stream(Loop& loop, const char* label)
    : Handle(loop, label),
      Deferred([](Deferred& self) { static_cast<Stream&>(self).run_finished(); }),
      watch_() {}

Stream::~Stream() {
  if (is_open() && !is_closing()) fatal("a stream was destroyed before it was closed");
}

Stream::Rare& Stream::rare() {
  if (rare_ == nullptr) rare_ = std::make_unique<Rare>(loop());
  return *rare_;
}

bool Stream::uses_operations() const {
  return channel_ == Channel::socket && loop().poller().has_operations();
}

void Stream::attach(Fd fd, Channel channel) {
  RONDO_ASSERT(!is_open());
  RONDO_ASSERT(!is_closing());
  fd_ = std::move(fd);
  channel_ = channel;
  if (uses_operations()) {
    new (&receive_) Op();
    receive_.source = this;
    receive_.discard = Discard::recycle_buffer;
    receive_.fn = [](Target& target, int32_t result, uint32_t flags) {
      owner_of(target).received(result, flags);
    };
  } else {
    new (&watch_) Watch();
    watch_.source = this;
    watch_.fd = fd_.get();
    watch_.fn = [](Target& target, int32_t result, uint32_t bits) {
      owner_of(target).ready(result, bits);
    };
  }
  holds_writes_ = false;
  pump();
}

// Somebody reads, and somebody else may write; or what was written waits to be taken. Who is at the
// other end only a socket can tell.
Awaits Stream::awaits() const {
  const bool is_awaited = (is_waiting_to_read() && has_ref()) || !queue_.is_empty();
  return is_open() && is_awaited ? Awaits::outside : Awaits::nothing;
}

void Stream::on_closing() {
  is_reading_ = false;
  holds_writes_ = false;
  if (!is_open()) return;
  close_pull();
  if (uses_operations()) {
    loop().detach(receive_);
    if (is_sending()) {
      begin_operation();  // The kernel may still be reading the caller's bytes.
      loop().poller().cancel(*queue_.front());
    }
  } else {
    loop().unwatch(watch_);
  }
  fd_.reset();
}

void Stream::on_closed() {
  while (Write* request = queue_.front()) finish(*request, Error{ECANCELED, "write"});
  if (pull_ != nullptr && !pull_->is_decided_) decide_pull(Error{ECANCELED, "read"});
  if (rare_ != nullptr && rare_->shutdown.is_pending() && !rare_->shutdown.is_decided_) {
    rare_->shutdown.outcome_ = Error{ECANCELED, "shutdown"};
    rare_->shutdown.is_decided_ = true;
  }
  run_finished();
}

void Stream::write(Write& request, std::span<const std::byte> data, Write::OnDone on_done) {
  RONDO_ASSERT(!request.is_pending());
  request.single_ = {const_cast<std::byte*>(data.data()), data.size()};
  write(request, std::span<const iovec>(&request.single_, 1), std::move(on_done));
}

void Stream::write(Write& request, std::span<const iovec> parts, Write::OnDone on_done) {
  RONDO_ASSERT(!is_closing());
  request.stream_ = this;
  request.parts_ = parts.data();
  request.count_ = parts.size();
  request.offset_ = 0;
  request.left_ = 0;
  for (const iovec& part : parts) request.left_ += part.iov_len;
  request.is_partly_out_ = false;
  request.is_given_up_ = false;
  request.is_interrupted_ = false;
  request.is_decided_ = false;
  request.on_done_ = std::move(on_done);
  request.begin();
  enqueue(request);
}

void Stream::write(std::string data, Callback<void(Stream&, Result<void>)> on_done) {
  auto* owned = new OwnedWrite(*this, std::move(data), std::move(on_done));
  write(owned->write, std::as_bytes(std::span(owned->data)), [owned](Write&, Result<void> outcome) {
    std::unique_ptr<OwnedWrite> self(owned);
    if (self->on_done) self->on_done(self->stream, outcome);
  });
}

void Stream::enqueue(Write& request) {
  const bool is_first = queue_.is_empty();
  queued_bytes_ += request.left_;
  queue_.push_back(request);
  if (is_shutting_) {
    finish(request, Error{EPIPE, "write"});
  } else if (!is_open() && !holds_writes_) {
    finish(request, Error{ENOTCONN, "write"});
  } else if (is_first && !waits_to_write_ && !holds_writes_) {
    pump();
  }
  if (rare_ != nullptr && queued_bytes_ > rare_->high_water) is_over_water_ = true;
  if (!done_.is_empty()) loop().pending().defer(*this);
}

Result<size_t> Stream::try_write(std::span<const std::byte> data) {
  const iovec part{const_cast<std::byte*>(data.data()), data.size()};
  return try_write(std::span<const iovec>(&part, 1));
}

Result<size_t> Stream::try_write(std::span<const iovec> parts) {
  if (!is_open()) return Error{ENOTCONN, "write"};
  if (is_shutting_) return Error{EPIPE, "write"};
  if (!queue_.is_empty()) return Error{EAGAIN, "write"};
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

bool Stream::is_sending() const { return !queue_.is_empty() && queue_.front()->is_in_kernel_; }

// Pieces of the queue from its front, as many as one call takes. Operations hold on to them.
size_t Stream::gather(iovec* parts, size_t most) const {
  size_t count = 0;
  for (Write* write = queue_.front(); write != nullptr && count < most;
       write = queue_.after(*write)) {
    write->is_in_kernel_ = uses_operations();
    size_t skip = write->offset_;
    for (size_t i = 0; i < write->count_ && count < most; ++i, skip = 0) {
      const iovec& part = write->parts_[i];
      if (part.iov_len == skip) continue;
      parts[count++] = {static_cast<char*>(part.iov_base) + skip, part.iov_len - skip};
    }
  }
  return count;
}

void Stream::pump() {
  consume(0);  // Empty writes are done when they get to the front.
  if (queue_.is_empty()) {
    try_shutdown();
    return;
  }
  if (uses_operations()) {
    submit_send();
    return;
  }
  while (!queue_.is_empty()) {
    iovec parts[Rare::kMostParts];
    const size_t count = gather(parts, Rare::kMostParts);
    Result<size_t> sent = send_now(parts, count);
    if (sent) {
      consume(*sent);
      continue;
    }
    const int code = sent.error().code;
    if (code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS) {
      waits_to_write_ = true;
      if (Result<void> watched = update_watch(); watched) break;
      waits_to_write_ = false;
      finish(*queue_.front(), Error{ENOMEM, "write"});
    } else {
      finish(*queue_.front(), sent.error());
    }
  }
  if (queue_.is_empty()) try_shutdown();
  if (!done_.is_empty()) loop().pending().defer(*this);
}

void Stream::submit_send() {
  Write& head = *queue_.front();
  head.is_in_kernel_ = true;
  OpArgs args;
  args.fd = fd_.get();
  args.op_flags = MSG_NOSIGNAL | MSG_WAITALL;
  const bool is_alone = head.count_ == 1 && queue_.after(head) == nullptr;
  if (is_alone) {
    const iovec& part = *head.parts_;
    args.opcode = IORING_OP_SEND;
    args.addr = reinterpret_cast<uint64_t>(part.iov_base) + head.offset_;
    // The kernel counts in 32 bits, and stops below 2 GiB; the rest follows.
    args.len = static_cast<uint32_t>(std::min<size_t>(part.iov_len - head.offset_, 1u << 30));
  } else {
    Rare& rare = this->rare();
    rare.message = msghdr{};
    rare.message.msg_iov = rare.parts.data();
    rare.message.msg_iovlen = gather(rare.parts.data(), rare.parts.size());
    args.opcode = IORING_OP_SENDMSG;
    args.addr = reinterpret_cast<uint64_t>(&rare.message);
    args.len = 1;
  }
  head.source = this;
  head.fn = [](Target& target, int32_t result, uint32_t) {
    Write& write = static_cast<Write&>(static_cast<Op&>(target));
    write.stream_->sent(write, result);
  };
  loop().poller().submit(head, args);
}

void Stream::sent(Write& head, int32_t result) {
  RONDO_ASSERT(queue_.front() == &head);
  for (Write* write = &head; write != nullptr && write->is_in_kernel_;
       write = queue_.after(*write)) {
    write->is_in_kernel_ = false;
  }
  const bool is_interrupted = head.is_interrupted_;
  head.is_interrupted_ = false;
  const bool is_temporary = result == -EAGAIN || result == -EINTR || result == -ENOBUFS;
  if (result >= 0) {
    consume(static_cast<size_t>(result));
  } else if (!is_closing() && !is_temporary && result != -ECANCELED) {
    finish(head, Error{-result, "write"});
  }
  if (is_closing()) {
    end_operation();  // on_closed() tells the rest.
    return;
  }
  // A send that was interrupted does not say how far it had got: as bad as half way.
  if (is_interrupted) drop_given_up(result == -ECANCELED);
  pump();
  run_finished();
}

// The kernel has taken this many bytes off the front of the queue.
void Stream::consume(size_t bytes) {
  bytes_written_ += bytes;
  while (Write* head = queue_.front()) {
    const size_t taken = std::min(bytes, head->left_);
    bytes -= taken;
    head->left_ -= taken;
    queued_bytes_ -= taken;
    if (head->left_ == 0) {
      finish(*head, {});
      continue;
    }
    if (taken > 0) head->is_partly_out_ = true;
    head->offset_ += taken;
    while (head->offset_ >= head->parts_->iov_len) {
      head->offset_ -= head->parts_->iov_len;
      ++head->parts_;
      --head->count_;
    }
    return;
  }
}

void Stream::finish(Write& request, Result<void> outcome) {
  queued_bytes_ -= request.left_;
  request.error_ = outcome ? 0 : outcome.error().code;
  request.is_decided_ = true;
  queue_.remove(request);
  done_.push_back(request);
}

void Stream::fail_writes(Error error) {
  holds_writes_ = false;
  while (Write* request = queue_.front()) finish(*request, error);
  if (!done_.is_empty()) loop().pending().defer(*this);
}

void Stream::run_finished() {
  // Detached first: a callback that writes again and again, to a peer that takes it all, must not
  // keep the loop to itself (TURN-10).
  auto due = done_.take();
  while (Write* request = due.pop_front()) call_done(*request);
  call_shutdown();
  call_pull();
  if (is_closing()) return;
  deliver_held();
  if (is_closing()) return;
  if (is_over_water_ && queued_bytes_ <= rare_->high_water / 2) {
    is_over_water_ = false;
    if (rare_->on_drain) {
      CallbackScope scope(loop(), *this);
      rare_->on_drain.call_replaceable(*this);
    }
  }
}

void Stream::call_done(Write& request) {
  request.end();
  CallbackScope scope(loop(), request.id(), request.label());
  Write::OnDone on_done = std::move(request.on_done_);
  const int code = request.error_;
  if (on_done) on_done(request, code == 0 ? Result<void>() : Result<void>(Error{code, "write"}));
}

Result<void> Write::cancel() {
  if (!is_waiting() || is_partly_out_ || is_in_kernel_) return Error{EBUSY, "cancel"};
  stream_->finish(*this, Error{ECANCELED, "write"});
  loop().pending().defer(*stream_);
  return {};
}

Result<void> Write::give_up() {
  if (!is_waiting()) return Error{EBUSY, "cancel"};
  is_given_up_ = true;
  if (is_in_kernel_) {
    Write& head = *stream_->queue_.front();
    head.is_interrupted_ = true;  // sent() sees to the rest.
    loop().poller().cancel(head);
  } else {
    stream_->drop_given_up(false);
    loop().pending().defer(*stream_);
  }
  return {};
}

void Stream::drop_given_up(bool is_broken) {
  queue_.for_each([&](Write& write) {
    if (write.is_given_up_) {
      is_broken = is_broken || write.is_partly_out_;
      finish(write, Error{ECANCELED, "write"});
    } else if (is_broken) {
      finish(write, Error{EPIPE, "write"});
    }
  });
  if (!is_broken) return;
  is_shutting_ = true;
  waits_to_write_ = false;
  if (!uses_operations()) (void)update_watch();  // Less interest cannot fail.
}

void Stream::set_high_water(size_t bytes, OnDrain on_drain) {
  rare().high_water = bytes;
  rare_->on_drain = std::move(on_drain);
  is_over_water_ = queued_bytes_ > bytes;
}

bool Stream::is_backed_up() const { return is_over_water_; }

void Stream::shutdown(OnShutdown on_shutdown) {
  RONDO_ASSERT(!is_closing());
  Rare& rare = this->rare();
  RONDO_ASSERT(!rare.shutdown.is_pending());
  rare.on_shutdown = std::move(on_shutdown);
  rare.shutdown.is_decided_ = false;
  rare.shutdown.begin();
  if (!is_open() && !holds_writes_) {
    rare.shutdown.outcome_ = Error{ENOTCONN, "shutdown"};
    rare.shutdown.is_decided_ = true;
    loop().pending().defer(*this);
    return;
  }
  is_shutting_ = true;
  if (queue_.is_empty() && !holds_writes_) try_shutdown();
}

void Stream::try_shutdown() {
  if (!is_shutting_ || is_shut_ || rare_ == nullptr) return;
  is_shut_ = true;
  Result<void> outcome;
  if (channel_ == Channel::socket) {
    if (::shutdown(fd_.get(), SHUT_WR) < 0) outcome = Error::last("shutdown");
  } else if (is_write_end_of_pipe(fd_.get())) {
    loop().unwatch(watch_);  // Closing is the only way to tell the reader.
    fd_.reset();
  }
  rare_->shutdown.outcome_ = outcome;
  rare_->shutdown.is_decided_ = true;
  loop().pending().defer(*this);
}

void Stream::call_shutdown() {
  if (rare_ == nullptr || !rare_->shutdown.is_pending() || !rare_->shutdown.is_decided_) return;
  rare_->shutdown.end();
  OnShutdown on_shutdown = std::move(rare_->on_shutdown);
  if (!on_shutdown) return;
  CallbackScope scope(loop(), *this);
  on_shutdown(*this, rare_->shutdown.outcome_);
}

}  // namespace rondo
