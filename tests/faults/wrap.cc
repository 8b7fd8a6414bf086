// Entry points for programs linked with --wrap=NAME for every CALL of calls.def: calls from our
// objects come here, those inside libc do not.
#include "inject.h"

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names.
#define CALL_BY(name, style, driver)                                                      \
  extern "C" long __real_##name(long, long, long, long, long, long, long);                \
  extern "C" long __wrap_##name(long a, long b, long c, long d, long e, long f, long g) { \
    constexpr size_t kRow = rondo::faults::first_row(#name);                              \
    return rondo::faults::enter(kRow, &__real_##name, a, b, c, d, e, f, g);               \
  }
#define CALL(name, style, driver, ...) CALL_BY(name, style, driver)
#define WHEN(name, variant, driver, ...)
#define SYSCALL(name, driver, ...)
#define COMPLETION(name, driver, ...)
#define EXEMPT(name, reason)
#define PURE(...)
#include "calls.def"

extern "C" long __real_syscall(long, long, long, long, long, long, long);
extern "C" long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
  using namespace rondo::faults;
  if (is_on()) {
    const size_t row = row_of_number(number, b);
    if (const int error = row == kNoRow ? 0 : strike(row); error != 0)
      return failure(rows()[row], error);
  }
  return __real_syscall(number, a, b, c, d, e, f);
}
// NOLINTEND(bugprone-reserved-identifier)
