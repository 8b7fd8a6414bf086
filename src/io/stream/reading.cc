// Reading of Stream.
#include <sys/epoll.h>

#include "base/sys.h"
#include "io/stream/rare.h"
#include "io/stream/read_buffer.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// A fast sender must not block the loop: after this many full buffers, other handles run.
constexpr int kMostReadsPerEvent = 32;

}  // namespace

Result<void> Stream::read_start(OnRead on_read) {
  if (is_closing()) return Error{EINVAL, "read"};
  if (!is_open() || is_connecting_) return Error{ENOTCONN, "read"};
  if (is_reading_ || pull() != nullptr) return Error{EALREADY, "read"};
  on_read_ = std::move(on_read);
  is_reading_ = true;
  lingers_ = false;
  if (Result<void> watched = update_watch(); !watched) {
    is_reading_ = false;
    return watched;
  }
  activate();
  return {};
}

void Stream::read_stop() {
  if (!is_reading_) return;
  is_reading_ = false;
  (void)update_watch();  // Reducing interest cannot fail.
  deactivate();
}

Result<void> Stream::update_watch() {
  uint32_t interest = 0;
  if ((is_reading_ || pull() != nullptr || lingers_) && !is_at_end_) interest |= EPOLLIN;
  if (waits_to_write_) interest |= EPOLLOUT;
  return internals().poller().watch(watch_, interest);
}

// As in libuv: read, then write, then report. Events without interest are ignored, and an error or
// hang-up alone goes to whichever direction is waiting.
void Stream::ready(int32_t result, uint32_t bits) {
  handle_event(result, bits);
  free_rare_if_unused();
}

void Stream::handle_event(int32_t result, uint32_t bits) {
  constexpr uint32_t kTrouble = EPOLLERR | EPOLLHUP;
  if (result < 0) return fail_watch(Error{-result, "poll"});
  bits &= watch_.interest | kTrouble;
  if (bits == EPOLLERR || bits == EPOLLHUP) bits |= watch_.interest;
  if (is_connecting_) {
    connect_ready(0);
    return;
  }
  if ((bits & (EPOLLIN | EPOLLERR)) != 0) {
    read_ready();
    if (!is_open()) return;
  }
  if ((bits & EPOLLHUP) != 0 && (bits & EPOLLIN) == 0 && is_reading_) {
    deliver(std::span<std::byte>());
    if (!is_open()) return;
  }
  if ((bits & (EPOLLOUT | kTrouble)) != 0) write_ready();
}

// The kernel has refused to watch the descriptor: no event would be reported again.
void Stream::fail_watch(Error error) {
  waits_to_write_ = false;
  if (is_connecting_) return connect_ready(error.code);
  finish_all(error);
  if (is_reading_) {
    deliver(error);
  } else if (pull() != nullptr && !pull()->is_decided_) {
    finish_pull(error);
  }
  if (is_open()) write_ready();
}

void Stream::read_ready() {
  if (is_reading_) {
    read_available();
  } else if (pull() != nullptr && !pull()->is_decided_) {
    pull_available();
  } else if (lingers_) {
    lingers_ = false;
    (void)update_watch();  // Reducing interest cannot fail.
  }
}

void Stream::read_available() {
  ReadBuffer& shared = internals().service<ReadBuffer>();
  for (int i = 0; i < kMostReadsPerEvent && is_reading_; ++i) {
    std::span<std::byte> buffer = shared.span();
    if (rare_ != nullptr && !rare_->read_into.empty()) buffer = rare_->read_into;
    const ssize_t count = channel_ == Channel::socket
                              ? sys::recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)
                              : sys::read(fd_.get(), buffer.data(), buffer.size());
    if (count < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      // A terminal whose other end is closed gives EIO instead of the end of the stream.
      if (errno == EIO && channel_ == Channel::file) {
        deliver(std::span<std::byte>());
      } else {
        deliver(Error::last("read"));
      }
      return;
    }
    deliver(buffer.first(static_cast<size_t>(count)));
    // A short read has drained the channel; another would only cost a system call.
    if (static_cast<size_t>(count) < buffer.size()) return;
  }
}

void Stream::deliver(Result<std::span<std::byte>> data) {
  if (data && !data->empty()) {
    bytes_read_ += data->size();
  } else {
    end_reading();
  }
  CallbackScope scope(loop(), *this);
  on_read_.call_replaceable(*this, std::move(data));
}

void Stream::end_reading() {
  is_at_end_ = true;
  is_reading_ = false;
  (void)update_watch();
  deactivate();
}

void Stream::read_into(std::span<std::byte> memory) { rare().read_into = memory; }

}  // namespace rondo
