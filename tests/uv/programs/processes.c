// fork(), exec() and threads: a child goes on with its parent's loop and then executes this program
// again; threads send to handles that are being closed.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

enum { kThreads = 3, kRounds = 300 };

static uv_loop_t* loop;
static int received;

static void on_timer(uv_timer_t* timer) {
  puts(timer->data);
  uv_close((uv_handle_t*)timer, NULL);
}

static void on_file(uv_fs_t* request) {
  printf("stat: %s\n", request->result == 0 ? "ok" : "failed");
  uv_fs_req_cleanup(request);
}

static void on_exit_of_child(uv_process_t* child, int64_t status, int signal) {
  printf("child: %d, %d\n", (int)status, signal);
  uv_close((uv_handle_t*)child, NULL);
}

// A timer, a job of the pool and a child process, in this order.
static void use_loop(char* text) {
  static uv_timer_t timer;
  static uv_fs_t request;
  static uv_process_t child;
  uv_process_options_t options;
  char* arguments[] = {"sh", "-c", "exit 7", NULL};
  uv_timer_init(loop, &timer);
  timer.data = text;
  uv_timer_start(&timer, on_timer, 1, 0);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_fs_stat(loop, &request, "/", on_file);
  uv_run(loop, UV_RUN_DEFAULT);
  memset(&options, 0, sizeof options);
  options.file = "sh";
  options.args = arguments;
  options.exit_cb = on_exit_of_child;
  uv_spawn(loop, &child, &options);
  uv_run(loop, UV_RUN_DEFAULT);
  fflush(stdout);
}

typedef struct {
  uv_async_t async;
  uv_sem_t begin;
  uv_sem_t end;
  int is_over;
} Shared;

static void on_async(uv_async_t* async) { ++received; }

static void send_often(void* argument) {
  Shared* shared = argument;
  for (;;) {
    uv_sem_wait(&shared->begin);
    if (shared->is_over) return;
    for (int i = 0; i < 100; ++i) uv_async_send(&shared->async);
    uv_sem_post(&shared->end);
  }
}

static void close_while_threads_send(void) {
  static Shared shared;
  uv_loop_t own;
  uv_thread_t threads[kThreads];
  uv_sem_init(&shared.begin, 0);
  uv_sem_init(&shared.end, 0);
  for (int i = 0; i < kThreads; ++i) uv_thread_create(&threads[i], send_often, &shared);
  for (int round = 0; round < kRounds; ++round) {
    uv_loop_init(&own);
    uv_async_init(&own, &shared.async, on_async);
    for (int i = 0; i < kThreads; ++i) uv_sem_post(&shared.begin);
    uv_run(&own, UV_RUN_ONCE);
    uv_close((uv_handle_t*)&shared.async, NULL);
    uv_run(&own, UV_RUN_DEFAULT);
    // The handle's memory and the loop are valid until the last send.
    for (int i = 0; i < kThreads; ++i) uv_sem_wait(&shared.end);
    if (uv_loop_close(&own) != 0) puts("the loop is busy");
  }
  shared.is_over = 1;
  for (int i = 0; i < kThreads; ++i) uv_sem_post(&shared.begin);
  for (int i = 0; i < kThreads; ++i) uv_thread_join(&threads[i]);
  printf("received: %d\n", received >= kRounds);
}

int main(int count, char** arguments) {
  int status = 0;
  printf("libuv %s\n", uv_version_string());
  fflush(stdout);
  loop = uv_default_loop();
  if (count > 1) {
    use_loop("executed");
    return uv_loop_close(loop);
  }
  use_loop("parent before");
  const pid_t child = fork();
  if (child == 0) {
    printf("fork: %d\n", uv_loop_fork(loop));
    use_loop("child");
    char* again[] = {arguments[0], "again", NULL};
    execv(arguments[0], again);
    return 1;
  }
  waitpid(child, &status, 0);
  printf("exit code of the child: %d\n", WEXITSTATUS(status));
  use_loop("parent after");
  close_while_threads_send();
  printf("end: %d\n", uv_loop_close(loop));
  return 0;
}
