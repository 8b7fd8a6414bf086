// Reading of streams.
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/sys.h"
#include "uv/stream/stream.h"

namespace rondo::uv {
namespace {

// A fast sender must not block the loop: after this many full buffers, other handles run.
constexpr int kMostReadsPerEvent = 32;
constexpr size_t kSuggestedSize = 64 * 1024;
// Descriptors that one message of a pipe may carry.
constexpr size_t kMostDescriptors = 64;

}  // namespace

int StreamHandle::read_start(uv_alloc_cb alloc_cb, uv_read_cb read_cb) {
  uv_stream_t* const stream = this->stream();
  stream->flags |= kReading;
  stream->flags &= ~unsigned{kReadEof};
  stream->alloc_cb = alloc_cb;
  stream->read_cb = read_cb;
  if (const int failed = watch(EPOLLIN); failed != 0) {
    stream->flags &= ~unsigned{kReading};
    return failed;
  }
  start();
  return 0;
}

void StreamHandle::read_stop() {
  uv_stream_t* const stream = this->stream();
  if (!has_flags(stream, kReading)) return;
  stream->flags &= ~unsigned{kReading};
  ignore(EPOLLIN);
  stop();
  stream->alloc_cb = nullptr;
  stream->read_cb = nullptr;
}

// No more data will come. The callback gets `status`.
void StreamHandle::end_reading(const uv_buf_t& buffer, ssize_t status) {
  uv_stream_t* const stream = this->stream();
  if (status == UV_EOF) {
    stream->flags |= kReadEof;
  } else {
    stream->flags &= ~unsigned{kReadable | kWritable};
  }
  stream->flags &= ~unsigned{kReading};
  ignore(EPOLLIN);
  stop();
  Call call(stream->loop, *this, stream->read_cb);
  stream->read_cb(stream, status, &buffer);
}

void StreamHandle::read_available() {
  uv_stream_t* const stream = this->stream();
  const bool takes_descriptors =
      stream->type == UV_NAMED_PIPE && reinterpret_cast<uv_pipe_t*>(stream)->ipc != 0;
  for (int left = kMostReadsPerEvent; left > 0 && has_flags(stream, kReading); --left) {
    uv_buf_t buffer = uv_buf_init(nullptr, 0);
    {
      Call call(stream->loop, *this);
      stream->alloc_cb(handle(), kSuggestedSize, &buffer);
      if (buffer.base == nullptr || buffer.len == 0) {
        stream->read_cb(stream, UV_ENOBUFS, &buffer);
        return;
      }
    }
    if (fd() < 0) return;
    alignas(cmsghdr) char control[CMSG_SPACE(kMostDescriptors * sizeof(int))];
    iovec part{buffer.base, buffer.len};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t count;
    if (takes_descriptors) {
      count = sys::recvmsg(fd(), &message, MSG_CMSG_CLOEXEC);
    } else if (is_socket()) {
      count = sys::recv(fd(), buffer.base, buffer.len, 0);
    } else {
      count = sys::read(fd(), buffer.base, buffer.len);
    }
    if (count == 0) return end_reading(buffer, UV_EOF);
    if (count < 0) {
      if (errno != EAGAIN && errno != EWOULDBLOCK) return end_reading(buffer, -errno);
      Call call(stream->loop, *this, stream->read_cb);
      stream->read_cb(stream, 0, &buffer);
      return;
    }
    bytes_read_ += static_cast<uint64_t>(count);
    if (takes_descriptors) take_descriptors(message);
    // A short read has drained the channel; another would only cost a system call.
    const bool is_partial = static_cast<size_t>(count) < buffer.len;
    Call call(stream->loop, *this, stream->read_cb);
    stream->read_cb(stream, count, &buffer);
    if (is_partial) return;
  }
}

// The first descriptor is for the next uv_accept(), the others wait behind it.
void StreamHandle::take_descriptors(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int received = -1;
      std::memcpy(&received, CMSG_DATA(part) + i * sizeof received, sizeof received);
      if (stream()->accepted_fd < 0) {
        stream()->accepted_fd = received;
      } else {
        if (queued_ == nullptr) queued_ = std::make_unique<std::vector<int>>();
        queued_->push_back(received);
      }
    }
  }
}

}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_read_start(uv_stream_t* stream, uv_alloc_cb alloc_cb, uv_read_cb read_cb) {
  if (stream == nullptr || alloc_cb == nullptr || read_cb == nullptr) return UV_EINVAL;
  if (is_closing(stream)) return UV_EINVAL;
  if (has_flags(stream, kReading)) return UV_EALREADY;
  if (!has_flags(stream, kReadable)) return UV_ENOTCONN;
  return stream_behind(stream).read_start(alloc_cb, read_cb);
}

int uv_read_stop(uv_stream_t* stream) {
  if (!is_closing(stream)) stream_behind(stream).read_stop();
  return 0;
}

}  // extern "C"
