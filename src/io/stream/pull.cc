// Reading from a Stream on demand, into the caller's memory.
#include "base/sys.h"
#include "io/stream/rare.h"
#include "loop/internals.h"

namespace rondo {

void Stream::read(Read& request, std::span<std::byte> buffer, Read::OnDone on_done) {
  RONDO_ASSERT(!is_closing());
  if (is_reading_ || pull() != nullptr) fatal("read() was called while another one is in progress");
  request.stream_ = this;
  request.buffer_ = buffer;
  request.on_done_ = std::move(on_done);
  request.is_decided_ = false;
  request.begin();
  rare().pull = &request;
  if (buffer.empty()) {
    decide_pull(Error{EINVAL, "read"});  // Otherwise 0 bytes would look like the end.
  } else {
    start_pull();
  }
}

void Stream::start_pull() {
  if (is_at_end_) {
    decide_pull(size_t{0});
  } else if (!is_open() || is_connecting_) {
    decide_pull(Error{ENOTCONN, "read"});
  } else {
    lingers_ = false;
    if (Result<void> watched = update_watch(); !watched) decide_pull(watched.error());
  }
}

// The poller has reported the descriptor as readable.
void Stream::pull_available() {
  const std::span<std::byte> buffer = pull()->buffer_;
  const ssize_t count = channel_ == Channel::socket
                            ? sys::recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)
                            : sys::read(fd_.get(), buffer.data(), buffer.size());
  if (count >= 0) {
    finish_pull(static_cast<size_t>(count));
  } else if (errno == EIO && channel_ == Channel::file) {
    finish_pull(size_t{0});  // A terminal whose other end is closed.
  } else if (errno != EAGAIN && errno != EWOULDBLOCK) {
    finish_pull(Error::last("read"));
  }
}

// In poll: the outcome is reported at once.
void Stream::finish_pull(Result<size_t> outcome) {
  if (outcome && *outcome > 0) {
    bytes_read_ += *outcome;
  } else {
    is_at_end_ = true;
  }
  // The watch stays between two reads: usually the next one comes before any data, and the kernel
  // need not be called twice. ready() ends it if there is no read.
  lingers_ = !is_at_end_;
  if (is_at_end_) (void)update_watch();
  pull()->outcome_ = std::move(outcome);
  pull()->is_decided_ = true;
  call_pull();
}

// From inside read() or cancel(): the outcome is reported in the pending phase.
void Stream::decide_pull(Result<size_t> outcome) {
  pull()->outcome_ = std::move(outcome);
  pull()->is_decided_ = true;
  defer_callbacks();
}

void Stream::call_pull() {
  if (pull() == nullptr || !pull()->is_decided_) return;
  Read& request = *std::exchange(rare_->pull, nullptr);
  request.end();
  CallbackScope scope(loop(), request.id(), request.label());
  Read::OnDone on_done = std::move(request.on_done_);
  const Result<size_t> outcome = request.outcome_;
  if (on_done) on_done(request, outcome);
}

Result<void> Read::cancel() {
  if (!is_pending() || is_decided_) return Error{EBUSY, "cancel"};
  stream_->lingers_ = true;
  stream_->decide_pull(Error{ECANCELED, "read"});
  return {};
}

}  // namespace rondo
