#include "uv/core/fixture_test.h"

namespace {

TEST(UvLocks, TriesReportBusyLocks) {
  uv_mutex_t mutex;
  ASSERT_EQ(uv_mutex_init(&mutex), 0);
  EXPECT_EQ(uv_mutex_trylock(&mutex), 0);
  uv_thread_t thread;
  uv_thread_create(
      &thread,
      [](void* lock) { EXPECT_EQ(uv_mutex_trylock(static_cast<uv_mutex_t*>(lock)), UV_EBUSY); },
      &mutex);
  uv_thread_join(&thread);
  uv_mutex_unlock(&mutex);
  uv_mutex_destroy(&mutex);

  uv_sem_t semaphore;
  ASSERT_EQ(uv_sem_init(&semaphore, 1), 0);
  EXPECT_EQ(uv_sem_trywait(&semaphore), 0);
  EXPECT_EQ(uv_sem_trywait(&semaphore), UV_EAGAIN);
  uv_sem_destroy(&semaphore);

  uv_rwlock_t lock;
  ASSERT_EQ(uv_rwlock_init(&lock), 0);
  uv_rwlock_rdlock(&lock);
  EXPECT_EQ(uv_rwlock_trywrlock(&lock), UV_EBUSY);
  uv_rwlock_rdunlock(&lock);
  uv_rwlock_destroy(&lock);
}

TEST(UvLocks, ARecursiveMutexIsLockedTwice) {
  uv_mutex_t mutex;
  ASSERT_EQ(uv_mutex_init_recursive(&mutex), 0);
  uv_mutex_lock(&mutex);
  EXPECT_EQ(uv_mutex_trylock(&mutex), 0);
  uv_mutex_unlock(&mutex);
  uv_mutex_unlock(&mutex);
  uv_mutex_destroy(&mutex);
}

TEST(UvLocks, ATimedWaitEndsByItself) {
  uv_mutex_t mutex;
  uv_cond_t condition;
  uv_mutex_init(&mutex);
  uv_cond_init(&condition);
  uv_mutex_lock(&mutex);
  const uint64_t began = uv_hrtime();
  EXPECT_EQ(uv_cond_timedwait(&condition, &mutex, 2'000'000), UV_ETIMEDOUT);
  EXPECT_GE(uv_hrtime() - began, 2'000'000U);
  uv_mutex_unlock(&mutex);
  uv_cond_destroy(&condition);
  uv_mutex_destroy(&mutex);
}

TEST(UvThread, HasANameAndAStackOfItsOwn) {
  uv_thread_options_t options{};
  options.flags = UV_THREAD_HAS_STACK_SIZE;
  options.stack_size = 1;  // Rounded up to the least.
  uv_thread_t thread;
  ASSERT_EQ(uv_thread_create_ex(
                &thread, &options,
                [](void*) {
                  EXPECT_EQ(uv_thread_setname("a name that is far too long"), 0);
                  uv_thread_t self = uv_thread_self();
                  char name[16];
                  EXPECT_EQ(uv_thread_getname(&self, name, sizeof name), 0);
                  EXPECT_STREQ(name, "a name that is ");
                },
                nullptr),
            0);
  EXPECT_EQ(uv_thread_join(&thread), 0);
  EXPECT_EQ(uv_thread_setname(nullptr), UV_EINVAL);
}

}  // namespace
