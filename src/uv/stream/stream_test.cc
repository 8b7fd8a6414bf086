#include "uv/stream/stream.h"

#include <arpa/inet.h>

#include <memory>

#include "support/no_descriptors.h"
#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

template <class T>
uv_stream_t* stream_of(T* handle) {
  return reinterpret_cast<uv_stream_t*>(handle);
}
template <class T>
uv_handle_t* handle_of(T* handle) {
  return reinterpret_cast<uv_handle_t*>(handle);
}

void lend(uv_handle_t*, size_t suggested, uv_buf_t* buffer) {
  static char memory[64 * 1024];
  EXPECT_EQ(suggested, sizeof memory);
  *buffer = uv_buf_init(memory, sizeof memory);
}

// A connection over TCP whose server sends everything back.
struct Echo : ::testing::Test {
  void SetUp() override {
    loop.make_findable();
    uv_tcp_init(loop.get(), &listener);
    uv_tcp_init(loop.get(), &connection);
    uv_tcp_init(loop.get(), &accepted);
    listener.data = this;
    connection.data = this;
    sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    ASSERT_EQ(uv_tcp_bind(&listener, reinterpret_cast<sockaddr*>(&address), 0), 0);
    ASSERT_EQ(uv_listen(stream_of(&listener), 8, &Echo::connected), 0);
    int size = sizeof server_address;
    ASSERT_EQ(uv_tcp_getsockname(&listener, reinterpret_cast<sockaddr*>(&server_address), &size),
              0);
  }
  static void connected(uv_stream_t* server, int status) {
    ASSERT_EQ(status, 0);
    Echo& self = *static_cast<Echo*>(server->data);
    ASSERT_EQ(uv_accept(server, stream_of(&self.accepted)), 0);
    EXPECT_EQ(uv_accept(server, stream_of(&self.accepted)), UV_EAGAIN);
    uv_close(handle_of(server), nullptr);
    uv_read_start(stream_of(&self.accepted), lend, &Echo::send_back);
  }
  static void send_back(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
    if (count < 0) return uv_close(handle_of(stream), nullptr);
    const uv_buf_t data = uv_buf_init(buffer->base, static_cast<unsigned>(count));
    EXPECT_EQ(uv_try_write(stream, &data, 1), count);
  }
  void connect(uv_connect_cb cb) {
    ASSERT_EQ(
        uv_tcp_connect(&connecting, &connection, reinterpret_cast<sockaddr*>(&server_address), cb),
        0);
  }

  TestUvLoop loop;
  uv_tcp_t listener;
  uv_tcp_t connection;
  uv_tcp_t accepted;
  uv_connect_t connecting;
  uv_write_t writing;
  uv_shutdown_t shutting;
  sockaddr_in server_address;
  std::string received;
};

TEST_F(Echo, CarriesBytesAndTheEndOfTheStream) {
  connect([](uv_connect_t* req, int status) {
    EXPECT_EQ(status, 0);
    Echo& self = *static_cast<Echo*>(req->handle->data);
    uv_buf_t parts[] = {uv_buf_init(const_cast<char*>("he"), 2),
                        uv_buf_init(const_cast<char*>("llo"), 3)};
    uv_write(&self.writing, req->handle, parts, 2, [](uv_write_t* write, int outcome) {
      EXPECT_EQ(outcome, 0);
      TestUvLoop::of(write->handle->loop).log("written");
    });
    EXPECT_EQ(req->handle->write_queue_size, 0U);
    uv_read_start(req->handle, lend, [](uv_stream_t* stream, ssize_t count, const uv_buf_t* data) {
      Echo& own = *static_cast<Echo*>(stream->data);
      if (count == UV_EOF) return uv_close(handle_of(stream), nullptr);
      ASSERT_GE(count, 0);
      own.received.append(data->base, static_cast<size_t>(count));
      if (own.received.size() < 5) return;
      uv_shutdown(&own.shutting, stream, [](uv_shutdown_t* request, int outcome) {
        EXPECT_EQ(outcome, 0);
        TestUvLoop::of(request->handle->loop).log("shut");
      });
    });
  });
  EXPECT_EQ(loop.get()->active_reqs.count, 1U);
  EXPECT_EQ(loop.run(), 0);
  EXPECT_EQ(received, "hello");
  EXPECT_EQ(loop.take_log(), "written shut");
  EXPECT_EQ(loop.get()->active_reqs.count, 0U);
}

TEST_F(Echo, AClosedStreamReportsItsRequestsThenItself) {
  connect([](uv_connect_t* req, int status) {
    EXPECT_EQ(status, UV_ECANCELED);
    TestUvLoop::of(req->handle->loop).log("connect");
  });
  const uv_buf_t data = uv_buf_init(const_cast<char*>("x"), 1);
  // Waits for the connection.
  connection.flags |= kWritable;
  uv_write(&writing, stream_of(&connection), &data, 1, [](uv_write_t* req, int status) {
    EXPECT_EQ(status, UV_ECANCELED);
    TestUvLoop::of(req->handle->loop).log("write");
  });
  EXPECT_EQ(connection.write_queue_size, 1U);
  uv_close(handle_of(&connection),
           [](uv_handle_t* handle) { TestUvLoop::of(handle->loop).log("close"); });
  EXPECT_EQ(loop.take_log(), "");
  loop.close_all();
  EXPECT_EQ(loop.take_log(), "connect write close");
}

// The program may free the memory at once: nothing of the loop may refer to it.
TEST(UvStream, AHandleThatCouldNotBeMadeIsNotPartOfTheLoop) {
  TestUvLoop loop;
  auto tcp = std::make_unique<uv_tcp_t>();
  auto udp = std::make_unique<uv_udp_t>();
  {
    const NoDescriptors none;
    EXPECT_EQ(uv_tcp_init_ex(loop.get(), tcp.get(), AF_INET), UV_EMFILE);
    EXPECT_EQ(uv_udp_init_ex(loop.get(), udp.get(), AF_INET), UV_EMFILE);
  }
  tcp.reset();
  udp.reset();
  EXPECT_EQ(uv_loop_alive(loop.get()), 0);
  loop.run();
}

TEST(UvStream, ARefusedConnectionIsReportedByTheLoop) {
  uv_tcp_t bound;
  uv_tcp_t client;
  uv_connect_t req;
  TestUvLoop loop;
  loop.make_findable();
  uv_tcp_init(loop.get(), &bound);
  uv_tcp_init(loop.get(), &client);
  sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  // Bound but not listening.
  ASSERT_EQ(uv_tcp_bind(&bound, reinterpret_cast<sockaddr*>(&address), 0), 0);
  int size = sizeof address;
  ASSERT_EQ(uv_tcp_getsockname(&bound, reinterpret_cast<sockaddr*>(&address), &size), 0);
  ASSERT_EQ(uv_tcp_connect(&req, &client, reinterpret_cast<sockaddr*>(&address),
                           [](uv_connect_t* self, int status) {
                             EXPECT_EQ(status, UV_ECONNREFUSED);
                             TestUvLoop::of(self->handle->loop).log("refused");
                           }),
            0);
  EXPECT_EQ(loop.take_log(), "");
  loop.run();
  EXPECT_EQ(loop.take_log(), "refused");
}

TEST(UvStream, AnAddressInUseIsReportedByListen) {
  uv_tcp_t first;
  uv_tcp_t second;
  TestUvLoop loop;
  uv_tcp_init(loop.get(), &first);
  uv_tcp_init(loop.get(), &second);
  sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(uv_tcp_bind(&first, any, 0), 0);
  ASSERT_EQ(uv_listen(stream_of(&first), 1, [](uv_stream_t*, int) {}), 0);
  int size = sizeof address;
  ASSERT_EQ(uv_tcp_getsockname(&first, any, &size), 0);
  EXPECT_EQ(uv_tcp_bind(&second, any, 0), 0);
  EXPECT_EQ(uv_listen(stream_of(&second), 1, [](uv_stream_t*, int) {}), UV_EADDRINUSE);
}

TEST(UvStream, ChecksArgumentsAndState) {
  uv_tcp_t tcp;
  uv_write_t write;
  uv_shutdown_t shutdown;
  TestUvLoop loop;
  EXPECT_EQ(uv_tcp_init_ex(loop.get(), &tcp, 0x100), UV_EINVAL);
  uv_tcp_init(loop.get(), &tcp);
  uv_stream_t* const stream = stream_of(&tcp);
  uv_os_fd_t fd;
  const uv_buf_t data = uv_buf_init(const_cast<char*>("x"), 1);
  EXPECT_EQ(uv_write(&write, stream, &data, 0, nullptr), UV_EINVAL);
  EXPECT_EQ(uv_write(&write, stream, &data, 1, nullptr), UV_EBADF);
  EXPECT_EQ(uv_try_write(stream, &data, 1), UV_EBADF);
  EXPECT_EQ(uv_shutdown(&shutdown, stream, nullptr), UV_ENOTCONN);
  EXPECT_EQ(uv_read_start(stream, lend, nullptr), UV_EINVAL);
  EXPECT_EQ(uv_read_start(stream, lend, [](uv_stream_t*, ssize_t, const uv_buf_t*) {}),
            UV_ENOTCONN);
  EXPECT_EQ(uv_fileno(handle_of(&tcp), &fd), UV_EBADF);
  EXPECT_EQ(uv_is_readable(stream), 0);
  sockaddr unix_address{};
  unix_address.sa_family = AF_UNIX;
  EXPECT_EQ(uv_tcp_bind(&tcp, &unix_address, 0), UV_EINVAL);
}

// Node writes to connections that it has closed.
TEST(UvStream, OperationsOnAClosedStreamFail) {
  uv_tcp_t tcp;
  TestUvLoop loop;
  uv_tcp_init(loop.get(), &tcp);
  uv_close(handle_of(&tcp), nullptr);
  loop.run();
  const uv_buf_t data = uv_buf_init(const_cast<char*>("x"), 1);
  uv_write_t write;
  uv_shutdown_t shutdown;
  uv_os_fd_t fd = -1;
  sockaddr_storage name;
  int size = sizeof name;
  EXPECT_EQ(uv_try_write(stream_of(&tcp), &data, 1), UV_EBADF);
  EXPECT_EQ(uv_write(&write, stream_of(&tcp), &data, 1, nullptr), UV_EBADF);
  EXPECT_EQ(uv_shutdown(&shutdown, stream_of(&tcp), nullptr), UV_ENOTCONN);
  EXPECT_EQ(uv_read_stop(stream_of(&tcp)), 0);
  EXPECT_EQ(uv_tcp_getsockname(&tcp, reinterpret_cast<sockaddr*>(&name), &size), UV_EBADF);
  EXPECT_EQ(uv_tcp_nodelay(&tcp, 1), 0);
  EXPECT_EQ(uv_stream_set_blocking(stream_of(&tcp), 1), UV_EBADF);
  EXPECT_EQ(uv_fileno(handle_of(&tcp), &fd), UV_EBADF);
  uv_ref(handle_of(&tcp));
  uv_unref(handle_of(&tcp));
  EXPECT_EQ(uv_loop_alive(loop.get()), 0);
}

}  // namespace
}  // namespace rondo::uv
