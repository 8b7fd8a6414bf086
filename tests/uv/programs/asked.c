// A program that `rondo why` and `rondo top` ask. Its argument says what blocks its loop: spin,
// read or sleep.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

static const char* mode;
static uv_loop_t second;
static uv_sem_t started;

static void on_tick(uv_timer_t* timer) {}
static void on_connection(uv_stream_t* server, int status) {}
static void on_exit_of_child(uv_process_t* process, int64_t status, int signal) {}
static void on_signal(uv_signal_t* handle, int number) {}
static void on_data(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {}
static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {}
static void on_datagram(uv_udp_t* socket, ssize_t size, const uv_buf_t* buffer,
                        const struct sockaddr* from, unsigned flags) {}
static void on_change(uv_fs_event_t* handle, const char* name, int events, int status) {}
static void after_work(uv_work_t* request, int status) {}
static void work(uv_work_t* request) { pause(); }

static void block(uv_timer_t* timer) {
  char byte;
  volatile unsigned long count = 0;
  if (strcmp(mode, "spin") == 0)
    for (;;) ++count;
  if (strcmp(mode, "read") == 0) (void)!read(0, &byte, 1);
  if (strcmp(mode, "sleep") == 0) usleep(20 * 1000);
}

static void run_second(void* unused) {
  uv_timer_t timer;
  uv_loop_init(&second);
  uv_timer_init(&second, &timer);
  uv_timer_start(&timer, on_tick, 100 * 1000, 0);
  uv_sem_post(&started);
  uv_run(&second, UV_RUN_DEFAULT);
}

static void open_handles(uv_loop_t* loop) {
  static uv_tcp_t server;
  static uv_udp_t udp;
  static uv_process_t child;
  static uv_signal_t signal;
  static uv_work_t job;
  static uv_pipe_t reader, writer;
  static uv_fs_event_t watcher;
  struct sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_init(loop, &server);
  uv_tcp_bind(&server, (struct sockaddr*)&address, 0);
  uv_listen((uv_stream_t*)&server, 8, on_connection);
  uv_udp_init(loop, &udp);
  uv_udp_bind(&udp, (struct sockaddr*)&address, 0);
  uv_udp_recv_start(&udp, on_alloc, on_datagram);
  char* arguments[] = {"cat", NULL};
  uv_pipe_init(loop, &writer, 0);
  uv_stdio_container_t stdio[1] = {{UV_CREATE_PIPE | UV_READABLE_PIPE, {(uv_stream_t*)&writer}}};
  uv_process_options_t options = {on_exit_of_child, "cat", arguments};
  options.stdio = stdio;
  options.stdio_count = 1;
  uv_spawn(loop, &child, &options);
  uv_signal_init(loop, &signal);
  uv_signal_start(&signal, on_signal, SIGUSR1);
  uv_queue_work(loop, &job, work, after_work);
  uv_fs_event_init(loop, &watcher);
  uv_fs_event_start(&watcher, on_change, ".", 0);
  uv_file ends[2];
  uv_pipe(ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  uv_pipe_init(loop, &reader, 0);
  uv_pipe_open(&reader, ends[0]);
  uv_read_start((uv_stream_t*)&reader, on_alloc, on_data);
}

int main(int count, char** arguments) {
  uv_loop_t* loop = uv_default_loop();
  uv_timer_t timer, hidden, blocker;
  uv_thread_t thread;
  mode = count > 1 ? arguments[1] : "";
  if (strcmp(mode, "fork") == 0 && fork() == 0) return 0;
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_tick, 100 * 1000, 60 * 1000);
  uv_timer_init(loop, &hidden);
  uv_timer_start(&hidden, on_tick, 200 * 1000, 0);
  uv_unref((uv_handle_t*)&hidden);
  uv_timer_init(loop, &blocker);
  if (strcmp(mode, "spin") == 0 || strcmp(mode, "read") == 0) uv_timer_start(&blocker, block, 1, 0);
  if (strcmp(mode, "sleep") == 0) uv_timer_start(&blocker, block, 1, 50);
  if (strcmp(mode, "handles") == 0) open_handles(loop);
  if (strcmp(mode, "closed") == 0)
    for (int fd = 3; fd < 1024; ++fd)
      if (fd != uv_backend_fd(loop)) close(fd);
  if (strcmp(mode, "threads") == 0) {
    uv_sem_init(&started, 0);
    uv_thread_create(&thread, run_second, NULL);
    uv_sem_wait(&started);
  }
  puts("ready");
  fflush(stdout);
  if (strcmp(mode, "idle") == 0) pause();
  return uv_run(loop, UV_RUN_DEFAULT);
}
