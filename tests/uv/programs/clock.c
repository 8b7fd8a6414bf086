// Reads every clock of a program before and after ten hours of timers, and after sleeps.
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

enum { kClocks = 8 };
static uv_timer_t timer;
static int rounds;

// Milliseconds of each clock.
static void read_clocks(double* now) {
  struct timespec monotonic, coarse, real, utc;
  struct timeval day;
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  clock_gettime(CLOCK_MONOTONIC_COARSE, &coarse);
  clock_gettime(CLOCK_REALTIME, &real);
  timespec_get(&utc, TIME_UTC);
  gettimeofday(&day, NULL);
  uv_update_time(uv_default_loop());
  now[0] = monotonic.tv_sec * 1e3 + monotonic.tv_nsec / 1e6;
  now[1] = coarse.tv_sec * 1e3 + coarse.tv_nsec / 1e6;
  now[2] = real.tv_sec * 1e3 + real.tv_nsec / 1e6;
  now[3] = utc.tv_sec * 1e3 + utc.tv_nsec / 1e6;
  now[4] = day.tv_sec * 1e3 + day.tv_usec / 1e3;
  now[5] = time(NULL) * 1e3;
  now[6] = uv_hrtime() / 1e6;
  now[7] = uv_now(uv_default_loop());
}

static void report(const char* what, const double* before) {
  double now[kClocks];
  read_clocks(now);
  printf("%s:", what);
  for (int i = 0; i < kClocks; ++i) printf(" %.0f", now[i] - before[i]);
  printf("\n");
}

static void on_timer(uv_timer_t* handle) {
  if (++rounds == 10) uv_close((uv_handle_t*)handle, NULL);
}

int main(void) {
  double before[kClocks];
  struct timespec second = {1, 0}, limit;
  uv_cond_t condition;
  uv_mutex_t mutex;
  uv_timer_init(uv_default_loop(), &timer);
  read_clocks(before);
  printf("starts at %.0f, and not at zero: %d\n", before[2], before[0] > 0);
  uv_timer_start(&timer, on_timer, 3600000, 3600000);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  report("timers", before);
  read_clocks(before);
  nanosleep(&second, NULL);
  usleep(500000);
  usleep(500000);
  sleep(1);
  clock_nanosleep(CLOCK_REALTIME, 0, &second, NULL);
  clock_gettime(CLOCK_MONOTONIC, &limit);
  limit.tv_sec += 5;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &limit, NULL);
  uv_sleep(1000);
  report("sleeps", before);
  read_clocks(before);
  uv_cond_init(&condition);
  uv_mutex_init(&mutex);
  uv_mutex_lock(&mutex);
  printf("wait: %d\n", uv_cond_timedwait(&condition, &mutex, 20 * 1000000) == UV_ETIMEDOUT);
  report("wait", before);
  return 0;
}
