#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace rondo {

void assertion_failed(const char* what, const char* file, int line) noexcept {
  std::fprintf(stderr, "rondo: %s:%d: assertion failed: %s\n", file, line, what);
  std::abort();
}

void fatal(const char* message) noexcept {
  std::fprintf(stderr, "rondo: %s\n", message);
  std::abort();
}

}  // namespace rondo
