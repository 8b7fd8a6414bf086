// Locks of threads: uv_mutex_t and the others are the types of POSIX. Misuse aborts, as in libuv.
#include <pthread.h>
#include <semaphore.h>
#include <uv.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>

#include "uv/run/process.h"

namespace {

void must(int code) {
  if (code != 0) std::abort();
}

// 0, or UV_EBUSY if another thread holds the lock.
int try_outcome(int code) {
  if (code == 0) return 0;
  if (code != EBUSY && code != EAGAIN) std::abort();
  return UV_EBUSY;
}

int init_mutex(uv_mutex_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  must(::pthread_mutexattr_init(&attributes));
  must(::pthread_mutexattr_settype(&attributes, type));
  const int code = ::pthread_mutex_init(mutex, &attributes);
  must(::pthread_mutexattr_destroy(&attributes));
  return -code;
}

}  // namespace

extern "C" {

int uv_mutex_init(uv_mutex_t* handle) {
#ifdef NDEBUG
  return init_mutex(handle, PTHREAD_MUTEX_DEFAULT);
#else
  return init_mutex(handle, PTHREAD_MUTEX_ERRORCHECK);
#endif
}
int uv_mutex_init_recursive(uv_mutex_t* handle) {
  return init_mutex(handle, PTHREAD_MUTEX_RECURSIVE);
}
void uv_mutex_destroy(uv_mutex_t* handle) { must(::pthread_mutex_destroy(handle)); }
void uv_mutex_lock(uv_mutex_t* handle) { must(::pthread_mutex_lock(handle)); }
int uv_mutex_trylock(uv_mutex_t* handle) { return try_outcome(::pthread_mutex_trylock(handle)); }
void uv_mutex_unlock(uv_mutex_t* handle) { must(::pthread_mutex_unlock(handle)); }

int uv_rwlock_init(uv_rwlock_t* rwlock) { return -::pthread_rwlock_init(rwlock, nullptr); }
void uv_rwlock_destroy(uv_rwlock_t* rwlock) { must(::pthread_rwlock_destroy(rwlock)); }
void uv_rwlock_rdlock(uv_rwlock_t* rwlock) { must(::pthread_rwlock_rdlock(rwlock)); }
int uv_rwlock_tryrdlock(uv_rwlock_t* rwlock) {
  return try_outcome(::pthread_rwlock_tryrdlock(rwlock));
}
void uv_rwlock_rdunlock(uv_rwlock_t* rwlock) { must(::pthread_rwlock_unlock(rwlock)); }
void uv_rwlock_wrlock(uv_rwlock_t* rwlock) { must(::pthread_rwlock_wrlock(rwlock)); }
int uv_rwlock_trywrlock(uv_rwlock_t* rwlock) {
  return try_outcome(::pthread_rwlock_trywrlock(rwlock));
}
void uv_rwlock_wrunlock(uv_rwlock_t* rwlock) { must(::pthread_rwlock_unlock(rwlock)); }

int uv_sem_init(uv_sem_t* sem, unsigned int value) {
  return ::sem_init(sem, 0, value) == 0 ? 0 : -errno;
}
void uv_sem_destroy(uv_sem_t* sem) { must(::sem_destroy(sem)); }
void uv_sem_post(uv_sem_t* sem) { must(::sem_post(sem)); }
void uv_sem_wait(uv_sem_t* sem) {
  const rondo::uv::BlockedScope blocked;
  int done;
  do {
    done = ::sem_wait(sem);
  } while (done < 0 && errno == EINTR);
  must(done);
}
int uv_sem_trywait(uv_sem_t* sem) {
  int done;
  do {
    done = ::sem_trywait(sem);
  } while (done < 0 && errno == EINTR);
  if (done < 0 && errno == EAGAIN) return UV_EAGAIN;
  must(done);
  return 0;
}

// Waits are measured with the monotonic clock, which is never set.
int uv_cond_init(uv_cond_t* cond) {
  pthread_condattr_t attributes;
  int code = ::pthread_condattr_init(&attributes);
  if (code != 0) return -code;
  code = ::pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (code == 0) code = ::pthread_cond_init(cond, &attributes);
  ::pthread_condattr_destroy(&attributes);
  return -code;
}
void uv_cond_destroy(uv_cond_t* cond) { must(::pthread_cond_destroy(cond)); }
void uv_cond_signal(uv_cond_t* cond) { must(::pthread_cond_signal(cond)); }
void uv_cond_broadcast(uv_cond_t* cond) { must(::pthread_cond_broadcast(cond)); }
void uv_cond_wait(uv_cond_t* cond, uv_mutex_t* mutex) {
  const rondo::uv::BlockedScope blocked;
  must(::pthread_cond_wait(cond, mutex));
}

int uv_cond_timedwait(uv_cond_t* cond, uv_mutex_t* mutex, uint64_t timeout) {
  constexpr uint64_t kSecond = 1'000'000'000;
  const uint64_t until = uv_hrtime() + timeout;
  const timespec limit{static_cast<time_t>(until / kSecond), static_cast<long>(until % kSecond)};
  const rondo::uv::BlockedScope blocked;
  const int code = ::pthread_cond_timedwait(cond, mutex, &limit);
  if (code == ETIMEDOUT) return UV_ETIMEDOUT;
  must(code);
  return 0;
}

int uv_barrier_init(uv_barrier_t* barrier, unsigned int count) {
  return -::pthread_barrier_init(barrier, nullptr, count);
}
void uv_barrier_destroy(uv_barrier_t* barrier) { must(::pthread_barrier_destroy(barrier)); }
int uv_barrier_wait(uv_barrier_t* barrier) {
  const rondo::uv::BlockedScope blocked;
  const int code = ::pthread_barrier_wait(barrier);
  if (code != PTHREAD_BARRIER_SERIAL_THREAD) must(code);
  return code == PTHREAD_BARRIER_SERIAL_THREAD ? 1 : 0;
}

void uv_once(uv_once_t* guard, void (*callback)(void)) { must(::pthread_once(guard, callback)); }

int uv_key_create(uv_key_t* key) { return -::pthread_key_create(key, nullptr); }
void uv_key_delete(uv_key_t* key) { must(::pthread_key_delete(*key)); }
void* uv_key_get(uv_key_t* key) { return ::pthread_getspecific(*key); }
void uv_key_set(uv_key_t* key, void* value) { must(::pthread_setspecific(*key, value)); }

}  // extern "C"
