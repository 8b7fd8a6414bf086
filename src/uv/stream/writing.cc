// Writing of streams.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/sys.h"
#include "uv/core/memory.h"
#include "uv/stream/stream.h"

namespace rondo::uv {
namespace {

// A fast reader must not block the loop: after this many writes, other handles run.
constexpr int kMostWritesPerEvent = 32;

size_t bytes_of(const uv_buf_t* bufs, unsigned count) {
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) bytes += bufs[i].len;
  return bytes;
}

size_t bytes_left(const uv_write_t* req) {
  return bytes_of(req->bufs + req->write_index, req->nbufs - req->write_index);
}

int descriptor_of(const uv_stream_t* handle) {
  uv_os_fd_t fd = -1;
  return uv_fileno(reinterpret_cast<const uv_handle_t*>(handle), &fd) == 0 ? fd : -1;
}

void free_buffers(uv_write_t* req) {
  if (req->bufs != req->bufsml) release(req->bufs);
  req->bufs = nullptr;
}

bool would_block(int code) { return code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS; }

}  // namespace

// Without MSG_NOSIGNAL: as with libuv, a program that does not ignore SIGPIPE is ended by it.
ssize_t StreamHandle::send(const uv_buf_t* bufs, unsigned count, uv_stream_t* send_handle) const {
  // The layout of uv_buf_t is that of iovec.
  const auto* const parts = reinterpret_cast<const iovec*>(bufs);
  count = std::min<unsigned>(count, IOV_MAX);
  ssize_t sent;
  if (send_handle != nullptr) {
    const int shared = descriptor_of(send_handle);
    if (shared < 0) return UV_EBADF;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof shared)] = {};
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = count;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof shared);
    std::memcpy(CMSG_DATA(part), &shared, sizeof shared);
    sent = sys::sendmsg(fd(), &message, 0);
  } else if (count == 1 && is_socket()) {
    sent = sys::send(fd(), parts->iov_base, parts->iov_len, 0);
  } else if (count == 1) {
    sent = sys::write(fd(), parts->iov_base, parts->iov_len);
  } else {
    sent = sys::writev(fd(), parts, static_cast<int>(count));
  }
  if (sent >= 0) return sent;
  return would_block(errno) ? UV_EAGAIN : -errno;
}

int StreamHandle::write(uv_write_t* req, const uv_buf_t bufs[], unsigned count,
                        uv_stream_t* send_handle, uv_write_cb cb) {
  uv_stream_t* const stream = this->stream();
  uv_buf_t* copy = req->bufsml;
  if (count > std::size(req->bufsml)) {
    copy = static_cast<uv_buf_t*>(allocate(count * sizeof *copy));
    if (copy == nullptr) return UV_ENOMEM;
  }
  const bool was_idle = stream->write_queue_size == 0;
  req->type = UV_WRITE;
  req->cb = cb;
  req->handle = stream;
  req->send_handle = send_handle;
  req->error = 0;
  req->write_index = 0;
  req->bufs = copy;
  req->nbufs = count;
  std::copy_n(bufs, count, copy);
  request_begins(stream->loop);
  stream->write_queue_size += bytes_of(bufs, count);
  queue_push_back(stream->write_queue, req->queue);
  // While a failed write waits for its callback nothing more is tried.
  if (stream->connect_req != nullptr) return 0;
  if (was_idle) {
    write_available();
  } else if (const int failed = watch(EPOLLOUT); failed != 0) {
    cancel_writes(failed);
  }
  return 0;
}

ssize_t StreamHandle::try_write(const uv_buf_t bufs[], unsigned count, uv_stream_t* send_handle) {
  const uv_stream_t* const stream = this->stream();
  if (stream->connect_req != nullptr || stream->write_queue_size != 0) return UV_EAGAIN;
  const ssize_t sent = send(bufs, count, send_handle);
  if (sent > 0) bytes_written_ += static_cast<uint64_t>(sent);
  return sent;
}

// Sends the queue until the kernel takes no more. The callbacks run in pending or poll.
void StreamHandle::write_available() {
  uv_stream_t* const stream = this->stream();
  for (int left = kMostWritesPerEvent; !queue_is_empty(stream->write_queue); --left) {
    uv_write_t* const req = queue_owner(stream->write_queue.next, &uv_write_t::queue);
    const ssize_t sent =
        send(req->bufs + req->write_index, req->nbufs - req->write_index, req->send_handle);
    if (sent >= 0) {
      req->send_handle = nullptr;
      if (advance(req, static_cast<size_t>(sent))) finish(req);
      if (left > 0) continue;
      break;
    }
    if (sent != UV_EAGAIN) {
      req->error = static_cast<int>(sent);
      finish(req);
      ignore(EPOLLOUT);
      return;
    }
    if (!has_flags(stream, kBlockingWrites)) break;
    pollfd writable{fd(), POLLOUT, 0};
    (void)::poll(&writable, 1, -1);
  }
  if (queue_is_empty(stream->write_queue)) return;
  if (const int failed = watch(EPOLLOUT); failed != 0) cancel_writes(failed);
}

// The kernel has taken `sent` bytes. Returns true if that was the rest of the write.
bool StreamHandle::advance(uv_write_t* req, size_t sent) {
  stream()->write_queue_size -= sent;
  bytes_written_ += sent;
  while (req->write_index < req->nbufs) {
    uv_buf_t& part = req->bufs[req->write_index];
    const size_t taken = std::min(sent, part.len);
    part.base += taken;
    part.len -= taken;
    sent -= taken;
    if (part.len > 0) return false;
    ++req->write_index;
  }
  return true;
}

void StreamHandle::finish(uv_write_t* req) {
  queue_remove(req->queue);
  // The buffers of a failed write are needed to subtract its size when it is reported.
  if (req->error == 0) free_buffers(req);
  queue_push_back(stream()->write_completed_queue, req->queue);
  if (!uv::is_closing(handle())) internals().defer(*this);
}

void StreamHandle::cancel_writes(int error) {
  while (!queue_is_empty(stream()->write_queue)) {
    uv_write_t* const req = queue_owner(stream()->write_queue.next, &uv_write_t::queue);
    req->error = error;
    finish(req);
  }
}

void StreamHandle::call_finished() {
  uv_stream_t* const stream = this->stream();
  uv__queue due;
  queue_move(stream->write_completed_queue, due);
  while (!queue_is_empty(due)) {
    uv_write_t* const req = queue_owner(due.next, &uv_write_t::queue);
    queue_remove(req->queue);
    request_ends(stream->loop);
    if (req->bufs != nullptr) {
      stream->write_queue_size -= bytes_left(req);
      free_buffers(req);
    }
    if (req->cb == nullptr) continue;
    Call call(stream->loop, *this, req->cb);
    req->cb(req, req->error);
  }
}

void StreamHandle::write_ready() {
  write_available();
  call_finished();
  if (queue_is_empty(stream()->write_queue)) drain();
}

// All writes are sent.
void StreamHandle::drain() {
  uv_stream_t* const stream = this->stream();
  ignore(EPOLLOUT);
  uv_shutdown_t* const req = stream->shutdown_req;
  if (req == nullptr) return;
  stream->shutdown_req = nullptr;
  request_ends(stream->loop);
  int error = 0;
  if (uv::is_closing(stream)) {
    error = UV_ECANCELED;
  } else if (::shutdown(fd(), SHUT_WR) < 0) {
    error = -errno;
  } else {
    stream->flags |= kShut;
  }
  if (req->cb == nullptr) return;
  Call call(stream->loop, *this, req->cb);
  req->cb(req, error);
}

}  // namespace rondo::uv

using namespace rondo::uv;

static int check_write(uv_stream_t* stream, unsigned count, uv_stream_t* send_handle) {
  // A larger count is a negative number that was converted.
  constexpr unsigned kMostBuffers = 1U << 20;
  if (count < 1 || count > kMostBuffers) return UV_EINVAL;
  if (fd_of(stream) < 0) return UV_EBADF;
  if (!has_flags(stream, kWritable)) return UV_EPIPE;
  if (send_handle == nullptr) return 0;
  if (stream->type != UV_NAMED_PIPE || reinterpret_cast<uv_pipe_t*>(stream)->ipc == 0) {
    return UV_EINVAL;
  }
  return descriptor_of(send_handle) < 0 ? UV_EBADF : 0;
}

extern "C" {

int uv_write2(uv_write_t* req, uv_stream_t* handle, const uv_buf_t bufs[], unsigned int nbufs,
              uv_stream_t* send_handle, uv_write_cb cb) {
  if (const int refused = check_write(handle, nbufs, send_handle); refused != 0) return refused;
  return stream_behind(handle).write(req, bufs, nbufs, send_handle, cb);
}

int uv_write(uv_write_t* req, uv_stream_t* handle, const uv_buf_t bufs[], unsigned int nbufs,
             uv_write_cb cb) {
  return uv_write2(req, handle, bufs, nbufs, nullptr, cb);
}

int uv_try_write2(uv_stream_t* handle, const uv_buf_t bufs[], unsigned int nbufs,
                  uv_stream_t* send_handle) {
  if (handle->connect_req != nullptr || handle->write_queue_size != 0) return UV_EAGAIN;
  if (const int refused = check_write(handle, nbufs, send_handle); refused != 0) return refused;
  return static_cast<int>(stream_behind(handle).try_write(bufs, nbufs, send_handle));
}

int uv_try_write(uv_stream_t* handle, const uv_buf_t bufs[], unsigned int nbufs) {
  return uv_try_write2(handle, bufs, nbufs, nullptr);
}

}  // extern "C"
