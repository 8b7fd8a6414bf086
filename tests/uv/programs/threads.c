// A thread that computes and one that sleeps send a message each, which a timer of the loop must
// not overtake.
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

static uv_async_t computed, slept;
static uv_timer_t timer;

static void on_message(uv_async_t* handle) {
  printf("%s\n", handle == &computed ? "computed" : "slept");
  uv_close((uv_handle_t*)handle, NULL);
}

static void on_timer(uv_timer_t* handle) {
  printf("timer\n");
  uv_close((uv_handle_t*)handle, NULL);
}

static void compute(void* arg) {
  struct timespec used;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  } while (used.tv_sec == 0 && used.tv_nsec < 50 * 1000000);
  uv_async_send(&computed);
}

static void sleep_an_hour(void* arg) {
  sleep(3600);
  uv_async_send(&slept);
}

int main(void) {
  uv_thread_t threads[2];
  uv_loop_t* loop = uv_default_loop();
  uv_async_init(loop, &computed, on_message);
  uv_async_init(loop, &slept, on_message);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 7200000, 0);
  uv_thread_create(&threads[0], compute, NULL);
  uv_thread_create(&threads[1], sleep_an_hour, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_thread_join(&threads[0]);
  uv_thread_join(&threads[1]);
  return 0;
}
