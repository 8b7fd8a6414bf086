#include "uv/stream/pipe.h"

#include <sys/socket.h>
#include <unistd.h>

#include "support/temp_dir.h"
#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

void lend(uv_handle_t*, size_t, uv_buf_t* buffer) {
  static char memory[256];
  *buffer = uv_buf_init(memory, sizeof memory);
}

TEST(UvPipe, AMessageCarriesADescriptor) {
  uv_pipe_t sender;
  uv_pipe_t receiver;
  uv_tcp_t shared;
  uv_write_t write;
  TestUvLoop loop;
  uv_os_sock_t ends[2];
  ASSERT_EQ(uv_socketpair(SOCK_STREAM, 0, ends, 0, 0), 0);
  static uv_tcp_t taken;
  uv_pipe_init(loop.get(), &sender, 1);
  uv_pipe_init(loop.get(), &receiver, 1);
  uv_tcp_init_ex(loop.get(), &shared, AF_INET);
  ASSERT_EQ(uv_pipe_open(&sender, ends[0]), 0);
  ASSERT_EQ(uv_pipe_open(&receiver, ends[1]), 0);
  EXPECT_EQ(uv_pipe_pending_count(&receiver), 0);
  const uv_buf_t data = uv_buf_init(const_cast<char*>("x"), 1);
  ASSERT_EQ(uv_write2(&write, reinterpret_cast<uv_stream_t*>(&sender), &data, 1,
                      reinterpret_cast<uv_stream_t*>(&shared), nullptr),
            0);
  uv_read_start(reinterpret_cast<uv_stream_t*>(&receiver), lend,
                [](uv_stream_t* stream, ssize_t count, const uv_buf_t*) {
                  EXPECT_EQ(count, 1);
                  auto* const pipe = reinterpret_cast<uv_pipe_t*>(stream);
                  EXPECT_EQ(uv_pipe_pending_count(pipe), 1);
                  EXPECT_EQ(uv_pipe_pending_type(pipe), UV_TCP);
                  uv_tcp_init(stream->loop, &taken);
                  EXPECT_EQ(uv_accept(stream, reinterpret_cast<uv_stream_t*>(&taken)), 0);
                  EXPECT_EQ(uv_pipe_pending_count(pipe), 0);
                  uv_read_stop(stream);
                });
  loop.run();
  uv_os_fd_t fd = -1;
  EXPECT_EQ(uv_fileno(reinterpret_cast<uv_handle_t*>(&taken), &fd), 0);
  EXPECT_GE(fd, 0);
  loop.close_all();
}

TEST(UvPipe, ClosingRemovesTheFile) {
  uv_pipe_t pipe;
  TestUvLoop loop;
  const TempDir dir;
  const std::string path = dir / "socket";
  uv_pipe_init(loop.get(), &pipe, 0);
  ASSERT_EQ(uv_pipe_bind(&pipe, path.c_str()), 0);
  EXPECT_EQ(uv_pipe_bind(&pipe, path.c_str()), UV_EINVAL);
  char name[256];
  size_t size = sizeof name;
  EXPECT_EQ(uv_pipe_getsockname(&pipe, name, &size), 0);
  EXPECT_EQ(std::string(name, size), path);
  EXPECT_EQ(::access(path.c_str(), F_OK), 0);
  uv_close(reinterpret_cast<uv_handle_t*>(&pipe), nullptr);
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

TEST(UvPipe, LongNamesAreCutUnlessForbidden) {
  uv_pipe_t pipe;
  TestUvLoop loop;
  const std::string name(300, 'x');
  uv_pipe_init(loop.get(), &pipe, 0);
  EXPECT_EQ(uv_pipe_bind2(&pipe, name.c_str(), name.size(), UV_PIPE_NO_TRUNCATE), UV_EINVAL);
  EXPECT_EQ(uv_pipe_bind2(&pipe, "a\0b", 3, 0), UV_EINVAL);
  EXPECT_EQ(uv_pipe_bind2(&pipe, "a", 1, 8), UV_EINVAL);
  // The kernel chooses an abstract name.
  EXPECT_EQ(uv_pipe_bind2(&pipe, "", 0, 0), 0);
}

TEST(UvPipe, AFailedConnectionIsReportedByTheLoop) {
  uv_pipe_t pipe;
  uv_connect_t req;
  TestUvLoop loop;
  static int outcome;
  outcome = 0;
  uv_pipe_init(loop.get(), &pipe, 0);
  uv_pipe_connect(&req, &pipe, "/nonexistent/socket",
                  [](uv_connect_t*, int status) { outcome = status; });
  EXPECT_EQ(outcome, 0);
  loop.run();
  EXPECT_EQ(outcome, UV_ENOENT);
}

}  // namespace
}  // namespace rondo::uv
