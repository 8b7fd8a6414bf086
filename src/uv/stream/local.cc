// Streams under virtual time or with a chosen order: what they wait for.
#include <sys/epoll.h>

#include "io/net/local_connections_inline.h"
#include "uv/run/orders.h"
#include "uv/stream/stream.h"

template class rondo::BasicLocalConnections<rondo::uv::StreamHandle, rondo::uv::StreamHandle>;

namespace rondo::uv {

void StreamHandle::connects_to(const sockaddr* address, socklen_t size) {
  if (!internals().tracks_local_connections()) return;
  const SocketAddress to = SocketAddress::from(address, size);
  connects_inside_ = internals().service<LocalStreams>().leads_inside(to);
  connects_at_once_ = connects_inside_ && to.is_unix();
  if (!connects_inside_) note_outside(Outside::network);
}

void StreamHandle::track() {
  if (internals().tracks_local_connections()) internals().service<LocalStreams>().add_socket(*this);
}

Awaits StreamHandle::awaits() const {
  const uv_stream_t* const stream = this->stream();
  if (fd() < 0 || uv::is_closing(stream)) return Awaits::nothing;
  LocalStreams& local = internals().service<LocalStreams>();
  if (has_flags(stream, kListening)) {
    return watches(EPOLLIN) ? local.listener_awaits(*this) : Awaits::nothing;
  }
  if (stream->connect_req != nullptr) return connects_inside_ ? Awaits::inside : Awaits::outside;
  const bool is_awaited = (is_waiting_to_read() && has_ref()) || queued_bytes() > 0;
  return local.socket_awaits(*this, is_awaited ? Awaits::outside : Awaits::nothing);
}

bool StreamHandle::is_instant() const {
  const uv_stream_t* const stream = this->stream();
  if (has_flags(stream, kListening)) return stream->type == UV_NAMED_PIPE;
  if (stream->connect_req != nullptr) return connects_at_once_;
  return internals().service<LocalStreams>().is_instant(*this);
}

}  // namespace rondo::uv
