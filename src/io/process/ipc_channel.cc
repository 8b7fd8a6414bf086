#include "io/process/ipc_channel.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cstring>
#include <string_view>

#include "base/sys.h"
#include "loop/loop.h"

namespace rondo {
namespace {

constexpr size_t kChunk = 65536;
// Limits the reads per event, because one channel must not block the loop.
constexpr int kMostReadsPerEvent = 16;
// The kernel's limit per message (SCM_MAX_FD); Rondo sends one.
constexpr size_t kMostDescriptors = 253;
constexpr size_t kSizeBytes = 4;

// True if the socket will accept more data later.
bool is_full(int code) { return code == EAGAIN || code == ENOBUFS; }

}  // namespace

IpcChannel::IpcChannel(Loop& loop, Fd fd, Framing framing)
    : Poll(loop, fd.get()), fd_(std::move(fd)), framing_(framing) {
  set_kind(HandleKind::ipc_channel);
  const int flags = ::fcntl(fd_.get(), F_GETFL);
  if (flags >= 0) ::fcntl(fd_.get(), F_SETFL, flags | O_NONBLOCK);
  ::fcntl(fd_.get(), F_SETFD, FD_CLOEXEC);
}

Result<void> IpcChannel::start(OnMessages on_messages, OnWritten on_written) {
  on_messages_ = std::move(on_messages);
  on_written_ = std::move(on_written);
  return watch();
}

Result<void> IpcChannel::watch() {
  const uint32_t events =
      (is_at_end_ ? 0U : Poll::kReadable) | (queue_.empty() ? 0U : Poll::kWritable);
  update_ref();
  if (events == 0) {
    stop();
    return {};
  }
  return Poll::start(events, [this](Poll&, Result<uint32_t> ready_events) {
    if (!ready_events) return fail(ready_events.error());
    ready(*ready_events);
  });
}

void IpcChannel::update_ref() {
  if (waits_for_messages_ || !queue_.empty()) {
    ref();
  } else {
    unref();
  }
}

void IpcChannel::set_ref(bool has_ref) {
  waits_for_messages_ = has_ref;
  update_ref();
}

void IpcChannel::on_closing() {
  // Shut down now, so that the other side notices: io_uring may keep the socket open until its last
  // request has ended.
  ::shutdown(fd_.get(), SHUT_RDWR);
  Poll::on_closing();
  fd_.reset();
  queue_.clear();
  queued_bytes_ = 0;
  descriptors_.clear();
}

void IpcChannel::ready(uint32_t events) {
  if ((events & Poll::kWritable) != 0) flush();
  if (fd_ && (events & Poll::kReadable) != 0) read();
}

// Called if the kernel refuses to watch the socket, so that no event would be reported any more.
void IpcChannel::fail(Error error) {
  const size_t count = queue_.size();
  queue_.clear();
  queued_bytes_ = 0;
  ::shutdown(fd_.get(), SHUT_RDWR);
  if (count > 0 && on_written_) on_written_(count, error);
  if (!fd_ || is_at_end_) return;  // The callback has closed the channel.
  is_at_end_ = true;
  update_ref();
  deliver({});
}

void IpcChannel::read() {
  bool is_over = false;
  for (int i = 0; i < kMostReadsPerEvent; ++i) {
    const size_t before = buffer_.size();
    is_over = !receive();
    if (is_over || buffer_.size() - before < kChunk) break;
  }
  if (const size_t size = complete(); size > 0) {
    // Moved to a local, because the callback may write or close.
    std::string messages = buffer_.substr(size);
    messages.swap(buffer_);
    messages.resize(size);
    scanned_ = buffer_.size();
    deliver(messages);
  }
  if (!is_over || !fd_) return;
  is_at_end_ = true;
  static_cast<void>(watch());
  deliver({});
}

// Returns false at the end of the stream, or after an error.
bool IpcChannel::receive() {
  char chunk[kChunk];
  iovec part{chunk, kChunk};
  alignas(cmsghdr) char control[CMSG_SPACE(kMostDescriptors * sizeof(int))];
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  const long received = sys::unbroken("recvmsg", fd_.get(), [&]() -> long {
    return ::recvmsg(fd_.get(), &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  });
  if (received < 0) return errno == EAGAIN;
  buffer_.append(chunk, static_cast<size_t>(received));
  for (cmsghdr* item = CMSG_FIRSTHDR(&header); item != nullptr; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(item) + i * sizeof(int), sizeof descriptor);
      descriptors_.emplace_back(descriptor);
    }
  }
  return received > 0;
}

// The number of bytes of the buffer that are complete messages.
size_t IpcChannel::complete() {
  if (framing_ == Framing::lines) {
    // Do not scan a long line again for every chunk.
    const size_t last = std::string_view(buffer_).substr(scanned_).rfind('\n');
    const size_t size = last == std::string::npos ? 0 : scanned_ + last + 1;
    scanned_ = buffer_.size();
    return size;
  }
  size_t end = 0;
  while (buffer_.size() - end >= kSizeBytes) {
    uint32_t size = 0;
    for (size_t i = 0; i < kSizeBytes; ++i) {
      size = size << 8 | static_cast<uint8_t>(buffer_[end + i]);
    }
    if (buffer_.size() - end - kSizeBytes < size) break;
    end += kSizeBytes + size;
  }
  return end;
}

void IpcChannel::deliver(std::span<const char> messages) {
  if (on_messages_) on_messages_(messages);
}

int IpcChannel::take_descriptor() {
  if (descriptors_.empty()) return -1;
  const int descriptor = descriptors_.front().release();
  descriptors_.pop_front();
  return descriptor;
}

ssize_t IpcChannel::send(const char* data, size_t size, int descriptor) {
  iovec part{const_cast<char*>(data), size};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  if (descriptor >= 0) {
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    cmsghdr* const item = CMSG_FIRSTHDR(&header);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(item), &descriptor, sizeof descriptor);
  }
  return sys::sendmsg(fd_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
}

Result<IpcChannel::Sent> IpcChannel::write(std::string message, int descriptor) {
  if (!fd_) return Error{EPIPE, "write"};
  size_t sent = 0;
  if (queue_.empty()) {
    const ssize_t result = send(message.data(), message.size(), descriptor);
    if (result < 0 && !is_full(errno)) return Error::last("write");
    if (result > 0) sent = static_cast<size_t>(result);
    if (sent == message.size()) return Sent::now;
  }
  Waiting waiting;
  if (descriptor >= 0 && sent == 0) {
    waiting.descriptor = Fd(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (!waiting.descriptor) return Error::last("write");
  }
  queued_bytes_ += message.size() - sent;
  waiting.bytes = std::move(message);
  waiting.sent = sent;
  queue_.push_back(std::move(waiting));
  if (Result<void> watched = watch(); !watched) {
    queued_bytes_ -= queue_.back().bytes.size() - sent;
    queue_.pop_back();
    // The other side must not interpret the next message as the rest of this one.
    if (sent > 0) ::shutdown(fd_.get(), SHUT_WR);
    return watched.error();
  }
  return Sent::queued;
}

void IpcChannel::flush() {
  size_t count = 0;
  Result<void> outcome{};
  while (!queue_.empty()) {
    Waiting& first = queue_.front();
    const ssize_t sent = send(first.bytes.data() + first.sent, first.bytes.size() - first.sent,
                              first.descriptor.get());
    if (sent < 0 && is_full(errno)) break;
    if (sent < 0) {
      outcome = Error::last("write");
      // The other side must not interpret the next message as the rest of this one.
      if (first.sent > 0) ::shutdown(fd_.get(), SHUT_WR);
      count += queue_.size();
      queue_.clear();
      queued_bytes_ = 0;
      break;
    }
    first.descriptor.reset();
    first.sent += static_cast<size_t>(sent);
    queued_bytes_ -= static_cast<size_t>(sent);
    if (first.sent < first.bytes.size()) break;
    queue_.pop_front();
    ++count;
  }
  if (queue_.empty()) static_cast<void>(watch());
  if (count > 0 && on_written_) on_written_(count, outcome);
}

}  // namespace rondo
