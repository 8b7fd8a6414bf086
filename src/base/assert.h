// RONDO_ASSERT aborts on an internal error, also in release builds: a loop that continues with
// inconsistent state can corrupt user data. RONDO_DEBUG_ASSERT is for expensive checks.
#pragma once

namespace rondo {

// Prints "file:line: assertion failed: what" on stderr and aborts.
[[noreturn, gnu::cold]] void assertion_failed(const char* what, const char* file,
                                              int line) noexcept;

// Prints `message`, which tells the caller how to fix the error, on stderr and aborts.
[[noreturn, gnu::cold]] void fatal(const char* message) noexcept;

}  // namespace rondo

#define RONDO_ASSERT(condition)                              \
  (__builtin_expect(!!(condition), 1) ? static_cast<void>(0) \
                                      : ::rondo::assertion_failed(#condition, __FILE__, __LINE__))

#ifdef NDEBUG
#define RONDO_DEBUG_ASSERT(condition) static_cast<void>(0)
#else
#define RONDO_DEBUG_ASSERT(condition) RONDO_ASSERT(condition)
#endif
