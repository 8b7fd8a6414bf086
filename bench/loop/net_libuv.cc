#include <netinet/in.h>
#include <uv.h>

#include <cstdlib>

#include "loop/libuv_peer.h"

namespace bench::libuv {
namespace {

// State for a pending answer of a connection: allocated on demand.
struct Waiting {
  uv_write_t write;
  uv_buf_t left;
};

char shared_buffer[64 * 1024];

void on_alloc(uv_handle_t*, size_t, uv_buf_t* buffer) {
  *buffer = uv_buf_init(shared_buffer, sizeof shared_buffer);
}

template <class Handle>
void close_and_free(Handle* handle) {
  uv_close(reinterpret_cast<uv_handle_t*>(handle), [](uv_handle_t* closed) { std::free(closed); });
}

void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
  if (count == 0) return;
  if (count < 0) return close_and_free(stream);
  // The same optimisation as in ours: usually the kernel takes it all at once.
  uv_buf_t data = uv_buf_init(buffer->base, static_cast<unsigned>(count));
  const int sent = uv_try_write(stream, &data, 1);
  const int done = sent > 0 ? sent : 0;
  if (done == count) return;
  const size_t left = static_cast<size_t>(count - done);
  auto* waiting = static_cast<Waiting*>(std::malloc(sizeof(Waiting)));
  waiting->left = uv_buf_init(static_cast<char*>(std::malloc(left)), static_cast<unsigned>(left));
  std::copy(buffer->base + done, buffer->base + count, waiting->left.base);
  uv_read_stop(stream);
  uv_write(&waiting->write, stream, &waiting->left, 1, [](uv_write_t* write, int) {
    Waiting* self = reinterpret_cast<Waiting*>(write);
    uv_read_start(write->handle, on_alloc, on_read);
    std::free(self->left.base);
    std::free(self);
  });
}

using Report = void (*)(int port, void* context);

// Runs until the process is killed. `kOnAccepted` owns the connection it is given.
template <void (*kOnAccepted)(uv_tcp_t* connection)>
void serve(Report report, void* context) {
  static uv_loop_t loop;
  static uv_tcp_t server;
  uv_loop_init(&loop);
  uv_tcp_init(&loop, &server);
  sockaddr_in address{};
  uv_ip4_addr("127.0.0.1", 0, &address);
  if (uv_tcp_bind(&server, reinterpret_cast<sockaddr*>(&address), 0) != 0) die("bind");
  const auto on_connection = [](uv_stream_t* listener, int) {
    auto* tcp = static_cast<uv_tcp_t*>(std::malloc(sizeof(uv_tcp_t)));
    uv_tcp_init(listener->loop, tcp);
    if (uv_accept(listener, reinterpret_cast<uv_stream_t*>(tcp)) != 0) die("accept");
    kOnAccepted(tcp);
  };
  if (uv_listen(reinterpret_cast<uv_stream_t*>(&server), 511, on_connection) != 0) die("listen");
  int size = sizeof address;
  uv_tcp_getsockname(&server, reinterpret_cast<sockaddr*>(&address), &size);
  report(ntohs(address.sin_port), context);
  uv_run(&loop, UV_RUN_DEFAULT);
}

void echo(uv_tcp_t* connection) {
  uv_tcp_nodelay(connection, 1);
  uv_read_start(reinterpret_cast<uv_stream_t*>(connection), on_alloc, on_read);
}

}  // namespace

void serve_echo(Report report, void* context) { serve<echo>(report, context); }
void serve_accept(Report report, void* context) {
  serve<close_and_free<uv_tcp_t>>(report, context);
}

}  // namespace bench::libuv
