// The real clock for Rondo's own code in libuv.so.1. The library is linked with --wrap: its calls
// of the functions below come here. In a program with a virtual clock, librondo-clock.so defines
// clock_gettime(), so the function of libc is looked up.
#include <dlfcn.h>

#include <chrono>
#include <ctime>

#include "uv/interpose/clock_hooks.h"

extern "C" int __real_clock_gettime(clockid_t id, timespec* time);

namespace {

using Read = int(clockid_t id, timespec* time);

Read* read_clock = &__real_clock_gettime;

[[gnu::constructor]] void find_clock() {
  if (::dlsym(RTLD_DEFAULT, kRondoInstallClock) == nullptr) return;
  void* const libc = ::dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (libc == nullptr) return;
  if (void* const found = ::dlsym(libc, "clock_gettime"); found != nullptr) {
    read_clock = reinterpret_cast<Read*>(found);
  }
}

}  // namespace

extern "C" {

int __wrap_clock_gettime(clockid_t id, timespec* time) { return read_clock(id, time); }

// std::chrono::steady_clock::now()
std::chrono::steady_clock::time_point __wrap__ZNSt6chrono3_V212steady_clock3nowEv() {
  timespec time{};
  read_clock(CLOCK_MONOTONIC, &time);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(time.tv_sec) +
                                               std::chrono::nanoseconds(time.tv_nsec));
}

}  // extern "C"
