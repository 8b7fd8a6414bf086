// Threads, their priorities, processors and names.
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <uv.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <new>

#include "uv/run/process.h"

namespace {

constexpr size_t kDefaultStack = size_t{2} << 20;
constexpr size_t kSmallestStack = 8192;
constexpr size_t kLongestName = 16;  // The kernel's, with its NUL.

struct Start {
  uv_thread_cb entry;
  void* arg;
  rondo::uv::ThreadPart part;
};

void* run(void* memory) {
  const std::unique_ptr<Start> start(static_cast<Start*>(memory));
  start->part.begin();
  start->entry(start->arg);
  return nullptr;
}

// The soft limit of the main thread, as for programs that were linked with -pthread.
size_t default_stack_size() {
  rlimit limit{};
  const auto page = static_cast<size_t>(::getpagesize());
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kDefaultStack;
  }
  const size_t size = limit.rlim_cur - limit.rlim_cur % page;
  const size_t least = std::max<size_t>(kSmallestStack, static_cast<size_t>(PTHREAD_STACK_MIN));
  return size >= least ? size : kDefaultStack;
}

size_t stack_size_of(const uv_thread_options_t* options) {
  const bool is_given =
      (options->flags & UV_THREAD_HAS_STACK_SIZE) != 0 && options->stack_size != 0;
  if (!is_given) return default_stack_size();
  const auto page = static_cast<size_t>(::getpagesize());
  const size_t least = std::max<size_t>(kSmallestStack, static_cast<size_t>(PTHREAD_STACK_MIN));
  return std::max((options->stack_size + page - 1) / page * page, least);
}

}  // namespace

extern "C" {

int uv_thread_create_ex(uv_thread_t* tid, const uv_thread_options_t* params, uv_thread_cb entry,
                        void* arg) {
  pthread_attr_t attributes;
  if (const int code = ::pthread_attr_init(&attributes); code != 0) return -code;
  int code = ::pthread_attr_setstacksize(&attributes, stack_size_of(params));
  std::unique_ptr<Start> start(new (std::nothrow) Start{entry, arg, {}});
  if (code == 0 && start == nullptr) code = ENOMEM;
  if (code == 0) code = ::pthread_create(tid, &attributes, run, start.get());
  if (code == 0) (void)start.release();
  ::pthread_attr_destroy(&attributes);
  return -code;
}

int uv_thread_create(uv_thread_t* tid, uv_thread_cb entry, void* arg) {
  uv_thread_options_t options{};
  options.flags = UV_THREAD_NO_FLAGS;
  return uv_thread_create_ex(tid, &options, entry, arg);
}

int uv_thread_detach(uv_thread_t* tid) { return -::pthread_detach(*tid); }
uv_thread_t uv_thread_self(void) { return ::pthread_self(); }
int uv_thread_join(uv_thread_t* tid) {
  const rondo::uv::BlockedScope blocked;
  return -::pthread_join(*tid, nullptr);
}
int uv_thread_equal(const uv_thread_t* t1, const uv_thread_t* t2) {
  return ::pthread_equal(*t1, *t2);
}

int uv_cpumask_size(void) { return CPU_SETSIZE; }

int uv_thread_getaffinity(uv_thread_t* tid, char* cpumask, size_t mask_size) {
  if (mask_size < CPU_SETSIZE) return UV_EINVAL;
  cpu_set_t set;
  CPU_ZERO(&set);
  const int code = ::pthread_getaffinity_np(*tid, sizeof set, &set);
  if (code != 0) return -code;
  for (size_t i = 0; i < CPU_SETSIZE; ++i) cpumask[i] = CPU_ISSET(i, &set) ? 1 : 0;
  return 0;
}

int uv_thread_setaffinity(uv_thread_t* tid, char* cpumask, char* oldmask, size_t mask_size) {
  if (mask_size < CPU_SETSIZE) return UV_EINVAL;
  if (oldmask != nullptr) {
    const int failed = uv_thread_getaffinity(tid, oldmask, mask_size);
    if (failed != 0) return failed;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  for (size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (cpumask[i] != 0) CPU_SET(i, &set);
  }
  return -::pthread_setaffinity_np(*tid, sizeof set, &set);
}

int uv_thread_getcpu(void) {
  const int processor = ::sched_getcpu();
  return processor < 0 ? -errno : processor;
}

int uv_thread_setname(const char* name) {
  if (name == nullptr) return UV_EINVAL;
  char shortened[kLongestName] = {};
  std::memcpy(shortened, name, ::strnlen(name, kLongestName - 1));
  return -::pthread_setname_np(::pthread_self(), shortened);
}

int uv_thread_getname(uv_thread_t* tid, char* name, size_t size) {
  if (name == nullptr || size == 0) return UV_EINVAL;
  char full[kLongestName];
  const int code = ::pthread_getname_np(*tid, full, sizeof full);
  if (code != 0) return -code;
  const size_t length = std::min(::strnlen(full, sizeof full), size - 1);
  std::memcpy(name, full, length);
  name[length] = '\0';
  return 0;
}

int uv_thread_getpriority(uv_thread_t tid, int* priority) {
  if (priority == nullptr) return UV_EINVAL;
  sched_param parameters{};
  int policy = 0;
  const int code = ::pthread_getschedparam(tid, &policy, &parameters);
  if (code != 0) return -code;
  *priority = parameters.sched_priority;
  if (policy == SCHED_OTHER && ::pthread_equal(tid, ::pthread_self()) != 0) {
    errno = 0;
    const int nice = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)));
    if (nice == -1 && errno != 0) return -errno;
    *priority = nice;
  }
  return 0;
}

int uv_thread_setpriority(uv_thread_t tid, int priority) {
  constexpr int kNicePerStep = -2;
  if (priority < UV_THREAD_PRIORITY_LOWEST || priority > UV_THREAD_PRIORITY_HIGHEST) {
    return UV_EINVAL;
  }
  sched_param parameters{};
  int policy = 0;
  if (const int code = ::pthread_getschedparam(tid, &policy, &parameters); code != 0) return -code;
  if (policy == SCHED_OTHER && ::pthread_equal(tid, ::pthread_self()) != 0) {
    const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
    const int nice = priority * kNicePerStep;
    return ::setpriority(PRIO_PROCESS, thread, nice) < 0 ? -errno : 0;
  }
  const int low = ::sched_get_priority_min(policy);
  const int high = ::sched_get_priority_max(policy);
  if (low == -1 || high == -1) return -errno;
  parameters.sched_priority =
      low + (high - low) * (priority - UV_THREAD_PRIORITY_LOWEST) / UV_THREAD_PRIORITY_HIGHEST / 2;
  return -::pthread_setschedparam(tid, policy, &parameters);
}

}  // extern "C"
