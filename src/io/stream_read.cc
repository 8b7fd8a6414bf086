// The reading half of Stream.
#include <linux/io_uring.h>
#include <sys/epoll.h>

#include "base/sys.h"
#include "io/read_buffer.h"
#include "io/stream_rare.h"
#include "loop/loop.h"

namespace rondo {
namespace {

// A fast sender must not keep the loop to itself: after this many full buffers the others' turn.
constexpr int kMostReadsPerEvent = 16;

}  // namespace

Result<void> Stream::read_start(OnRead on_read) {
  if (is_closing()) return Error{EINVAL, "read"};
  if (!is_open()) return Error{ENOTCONN, "read"};
  if (is_reading_ || pull_ != nullptr) return Error{EALREADY, "read"};
  on_read_ = std::move(on_read);
  is_reading_ = true;
  lingers_ = false;
  if (rare_ != nullptr && (!rare_->held.empty() || rare_->has_held_end)) {
    loop().pending().defer(*this);
  }
  if (uses_operations()) {
    if (!is_at_end_ && !receive_.is_in_flight()) submit_receive();
  } else if (Result<void> watched = update_watch(); !watched) {
    is_reading_ = false;
    return watched;
  }
  activate();
  return {};
}

void Stream::read_stop() {
  if (!is_reading_) return;
  is_reading_ = false;
  if (uses_operations()) {
    // What the kernel has received already still comes, and is held.
    if (receive_.is_in_flight()) loop().poller().cancel(receive_);
  } else {
    (void)update_watch();  // Less interest cannot fail.
  }
  deactivate();
}

Result<void> Stream::update_watch() {
  uint32_t interest = 0;
  if ((is_reading_ || pull_ != nullptr || lingers_) && !is_at_end_) interest |= EPOLLIN;
  if (waits_to_write_) interest |= EPOLLOUT;
  if (interest == 0) {
    loop().unwatch(watch_);
    return {};
  }
  return loop().poller().watch(watch_, interest);
}

void Stream::ready(int32_t result, uint32_t bits) {
  if (result < 0) bits |= EPOLLERR;  // The next read or write says what it is.
  constexpr uint32_t kTrouble = EPOLLERR | EPOLLHUP;
  if (waits_to_write_ && (bits & (EPOLLOUT | kTrouble)) != 0) {
    waits_to_write_ = false;
    pump();
    run_finished();
    if (is_closing()) return;
    if (!waits_to_write_) (void)update_watch();
  }
  if ((bits & (EPOLLIN | kTrouble)) == 0) return;
  if (is_reading_) {
    read_available();
  } else if (pull_ != nullptr && !pull_->is_decided_) {
    pull_available();
  } else if (lingers_) {
    lingers_ = false;
    (void)update_watch();  // Less interest cannot fail.
  }
}

void Stream::read_available() {
  deliver_held();  // What came before goes first.
  ReadBuffer& shared = loop().services().get<ReadBuffer>(loop());
  for (int i = 0; i < kMostReadsPerEvent && is_reading_; ++i) {
    const std::span<std::byte> buffer = shared.span();
    const ssize_t count = channel_ == Channel::socket
                              ? sys::recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)
                              : sys::read(fd_.get(), buffer.data(), buffer.size());
    if (count < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      // A terminal whose other end is gone says EIO where others say that the stream has ended.
      if (errno == EIO && channel_ == Channel::file) {
        deliver(std::span<std::byte>());
      } else {
        deliver(Error::last("read"));
      }
      return;
    }
    deliver(buffer.first(static_cast<size_t>(count)));
    // A short read has emptied the channel; asking again would only cost a system call.
    if (static_cast<size_t>(count) < buffer.size()) return;
  }
}

void Stream::submit_receive() {
  OpArgs args;
  args.opcode = IORING_OP_RECV;
  args.fd = fd_.get();
  args.ioprio = IORING_RECV_MULTISHOT;
  args.provided_buffers = true;
  loop().poller().submit(receive_, args);
}

void Stream::received(int32_t result, uint32_t flags) {
  const bool has_buffer = (flags & IORING_CQE_F_BUFFER) != 0;
  deliver_held();  // What came before goes first.
  const bool ends = !has_buffer && result != -ENOBUFS && result != -ECANCELED && result != -EAGAIN;
  if (has_buffer) {
    const auto data = loop().poller().buffer({&receive_, result, flags});
    if (is_reading_) {
      deliver(data);
    } else {
      hold(data);
    }
    loop().poller().recycle(flags);
  } else if (ends) {
    Result<std::span<std::byte>> end = std::span<std::byte>();
    if (result < 0) end = Error{-result, "read"};
    if (is_reading_) {
      deliver(std::move(end));
    } else {
      hold(std::move(end));
    }
  }
  // The operation ends when buffers run out, when it was cancelled by a read_stop() that has been
  // taken back since, or whenever the kernel thinks fit.
  if (is_closing() || receive_.is_in_flight()) return;
  if (is_reading_ && !is_at_end_) submit_receive();
  if (pull_ != nullptr && !pull_->is_decided_ && !pull_->is_in_kernel_) start_pull();
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
  if (!uses_operations()) (void)update_watch();
  deactivate();
}

void Stream::hold(Result<std::span<std::byte>> data) {
  Rare& rare = this->rare();
  if (data && !data->empty()) {
    rare.held.insert(rare.held.end(), data->begin(), data->end());
    return;
  }
  is_at_end_ = true;
  rare.has_held_end = true;
  rare.held_end = data ? Result<void>() : Result<void>(data.error());
}

void Stream::put_back(std::span<const std::byte> bytes) {
  RONDO_ASSERT(!is_reading_);
  std::vector<std::byte>& held = rare().held;
  held.insert(held.begin(), bytes.begin(), bytes.end());
  bytes_read_ -= bytes.size();
}

void Stream::deliver_held() {
  if (!is_reading_ || rare_ == nullptr) return;
  if (!rare_->held.empty()) {
    std::vector<std::byte> held = std::move(rare_->held);
    rare_->held.clear();
    deliver(std::span<std::byte>(held));
  }
  if (is_reading_ && rare_->has_held_end) {
    rare_->has_held_end = false;
    if (rare_->held_end) {
      deliver(std::span<std::byte>());
    } else {
      deliver(rare_->held_end.error());
    }
  }
}

}  // namespace rondo
