#include <csignal>
#include <cstring>

#include "uv/core/fixture_test.h"

namespace rondo::uv {
namespace {

struct Exit {
  int64_t status = -1;
  int signal = -1;
};

void note_exit(uv_process_t* process, int64_t status, int signal) {
  *static_cast<Exit*>(process->data) = {status, signal};
  uv_close(reinterpret_cast<uv_handle_t*>(process), nullptr);
}

uv_process_options_t shell(char** args) {
  uv_process_options_t options{};
  options.file = "/bin/sh";
  options.args = args;
  options.exit_cb = note_exit;
  return options;
}

TEST(UvProcess, ReportsStatusAndOutput) {
  uv_pipe_t out;
  uv_process_t process;
  TestUvLoop loop;
  char* args[] = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                  const_cast<char*>("echo hi; exit 3"), nullptr};
  uv_process_options_t options = shell(args);
  uv_pipe_init(loop.get(), &out, 0);
  static std::string text;
  text.clear();
  uv_stdio_container_t stdio[2]{};
  stdio[0].flags = UV_IGNORE;
  stdio[1].flags = static_cast<uv_stdio_flags>(UV_CREATE_PIPE | UV_WRITABLE_PIPE);
  stdio[1].data.stream = reinterpret_cast<uv_stream_t*>(&out);
  options.stdio = stdio;
  options.stdio_count = 2;
  Exit exit;
  process.data = &exit;
  ASSERT_EQ(uv_spawn(loop.get(), &process, &options), 0);
  EXPECT_GT(process.pid, 0);
  uv_read_start(
      reinterpret_cast<uv_stream_t*>(&out),
      [](uv_handle_t*, size_t, uv_buf_t* buffer) {
        static char memory[64];
        *buffer = uv_buf_init(memory, sizeof memory);
      },
      [](uv_stream_t*, ssize_t count, const uv_buf_t* buffer) {
        if (count > 0) text.append(buffer->base, static_cast<size_t>(count));
      });
  loop.run();
  EXPECT_EQ(exit.status, 3);
  EXPECT_EQ(exit.signal, 0);
  EXPECT_EQ(text, "hi\n");
}

TEST(UvProcess, ReportsTheSignal) {
  uv_process_t process;
  TestUvLoop loop;
  char* args[] = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                  const_cast<char*>("kill -KILL $$"), nullptr};
  const uv_process_options_t options = shell(args);
  Exit exit;
  process.data = &exit;
  ASSERT_EQ(uv_spawn(loop.get(), &process, &options), 0);
  loop.run();
  EXPECT_EQ(exit.signal, SIGKILL);
}

TEST(UvProcess, AMissingProgramIsReportedAtOnce) {
  uv_process_t process;
  TestUvLoop loop;
  char* args[] = {const_cast<char*>("none"), nullptr};
  uv_process_options_t options = shell(args);
  options.file = "/nonexistent/program";
  EXPECT_EQ(uv_spawn(loop.get(), &process, &options), UV_ENOENT);
  EXPECT_EQ(uv_is_active(reinterpret_cast<uv_handle_t*>(&process)), 0);
}

// Node reads the streams of a child that could not be started: they end at once.
TEST(UvProcess, AFailedStartOpensTheStreams) {
  for (const bool has_folder : {true, false}) {
    uv_pipe_t out;
    uv_process_t process;
    TestUvLoop loop;
    char* args[] = {const_cast<char*>("sh"), nullptr};
    uv_process_options_t options = shell(args);
    if (has_folder) {
      options.file = "/no/such/program";
    } else {
      options.cwd = "";
    }
    uv_pipe_init(loop.get(), &out, 0);
    uv_stdio_container_t stdio[2]{};
    stdio[0].flags = UV_IGNORE;
    stdio[1].flags = static_cast<uv_stdio_flags>(UV_CREATE_PIPE | UV_WRITABLE_PIPE);
    stdio[1].data.stream = reinterpret_cast<uv_stream_t*>(&out);
    options.stdio = stdio;
    options.stdio_count = 2;
    EXPECT_EQ(uv_spawn(loop.get(), &process, &options), UV_ENOENT);
    EXPECT_EQ(uv_is_active(reinterpret_cast<uv_handle_t*>(&process)), 0);
    static ssize_t result;
    result = 0;
    ASSERT_EQ(uv_read_start(
                  reinterpret_cast<uv_stream_t*>(&out),
                  [](uv_handle_t*, size_t, uv_buf_t* buffer) {
                    static char memory[64];
                    *buffer = uv_buf_init(memory, sizeof memory);
                  },
                  [](uv_stream_t*, ssize_t count, const uv_buf_t*) { result = count; }),
              0);
    loop.run();
    EXPECT_EQ(result, UV_EOF);
    uv_close(reinterpret_cast<uv_handle_t*>(&process), nullptr);
    uv_close(reinterpret_cast<uv_handle_t*>(&out), nullptr);
    loop.run();
  }
}

}  // namespace
}  // namespace rondo::uv
