// Uses a timer, a file, a thread of the pool and an idle handle, and prints the order of the
// callbacks, with the version of the libuv that it runs on.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static uv_idle_t idle;
static uv_timer_t timer;
static uv_work_t work;
static uv_fs_t request;

static void on_close(uv_handle_t* handle);

static void on_timer(uv_timer_t* handle) {
  printf("timer\n");
  uv_close((uv_handle_t*)handle, on_close);
}

static void on_stat(uv_fs_t* done) {
  printf("stat: %s\n", done->result == 0 ? "ok" : uv_err_name((int)done->result));
  uv_fs_req_cleanup(done);
  uv_timer_start(&timer, on_timer, 1, 0);
}

static void do_work(uv_work_t* job) { job->data = &work; }

static void after_work(uv_work_t* job, int status) {
  printf("work: %d\n", status == 0 && job->data == &work);
  uv_fs_stat(job->loop, &request, "/", on_stat);
}

static void on_close(uv_handle_t* handle) {
  printf("closed %s\n", uv_handle_type_name(handle->type));
  if (handle->type == UV_IDLE) uv_queue_work(handle->loop, &work, do_work, after_work);
}

static void on_idle(uv_idle_t* handle) {
  printf("idle\n");
  uv_close((uv_handle_t*)handle, on_close);
}

int main(int argc, char** argv) {
  argv = uv_setup_args(argc, argv);
  uv_loop_t* loop = uv_default_loop();
  printf("libuv %s\n", uv_version_string());
  uv_timer_init(loop, &timer);
  uv_idle_init(loop, &idle);
  uv_idle_start(&idle, on_idle);
  uv_run(loop, UV_RUN_DEFAULT);
  printf("end: %d\n", uv_loop_close(loop));
  for (int i = 1; i < argc; ++i) printf("argument %s\n", argv[i]);
  return argc;
}
