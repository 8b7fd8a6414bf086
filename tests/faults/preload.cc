// Entry points for a program started with LD_PRELOAD: all its calls of libc's functions come here,
// including those of V8 and other libraries. RONDO_FAULTS names a file with a Control: the test
// reads counts from it, and selects the call that fails. Children are included only if
// RONDO_FAULTS_IN_CHILDREN is set.
#include <dirent.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "inject.h"

namespace rondo::faults {
namespace {

Function real_function(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));  // NOLINT: what dlsym(3) is for.
}

// V8, c-ares and others are not tested: V8 ends the process without memory or threads.
bool is_ours(const void* caller) {
  Dl_info module{};
  if (::dladdr(caller, &module) == 0 || module.dli_fname == nullptr) return false;
  const std::string_view name(module.dli_fname);
  return name.substr(name.rfind('/') + 1).find("librondo") != name.npos;
}

// The leak check identifies the pool's threads by their names.
constexpr bool is_left_alone(std::string_view name) { return name == "pthread_setname_np"; }

// The leak check reads /proc/self, and must see everything.
bool is_of_leak_check(std::string_view name, long first) {
  constexpr std::string_view kFolder = "/proc/self/";
  if (name == "opendir" || name == "readlink") {
    return std::string_view(reinterpret_cast<const char*>(first))
        .starts_with(kFolder);  // NOLINT: a path.
  }
  if (name != "readdir") return false;
  char target[64] = {};
  const std::string link =
      "/proc/self/fd/" +
      std::to_string(::dirfd(reinterpret_cast<DIR*>(first)));  // NOLINT: as above.
  static const Function readlink = real_function("readlink");
  readlink(reinterpret_cast<long>(link.c_str()), reinterpret_cast<long>(target), sizeof target - 1,
           0, 0, 0, 0);
  return std::string_view(target).starts_with("/proc/");
}

// Before main(), and before any thread.
[[gnu::constructor]] void attach() {
  const char* const path = std::getenv("RONDO_FAULTS");
  if (path == nullptr) return;
  const auto open = reinterpret_cast<int (*)(const char*, int)>(::dlsym(RTLD_NEXT, "open"));
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) std::abort();
  const auto map =
      reinterpret_cast<void* (*)(void*, size_t, int, int, int, off_t)>(::dlsym(RTLD_NEXT, "mmap"));
  void* const memory = map(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  reinterpret_cast<int (*)(int)>(::dlsym(RTLD_NEXT, "close"))(fd);
  if (memory == MAP_FAILED) std::abort();
  if (std::getenv("RONDO_FAULTS_IN_CHILDREN") == nullptr) {
    ::unsetenv("RONDO_FAULTS");
    ::unsetenv("LD_PRELOAD");
  }
  control = static_cast<Control*>(memory);
}

}  // namespace
}  // namespace rondo::faults

// The functions have other types in their headers: so they get different names here, and the right
// ones for the linker.
#define CALL_BY(name, style, driver)                                                              \
  extern "C" [[gnu::visibility("default")]] long fault_##name(long, long, long, long, long, long, \
                                                              long) __asm__(#name);               \
  extern "C" long fault_##name(long a, long b, long c, long d, long e, long f, long g) {          \
    using namespace rondo::faults;                                                                \
    static Function real = nullptr;                                                               \
    if (real == nullptr) real = real_function(#name);                                             \
    if (!is_on() || is_left_alone(#name) || !is_ours(__builtin_return_address(0)) ||              \
        is_of_leak_check(#name, a)) {                                                             \
      return real(a, b, c, d, e, f, g);                                                           \
    }                                                                                             \
    constexpr size_t kRow = first_row(#name);                                                     \
    return enter(kRow, real, a, b, c, d, e, f, g);                                                \
  }
#define CALL(name, style, driver, ...) CALL_BY(name, style, driver)
#define WHEN(name, variant, driver, ...)
#define SYSCALL(name, driver, ...)
#define COMPLETION(name, driver, ...)
#define EXEMPT(name, reason)
#define PURE(...)
#include "calls.def"

extern "C" [[gnu::visibility("default")]] long fault_syscall(long, long, long, long, long, long,
                                                             long) __asm__("syscall");
extern "C" long fault_syscall(long number, long a, long b, long c, long d, long e, long f) {
  using namespace rondo::faults;
  using Syscall = long (*)(long, long, long, long, long, long, long);
  static Syscall real = nullptr;
  if (real == nullptr) real = reinterpret_cast<Syscall>(::dlsym(RTLD_NEXT, "syscall"));
  if (is_on() && is_ours(__builtin_return_address(0))) {
    const size_t row = row_of_number(number, b);
    if (const int error = row == kNoRow ? 0 : strike(row); error != 0)
      return failure(rows()[row], error);
  }
  return real(number, a, b, c, d, e, f);
}

// For the test, to get the order of the rows: one line each, "name errors…".
extern "C" [[gnu::visibility("default")]] const char* rondo_faults_rows() {
  using namespace rondo::faults;
  static std::string text;
  text.clear();
  for (const Row& row : rows()) {
    text += row.variant == nullptr ? "-" : label_of(row);
    text += row.driver == Driver::runtime ? " runtime" : " loop";
    for (const int error : errors_of(row))
      text += ' ' + error_name(row, error) + '=' + std::to_string(error);
    text += '\n';
  }
  return text.c_str();
}
