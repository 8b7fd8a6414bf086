// Starts each of its arguments as a program, one after the other, with its own environment.
#include <stdio.h>
#include <string.h>
#include <uv.h>

static char** programs;
static uv_process_t child;

static void start_next(void);

static void on_exit(uv_process_t* process, int64_t status, int signal) {
  printf("%s ended with %d, %d\n", strrchr(programs[-1], '/') + 1, (int)status, signal);
  uv_close((uv_handle_t*)process, NULL);
}

static void start_next(void) {
  char* arguments[] = {*programs, NULL};
  uv_stdio_container_t streams[3];
  for (int i = 0; i < 3; ++i) {
    streams[i].flags = UV_INHERIT_FD;
    streams[i].data.fd = i;
  }
  uv_process_options_t options;
  memset(&options, 0, sizeof options);
  options.file = *programs++;
  options.args = arguments;
  options.stdio = streams;
  options.stdio_count = 3;
  options.exit_cb = on_exit;
  fflush(stdout);
  int error = uv_spawn(uv_default_loop(), &child, &options);
  if (error != 0) printf("%s\n", uv_strerror(error));
}

int main(int argc, char** argv) {
  printf("parent on libuv %s\n", uv_version_string());
  programs = argv + 1;
  while (programs < argv + argc) {
    start_next();
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  }
  return 0;
}
