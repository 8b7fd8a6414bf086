// RONDO_ASSERT stops the program when we failed, in release builds too: a loop that goes on with
// broken bookkeeping loses other people's data. RONDO_DEBUG_ASSERT is for checks that are dear.
#pragma once

namespace rondo {

// Prints "file:line: assertion failed: what" on stderr and aborts.
[[noreturn, gnu::cold]] void assertion_failed(const char* what, const char* file,
                                              int line) noexcept;

// The same for a fault that the caller must mend: `message` says what to do.
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
