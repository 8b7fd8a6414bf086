// Reading from a Stream on demand, into the caller's memory.
#include <linux/io_uring.h>
#include <sys/epoll.h>

#include <algorithm>

#include "base/sys.h"
#include "io/stream_rare.h"
#include "loop/loop.h"

namespace rondo {

void Stream::read(Read& request, std::span<std::byte> buffer, Read::OnDone on_done) {
  RONDO_ASSERT(!is_closing());
  if (is_reading_ || pull_ != nullptr) fatal("a stream is being read already; one read at a time");
  request.stream_ = this;
  request.buffer_ = buffer;
  request.on_done_ = std::move(on_done);
  request.is_decided_ = false;
  request.begin();
  pull_ = &request;
  if (buffer.empty()) {
    decide_pull(Error{EINVAL, "read"});  // Else no bytes would look like the end.
  } else {
    start_pull();
  }
}

void Stream::start_pull() {
  if (rare_ != nullptr && !rare_->held.empty()) {
    const std::span<std::byte> buffer = pull_->buffer_;
    const size_t count = std::min(buffer.size(), rare_->held.size());
    std::copy_n(rare_->held.begin(), count, buffer.begin());
    rare_->held.erase(rare_->held.begin(), rare_->held.begin() + static_cast<ptrdiff_t>(count));
    bytes_read_ += count;
    decide_pull(count);
  } else if (is_at_end_) {
    const bool has_failed = rare_ != nullptr && rare_->has_held_end && !rare_->held_end;
    decide_pull(has_failed ? Result<size_t>(rare_->held_end.error()) : size_t{0});
    if (rare_ != nullptr) rare_->has_held_end = false;
  } else if (!is_open()) {
    decide_pull(Error{ENOTCONN, "read"});
  } else if (!uses_operations()) {
    lingers_ = false;
    if (Result<void> watched = update_watch(); !watched) decide_pull(watched.error());
  } else if (!receive_.is_in_flight()) {
    submit_pull();
  }
  // Else an earlier read_stop() is still taking effect; received() comes back here.
}

void Stream::submit_pull() {
  Read& request = *pull_;
  request.receive_.owner = &request;
  request.receive_.source = this;
  request.receive_.fn = [](Target& target, int32_t result, uint32_t) {
    Read& read = *static_cast<Read::Receive&>(target).owner;
    read.stream_->pulled(result);
  };
  request.is_in_kernel_ = true;
  OpArgs args;
  args.opcode = IORING_OP_RECV;
  args.fd = fd_.get();
  args.addr = reinterpret_cast<uint64_t>(request.buffer_.data());
  args.len = static_cast<uint32_t>(std::min<size_t>(request.buffer_.size(), 1u << 30));
  loop().poller().submit(request.receive_, args);
}

void Stream::pulled(int32_t result) {
  pull_->is_in_kernel_ = false;
  if (is_closing()) {
    end_operation();  // on_closed() tells.
  } else if (result == -EAGAIN || result == -EINTR || result == -ENOBUFS) {
    submit_pull();
  } else {
    finish_pull(result >= 0 ? Result<size_t>(static_cast<size_t>(result))
                            : Result<size_t>(Error{-result, "read"}));
  }
}

// The descriptor is readable, as far as the poller knows.
void Stream::pull_available() {
  const std::span<std::byte> buffer = pull_->buffer_;
  const ssize_t count = channel_ == Channel::socket
                            ? sys::recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)
                            : sys::read(fd_.get(), buffer.data(), buffer.size());
  if (count >= 0) {
    finish_pull(static_cast<size_t>(count));
  } else if (errno == EIO && channel_ == Channel::file) {
    finish_pull(size_t{0});  // A terminal whose other end is gone.
  } else if (errno != EAGAIN && errno != EWOULDBLOCK) {
    finish_pull(Error::last("read"));
  }
}

// In poll: what the kernel says is told at once.
void Stream::finish_pull(Result<size_t> outcome) {
  const bool was_cancelled = !outcome && outcome.error().code == ECANCELED;
  if (outcome && *outcome > 0) {
    bytes_read_ += *outcome;
  } else if (!was_cancelled) {
    is_at_end_ = true;
  }
  if (!uses_operations()) {
    // Between two reads the watch stays: mostly the next one comes before anything arrives, and
    // the kernel need not be told twice. ready() ends it where nobody reads.
    lingers_ = !is_at_end_;
    if (is_at_end_) (void)update_watch();
  }
  pull_->outcome_ = std::move(outcome);
  pull_->is_decided_ = true;
  call_pull();
}

// From inside read() or cancel(): what is known at once is told in the pending phase.
void Stream::decide_pull(Result<size_t> outcome) {
  pull_->outcome_ = std::move(outcome);
  pull_->is_decided_ = true;
  loop().pending().defer(*this);
}

void Stream::call_pull() {
  if (pull_ == nullptr || !pull_->is_decided_) return;
  Read& request = *std::exchange(pull_, nullptr);
  request.end();
  CallbackScope scope(loop(), request.id(), request.label());
  Read::OnDone on_done = std::move(request.on_done_);
  const Result<size_t> outcome = request.outcome_;
  if (on_done) on_done(request, outcome);
}

void Stream::close_pull() {
  if (pull_ == nullptr || !pull_->is_in_kernel_) return;
  begin_operation();  // The kernel may still be writing into the caller's memory.
  loop().poller().cancel(pull_->receive_);
}

Result<void> Read::cancel() {
  if (!is_pending() || is_decided_) return Error{EBUSY, "cancel"};
  if (is_in_kernel_) {
    loop().poller().cancel(receive_);
  } else {
    stream_->lingers_ = !stream_->uses_operations();
    stream_->decide_pull(Error{ECANCELED, "read"});
  }
  return {};
}

}  // namespace rondo
