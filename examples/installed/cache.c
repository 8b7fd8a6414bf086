// Keeps the newest price in a file. A refresh writes the new price, and a look-up reads it: which
// of the two is first depends on the disk. Built with `cc -o cache cache.c -luv`; `rondo explore uv
// ./cache` finds the order in which a customer gets an empty price.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static char path[1024];
static char new_price[] = "12.50";
static char found[16];
static uv_fs_t opening, writing, closing, looking, reading;
static uv_timer_t customer;
static uv_file file;

static void on_written(uv_fs_t* request) {
  uv_fs_req_cleanup(request);
  uv_fs_close(request->loop, &closing, file, NULL);
}

// The file is empty from here until the price is written.
static void on_opened(uv_fs_t* request) {
  uv_buf_t buffer = uv_buf_init(new_price, sizeof new_price - 1);
  file = (uv_file)request->result;
  uv_fs_req_cleanup(request);
  uv_fs_write(request->loop, &writing, file, &buffer, 1, 0, on_written);
}

static void on_read(uv_fs_t* request) {
  printf("the price is '%.*s'\n", (int)request->result, found);
  uv_fs_close(request->loop, &closing, looking.result, NULL);
  exit(request->result > 0 ? 0 : 1);
}

static void on_found(uv_fs_t* request) {
  uv_buf_t buffer = uv_buf_init(found, sizeof found);
  if (request->result < 0) exit(2);
  uv_fs_read(request->loop, &reading, (uv_file)request->result, &buffer, 1, 0, on_read);
}

static void on_customer(uv_timer_t* timer) {
  uv_fs_open(timer->loop, &looking, path, O_RDONLY, 0, on_found);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  size_t size = sizeof path;
  uv_fs_t old;
  uv_buf_t buffer = uv_buf_init("9.99", 4);
  uv_os_tmpdir(path, &size);
  strcat(path, "/price");
  file = uv_fs_open(loop, &old, path, O_WRONLY | O_CREAT | O_TRUNC, 0600, NULL);
  uv_fs_write(loop, &old, file, &buffer, 1, 0, NULL);
  uv_fs_close(loop, &old, file, NULL);
  uv_fs_open(loop, &opening, path, O_WRONLY | O_TRUNC, 0600, on_opened);
  uv_timer_init(loop, &customer);
  uv_timer_start(&customer, on_customer, 10, 0);
  return uv_run(loop, UV_RUN_DEFAULT);
}
