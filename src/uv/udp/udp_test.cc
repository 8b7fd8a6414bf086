#include "uv/udp/udp.h"

#include <arpa/inet.h>

#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

void lend(uv_handle_t*, size_t, uv_buf_t* buffer) {
  static char memory[64 * 1024];
  *buffer = uv_buf_init(memory, sizeof memory);
}

TEST(UvUdp, SendsAtOnceAndCallsBackFromTheLoop) {
  uv_udp_t receiver;
  uv_udp_t sender;
  uv_udp_send_t req;
  TestUvLoop loop;
  loop.make_findable();
  uv_udp_init(loop.get(), &receiver);
  uv_udp_init(loop.get(), &sender);
  sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(uv_udp_bind(&receiver, any, 0), 0);
  int size = sizeof address;
  ASSERT_EQ(uv_udp_getsockname(&receiver, any, &size), 0);
  ASSERT_EQ(uv_udp_recv_start(&receiver, lend,
                              [](uv_udp_t* self, ssize_t count, const uv_buf_t* data,
                                 const sockaddr* from, unsigned flags) {
                                if (count == 0 && from == nullptr) return;
                                EXPECT_EQ(std::string(data->base, static_cast<size_t>(count)),
                                          "ping");
                                EXPECT_EQ(flags, 0U);
                                TestUvLoop::of(self->loop).log("received");
                                uv_udp_recv_stop(self);
                              }),
            0);
  EXPECT_EQ(uv_udp_recv_start(&receiver, lend, receiver.recv_cb), UV_EALREADY);
  const uv_buf_t data = uv_buf_init(const_cast<char*>("ping"), 4);
  ASSERT_EQ(uv_udp_send(&req, &sender, &data, 1, any,
                        [](uv_udp_send_t* self, int status) {
                          EXPECT_EQ(status, 0);
                          EXPECT_EQ(self->handle->send_queue_count, 0U);
                          TestUvLoop::of(self->handle->loop).log("sent");
                        }),
            0);
  EXPECT_EQ(uv_udp_get_send_queue_count(&sender), 1U);
  loop.run();
  EXPECT_EQ(loop.take_log(), "sent received");
}

TEST(UvUdp, AnAddressIsNeededExactlyIfNotConnected) {
  uv_udp_t udp;
  TestUvLoop loop;
  uv_udp_init(loop.get(), &udp);
  const uv_buf_t data = uv_buf_init(const_cast<char*>("x"), 1);
  sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 9, &address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(uv_udp_try_send(&udp, &data, 1, nullptr), UV_EDESTADDRREQ);
  EXPECT_EQ(uv_udp_connect(&udp, nullptr), UV_ENOTCONN);
  ASSERT_EQ(uv_udp_connect(&udp, any), 0);
  EXPECT_EQ(uv_udp_connect(&udp, any), UV_EISCONN);
  EXPECT_EQ(uv_udp_try_send(&udp, &data, 1, any), UV_EISCONN);
  EXPECT_EQ(uv_udp_connect(&udp, nullptr), 0);
}

TEST(UvUdp, ChecksFlags) {
  uv_udp_t udp;
  TestUvLoop loop;
  EXPECT_EQ(uv_udp_init_ex(loop.get(), &udp, 0x1000), UV_EINVAL);
  ASSERT_EQ(uv_udp_init_ex(loop.get(), &udp, AF_INET | UV_UDP_RECVMMSG), 0);
  EXPECT_EQ(uv_udp_using_recvmmsg(&udp), 1);
  sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(uv_udp_bind(&udp, any, UV_UDP_IPV6ONLY), UV_EINVAL);
  EXPECT_EQ(uv_udp_bind(&udp, any, UV_UDP_PARTIAL), UV_EINVAL);
  EXPECT_EQ(uv_udp_set_ttl(&udp, 0), UV_EINVAL);
  EXPECT_EQ(uv_udp_set_ttl(&udp, 9), 0);
}

TEST(UvUdp, AClosedSocketHasNoName) {
  uv_udp_t udp;
  TestUvLoop loop;
  uv_udp_init(loop.get(), &udp);
  EXPECT_EQ(uv_udp_set_multicast_ttl(&udp, -1), UV_EINVAL);
  EXPECT_EQ(uv_udp_set_multicast_ttl(&udp, 256), UV_EINVAL);
  sockaddr_storage name;
  int size = sizeof name;
  EXPECT_EQ(uv_udp_getsockname(&udp, reinterpret_cast<sockaddr*>(&name), &size), UV_EBADF);
  uv_close(reinterpret_cast<uv_handle_t*>(&udp), nullptr);
  loop.run();
  EXPECT_EQ(uv_udp_getsockname(&udp, reinterpret_cast<sockaddr*>(&name), &size), UV_EBADF);
  EXPECT_EQ(uv_udp_getpeername(&udp, reinterpret_cast<sockaddr*>(&name), &size), UV_EBADF);
}

}  // namespace
}  // namespace rondo::uv
