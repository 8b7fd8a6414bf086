// Lifetime, connections and servers of streams.
#include "uv/stream/stream.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "base/sys.h"
#include "io/net/descriptor_reserve.h"
#include "uv/stream/tcp.h"

namespace rondo::uv {

void init_stream(uv_loop_t* loop, void* handle, uv_handle_type type, HandleKind kind) {
  init_handle(loop, handle, type, new StreamHandle(loop, handle, kind));
  auto* const stream = static_cast<uv_stream_t*>(handle);
  stream->write_queue_size = 0;
  stream->alloc_cb = nullptr;
  stream->read_cb = nullptr;
  stream->connect_req = nullptr;
  stream->shutdown_req = nullptr;
  stream->io_watcher = {};
  stream->io_watcher.fd = -1;
  queue_init(stream->write_queue);
  queue_init(stream->write_completed_queue);
  stream->connection_cb = nullptr;
  stream->delayed_error = 0;
  stream->accepted_fd = -1;
  stream->queued_fds = nullptr;
}

StreamHandle::StreamHandle(uv_loop_t* loop, void* handle, HandleKind kind)
    : IoHandle(loop, handle, kind),
      Deferred([](Deferred& self) { static_cast<StreamHandle&>(self).ready(EPOLLOUT, 0); }) {}

int StreamHandle::open(int descriptor, unsigned flags, bool is_socket) {
  uv_stream_t* const stream = this->stream();
  if (fd() >= 0 && fd() != descriptor) return UV_EBUSY;
  stream->flags |= flags;
  stream->io_watcher.fd = descriptor;
  set_fd(descriptor, is_socket);
  return stream->type == UV_TCP ? apply_options(reinterpret_cast<uv_tcp_t*>(stream)) : 0;
}

void StreamHandle::on_closing() {
  uv_stream_t* const stream = this->stream();
  Deferred::cancel();
  if (internals().tracks_local_connections()) {
    internals().service<LocalStreams>().remove_socket(*this);
    internals().service<LocalStreams>().remove_listener(*this);
  }
  unwatch();
  read_stop();
  stream->flags &= ~unsigned{kReadable | kWritable};
  while (stream->accepted_fd >= 0) {
    ::close(std::exchange(stream->accepted_fd, take_queued_descriptor()));
  }
  queued_.reset();
  // The numbers of the standard streams must not be reused.
  if (fd() > STDERR_FILENO) ::close(fd());
  set_fd(-1);
  stream->io_watcher.fd = -1;
}

void StreamHandle::on_closed() {
  uv_stream_t* const stream = this->stream();
  if (uv_connect_t* const req = std::exchange(stream->connect_req, nullptr); req != nullptr) {
    request_ends(stream->loop);
    Call call(stream->loop, *this, req->cb);
    if (req->cb != nullptr) req->cb(req, UV_ECANCELED);
  }
  cancel_writes(UV_ECANCELED);
  call_finished();
  drain();
  Deferred::cancel();
}

void StreamHandle::ready(uint32_t bits, int error) {
  uv_stream_t* const stream = this->stream();
  if (error != 0) return fail_watch(error);
  if (has_flags(stream, kListening)) return connection_ready();
  if (stream->connect_req != nullptr) return connected();
  if ((bits & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) read_available();
  if (fd() < 0) return;
  if ((bits & EPOLLHUP) != 0 && (bits & EPOLLIN) == 0 && has_flags(stream, kReading)) {
    end_reading(uv_buf_init(nullptr, 0), UV_EOF);
    if (fd() < 0) return;
  }
  if ((bits & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) write_ready();
}

// The kernel has no memory to watch the descriptor.
void StreamHandle::fail_watch(int error) {
  uv_stream_t* const stream = this->stream();
  if (stream->connect_req != nullptr) {
    stream->delayed_error = -error;
    return connected();
  }
  if (has_flags(stream, kListening)) {
    Call call(stream->loop, *this, stream->connection_cb);
    stream->connection_cb(stream, -error);
    return;
  }
  cancel_writes(-error);
  if (has_flags(stream, kReading)) end_reading(uv_buf_init(nullptr, 0), -error);
  if (fd() >= 0) call_finished();
}

void StreamHandle::connected() {
  uv_stream_t* const stream = this->stream();
  int error = std::exchange(stream->delayed_error, 0);
  if (error == 0) {
    socklen_t size = sizeof error;
    if (::getsockopt(fd(), SOL_SOCKET, SO_ERROR, &error, &size) < 0) error = errno;
    error = -error;
  }
  if (error == -EINPROGRESS) return;
  uv_connect_t* const req = std::exchange(stream->connect_req, nullptr);
  request_ends(stream->loop);
  if (error < 0 || queue_is_empty(stream->write_queue)) ignore(EPOLLOUT);
  if (error == 0) track();
  if (req->cb != nullptr) {
    Call call(stream->loop, *this, req->cb);
    req->cb(req, error);
  }
  if (fd() < 0 || error >= 0) return;
  cancel_writes(UV_ECANCELED);
  call_finished();
}

void StreamHandle::start_listening(uv_connection_cb cb) {
  stream()->connection_cb = cb;
  stream()->flags |= kListening;
  internals().service<DescriptorReserve>().refill();
  if (internals().tracks_local_connections()) {
    internals().service<LocalStreams>().add_listener(*this);
  }
  start();
}

// One connection per event: callbacks of other handles run in between.
void StreamHandle::connection_ready() {
  uv_stream_t* const stream = this->stream();
  const int accepted = sys::accept(fd(), SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (accepted < 0) {
    // The waiting clients are disconnected, which they notice, instead of being kept waiting.
    if (errno == EMFILE || errno == ENFILE) {
      (void)internals().service<DescriptorReserve>().shed_connections(fd());
    }
    return;
  }
  stream->accepted_fd = accepted;
  {
    Call call(stream->loop, *this, stream->connection_cb);
    stream->connection_cb(stream, 0);
  }
  // uv_accept() watches again.
  if (stream->accepted_fd >= 0) ignore(EPOLLIN);
}

int StreamHandle::accept_into(uv_stream_t* client) {
  uv_stream_t* const server = stream();
  if (server->accepted_fd < 0) return UV_EAGAIN;
  int failed = 0;
  if (client->type == UV_UDP) {
    failed = uv_udp_open(reinterpret_cast<uv_udp_t*>(client), server->accepted_fd);
  } else {
    failed = stream_behind(client).open(server->accepted_fd, kReadable | kWritable,
                                        has_flags(server, kListening));
    if (failed == 0 && has_flags(server, kListening)) stream_behind(client).track();
  }
  if (failed != 0) {
    ::close(server->accepted_fd);
  } else {
    client->flags |= kBound;
  }
  server->accepted_fd = take_queued_descriptor();
  if (failed == 0 && has_flags(server, kListening)) failed = watch(EPOLLIN);
  return failed;
}

// -1: there is none.
int StreamHandle::take_queued_descriptor() {
  if (queued_descriptors() == 0) return -1;
  const int first = queued_->front();
  queued_->erase(queued_->begin());
  return first;
}

int StreamHandle::shutdown(uv_shutdown_t* req, uv_shutdown_cb cb) {
  uv_stream_t* const stream = this->stream();
  if (!has_flags(stream, kWritable) || has_flags(stream, kShut) ||
      stream->shutdown_req != nullptr || uv::is_closing(stream)) {
    return UV_ENOTCONN;
  }
  req->type = UV_SHUTDOWN;
  req->handle = stream;
  req->cb = cb;
  stream->shutdown_req = req;
  stream->flags &= ~unsigned{kWritable};
  request_begins(stream->loop);
  if (queue_is_empty(stream->write_queue)) internals().defer(*this);
  return 0;
}

}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_listen(uv_stream_t* stream, int backlog, uv_connection_cb cb) {
  if (is_closing(stream)) return UV_EINVAL;
  int failed = UV_EINVAL;
  if (stream->type == UV_TCP) {
    failed = prepare_to_listen(reinterpret_cast<uv_tcp_t*>(stream));
  } else if (stream->type == UV_NAMED_PIPE && stream_behind(stream).fd() >= 0 &&
             reinterpret_cast<uv_pipe_t*>(stream)->ipc == 0) {
    failed = 0;
  }
  if (failed != 0) return failed;
  StreamHandle& server = stream_behind(stream);
  if (::listen(server.fd(), backlog) < 0) return -errno;
  server.start_listening(cb);
  return server.watch(EPOLLIN);
}

int uv_accept(uv_stream_t* server, uv_stream_t* client) {
  RONDO_ASSERT(server->loop == client->loop);
  if (is_closing(server)) return UV_EAGAIN;
  return stream_behind(server).accept_into(client);
}

int uv_shutdown(uv_shutdown_t* req, uv_stream_t* handle, uv_shutdown_cb cb) {
  if (is_closing(handle)) return UV_ENOTCONN;
  return stream_behind(handle).shutdown(req, cb);
}

int uv_is_readable(const uv_stream_t* handle) { return has_flags(handle, kReadable) ? 1 : 0; }
int uv_is_writable(const uv_stream_t* handle) { return has_flags(handle, kWritable) ? 1 : 0; }

size_t uv_stream_get_write_queue_size(const uv_stream_t* stream) {
  return stream->write_queue_size;
}

int uv_stream_set_blocking(uv_stream_t* handle, int blocking) {
  return set_nonblocking(fd_of(handle), blocking == 0);
}

}  // extern "C"
