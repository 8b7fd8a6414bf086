// Scenarios for uv.h: the loop, its pool, threads, and functions about the system.
#include "scenario_uv.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "uv/preload/settings.h"

namespace rondo::faults {

UvLoop::UvLoop(Context& context) : context_(context) {
  {
    const Quietly quietly;
    ::setenv("RONDO_UV_BACKEND", backend_name(context.backend), 1);
    uv::read_settings();
    ::signal(SIGPIPE, SIG_IGN);  // As every program with libuv must.
  }
  loop_.data = this;
  is_open_ = uv_loop_init(&loop_) == 0;
}

UvLoop::~UvLoop() {
  if (!is_open_) return;
  run();
  close_all();
  context_.expect(uv_loop_close(&loop_) == 0, "a loop that has ended cannot be closed");
}

void UvLoop::close_all() {
  uv_walk(
      &loop_, [](uv_handle_t* handle, void*) { close(handle); }, nullptr);
  run();
}

namespace {

void use_pool(UvLoop& loop) {
  Context& context = loop.context();
  static Counted<uv_work_t> jobs[8];
  for (auto& job : jobs) {
    (void)job.begin(context, "job", [&](uv_work_t* request) {
      return uv_queue_work(
          loop.get(), request, [](uv_work_t*) {},
          [](uv_work_t* done, int) {
            Counted<uv_work_t>::finish(done, context_of(done->loop).account);
          });
    });
  }
  (void)uv_cancel(reinterpret_cast<uv_req_t*>(&jobs[7].request));

  static Counted<uv_random_t> random;
  static char bytes[16];
  (void)random.begin(context, "random bytes", [&](uv_random_t* request) {
    return uv_random(loop.get(), request, bytes, sizeof bytes, 0,
                     [](uv_random_t* done, int status, void* into, size_t size) {
                       Account& account = context_of(done->loop).account;
                       Counted<uv_random_t>::finish(done, account);
                       const bool is_whole = into == bytes && size == sizeof bytes;
                       account.expect(status != 0 || is_whole, "some random bytes are missing");
                     });
  });
  (void)uv_random(nullptr, nullptr, bytes, sizeof bytes, 0, nullptr);
}

void use_names(UvLoop& loop) {
  static Counted<uv_getaddrinfo_t> forward;
  (void)forward.begin(loop.context(), "getaddrinfo", [&](uv_getaddrinfo_t* request) {
    return uv_getaddrinfo(
        loop.get(), request,
        [](uv_getaddrinfo_t* done, int status, addrinfo* found) {
          Account& account = context_of(done->loop).account;
          Counted<uv_getaddrinfo_t>::finish(done, account);
          account.expect((status == 0) == (found != nullptr), "an address without a status");
          uv_freeaddrinfo(found);
        },
        "127.0.0.1", "80", nullptr);
  });
  static Counted<uv_getnameinfo_t> backward;
  sockaddr_in address{};
  (void)uv_ip4_addr("127.0.0.1", 80, &address);
  (void)backward.begin(loop.context(), "getnameinfo", [&](uv_getnameinfo_t* request) {
    return uv_getnameinfo(
        loop.get(), request,
        [](uv_getnameinfo_t* done, int, const char*, const char*) {
          Counted<uv_getnameinfo_t>::finish(done, context_of(done->loop).account);
        },
        reinterpret_cast<const sockaddr*>(&address), NI_NUMERICHOST | NI_NUMERICSERV);
  });
}

// Another thread sends to a handle that closes itself at its first message.
void use_async(UvLoop& loop) {
  struct Messages {
    uv_async_t async;
    std::atomic<bool> is_closed{false};
  };
  static Messages messages;
  messages.is_closed = false;
  if (uv_async_init(loop.get(), &messages.async, [](uv_async_t* async) { close(async); }) != 0) {
    return;
  }
  uv_thread_t sender;
  const int started = uv_thread_create(
      &sender,
      [](void*) {
        for (int i = 0; i < 1000 && !messages.is_closed; ++i) (void)uv_async_send(&messages.async);
      },
      nullptr);
  if (started != 0) close(&messages.async);
  loop.run();
  messages.is_closed = true;
  if (started == 0) (void)uv_thread_join(&sender);
}

// A child goes on with the loop.
void use_fork(UvLoop& loop) {
  static uv_timer_t timer;
  static Counted<uv_work_t> job;
  static uv_signal_t signal;
  (void)uv_timer_init(loop.get(), &timer);
  (void)uv_timer_start(
      &timer, [](uv_timer_t* self) { close(self); }, 1, 0);
  (void)uv_signal_init(loop.get(), &signal);
  (void)uv_signal_start(
      &signal, [](uv_signal_t* self, int) { close(self); }, SIGUSR1);
  uv_unref(reinterpret_cast<uv_handle_t*>(&signal));
  const pid_t child = ::fork();
  if (child == 0) {
    if (uv_loop_fork(loop.get()) != 0) ::_exit(0);
    ::alarm(5);
    (void)job.begin(loop.context(), "job of a child", [&](uv_work_t* request) {
      return uv_queue_work(
          loop.get(), request, [](uv_work_t*) {}, nullptr);
    });
    loop.run();
    ::_exit(0);
  }
  if (child > 0) {
    const Quietly quietly;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    loop.context().expect(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                          "the loop did not end in a forked child: " + std::to_string(status));
  }
  loop.run();
}

// Each function reports its failure, or its result is complete.
void ask_system(Context& context) {
  char text[1024];
  size_t size = sizeof text;
  if (uv_cwd(text, &size) == 0) {
    context.expect(std::strlen(text) == size, "the size of the folder's name is wrong");
    (void)uv_chdir(text);
  }
  size = sizeof text;
  (void)uv_exepath(text, &size);
  size = sizeof text;
  (void)uv_os_homedir(text, &size);
  {
    const Quietly quietly;
    ::unsetenv("HOME");
  }
  size = sizeof text;
  (void)uv_os_homedir(text, &size);
  size = sizeof text;
  (void)uv_os_gethostname(text, &size);
  uv_passwd_t user{};
  if (uv_os_get_passwd(&user) == 0) uv_os_free_passwd(&user);
  uv_group_t group{};
  if (uv_os_get_group(&group, 0) == 0) uv_os_free_group(&group);
  int priority = 0;
  if (uv_os_getpriority(0, &priority) == 0) (void)uv_os_setpriority(0, priority);
  uv_interface_address_t* interfaces = nullptr;
  int count = 0;
  if (uv_interface_addresses(&interfaces, &count) == 0) {
    uv_free_interface_addresses(interfaces, count);
  }
  size = sizeof text;
  (void)uv_if_indextoname(1, text, &size);
  size_t resident = 0;
  if (uv_resident_set_memory(&resident) == 0) context.expect(resident > 0, "no memory is used");
  uv_cpu_info_t* processors = nullptr;
  if (uv_cpu_info(&processors, &count) == 0) {
    context.expect(count > 0, "there is no processor");
    uv_free_cpu_info(processors, count);
  }
  context.expect(uv_available_parallelism() >= 1, "no processor is usable");
  double seconds = 0;
  (void)uv_uptime(&seconds);
  (void)uv_get_free_memory();
  (void)uv_get_constrained_memory();
  (void)uv_get_available_memory();
  (void)uv_kill(uv_os_getpid(), 0);
}

void use_descriptors(Context& context) {
  uv_file ends[2];
  if (uv_pipe(ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) == 0) {
    const Quietly quietly;
    ::close(ends[0]);
    ::close(ends[1]);
  }
  if (uv_socketpair(SOCK_STREAM, 0, ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) == 0) {
    context.expect(uv_guess_handle(ends[0]) != UV_TCP, "a Unix socket was taken for TCP");
    const Quietly quietly;
    ::close(ends[0]);
    ::close(ends[1]);
  }
}

void use_threads(Context& context) {
  static std::atomic<int> runs;
  runs = 0;
  uv_thread_t thread;
  uv_thread_options_t options{};
  options.flags = UV_THREAD_HAS_STACK_SIZE;
  options.stack_size = 256 * 1024;
  const int started = uv_thread_create_ex(
      &thread, &options, [](void*) { ++runs; }, nullptr);
  if (started == 0) {
    (void)uv_thread_join(&thread);
    context.expect(runs == 1, "a thread did not run");
  }
  uv_thread_t self = uv_thread_self();
  (void)uv_thread_setname("faults");
  char name[16];
  (void)uv_thread_getname(&self, name, sizeof name);
  char mask[CPU_SETSIZE] = {};
  if (uv_thread_getaffinity(&self, mask, sizeof mask) == 0) {
    (void)uv_thread_setaffinity(&self, mask, nullptr, sizeof mask);
  }
  int priority = 0;
  if (uv_thread_getpriority(self, &priority) == 0) (void)uv_thread_setpriority(self, 0);
}

void use_locks(Context& context) {
  uv_mutex_t mutex;
  if (uv_mutex_init(&mutex) == 0) uv_mutex_destroy(&mutex);
  if (uv_mutex_init_recursive(&mutex) == 0) uv_mutex_destroy(&mutex);
  uv_rwlock_t lock;
  if (uv_rwlock_init(&lock) == 0) {
    context.expect(uv_rwlock_trywrlock(&lock) == 0, "a new lock is taken");
    uv_rwlock_wrunlock(&lock);
    uv_rwlock_destroy(&lock);
  }
  uv_sem_t semaphore;
  if (uv_sem_init(&semaphore, 1) == 0) {
    context.expect(uv_sem_trywait(&semaphore) == 0, "a semaphore lost its token");
    uv_sem_destroy(&semaphore);
  }
  uv_cond_t condition;
  if (uv_cond_init(&condition) == 0) uv_cond_destroy(&condition);
  uv_barrier_t barrier;
  if (uv_barrier_init(&barrier, 1) == 0) {
    context.expect(uv_barrier_wait(&barrier) > 0, "a barrier for one thread did not open");
    uv_barrier_destroy(&barrier);
  }
  uv_key_t key;
  if (uv_key_create(&key) == 0) uv_key_delete(&key);
}

}  // namespace

void run_uv_loop(Context& context) {
  UvLoop loop(context);
  if (!loop.is_open()) return;
  use_pool(loop);
  use_names(loop);
  loop.run();
  use_async(loop);
  use_fork(loop);
}

void run_uv_system(Context& context) {
  ask_system(context);
  use_descriptors(context);
  use_threads(context);
  use_locks(context);
}

}  // namespace rondo::faults
