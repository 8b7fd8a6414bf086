// librondo-clock.so: the functions of the system that read a clock or wait for a time, for programs
// with a virtual clock. A program that calls them through the dynamic linker gets these, because
// the library is preloaded. A wait for another thread with a time limit is carried out in real
// time: its limit is converted. The clocks of processor time stay real.
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "uv/interpose/clock_hooks.h"

namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Set before main(), and constant from then on.
RondoClockHooks hooks;

bool is_virtual() { return hooks.now != nullptr; }

// The system's function of this name. Its address is looked up once; two threads that do so at the
// same time find the same.
template <class F>
F* system_function(F*& known, const char* name, const char* version = nullptr) {
  if (known == nullptr) {
    void* found = version == nullptr ? nullptr : ::dlvsym(RTLD_NEXT, name, version);
    if (found == nullptr) found = ::dlsym(RTLD_NEXT, name);
    known = reinterpret_cast<F*>(found);
  }
  return known;
}

int64_t nanos_of(const timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; }
timespec timespec_of(int64_t nanos) { return {nanos / kSecond, nanos % kSecond}; }
bool is_valid(const timespec& time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < kSecond;
}

bool is_wall(clockid_t id) {
  return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
}

bool is_monotonic(clockid_t id) {
  return id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW || id == CLOCK_MONOTONIC_COARSE ||
         id == CLOCK_BOOTTIME;
}

int system_clock_gettime(clockid_t id, timespec* time) {
  static int (*known)(clockid_t, timespec*);
  return system_function(known, "clock_gettime")(id, time);
}

// The limit of a wait, on the virtual monotonic clock and on the real one.
struct Limit {
  int64_t instant;
  timespec real;
};

// `limit` and `now` are times of the same virtual clock.
Limit limit_of(int64_t limit, int64_t now) {
  timespec real{};
  system_clock_gettime(CLOCK_MONOTONIC, &real);
  const int64_t left = limit > now ? limit - now : 0;
  int64_t sum = 0;
  if (__builtin_add_overflow(nanos_of(real), left, &sum)) sum = INT64_MAX;
  return {hooks.now() + left, timespec_of(sum)};
}

Limit limit_of(clockid_t id, const timespec& limit) {
  return limit_of(nanos_of(limit), is_wall(id) ? hooks.wall() : hooks.now());
}

// The same if the clock is not known: a condition variable has an attribute for it, which cannot be
// read. The limit is closer to the clock that it was computed from.
Limit limit_of_either_clock(const timespec& time) {
  const int64_t limit = nanos_of(time);
  const int64_t now = hooks.now();
  const int64_t wall = hooks.wall();
  const auto distance = [limit](int64_t from) {
    return limit > from ? limit - from : from - limit;
  };
  return limit_of(limit, distance(now) <= distance(wall) ? now : wall);
}

// Programs read the clock to see whether a wait has taken long enough.
int after_wait(int code, const Limit& limit) {
  if (code == ETIMEDOUT) hooks.timed_out(limit.instant);
  return code;
}

int sleep_until_virtual(int64_t nanos, timespec* left) {
  if (nanos > 0) hooks.sleep(nanos);
  if (left != nullptr) *left = {};
  return 0;
}

}  // namespace

extern "C" {

void rondo_install_clock(const RondoClockHooks& installed) { hooks = installed; }

int clock_gettime(clockid_t id, timespec* time) noexcept {
  if (is_virtual() && is_monotonic(id)) {
    *time = timespec_of(hooks.now());
    return 0;
  }
  if (is_virtual() && is_wall(id)) {
    *time = timespec_of(hooks.wall());
    return 0;
  }
  return system_clock_gettime(id, time);
}

int gettimeofday(timeval* time, void* zone) noexcept {
  static int (*known)(timeval*, void*);
  if (!is_virtual()) return system_function(known, "gettimeofday")(time, zone);
  const timespec now = timespec_of(hooks.wall());
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* result) noexcept {
  static time_t (*known)(time_t*);
  if (!is_virtual()) return system_function(known, "time")(result);
  const time_t now = hooks.wall() / kSecond;
  if (result != nullptr) *result = now;
  return now;
}

int timespec_get(timespec* time, int base) noexcept {
  static int (*known)(timespec*, int);
  if (!is_virtual() || base != TIME_UTC) return system_function(known, "timespec_get")(time, base);
  *time = timespec_of(hooks.wall());
  return base;
}

int nanosleep(const timespec* time, timespec* left) {
  static int (*known)(const timespec*, timespec*);
  if (!is_virtual() || !is_valid(*time)) return system_function(known, "nanosleep")(time, left);
  return sleep_until_virtual(nanos_of(*time), left);
}

int clock_nanosleep(clockid_t id, int flags, const timespec* time, timespec* left) {
  static int (*known)(clockid_t, int, const timespec*, timespec*);
  if (!is_virtual() || !is_valid(*time) || !(is_wall(id) || is_monotonic(id))) {
    return system_function(known, "clock_nanosleep")(id, flags, time, left);
  }
  if ((flags & TIMER_ABSTIME) == 0) return sleep_until_virtual(nanos_of(*time), left);
  const int64_t now = is_wall(id) ? hooks.wall() : hooks.now();
  return sleep_until_virtual(nanos_of(*time) - now, nullptr);
}

int usleep(useconds_t micros) {
  static int (*known)(useconds_t);
  if (!is_virtual()) return system_function(known, "usleep")(micros);
  return sleep_until_virtual(int64_t{micros} * 1000, nullptr);
}

unsigned sleep(unsigned seconds) {
  static unsigned (*known)(unsigned);
  if (!is_virtual()) return system_function(known, "sleep")(seconds);
  sleep_until_virtual(seconds * kSecond, nullptr);
  return 0;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t id,
                           const timespec* limit) {
  static int (*known)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  auto* const wait = system_function(known, "pthread_cond_clockwait");
  if (!is_virtual() || !is_valid(*limit)) return wait(condition, mutex, id, limit);
  const Limit own = limit_of(id, *limit);
  return after_wait(wait(condition, mutex, CLOCK_MONOTONIC, &own.real), own);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const timespec* limit) {
  static int (*known)(pthread_cond_t*, pthread_mutex_t*, const timespec*);
  static int (*with_clock)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  if (!is_virtual() || !is_valid(*limit)) {
    // The default version of dlsym() may be that of glibc before 2.3.2, whose type differs.
    auto* const wait = system_function(known, "pthread_cond_timedwait", "GLIBC_2.3.2");
    return wait(condition, mutex, limit);
  }
  const Limit own = limit_of_either_clock(*limit);
  auto* const wait = system_function(with_clock, "pthread_cond_clockwait");
  return after_wait(wait(condition, mutex, CLOCK_MONOTONIC, &own.real), own);
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t id, const timespec* limit) noexcept {
  static int (*known)(pthread_mutex_t*, clockid_t, const timespec*);
  auto* const lock = system_function(known, "pthread_mutex_clocklock");
  if (!is_virtual() || !is_valid(*limit)) return lock(mutex, id, limit);
  const Limit own = limit_of(id, *limit);
  return after_wait(lock(mutex, CLOCK_MONOTONIC, &own.real), own);
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* limit) noexcept {
  return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, limit);
}

int sem_clockwait(sem_t* semaphore, clockid_t id, const timespec* limit) {
  static int (*known)(sem_t*, clockid_t, const timespec*);
  auto* const wait = system_function(known, "sem_clockwait");
  if (!is_virtual() || !is_valid(*limit)) return wait(semaphore, id, limit);
  const Limit own = limit_of(id, *limit);
  const int done = wait(semaphore, CLOCK_MONOTONIC, &own.real);
  if (done < 0) after_wait(errno, own);
  return done;
}

int sem_timedwait(sem_t* semaphore, const timespec* limit) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, limit);
}

// V8 and the C++ library wait with futex(2), which libc has no function for.
long syscall(long number, ...) noexcept {
  static long (*known)(long, ...);
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const auto call = [&] {
    return system_function(known, "syscall")(number, arguments[0], arguments[1], arguments[2],
                                             arguments[3], arguments[4], arguments[5]);
  };
  const auto* const time = reinterpret_cast<const timespec*>(arguments[3]);
  const long operation = arguments[1] & FUTEX_CMD_MASK;
  const bool is_wait = number == SYS_futex &&
                       (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) &&
                       time != nullptr && is_virtual() && is_valid(*time);
  if (!is_wait) return call();
  const bool is_relative = operation == FUTEX_WAIT;
  const bool is_on_wall = (arguments[1] & FUTEX_CLOCK_REALTIME) != 0;
  const Limit own = is_relative ? limit_of(nanos_of(*time), 0)
                                : limit_of(is_on_wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, *time);
  if (!is_relative) {
    arguments[1] &= ~long{FUTEX_CLOCK_REALTIME};
    arguments[3] = reinterpret_cast<long>(&own.real);
  }
  const long done = call();
  if (done < 0) after_wait(errno, own);
  return done;
}

}  // extern "C"
